"""The loops of a message: their texts, how many there are, and which are one."""

import pytest

from palaver.digest.state import fold_all
from palaver.index.values import OFFLINE
from tests.digest.state.scoring import spoken


def texts(said: str) -> list[str]:
    return [item.text for item in fold_all(spoken(said)).open_loops]


def test_a_request_that_is_only_promised_stays_open_in_the_words_of_the_user():
    said = "U: Can you check the boiler invoice?\nA: Sure, I'll look into it and get back to you."
    assert texts(said) == ["Can you check the boiler invoice?"]


def test_each_thing_on_a_list_is_a_loop():
    said = "U: todo: call the bank, print the tickets and water the plants\nA: Noted."
    assert texts(said) == ["call the bank", "print the tickets", "water the plants"]
    assert texts(f"{said}\nU: tickets are printed\nA: Good.") == [
        "call the bank",
        "water the plants",
    ]


def test_the_lines_of_a_list_are_loops():
    said = "U: Still to do:\n- call the bank\n- print the tickets\nA: Noted."
    assert texts(said) == ["call the bank", "print the tickets"]


def test_a_sentence_that_tells_little_is_kept_with_the_one_before_it():
    said = "U: They offered me the Berlin job. I need a night to think about it.\nA: Of course."
    assert texts(said) == ["They offered me the Berlin job. I need a night to think about it."]


def test_what_is_promised_again_is_one_loop():
    said = "U: I still have to pay the electrician.\nA: Ok.\nU: I'll do it tomorrow.\nA: Fine."
    assert texts(said) == ["I still have to pay the electrician."]


@pytest.mark.parametrize("model", [OFFLINE, None])
def test_a_question_that_is_asked_again_is_answered_by_the_reply_to_the_last(model: str | None):
    asked = "U: what do I drink?\nA: I found nothing about that.\nU: The sun shines.\nA: Noted."
    assert texts(asked) == ["what do I drink?"]
    again = f"{asked}\nU: What do I drink?\nA: "
    for reply, left in (("I found nothing.", ["What do I drink?"]), ("You said: Tea.", [])):
        *before, last = spoken(again + reply)
        state = fold_all([*before, last.model_copy(update={"model": model})])
        assert [item.text for item in state.open_loops] == left
        assert [item.text for item in state.closed] == ["what do I drink?"]


def test_apostrophes_that_are_left_out_are_understood():
    assert texts("U: i havent paid the rent yet\nA: Noted.") == ["i havent paid the rent yet"]


def test_a_question_is_no_loop_of_its_own_beside_a_pending_clarification():
    state = fold_all(
        spoken("U: Book a table.\nA: For how many people?\nU: I'll tell you tonight.\nA: Fine.")
    )
    assert [item.text for item in state.pending_clarifications] == ["For how many people?"]
    assert state.open_loops == ()


def test_what_is_done_closes_nothing_else():
    said = "U: I must renew the passport.\nA: Noted.\n"
    for done in ("The soup is done.", "I replaced the gas hose, done."):
        assert texts(f"{said}U: {done}\nA: Good.") == ["I must renew the passport."]
    for done in ("Done.", "That's done now.", "The passport is done."):
        assert texts(f"{said}U: {done}\nA: Good.") == []


def test_what_was_agreed_is_decided_and_not_left_to_do():
    assert texts("U: We agreed to move the sofa to the attic.\nA: Fine.") == []
    assert texts("U: I agreed to move the sofa.\nA: Fine.") == ["I agreed to move the sofa."]
