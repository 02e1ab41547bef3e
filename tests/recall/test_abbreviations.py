"""Conversations are found by what they are about, when no single turn tells it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from palaver.agent.tools.past import Past
from palaver.agent.tools.recall import search_conversations
from palaver.agent.tools.shapes import SearchArguments
from palaver.app import Palaver
from palaver.index.evidence import Abbreviations, Evidence
from palaver.ledger.lines import event
from palaver.recall.ranking import FoundUnit, rank
from palaver.recall.scoring import Weights
from palaver.recall.scoring_s4 import S4Weights
from palaver.settings import Settings
from tests.library import Clock
from tests.recall.said import Said, evidence
from tests.recall.test_hybrid import Topics


def with_abbreviations(found: Evidence, cosines: dict[int, float]) -> Evidence:
    from dataclasses import replace

    told = Abbreviations(
        np.array(list(cosines), np.int64), np.array(list(cosines.values()), np.float32)
    )
    names = {**found.conversations, **{number: f"conv-{number}" for number in cosines}}
    return replace(found, conversations=names, abbreviations=told)


def units(found: Evidence, weights: Weights | S4Weights) -> list[FoundUnit]:
    return [unit() for unit in rank(found, weights).units("conversation").values()]


SAID = evidence(Said(1, 1, [2], 0.6), Said(1, 2, [0], 0.3), Said(2, 1, [1], 0.1))


def test_an_abbreviation_brings_its_conversation() -> None:
    found = units(with_abbreviations(SAID, {3: 0.9}), Weights())
    (unit,) = [one for one in found if one.conversation_id == "conv-3"]
    assert (list(unit.turns), list(unit.rounds), unit.best) == ([], [], None)
    assert unit.explanation == {"abbreviation": pytest.approx(unit.score)}
    assert 0 < unit.score < 0.5


def test_it_lifts_a_conversation_and_never_lowers_one() -> None:
    alone = {one.conversation_id: one.score for one in units(SAID, Weights())}
    found = units(with_abbreviations(SAID, {1: 0.2, 2: 0.95}), Weights())
    scores = {one.conversation_id: one for one in found}
    assert scores["conv-1"].score == alone["conv-1"]
    assert "abbreviation" not in scores["conv-1"].explanation
    assert scores["conv-2"].score > alone["conv-2"]
    for one in found:
        assert sum(one.explanation.values()) == pytest.approx(one.score)
        assert list(one.turns)


def test_one_that_is_not_near_is_not_found() -> None:
    found = units(with_abbreviations(SAID, {3: 0.19, 4: float("nan"), 5: -0.4}), Weights())
    assert {one.conversation_id for one in found} == {"conv-1", "conv-2"}


def test_no_round_is_another_for_it() -> None:
    told = with_abbreviations(SAID, {1: 0.9, 3: 0.9})
    for kind in ("message", "conversation"):
        assert rank(told, Weights()).rounds(10) == rank(SAID, Weights()).rounds(10), kind
    alone = rank(told, Weights()).units("message")
    assert list(alone) == list(rank(SAID, Weights()).units("message"))


def test_the_ranking_of_the_specification_does_not_know_it() -> None:
    told = with_abbreviations(SAID, {2: 0.99, 3: 0.9})
    assert units(told, S4Weights()) == units(SAID, S4Weights())


# -- in a search ---------------------------------------------------------------------------------


@pytest.fixture
async def palaver(tmp_path: Path, clock: Clock) -> AsyncIterator[Palaver]:
    settings = Settings.load(tmp_path, user__timezone="UTC")
    async with Palaver.open(settings=settings, clock=clock, embedder=Topics()) as opened:
        yield opened


async def abbreviated(palaver: Palaver, text: str, *said: str, sourced: bool = True) -> str:
    """A conversation with an abbreviation that stands on all its messages."""
    conversation = await palaver.start()
    messages = [await palaver.append(conversation.id, "user", one) for one in said]
    sources = [{"messageId": one.id, "quote": one.content} for one in messages if sourced]
    told = event(conversation.id, "abbreviation", text=text, through=1, by="x", sources=sources)
    await ledger_of(palaver).append([told])
    await palaver.settle()
    return conversation.id


def ledger_of(palaver: Palaver) -> Any:
    return vars(palaver)["_ledger"]


async def test_it_is_shown_with_its_own_words(palaver: Palaver, clock: Clock) -> None:
    there = await abbreviated(palaver, "- Plans.\n- The beach", "Nothing much.", "More.")
    await abbreviated(palaver, "- All about dinner", "Nothing at all.")
    page = await palaver.search_page("coast", explain=True)
    (found,) = page.results
    assert (found.conversation_id, found.kind) == (there, "conversation")
    assert (found.snippet, found.highlights) == ("Plans. The beach", [])
    assert (found.matched_turns, found.turn_range) == ([], "")
    assert found.explanation == {"abbreviation": pytest.approx(found.score)}
    messages = (await palaver.messages(there)).messages
    assert found.message_ids == [one.id for one in messages]
    assert found.timestamp == (await palaver.conversation(there)).updated
    assert found.abbreviation == "- Plans.\n- The beach"
    assert page.total_matches == 1


async def test_it_is_no_message(palaver: Palaver) -> None:
    await abbreviated(palaver, "- The beach", "Nothing much.")
    assert await palaver.search_messages("coast") == []
    assert (await palaver.search_page("coast", kind="message")).results == []


async def test_pages_go_on_with_it(palaver: Palaver) -> None:
    there = {await abbreviated(palaver, "- The beach", f"Nothing {n}.") for n in range(3)}
    found: set[str] = set()
    cursor: str | None = None
    for _ in range(3):
        page = await palaver.search_page("coast", limit=1, cursor=cursor)
        found |= {one.conversation_id for one in page.results}
        cursor = page.next_cursor
    assert (found, cursor) == (there, None)


async def test_it_is_gone_with_what_it_stands_on(palaver: Palaver) -> None:
    there = await abbreviated(palaver, "- The beach", "Nothing much.")
    page = await palaver.search_page("coast")
    await palaver.redact(there, page.results[0].message_ids[0])
    assert (await palaver.search_page("coast")).results == []


async def test_an_agent_reads_the_message_that_it_begins_with(palaver: Palaver) -> None:
    there = await abbreviated(palaver, "- The beach", "Nothing much.", "More.")
    await abbreviated(palaver, "- A beach", "Nothing.", sourced=False)
    past = Past(palaver, zone=palaver.zone)
    answer = await search_conversations(past, SearchArguments(query="coast"))
    (found,) = answer.results
    assert (found.conversation_id, found.snippet, found.role) == (there, "Nothing much.", "user")
    assert (found.turn_range, found.matched_turns) == ("turn 1", [1])
    assert answer.shown() == [found.message_id]
