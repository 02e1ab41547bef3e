"""What a state holds: status, intents, entities, topics, jobs on lines."""

import pytest

from palaver.digest.state import fold_all
from tests.digest.state.scoring import said, spoken

CHOICES = "U: Find me a laptop.\nA: Two fit:\n1. the Ryzen one\n2. the Intel one\n"
JOBS = "U: Train both.\nA: job-a17 is the small set and job-a18 the large one.\n"


def test_a_question_back_is_waited_for():
    asked = "U: Book me a flight.\nA: Which date would you like to leave?"
    assert fold_all(spoken(asked)).status == "awaiting_clarification"
    assert fold_all(spoken(f"{asked}\nU: On 4 May.")).status == "active"


def test_a_question_nobody_answers_is_dropped_after_a_while():
    text = "U: Book me a flight.\nA: Which date would you like to leave?\n"
    detour = "U: What is the capital of Peru?\nA: Lima.\n"
    assert len(fold_all(spoken(text + detour * 3)).pending_clarifications) == 1
    later = fold_all(spoken(text + detour * 8))
    assert later.pending_clarifications == ()
    assert later.closed[-1].closed is not None
    assert later.closed[-1].closed.how == "dropped"


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("How far is it?", "question"),
        ("Please book a table.", "request"),
        ("Remind me to buy stamps.", "reminder"),
        ("I still need to pay the rent.", "task"),
        ("Let's decide that tomorrow.", "decision"),
        ("Hey, how are you?", "greeting"),
        ("The soup was good.", "statement"),
    ],
)
def test_intents(text: str, intent: str):
    assert fold_all([said("user", text, 1, 1)]).last_intent == intent


def test_the_line_knows_its_intent_and_action_best():
    user = said("user", "How far is it?", 1, 1, intent="route")
    reply = said("assistant", "Two miles.", 2, 1, action_name="map_lookup")
    state = fold_all([user, reply])
    assert (state.last_intent, state.last_response_type) == ("route", "map_lookup")


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("Two miles.", "answer"),
        ("I don't know.", "unknown"),
        ("I'll look into it and get back to you.", "promise"),
        ("From where?", "clarification"),
        ("Sure.", "acknowledgement"),
    ],
)
def test_response_types(reply: str, kind: str):
    state = fold_all(spoken(f"U: How far is it?\nA: {reply}"))
    assert state.last_response_type == kind


@pytest.mark.parametrize(
    ("said_then", "mention", "text"),
    [
        (CHOICES + "U: The second one.", "the second one", "the Intel one"),
        (CHOICES + "U: Take option 1.", "option 1", "the Ryzen one"),
        (JOBS + "U: Stop the second one.", "the second one", "job-a18"),
        (JOBS + "U: How long does that job take?", "that job", "job-a18"),
        (JOBS + "U: Is it fast?", "it", "job-a18"),
        ("U: I still need to pay the rent.\nA: OK.\nU: That task can wait.", "that task", "rent"),
    ],
)
def test_entities(said_then: str, mention: str, text: str):
    assert text in fold_all(spoken(said_then)).resolved_entities[mention].text


def test_nothing_is_resolved_that_was_never_named():
    assert fold_all(spoken("U: The second one.\nA: Which?")).resolved_entities == {}


def test_jobs_on_lines():
    refs = ["job-01", {"id": "job-02"}, {"jobId": "job-03"}, 7, {"other": 1}]
    state = fold_all([said("assistant", "Started.", 1, 1, job_refs=refs)])
    assert [item.ref for item in state.active_job_refs] == ["job-01", "job-02", "job-03"]


def test_one_job_under_two_names():
    state = fold_all(spoken("U: What about task 17?\nA: #17 is done.\nU: Thanks.\nA: Welcome."))
    assert state.active_job_refs == ()
    assert [item.ref for item in state.closed] == ["task 17"]


def test_topics_fade():
    garden = "U: The tomato plants need water.\nA: Tomato plants drink a lot.\n"
    state = fold_all(spoken(garden))
    assert "tomato-plants" in state.active_topics[0]
    later = fold_all(spoken(garden + "U: The chess club meets today.\nA: Chess is fun.\n" * 12))
    assert not any("tomato" in topic for topic in later.active_topics)
    assert any("chess" in topic for topic in later.active_topics)
