"""How a text is cut into pieces."""

from importlib import import_module

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from palaver.text import pieces
from palaver.text.pieces import LONG, SHORT

SENTENCE = "The kettle in the kitchen is broken again and nobody knows why. "
"""Of twelve words."""


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in pieces(text)]


def test_a_short_text_is_one_piece_without_the_space_around_it():
    assert cut("  One. Two!\n\nThree?\n") == ["One. Two!\n\nThree?"]
    assert cut("") == cut(" \n\t ") == []


def test_a_long_text_is_cut_at_the_ends_of_sentences():
    found = cut(SENTENCE * 50)
    assert {len(piece.split()) for piece in found[:-1]} == {96}
    assert all(piece.endswith("why.") and piece.startswith("The") for piece in found)


def test_sentences_end_in_many_ways():
    for end in (". ", "! ", "? ", '." ', ".) ", "… ", "\n", "\n\n- ", "؟ ", "। "):
        text = " ".join(["word"] * 59) + " last" + end
        first, *_ = cut(text * 3)
        assert first.endswith(("last" + end).rstrip(" -\n")), repr(end)
        assert len(first.split()) == 60, repr(end)


def test_a_dot_inside_a_word_ends_no_sentence():
    text = "word " * 60 + "v1.2.3 example.org " + "word " * 60
    first, *_ = cut(text)
    assert len(first.split()) == LONG.words


def test_a_sentence_without_end_is_cut_between_words():
    found = cut("word " * 250)
    assert [len(piece.split()) for piece in found] == [100, 100, 50]


def test_a_text_of_a_script_without_spaces_is_cut_at_its_sentences():
    sentence = "我们昨天在东京的会议上讨论了这个项目的预算和时间安排。"
    found = cut(sentence * 40)
    assert all(len(piece) <= LONG.bytes // 3 for piece in found)
    assert all(piece.endswith("。") for piece in found)
    assert "".join(found) == sentence * 40


def test_a_text_without_any_end_is_cut_between_characters():
    found = cut("x" * 2000)
    assert [len(piece) for piece in found] == [720, 720, 560]
    family = "👩\u200d👩\u200d👧\u200d👦"
    for piece in cut(family * 200):
        assert len(piece) % len(family) == 0
    for piece in cut("e\u0301" * 1000):
        assert len(piece) % 2 == 0


def test_lines_of_code_are_kept_whole():
    line = "    total = sum(value for value in values)\n"
    found = cut("```python\n" + line * 60 + "```\n")
    assert len(found) > 1
    assert all(piece.endswith(("values)", "```")) for piece in found)


parts = st.sampled_from(
    [
        "word ",
        "Word. ",
        "x" * 90,
        "东京",
        "。",
        "?! ",
        "\n",
        "\n\n",
        " ",
        ". ",
        "e\u0301",
        "👩\u200d👧",
    ]
)
WORDS = [
    "a ",
    "word ",
    "wonderful ",
    "of  ",
    "x-1\t",
    "x" * 218 + " ",
    "x" * 219 + "  ",
    " ",
    "End. ",
]
texts = st.lists(st.tuples(parts, st.integers(1, 120))).map(
    lambda chosen: "".join(part * times for part, times in chosen)
)


@given(texts | st.text())
def test_pieces_hold_all_that_is_not_space_in_order(text: str):
    assert "".join("".join(cut(text)).split()) == "".join(text.split())
    places = [place for span in pieces(text) for place in span]
    assert places == sorted(places)
    assert all(start < end for start, end in pieces(text))


@given(texts | st.text())
def test_no_piece_is_too_long(text: str):
    for piece in cut(text):
        assert len(piece.split()) <= LONG.words
        assert len(piece.encode("utf-8", "surrogatepass")) <= LONG.bytes


@example("x" * 109 + " " + "x" * 109 + "  " + "word " * 40)
@given(texts | st.lists(st.sampled_from(WORDS), max_size=150).map("".join))
def test_many_words_at_once_are_cut_like_single_words(text: str):
    for size in (SHORT, LONG):
        at_once = pieces(text, size)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(import_module("palaver.text.pieces"), "_runs", lambda *_: None)  # pyright: ignore
            assert pieces(text, size) == at_once


def test_a_sentence_that_grows_too_long_does_not_move_the_cut_before_it():
    text = "word " * 49 + "end. " + "more " * 60
    assert pieces(text)[:-1] == pieces(text + "more " * 100)[:1]
    text = "word " * 49 + "end. " + "x" * 600
    assert pieces(text)[:-1] == pieces(text + "x" * 1000)[:1]


@given(texts, texts)
def test_a_text_that_grows_keeps_all_its_pieces_but_the_last(text: str, more: str):
    before = pieces(text)[:-1]
    assert pieces(text + more)[: len(before)] == before


@given(texts, st.data())
def test_wherever_it_is_broken_off(text: str, data: st.DataObject):
    at = data.draw(st.integers(0, len(text)))
    before = pieces(text[:at])[:-1]
    assert pieces(text)[: len(before)] == before
