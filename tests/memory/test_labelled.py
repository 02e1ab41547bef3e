"""The figures of extraction, and of what a later memory does to an earlier one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from palaver.embedding.minilm import MiniLM
from palaver.embedding.weights import read_model
from palaver.memory.offline.extractor import found
from palaver.memory.port import Saying
from tests.memory.scoring import (
    LABELLED,
    Excerpt,
    Score,
    all_sayings,
    load,
    scored,
    scored_pairs,
    similarities,
)

PAIRED = ("dev", "heldout", "fresh", "blind", "last")
FILES = (*PAIRED, "stranger")
PAIRS = tuple(f"pairs_{name}" for name in (*PAIRED, "apart", "more"))
UNSEEN = ("last",)
"""What no rule was tuned on."""
FOREIGN = ("third-party", "recalled", "quoted-mail", "tool-output", "assistant-guess", "secret")
"""What is nobody's own words, or is never kept."""


@pytest.fixture(scope="session")
def model() -> MiniLM:
    return MiniLM(read_model(Path("no", "such", "models")))


def suffices(score: Score, precision: float = 0.88, recall: float = 0.78) -> bool:
    """The figures that extraction has to reach."""
    return score.precision >= precision and score.recall >= recall


def every(names: Sequence[str]) -> list[Excerpt]:
    """What all files hold, those too that nothing was tuned on: how each is told alone stands in
    docs/explanation/extraction.md."""
    return [one for name in names for one in load(name)]


def test_what_lasts_is_found_and_little_else() -> None:
    assert suffices(scored(every(FILES), found))


def test_what_lasts_is_found_in_words_that_nothing_was_tuned_on() -> None:
    assert suffices(scored(every(UNSEEN), found), precision=0.7, recall=0.6)


def test_little_is_taken_where_nothing_lasts() -> None:
    traps = [one for one in every(FILES) if not one["expect"]]
    assert scored(traps, found).from_traps / len(traps) <= 0.02


def test_a_line_by_itself_is_told_to_last_or_not() -> None:
    lines = (LABELLED / "lines.txt").read_text(encoding="utf-8").splitlines()
    told = [(one[0] == "+", bool(found([Saying("m", "c", one[2:], "")]))) for one in lines]
    assert sum(lasts != taken for lasts, taken in told) / len(lines) <= 0.04


@pytest.mark.parametrize("kind", FOREIGN)
def test_nothing_comes_from_what_is_nobodys_own_words(kind: str) -> None:
    excerpts = [one for one in every(FILES) if one["kind"] == kind]
    score = scored(excerpts, found)
    assert excerpts
    assert (score.leaks, score.from_traps) == (0, 0)


def test_whether_a_later_memory_takes_the_place_of_an_earlier_one_is_told(model: MiniLM) -> None:
    pairs = every(PAIRS)
    told = scored_pairs(pairs, similarities(pairs, model)).told
    taken = [(is_ == "supersedes", said == "supersedes", n) for (is_, said), n in told.items()]
    wrong = sum(number for meant, said, number in taken if meant != said)
    assert wrong / len(pairs) <= 0.05


def test_what_a_later_memory_does_is_told_mostly(model: MiniLM) -> None:
    pairs = every(PAIRS)
    assert scored_pairs(pairs, similarities(pairs, model)).share >= 0.87


def test_an_extractor_that_reads_everybody_takes_what_is_nobodys_own_words() -> None:
    excerpts = [one for one in every(FILES) if one["kind"] in FOREIGN]
    assert scored(excerpts, found, all_sayings).leaks > 0


def test_an_extractor_that_finds_nothing_does_not_suffice() -> None:
    assert not suffices(scored(load("dev"), lambda _: []))


def test_every_quotation_stands_in_its_message() -> None:
    for excerpt in load("dev") + load("heldout"):
        texts = [message["text"] for message in excerpt["messages"]]
        for one in found(all_sayings(excerpt)):
            assert one.quote in texts[int(one.message_id)]
