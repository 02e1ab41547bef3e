"""Parts of a page that come from the code, in their places."""

from __future__ import annotations

import pytest

from scripts.parts import renewed

PAGE = """# Figs

<!-- from the code: kinds -->

| old |

<!-- to here -->

Words.
"""


def test_a_part_is_renewed_and_the_rest_stays_as_it_was_written() -> None:
    page = renewed(PAGE, {"kinds": "| new \\1 |\n"})
    assert page == PAGE.replace("| old |", "| new \\1 |")
    assert renewed(page, {"kinds": "| old |\n"}) == PAGE


@pytest.mark.parametrize("parts", [{}, {"others": ""}, {"kinds": "", "others": ""}])
def test_a_part_without_its_place_is_refused(parts: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="place"):
        renewed(PAGE, parts)
