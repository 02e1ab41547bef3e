"""Metrics of a ranking."""

from __future__ import annotations

import pytest

from palaver.evaluation.metrics import (
    all_at,
    any_at,
    conversation_scores,
    mean_scores,
    percentile,
    reciprocal_rank,
    round_scores,
)


def test_any_and_all_look_at_the_first_few():
    assert any_at("abcd", {"d", "x"}, 4) == 1
    assert any_at("abcd", {"d", "x"}, 3) == 0
    assert all_at("abcd", {"a", "d"}, 4) == 1
    assert all_at("abcd", {"a", "d"}, 3) == 0
    assert all_at("ab", {"a", "b"}, 10) == 1
    assert any_at("", {"a"}, 5) == all_at("", {"a"}, 5) == 0


def test_reciprocal_rank_is_that_of_the_first():
    assert reciprocal_rank("abcd", {"b", "c"}) == 1 / 2
    assert reciprocal_rank("abcd", {"x"}) == 0
    assert reciprocal_rank("", {"x"}) == 0


def test_scores_have_the_promised_names():
    assert conversation_scores("abcdefg", {"a", "g"}) == {"any@5": 1, "all@5": 0, "all@10": 1}
    assert round_scores("abcdefg", {"b", "g"}) == {"all@5": 0, "all@10": 1, "mrr": 0.5}


def test_means_are_over_questions():
    assert mean_scores([{"x": 1.0, "y": 0.0}, {"x": 0.0, "y": 0.0}]) == {"x": 0.5, "y": 0}
    assert mean_scores([]) == {}


@pytest.mark.parametrize(
    ("values", "share", "found"),
    [
        ([3.0], 0.5, 3.0),
        ([3.0], 0.95, 3.0),
        ([4.0, 1.0, 3.0, 2.0], 0.5, 2.0),
        ([float(number) for number in range(1, 101)], 0.95, 95.0),
        ([float(number) for number in range(1, 21)], 0.95, 19.0),
    ],
)
def test_percentiles(values: list[float], share: float, found: float):
    assert percentile(values, share) == found
