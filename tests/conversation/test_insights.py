"""How much was said: by the days of the user, by model and by channel."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from palaver.app import Palaver
from palaver.conversation.records import Choices
from palaver.errors import BadValue
from palaver.settings import Settings
from tests.library import Clock


@pytest.fixture
async def palaver(kept: Settings, clock: Clock) -> AsyncIterator[Palaver]:
    async with Palaver.open(settings=kept, clock=clock, index_vectors=False) as opened:
        yield opened


async def say(palaver: Palaver, when: str, channel: str = "web", **reply: Any) -> str:
    conversation = await palaver.start(channel=channel)
    await palaver.append(conversation.id, "user", "Well?", timestamp=when)
    await palaver.append(conversation.id, "assistant", "Yes.", timestamp=when, **reply)
    return conversation.id


async def test_days_are_those_of_the_user(palaver: Palaver):
    await say(palaver, "2026-02-13T23:30:00Z")
    await say(palaver, "2026-02-14T01:00:00Z")
    assert [one.day for one in (await palaver.insights()).days] == ["2026-02-13", "2026-02-14"]
    await palaver.set_me(Choices(timezone="Asia/Tokyo"))
    found = await palaver.insights()
    (day,) = found.days
    assert (day.day, day.messages, day.turns, found.timezone) == ("2026-02-14", 4, 2, "Asia/Tokyo")
    assert (found.from_, found.to) == ("2025-02-15", "2026-02-14")


async def test_a_day_on_which_clocks_are_changed_has_its_own_length(palaver: Palaver):
    await palaver.set_me(Choices(timezone="Europe/Berlin"))
    for when in ("2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z"):
        await say(palaver, when)
    found = await palaver.insights(from_="2026-03-29", to="2026-03-30")
    assert [(one.day, one.turns) for one in found.days] == [("2026-03-29", 2), ("2026-03-30", 1)]


async def test_tokens_and_cost_are_those_of_models_and_channels(palaver: Palaver):
    spent: dict[str, Any] = {"usage": {"input": 100, "output": 10}, "cost": 0.25}
    await say(palaver, "2026-02-10T09:00:00Z", model="opus", **spent)
    await say(palaver, "2026-02-10T10:00:00Z", "email", model="haiku", **spent)
    await say(palaver, "2026-02-11T10:00:00Z", model="opus", **spent)
    found = (await palaver.insights()).to_json()
    assert found["days"][0] == {
        "day": "2026-02-10",
        "messages": 4,
        "turns": 2,
        "inputTokens": 200,
        "outputTokens": 20,
        "cost": 0.5,
        "models": [
            {"model": "haiku", "messages": 1, "inputTokens": 100, "outputTokens": 10, "cost": 0.25},
            {"model": "opus", "messages": 1, "inputTokens": 100, "outputTokens": 10, "cost": 0.25},
        ],
    }
    assert [(one["model"], one["messages"], one["cost"]) for one in found["models"]] == [
        ("haiku", 1, 0.25),
        ("opus", 2, 0.5),
    ]
    assert [(one["channel"], one["turns"], one["cost"]) for one in found["channels"]] == [
        ("email", 1, 0.25),
        ("web", 2, 0.5),
    ]
    assert (found["storage"]["conversations"], found["index"]["status"]) == (3, "ok")


async def test_without_a_word_there_is_nothing_to_tell(palaver: Palaver):
    found = await palaver.insights()
    assert (found.days, found.channels, found.models) == ([], [], [])


@pytest.mark.parametrize(
    "given",
    [
        {"from_": "yesterday"},
        {"from_": "2026-02-30"},
        {"from_": "2026-02-15", "to": "2026-02-14"},
        {"from_": "2024-01-01", "to": "2025-12-31"},
        {"to": "9999-12-31"},
        {"from_": "2027-01-01"},
    ],
    ids=str,
)
async def test_days_that_cannot_be_counted_are_refused(palaver: Palaver, given: dict[str, str]):
    with pytest.raises(BadValue):
        await palaver.insights(**given)


async def test_the_first_days_there_are(palaver: Palaver):
    await palaver.set_me(Choices(timezone="America/New_York"))
    assert (await palaver.insights(to="0001-01-02")).days == []
    await palaver.set_me(Choices(timezone="Asia/Tokyo"))
    with pytest.raises(BadValue):
        await palaver.insights(to="0001-01-01")
