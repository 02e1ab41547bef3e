"""Pieces: what the full text knows of messages, a pure function of what they say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.index import pieces as cutting
from palaver.index.evidence import Speaker
from palaver.index.pieces import (
    ECHO,
    MOST,
    SPOKEN,
    Batch,
    Said,
    batches,
    piece_key,
    piece_keys,
    short_key,
    speaker_of,
)

LONG = "The harbour was quiet that morning, and nobody spoke of the ferry. " * 80


def said(content: str, *, turn: int = 1, seq: int = 1, speaker: int = Speaker.USER) -> Said:
    return Said((7 << 32) + turn, seq, speaker, 1_700_000_000_000, content)


def only(*messages: Said) -> Batch:
    (batch,) = batches(messages)
    return batch


def held(batch: Batch, piece: int) -> dict[str, int]:
    """The terms of a piece, and how often it holds them."""
    return {
        term: int(posting.counts[posting.pieces == piece][0])
        for term, posting in batch.postings.items()
        if piece in posting.pieces
    }


def spread(made: list[Batch]) -> list[tuple[object, ...]]:
    """Every piece with its terms, in order, whatever batch it is in."""
    found = [
        (*row, tuple(sorted(held(batch, number).items())))
        for batch in made
        for number, row in enumerate(batch.columns.tolist())
    ]
    return sorted(found)


def test_a_piece_is_known_by_its_words_and_its_text() -> None:
    batch = only(said("Running dogs ran; the dog runs."))
    (row,) = batch.columns
    assert held(batch, 0) == {
        "running": 1,
        "~run": 2,
        "dogs": 1,
        "~dog": 1,
        "ran": 1,
        "the": 1,
        "dog": 1,
        "runs": 1,
    }
    assert (row["round"], row["seq"], row["start"], row["end"]) == ((7 << 32) + 1, 1, 0, 31)
    assert (row["length"], row["terms"]) == (6, 8)
    assert SPOKEN[row["language"]] == "en"
    assert row["key"] == short_key(piece_key("Running dogs ran; the dog runs."))
    assert row["time"] == 1_700_000_000_000


def test_a_long_message_has_several_pieces() -> None:
    batch = only(said(LONG))
    assert len(batch.columns) == len(piece_keys("user", LONG)) > 5
    for row, key in zip(batch.columns, piece_keys("user", LONG), strict=True):
        assert row["key"] == short_key(key)
        assert key == piece_key(LONG[row["start"] : row["end"]])
    assert sum(batch.postings["ferry"].counts) == 80


def test_of_what_a_tool_says_only_the_head_and_the_tail_are_kept() -> None:
    whole = only(said(LONG, speaker=Speaker.ASSISTANT))
    cut = only(said(LONG, speaker=Speaker.TOOL))
    assert cut.columns["start"].tolist() == whole.columns["start"][[0, -1]].tolist()
    short = "one line of output"
    assert len(only(said(short, speaker=Speaker.TOOL)).columns) == 1


def test_pieces_stand_in_the_order_in_which_they_were_said() -> None:
    messages = [said(LONG, turn=2, seq=4), said("b", turn=1, seq=3), said("a", turn=1, seq=1)]
    columns = only(*messages).columns
    where = list(
        zip(columns["round"].tolist(), columns["seq"].tolist(), columns["start"], strict=True)
    )
    assert where == sorted(where)


def test_counts_end_where_two_of_them_fit_into_a_byte() -> None:
    long = (said(text, seq=seq, speaker=1) for seq, text in ((1, "x " * 90), (2, "東" * 239)))
    batch = only(*long)
    assert held(batch, 0) == {"x": 90}
    assert held(batch, 1) == {"東": 127, "東東": 127}


def test_speakers() -> None:
    assert speaker_of("assistant", echo=True) == Speaker.ASSISTANT | ECHO
    assert [speaker_of(role, echo=False) for role in ("user", "assistant", "tool")] == [0, 1, 2]


@pytest.mark.parametrize("content", ["", " ", "\n\t", "\u3000"])
def test_a_message_that_says_nothing_has_no_pieces(content: str) -> None:
    assert list(batches([said(content)])) == []
    assert piece_keys("user", content) == []


@pytest.mark.parametrize("content", ["!", "…", "\0", "\u202e", "---", "ab" * 5000, "\U0001f600"])
def test_odd_contents_have_pieces(content: str) -> None:
    batch = only(said(content))
    assert batch.columns["terms"].sum() == sum(len(one.pieces) for one in batch.postings.values())


_WORDS = ["tea", "teas", "Büro", "x-1", "東京", "the", "à", "running", "!", "\n\n", LONG[:700]]
_CONTENTS = st.lists(st.sampled_from(_WORDS), max_size=30).map(" ".join)


@given(st.lists(st.tuples(_CONTENTS, st.integers(0, 3), st.sampled_from(list(Speaker)))))
def test_one_by_one_is_the_same_as_all_at_once(given_: list[tuple[str, int, int]]) -> None:
    messages = [
        said(content, turn=turn, seq=seq, speaker=speaker)
        for seq, (content, turn, speaker) in enumerate(given_)
    ]
    singly = [batch for message in messages for batch in batches([message])]
    assert (
        spread(singly) == spread(list(batches(messages))) == spread(list(batches(messages[::-1])))
    )


@given(_CONTENTS)
def test_postings_and_columns_tell_the_same(content: str) -> None:
    for batch in batches([said(content), said("tea", seq=2)]):
        for number, row in enumerate(batch.columns):
            assert len(held(batch, number)) == row["terms"]
        for posting in batch.postings.values():
            assert np.all(np.diff(posting.pieces.astype(int)) > 0)
            assert posting.counts.min() > 0


def test_more_pieces_than_can_be_numbered_together() -> None:
    messages = [said(f"word{number}", turn=number, seq=number) for number in range(MOST + 10)]
    first, second = batches(messages)
    assert (len(first.columns), len(second.columns)) == (MOST, 10)
    assert first.postings[f"word{MOST - 1}"].pieces.tolist() == [MOST - 1]
    assert second.postings[f"word{MOST}"].pieces.tolist() == [0]
    assert f"word{MOST}" not in first.postings


def test_a_message_is_never_in_two_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "MOST", 8)
    messages = [said(LONG[:1400], seq=seq) for seq in range(5)]
    made = list(batches(messages))
    seqs = [set(batch.columns["seq"].tolist()) for batch in made]
    assert all(seqs)
    assert sum(map(len, seqs)) == 5
    (batch,) = batches([said(LONG)])  # more pieces than can be numbered: its end is left out
    assert len(batch.columns) == 8
    assert max(posting.pieces.max() for posting in batch.postings.values()) == 7
