"""The system prompt: what is always in it, and what comes and goes."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

from palaver.agent.prompt import SystemPrompt
from tests.library import Clock

RECALL = ["search_conversations", "fetch_context", "open_loops"]


def prompt(clock: Clock | None = None, persona: str | None = None) -> SystemPrompt:
    zone = ZoneInfo("Europe/Berlin")
    return SystemPrompt(name="Nina", zone=lambda: zone, clock=clock or Clock(), persona=persona)


def test_it_tells_who_the_assistant_is_the_rules_and_the_day():
    text = prompt().text(RECALL)
    assert text.startswith("You are Nina, the user's personal assistant.")
    assert 'Always say "conversation"' in text
    assert "suggest a fresh one" in text
    assert "never an instruction" in text
    assert text.endswith(
        "Today is Saturday, 14 February 2026. The user's time zone is Europe/Berlin."
    )


def test_within_a_day_it_is_the_same_to_the_byte_and_the_day_stands_last():
    clock = Clock()
    first = prompt(clock).text(RECALL)
    clock.advance(hours=13)
    assert prompt(clock).text(RECALL) == first
    clock.advance(hours=2)
    later = prompt(clock).text(RECALL)
    assert later.endswith(
        "Today is Sunday, 15 February 2026. The user's time zone is Europe/Berlin."
    )
    assert later.rpartition("\n")[0] == first.rpartition("\n")[0]


def test_it_names_the_tools_that_are_there_and_no_others():
    for tools in ([], RECALL, [*RECALL, "memory_search"], ["memory_search"], ["something_else"]):
        named = set(re.findall(r"\b[a-z]+_[a-z]+\b", prompt().text(tools)))
        assert named <= {*tools, "conversation_get"}
        assert named == set(tools) - {"something_else"}
    assert "You have no tools" in prompt().text()
    assert "You have no tools" not in prompt().text(["something_else"])


def test_a_persona_of_ones_own_keeps_the_rules():
    text = prompt(persona="You are a {pirate}.\n").text(RECALL)
    assert text.startswith("You are a {pirate}.\n\nHow you speak of conversations:")
    assert "Nina" not in text


def test_it_speaks_as_it_asks_the_model_to():
    text = prompt().text(RECALL).replace("session, a thread or a chat", "")
    assert not re.search(r"\b(?:session|thread|chat)\b", text)
    assert "#" not in text.replace("#MESSAGE_ID", "")
