"""The ranking of the specification gives its numbers to the digit."""

from __future__ import annotations

import numpy as np
import pytest

from palaver.recall.scoring_pieces import bm25
from palaver.recall.scoring_s4 import S4Weights, score_s4
from tests.recall.said import Said, evidence, turns


def test_seven_tenths_of_the_cosine_and_three_tenths_of_the_words():
    found = evidence(Said(1, 1, [2], 0.5))
    raw = bm25(found)[0]
    assert score_s4(found).score[0] == pytest.approx(0.7 * 0.5 + 0.3 * raw / (raw + 1), abs=1e-12)


def test_without_a_vector_the_words_alone():
    found = evidence(Said(1, 1, [2]))
    raw = bm25(found)[0]
    assert score_s4(found).score[0] == pytest.approx(0.3 * raw / (raw + 1), abs=1e-12)


def test_a_cosine_below_nothing_is_nothing():
    assert score_s4(evidence(Said(1, 1, [0], -0.4))).score[0] == 0


def test_what_a_summary_covers_has_85_hundredths_of_that():
    found = evidence(Said(1, 1, [0], 0.5), Said(1, 2, [0], 0.5))
    scored = score_s4(found, covered=np.array([True, False]))
    assert scored.score == pytest.approx([0.85 * 0.35, 0.35], abs=1e-7)


def test_words_and_meaning_are_those_of_one_piece():
    found = evidence(Said(1, 1, [0], 0.5), Said(1, 1, [1], 0.0))
    scored = score_s4(found)
    assert scored.score[0] == pytest.approx(0.35, abs=1e-7)
    assert [part[0] for part in scored.parts.values()] == pytest.approx([0.35, 0], abs=1e-7)


def test_the_newer_of_equal_ones_comes_first():
    found = evidence(Said(1, 1, [1], time=1), Said(2, 2, [1], time=3), Said(3, 3, [1], time=2))
    assert turns(score_s4(found), found) == [2, 3, 1]


def test_the_coefficients_can_be_set():
    found = evidence(Said(1, 1, [0], 0.5))
    assert score_s4(found, S4Weights(vector=0.2)).score[0] == pytest.approx(0.1, abs=1e-7)


def test_what_may_not_be_found_says_nothing():
    found = evidence(Said(1, 1, [5], 0.9, eligible=False), Said(1, 1, [0], 0.1))
    assert score_s4(found).score[0] == pytest.approx(0.07, abs=1e-7)


def test_nothing_gives_nothing():
    assert len(score_s4(evidence()).order()) == 0
