"""Snippets show why a text was found, whatever the text."""

from hypothesis import given
from hypothesis import strategies as st

from palaver.recall.snippet import ELLIPSIS, LENGTH, snippet


def marked(text: str, *words: str) -> list[str]:
    found = snippet(text, words)
    return [found.text[start:end] for start, end in found.highlights]


def test_a_short_text_is_shown_whole():
    found = snippet("The login bug is fixed.", ["login", "bug"])
    assert found.text == "The login bug is fixed."
    assert found.highlights == [(4, 9), (10, 13)]


def test_a_long_text_is_cut_between_words_around_the_best_match():
    filler = "lorem ipsum dolor sit amet " * 40
    found = snippet(f"{filler}the bug. {filler}the login bug {filler}", ["login", "bug"])
    assert found.text.startswith(ELLIPSIS)
    assert found.text.endswith(ELLIPSIS)
    assert "login bug" in found.text
    assert len(found.text) <= LENGTH + 2
    assert set(found.text.strip(ELLIPSIS).split()) <= set(f"{filler} the bug. login bug".split())


def test_the_words_are_marked_in_any_spelling():
    assert marked("CAFÉ, cafe\u0301 and cafe", "café") == ["CAFÉ", "cafe\u0301", "cafe"]


def test_line_breaks_become_spaces():
    assert snippet("one\n\n\ttwo\u2028three", ["two"]).text == "one two three"


def test_a_text_without_a_space_is_cut_all_the_same():
    found = snippet("登" * 5000, ["录"])
    assert found.text == "登" * LENGTH + ELLIPSIS


def test_no_cut_goes_through_a_character():
    family = "👩\u200d👩\u200d👧\u200d👦"
    text = family * 200
    shown = snippet(text, ["x"]).text.removesuffix(ELLIPSIS)
    assert text.startswith(shown)
    assert len(shown) % len(family) == 0


def test_a_word_longer_than_a_snippet_is_kept_whole_enough_to_be_marked():
    assert marked(f"start {'a' * 500} end", "a" * 500) == ["a" * 500]


def test_many_matches_in_a_long_text_are_quick():
    found = snippet("bug " * 250_000, ["bug", "absent"])
    assert found.highlights


@given(st.text(), st.lists(st.text(min_size=1), max_size=4), st.integers(20, 300))
def test_highlights_lie_inside_the_snippet_in_order(text: str, words: list[str], length: int):
    found = snippet(text, words, length=length)
    places = [place for span in found.highlights for place in span]
    assert places == sorted(places)
    assert all(0 <= place <= len(found.text) for place in places)
    assert "\n" not in found.text


@given(st.text(alphabet=st.characters(categories=["L", "N", "Zs", "P"])), st.data())
def test_a_word_of_the_text_is_always_marked(text: str, data: st.DataObject):
    from palaver.recall.query import spans

    places = list(spans(text))
    if places:
        start, end = data.draw(st.sampled_from(places))
        assert snippet(text, [text[start:end]]).highlights
