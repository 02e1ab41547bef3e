"""The fold: pure, incremental, bounded, and the same after a round trip through JSON."""

from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.digest.state import STATE_VERSION, State, continues, fold, fold_all, with_status
from palaver.digest.state.records import (
    MAX_CLARIFICATIONS,
    MAX_CLOSED,
    MAX_ENTITIES,
    MAX_JOBS,
    MAX_LOOPS,
    MAX_TEXT,
    MAX_TOPICS,
)
from palaver.index.records import Message
from tests.digest.state.scoring import SETS, dialogues, said, spoken

SAYINGS = [
    "I still need to call the plumber.",
    "Remind me to buy stamps.",
    "How far is it? And how long does it take?",
    "Book me a flight to Lisbon, please.",
    "Happy to. Which date would you like to leave?",
    "The second one.",
    "Let's decide that tomorrow.",
    "We decided on the oak kitchen.",
    "I called the plumber.",
    "Done.",
    "Never mind.",
    "I will look into the logs and get back to you.",
    "job-17 is running, and #482 is merged.",
    "1. the red one\n2. the blue one",
    "> can you call me?",
    "Ich muss noch die Rechnung bezahlen.",
    "清水寺は何時に開きますか？",
]
TEXT = st.sampled_from(SAYINGS) | st.text(max_size=60)
ROLES = st.sampled_from(["user", "assistant", "assistant", "system", "tool"])
STATUS = st.sampled_from(["complete"] * 6 + ["superseded", "redacted", "failed", "interrupted"])


@st.composite
def histories(draw: st.DrawFn) -> list[Message]:
    drawn = draw(st.lists(st.tuples(ROLES, TEXT, STATUS), max_size=14))
    turn, messages = 0, list[Message]()
    for seq, (role, content, status) in enumerate(drawn, start=1):
        turn += role == "user"
        messages.append(said(role, content, seq, turn, status=status))
    return messages


@given(histories(), st.integers(0, 14))
def test_a_kept_state_is_taken_up_where_it_ends(messages: list[Message], cut: int):
    before = State.model_validate_json(fold_all(messages[:cut]).model_dump_json(by_alias=True))
    assert fold_all(messages[cut:], before) == fold_all(messages)


@given(histories())
def test_a_state_survives_json(messages: list[Message]):
    state = fold_all(messages)
    assert State.model_validate(state.to_json()) == state


@given(histories())
def test_what_was_taken_back_leaves_no_trace(messages: list[Message]):
    gone = ("superseded", "redacted")
    kept = [one for one in messages if one.status not in gone]
    whole, rest = fold_all(messages), fold_all(kept)
    same = {"covers": 0, "turn_count": 0}
    assert whole.model_copy(update=same) == rest.model_copy(update=same)


@given(histories())
def test_every_text_stands_in_its_message(messages: list[Message]):
    content = {message.id: message.content for message in messages}
    state = fold_all(messages)
    for item in (*state.open_items, *state.closed):
        if item.kind != "job":
            assert item.text in content[item.message_id]


def test_a_state_is_camel_case_and_says_what_it_covers():
    messages = spoken("U: I still need to call the plumber.\nA: Noted.")
    state = fold_all(messages).to_json()
    assert state["version"] == STATE_VERSION
    assert state["covers"] == 2
    assert state["turnCount"] == 1
    (loop,) = state["openLoops"]
    assert loop["text"] == "I still need to call the plumber."
    assert (loop["messageId"], loop["turn"], loop["owedBy"]) == ("msg-1", 1, "user")
    assert loop["closed"] is None


def test_a_closed_item_names_what_closed_it():
    text = "U: I still need to call the plumber.\nA: Noted.\nU: I called the plumber.\nA: Good."
    (item,) = fold_all(spoken(text)).closed
    assert item.closed is not None
    assert (item.closed.message_id, item.closed.turn, item.closed.how) == ("msg-3", 2, "done")


def test_an_edited_message_is_folded_again_from_before_it():
    first = spoken("U: I still need to call the plumber.\nA: Noted.")
    state = fold_all(first)
    edited = said("user", "I like plums.", 3, 1, supersedes="msg-1")
    assert not continues(state, edited)
    visible = [first[0].model_copy(update={"status": "superseded"}), first[1], edited]
    assert fold_all(visible).open_loops == ()


def test_a_state_of_another_version_or_of_later_lines_does_not_go_on():
    state = fold_all(spoken("U: Hello.\nA: Hello!"))
    assert continues(state, said("user", "Hi", 3, 2))
    assert not continues(state, said("user", "Hi", 2, 2))
    assert not continues(state.model_copy(update={"version": 0}), said("user", "Hi", 3, 2))


@pytest.mark.parametrize("name", SETS)
def test_a_state_stays_small_however_long_the_conversation(name: str):
    state, seq = State(), 0
    for _ in range(4):
        for dialogue in dialogues(name):
            for message in dialogue.messages:
                seq += 1
                state = fold(state, message.model_copy(update={"seq": seq, "turn_number": seq}))
    assert len(state.open_loops) <= MAX_LOOPS
    assert len(state.pending_clarifications) <= MAX_CLARIFICATIONS
    assert len(state.active_job_refs) <= MAX_JOBS
    assert len(state.closed) <= MAX_CLOSED
    assert len(state.resolved_entities) <= MAX_ENTITIES
    assert len(state.active_topics) <= MAX_TOPICS
    assert all(len(item.text) <= MAX_TEXT for item in (*state.open_items, *state.closed))
    assert len(state.model_dump_json()) < 64 * 1024


@pytest.mark.parametrize(
    "piece",
    ["? ", "Hi A, ", "haven't ", "she wrote: ", '"', "a:\n", "#12 ", "1. ", "Dear Tom, can you. "],
)
def test_no_message_takes_long(piece: str):
    before = fold_all(spoken("U: Book a table? I still need to call Tom.\nA: Which day?"))
    started = thread_time()
    fold(before, said("user", piece * 100_000, 3, 2))
    assert thread_time() - started < 1


def test_others_in_a_group_owe_nothing_here():
    author = {"kind": "participant", "id": "p-1"}
    state = fold_all([said("user", "Can you call me?", 1, 1, author=author)])
    assert state.open_loops == ()
    assert state.covers == 1


def test_a_failed_reply_answers_nothing():
    question = said("user", "How far is the station?", 1, 1)
    state = fold_all([question, said("assistant", "", 2, 1, status="failed")])
    assert [item.message_id for item in state.open_loops] == ["msg-1"]
    assert state.last_response_type == "failed"


def test_a_status_lasts_until_the_next_message():
    state = with_status(fold_all(spoken("U: Hello.\nA: Hello!")), "paused")
    assert state.status == "paused"
    assert fold(state, said("system", "Note", 3, 1)).status == "paused"
    assert fold(state, said("user", "Hi", 3, 2)).status == "active"
