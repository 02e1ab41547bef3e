"""How turns and summaries of days are scored together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from palaver.index.evidence import Abbreviations, DayMarks, Evidence, Speaker, page_turn
from palaver.recall.ranking import rank
from palaver.recall.scoring import Weights, covered_by_summary, score
from palaver.recall.scoring_s4 import S4Weights, score_s4
from tests.recall.said import Said, evidence

MONDAY, TUESDAY = "2026-02-02", "2026-02-03"


def days(*said: Said, covers: tuple[int, int] = (-1, -1)) -> Evidence:
    """Two days, which begin with the turns 1 and 3."""
    marks = DayMarks(
        labels=[MONDAY, TUESDAY],
        ids=["day-1", "day-2"],
        pages=np.array([page_turn(MONDAY), page_turn(TUESDAY)]),
        first=np.array([1, 3]),
        covers=np.array(covers),
    )
    return replace(evidence(*said), days=marks)


def page(label: str, *counts: int, cosine: float = 0.5) -> Said:
    return Said(1, page_turn(label), counts, cosine, Speaker.PAGE)


def test_a_turn_belongs_to_the_day_it_stands_in() -> None:
    marks = days().days
    assert marks is not None
    turns = np.array([0, 1, 2, 3, 99, page_turn(MONDAY), page_turn(TUESDAY)])
    assert marks.of(turns).tolist() == [-1, 0, 0, 1, 1, 0, 1]


def test_what_the_summary_of_its_own_day_tells_is_covered() -> None:
    found = days(*(Said(1, turn, (1,)) for turn in (0, 1, 2, 3, 4)), page(MONDAY, 1), covers=(1, 3))
    covered = covered_by_summary(found)
    assert covered is not None
    assert covered.tolist() == [False, True, False, True, False, False]
    assert covered_by_summary(evidence(Said(1, 1, (1,)))) is None


def test_the_score_of_the_specification_to_the_digit() -> None:
    found = days(
        Said(1, 1, (1,), 0.4), Said(1, 3, (1,), 0.4), page(MONDAY, 1, cosine=0.4), covers=(0, 0)
    )
    first, second, told = score_s4(found).score
    raw = np.log1p((10_000 - 5 + 0.5) / 5.5) * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 40 / 75))
    base = 0.7 * np.float32(0.4) + 0.3 * raw / (raw + 1)
    assert (first, second, told) == pytest.approx((0.85 * base, base, base), rel=1e-6)
    other = score_s4(found, S4Weights(covered=0.5)).score[0]
    assert other == pytest.approx(0.5 * base, rel=1e-6)


def test_the_tuned_score_is_lowered_alike_and_adds_up() -> None:
    said = [Said(1, 1, (1,), 0.4), Said(1, 3, (1,), 0.4)]
    free, covered = score(days(*said)), score(days(*said, covers=(0, -1)), Weights(covered=0.6))
    assert covered.score[0] == pytest.approx(0.6 * free.score[0])
    assert covered.score[1] == pytest.approx(free.score[1])
    assert sum(part[0] for part in covered.parts.values()) == pytest.approx(covered.score[0])
    assert score(evidence(*said)).score.tolist() == free.score.tolist()


def test_a_summary_scores_as_a_message_of_the_user_that_says_the_same() -> None:
    replies = [Said(1, turn, (0,), 0.0, Speaker.ASSISTANT, length=600) for turn in (1, 7)]
    found = days(replies[0], Said(1, 5, (1,), 0.5), replies[1], page(MONDAY, 1))
    scores = score(found, Weights(beside=0)).score
    assert scores[3] == pytest.approx(scores[1])


def test_each_result_knows_its_day() -> None:
    found = rank(days(Said(1, 1, (1,)), page(TUESDAY, 2), covers=(0, 0)), Weights())
    by_kind = {one.is_page: one for one in found.rounds(9)}
    assert by_kind[True].day == (TUESDAY, "day-2")
    assert by_kind[False].day == (MONDAY, "day-1")
    assert (by_kind[True].covered, by_kind[False].covered) == (False, True)


def test_of_several_summaries_of_a_conversation_the_nearest_counts() -> None:
    near = Abbreviations(np.array([1, 1, 1]), np.array([0.3, 0.9, 0.5], np.float32))
    scored = score(replace(evidence(Said(1, 1, (1,))), abbreviations=near))
    alone = Abbreviations(np.array([1]), np.array([0.9], np.float32))
    assert scored.told == score(replace(evidence(Said(1, 1, (1,))), abbreviations=alone)).told
