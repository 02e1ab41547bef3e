"""The text of an answer: nothing in it is unseen."""

from __future__ import annotations

import json
import unicodedata

import pytest

from palaver.agent.tools.wording import as_text

UNSEEN = {
    "controls": range(0x80, 0xA0),
    "zero width and direction": range(0x200B, 0x2010),
    "separators and overrides": range(0x2028, 0x202F),
    "joiners and isolates": range(0x2060, 0x2070),
    "byte order mark": range(0xFEFF, 0xFF00),
    "selectors": range(0xFE00, 0xFE10),
    "fillers": (0x115F, 0x1160, 0x3164, 0xFFA0),
    "shorthand": range(0x1BCA0, 0x1BCA4),
    "music": range(0x1D173, 0x1D17B),
    "tags": range(0xE0000, 0xE1000),
}


@pytest.mark.parametrize("kind", UNSEEN)
def test_what_nobody_sees_is_escaped_and_reads_back(kind: str) -> None:
    words = "".join(map(chr, UNSEEN[kind]))
    text = as_text({"said": words})
    assert text.isascii()
    assert json.loads(text) == {"said": words}


def test_what_is_seen_stays_as_it_is() -> None:
    words = "Crème brûlée 無花果 \N{GRINNING FACE} \u0600"
    assert unicodedata.category(words[-1]) == "Cf"  # of that category, and yet a sign people see
    assert as_text(words) == f'"{words}"'
