"""Text of models: whatever comes, what is kept can be stored."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from palaver.agent.models.clean import Cleaner
from palaver.ledger.strict import check_text
from palaver.text.fitting import fit

ANYTHING = st.text(st.characters(codec=None, exclude_categories=()))


@given(st.lists(ANYTHING))
def test_all_that_is_kept_can_be_stored(pieces: list[str]) -> None:
    cleaner = Cleaner()
    kept = [cleaner.clean(piece) for piece in pieces]
    kept.append(cleaner.rest())
    assert all(check_text(text) == text for text in kept)
    assert "".join(kept) == fit("".join(pieces))


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")), st.data())
def test_good_text_stays_however_it_is_cut(text: str, data: st.DataObject) -> None:
    halves = "".join(
        part.decode("utf-16-le", "surrogatepass")
        for part in (text.encode("utf-16-le")[n : n + 2] for n in range(0, 2 * _units(text), 2))
    )
    where = data.draw(st.integers(0, len(halves)))
    cleaner = Cleaner()
    assert cleaner.clean(halves[:where]) + cleaner.clean(halves[where:]) + cleaner.rest() == text


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
