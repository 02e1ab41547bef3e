"""The ranking finds what was said by its words and by its meaning, on a scale of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.index.evidence import Speaker
from palaver.recall.scoring import Weights, score
from tests.recall.said import PIECES, Said, evidence, turns


def test_nothing_gives_nothing():
    scored = score(evidence())
    assert len(scored.score) == len(scored.order()) == len(scored.conversations) == 0


def test_a_single_round_has_a_score_of_its_own():
    alone = score(evidence(Said(1, 1, [1], 0.6))).score[0]
    among = score(evidence(Said(1, 1, [1], 0.6), Said(2, 1, [9], 0.9), Said(3, 1, [0], 0.1)))
    assert 0 < alone < 1
    assert among.score[0] == pytest.approx(alone)


def test_a_rare_word_alone_is_found_among_what_is_near_in_meaning():
    others = [Said(1, turn, [0, 1], 0.35) for turn in range(1, 60, 2)]
    found = evidence(*others, Said(2, 1001, [1, 0], 0.05), frequencies=[1, 4000])
    assert turns(score(found), found)[0] == 1001


def test_a_meaning_alone_is_found_among_what_has_the_common_words():
    others = [Said(1, turn, [0, 1], 0.1) for turn in range(1, 60, 2)]
    found = evidence(*others, Said(2, 1001, [0, 0], 0.75), frequencies=[1, 4000])
    assert turns(score(found), found)[0] == 1001


def test_a_round_is_as_good_as_its_best_piece():
    short = evidence(Said(1, 1, [2]), Said(1, 1, [0]))
    long = evidence(Said(1, 1, [0]), Said(1, 1, [0]), Said(1, 1, [2]), Said(1, 1, [1]))
    assert score(short).score[0] == pytest.approx(score(long).score[0])


def test_short_pieces_of_a_round_are_read_together():
    together = evidence(Said(1, 1, [1, 0]), Said(1, 1, [0, 1]), frequencies=[5, 5])
    apart = evidence(Said(1, 1, [1, 0]), Said(1, 5, [0, 1]), frequencies=[5, 5])
    far = Said(1, 1, [0, 0], length=90)
    between = evidence(Said(1, 1, [1, 0]), far, Said(1, 1, [0, 1]), frequencies=[5, 5])
    assert score(together).score[0] > score(apart).score[0]
    assert score(between).score[0] == pytest.approx(score(apart).score[0])


def test_what_the_user_said_counts_more_where_replies_are_long():
    reply = Said(1, 1, [0], speaker=Speaker.ASSISTANT, length=90)
    asked = (Said(1, 1, [1]), *[reply] * 5)
    told = (Said(2, 2, [0]), *[reply._replace(conversation=2, turn=2)] * 4)
    found = evidence(*asked, *told, reply._replace(conversation=2, turn=2, counts=[1], length=40))
    scored = score(found)
    assert scored.score[0] > scored.score[1] * 1.3


def test_between_people_it_does_not_matter_who_said_it():
    answer = Said(2, 2, [1], speaker=Speaker.ASSISTANT)
    found = evidence(
        Said(1, 1, [1]),
        Said(1, 1, [0], speaker=Speaker.ASSISTANT),
        Said(2, 2, [0]),
        answer,
    )
    scored = score(found)
    assert scored.score[0] == pytest.approx(scored.score[1])


def test_a_round_is_lifted_by_the_one_next_to_it_but_not_above_it():
    found = evidence(
        Said(1, 1, [0], 0.3), Said(1, 2, [3], 0.3), Said(1, 3, [0], 0.3), Said(1, 9, [0], 0.3)
    )
    scored = score(found)
    assert scored.score[1] > scored.score[0] == scored.score[2] > scored.score[3]


def test_the_next_turn_of_another_conversation_is_no_neighbour():
    found = evidence(Said(1, 1, [0], 0.3), Said(1, 7, [0], 0.3), Said(2, 8, [3], 0.3))
    scored = score(found)
    assert scored.score[0] == scored.score[1]


def test_the_newer_of_equal_rounds_comes_first():
    found = evidence(Said(1, 1, [1], time=10), Said(1, 5, [1], time=30), Said(1, 9, [1], time=20))
    assert turns(score(found), found) == [5, 9, 1]


def test_what_may_not_be_found_speaks_only_for_its_neighbours():
    found = evidence(
        Said(1, 1, [3], 0.5, eligible=False), Said(1, 2, [0], 0.5), Said(1, 9, [0], 0.5)
    )
    assert turns(score(found), found) == [2, 9]


def test_a_conversation_is_as_good_as_its_best_round_and_a_little_its_next_ones():
    found = evidence(Said(1, 1, [1]), Said(1, 5, [1]), Said(2, 1, [1]), Said(3, 1, [4]))
    one, two, three = score(found).conversations
    assert two < one < three


def test_what_may_not_be_found_does_not_speak_for_its_conversation():
    found = evidence(Said(1, 1, [3], eligible=False), Said(1, 9, [1]), Said(2, 1, [1]))
    one, two = score(found).conversations
    assert one == pytest.approx(two)


def test_a_message_without_a_vector_yet_is_neither_pushed_down_nor_lifted_up():
    fresh = Said(1, 1, [1])
    near, far = Said(2, 1, [1], 0.8), Said(3, 1, [1], 0.2)
    first, second, third = score(evidence(near, fresh, far)).score
    assert first > second > third


def test_without_any_vector_the_words_decide():
    found = evidence(Said(1, 1, [1]), Said(1, 5, [3]), Said(1, 9, [2]))
    assert turns(score(found), found) == [5, 9, 1]


def test_a_question_without_words_is_answered_by_meaning():
    found = evidence(Said(1, 1, [], 0.2), Said(1, 5, [], 0.9), frequencies=[])
    assert turns(score(found), found) == [5, 1]


def test_the_parts_add_up_to_the_score():
    found = evidence(
        Said(1, 1, [1], 0.4), Said(1, 1, [2], 0.7, Speaker.ASSISTANT, 90), Said(1, 2, [1], 0.1)
    )
    scored = score(found)
    assert np.allclose(sum(scored.parts.values()), scored.score)


some_piece = st.builds(
    Said,
    conversation=st.integers(1, 3),
    turn=st.integers(0, 4),
    counts=st.lists(st.integers(0, 5), min_size=2, max_size=2),
    cosine=st.one_of(st.just(float("nan")), st.floats(-1, 1)),
    speaker=st.sampled_from(Speaker),
    length=st.integers(0, 110),
    time=st.integers(0, 5),
    eligible=st.booleans(),
)


def in_order(said: Sequence[Said]) -> list[Said]:
    return sorted(said, key=lambda one: (one.conversation, one.turn))


@given(st.lists(some_piece, max_size=12), st.lists(st.integers(0, PIECES), min_size=2, max_size=2))
def test_scores_lie_between_0_and_1(said: list[Said], frequencies: list[int]):
    scored = score(evidence(*in_order(said), frequencies=frequencies))
    for values in (scored.score, scored.conversations, scored.pieces, *scored.parts.values()):
        assert np.isfinite(values).all()
        assert ((values >= 0) & (values <= 1)).all()
    assert len(scored.order()) == scored.eligible.sum()


@given(st.lists(some_piece, min_size=1, max_size=12), st.data())
def test_more_evidence_never_lowers_a_score(said: list[Said], data: st.DataObject):
    said = in_order([one._replace(cosine=0.3) for one in said])
    at = data.draw(st.integers(0, len(said) - 1))
    more = list(said)
    more[at] = said[at]._replace(counts=[said[at].counts[0] + 1, said[at].counts[1]], cosine=0.5)
    before, after = (score(evidence(*one, frequencies=[3, 70])).score for one in (said, more))
    assert (after >= before - 1e-9).all()


def test_weights_can_be_changed():
    found = evidence(Said(1, 1, [5], 0.0), Said(2, 1, [0], 0.9))
    words, meaning = score(found, replace(Weights(), meaning=0.0)).score
    assert words > meaning == 0
    words, meaning = score(found, replace(Weights(), meaning=100.0)).score
    assert meaning > words
