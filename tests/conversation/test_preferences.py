"""What a user chooses for themselves holds from then on, wherever they are served."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from palaver.app import Palaver
from palaver.conversation import preferences
from palaver.conversation.preferences import Preferences
from palaver.conversation.records import Choices
from palaver.errors import BadValue, ModelUnknown
from palaver.ledger.lines import USER_STREAM, Line
from palaver.portability import export_conversations
from palaver.settings import Settings, UserSettings
from tests.library import Clock, library


@pytest.fixture(autouse=True)
def always_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second is long for a test."""
    monkeypatch.setattr(preferences, "FRESH", 0.0)


async def stream(palaver: Palaver) -> list[Line]:
    return await palaver._ledger.read(USER_STREAM)  # pyright: ignore[reportPrivateUsage]


async def test_without_a_choice_the_settings_decide(palaver: Palaver):
    me = await palaver.me()
    assert (me.user, me.timezone, me.model, me.chosen) == ("local", "UTC", "offline", [])
    assert palaver.zone() == UTC


async def test_a_choice_is_kept_in_the_users_stream_with_its_date(palaver: Palaver):
    me = await palaver.set_me(Choices(timezone="Asia/Tokyo", model="haiku"))
    assert (me.timezone, me.model, me.chosen) == ("Asia/Tokyo", "haiku", ["model", "timezone"])
    assert palaver.zone() == ZoneInfo("Asia/Tokyo")
    meta, *events = await stream(palaver)
    assert meta.type == "meta"
    assert [(line.event, line.data["name"], line.data["value"]) for line in events] == [
        ("preference_changed", "model", "haiku"),
        ("preference_changed", "timezone", "Asia/Tokyo"),
    ]
    assert all(line.data["at"] for line in events)


async def test_what_is_left_out_stays_and_what_is_the_same_is_not_written(palaver: Palaver):
    await palaver.set_me(Choices(timezone="Asia/Tokyo", model="haiku"))
    before = await stream(palaver)
    await palaver.set_me(Choices())
    await palaver.set_me(Choices(timezone="Asia/Tokyo"))
    assert await stream(palaver) == before
    me = await palaver.set_me(Choices(timezone=None))
    assert (me.timezone, me.model, me.chosen) == ("UTC", "haiku", ["model"])


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../etc/passwd", "UTC\n"])
async def test_a_zone_has_to_be_one(palaver: Palaver, zone: str):
    with pytest.raises(BadValue):
        await palaver.set_me(Choices(timezone=zone))
    assert (await palaver.me()).chosen == []


async def test_a_model_has_to_be_one(palaver: Palaver):
    with pytest.raises(ModelUnknown):
        await palaver.set_me(Choices(model="nobody"))
    with pytest.raises(BadValue):
        await palaver.set_me(Choices(model=""))
    assert (await palaver.me()).chosen == []


async def test_a_choice_lasts_and_others_see_it(kept: Settings, clock: Clock):
    def opened() -> Palaver:
        return Palaver.open(settings=kept, clock=clock, index_vectors=False)

    async with opened() as first, opened() as second:
        await first.set_me(Choices(timezone="Asia/Tokyo"))
        assert (await second.me()).timezone == "Asia/Tokyo"
        await second.set_me(Choices(model="haiku"))
        assert (await first.me()).model == "haiku"
    async with opened() as third:
        assert third.zone() == ZoneInfo("Asia/Tokyo")
        assert third.models()[0].name == "haiku"
        await third.rebuild()
        assert (await third.me()).chosen == ["model", "timezone"]


async def test_it_survives_without_an_index(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as palaver:
        await palaver.set_me(Choices(timezone="Asia/Tokyo"))
    index = tmp_path / "conversations" / "conversations.db"
    index.unlink()
    index.mkdir()
    async with library(tmp_path, clock) as palaver:
        assert palaver.zone() == ZoneInfo("Asia/Tokyo")


async def test_what_was_read_is_fresh_for_a_second(palaver: Palaver):
    now = [0.0]
    looking = Preferences(UserSettings(timezone="UTC"), lambda: now[0])
    looking.keep_in(palaver._preferences._books)  # pyright: ignore[reportPrivateUsage]
    preferences.FRESH = 1.0
    await looking.look()
    await palaver.set_me(Choices(timezone="Asia/Tokyo"))
    await looking.look()
    assert looking.zone() == UTC
    now[0] = 1.0
    await looking.look()
    assert looking.zone() == ZoneInfo("Asia/Tokyo")


async def test_a_choice_is_made_although_somebody_else_chose_meanwhile(
    kept: Settings, clock: Clock
):
    def opened() -> Palaver:
        return Palaver.open(settings=kept, clock=clock, index_vectors=False)

    async with opened() as first, opened() as second:
        await first.set_me(Choices(timezone="Asia/Tokyo"))
        preferences.FRESH = 600.0
        await second.set_me(Choices(timezone="Europe/Berlin"))
        assert (await first.set_me(Choices(timezone="Asia/Tokyo"))).timezone == "Asia/Tokyo"
        preferences.FRESH = 0.0
        assert (await second.me()).timezone == "Asia/Tokyo"


# -- where it holds --------------------------------------------------------------------------


async def said_late(palaver: Palaver) -> str:
    """Something said at 23:30 in UTC on 13 February, which is the 14th in Tokyo."""
    conversation = await palaver.start()
    when = "2026-02-13T23:30:00Z"
    await palaver.append(conversation.id, "user", "The xylophone is blue.", timestamp=when)
    return conversation.id


async def test_days_of_a_search_are_those_of_the_zone(palaver: Palaver):
    await said_late(palaver)
    assert await palaver.search("xylophone", day="2026-02-14") == []
    await palaver.set_me(Choices(timezone="Asia/Tokyo"))
    assert len(await palaver.search("xylophone", day="2026-02-14")) == 1
    assert len(await palaver.search_messages("xylophone today")) == 1


async def test_the_assistant_tells_times_of_the_zone(palaver: Palaver):
    there = await said_late(palaver)
    await palaver.set_me(Choices(timezone="Asia/Tokyo"))
    reply = await palaver.send("What did I say about the xylophone?", new=True)
    assert "14 February" in reply.reply.content
    pieces = [
        piece async for piece in export_conversations(palaver, [there], "markdown", palaver.zone())
    ]
    assert b"2026-02-14 08:30" in b"".join(pieces)


async def test_the_model_answers_where_none_was_chosen(palaver: Palaver):
    own = await palaver.send("Hello", new=True, model="offline")
    await palaver.set_me(Choices(model="haiku"))
    there = await palaver.send("Hello again", conversation_id=own.conversation_id)
    assert there.reply.status == "complete"
    elsewhere = await palaver.send("Hello", new=True)
    assert elsewhere.reply.status == "failed"
    assert elsewhere.reply.custom_payload["error"]["code"] == "model_not_connected"
    listing = await palaver.send("/model", new=True)
    assert listing.reply.content.startswith("`haiku` answers")
