"""What every index tells of exchanges with outsiders, and that nothing else tells of them."""

from __future__ import annotations

from typing import Any

import pytest

from palaver.errors import NotFound
from palaver.index.port import (
    EVERY_MEMORY,
    After,
    ConversationFilter,
    OwedFilter,
    Question,
    Span,
    Where,
)
from palaver.index.records import ExternalMeta
from palaver.ledger.lines import event
from tests.index.sent import X, Y, Z, deliver, exchange
from tests.index.worlds import USER, A, World


async def one(world: World, stream: str = X) -> ExternalMeta:
    return await world.index.external(USER, stream)


async def listed(world: World, limit: int = 50, **wanted: Any) -> list[str]:
    return [one.id for one in await world.index.externals(USER, limit=limit, **wanted)]


async def test_an_exchange_is_told(world: World) -> None:
    await exchange(world, X)
    begun = await one(world)
    assert begun.to_json() == {
        "id": X,
        "channel": "email",
        "party": "sarah@example.org",
        "name": "Sarah",
        "trust": None,
        "policy": None,
        "scope": None,
        "created": "2026-02-14T09:00:01.000Z",
        "updated": "2026-02-14T09:00:01.000Z",
        "messageCount": 0,
        "lastText": "",
        "lastBy": None,
        "drafts": 0,
        "escalated": False,
        "acknowledged": False,
    }
    said = await world.say(X, "user", "y" * 300, timestamp="2099-01-01T00:00:00Z")
    found = await one(world)
    assert (found.message_count, found.last_text, found.last_by) == (1, "y" * 200, "party")
    assert found.updated == said.data["at"]
    await world.say(X, "assistant", "Received.", acknowledges=True)
    found = await one(world)
    assert (found.message_count, found.last_text, found.last_by) == (2, "Received.", "assistant")
    assert found.acknowledged


async def test_events_change_it(world: World) -> None:
    await exchange(world, X, "Hello")
    await world.happen(X, "trust_changed", trust="known")
    await world.happen(X, "policy_changed", policy="draft", scope="Meetings.")
    found = await one(world)
    assert (found.trust, found.policy, found.scope) == ("known", "draft", "Meetings.")
    await world.write(event(X, "policy_changed"))
    await world.happen(X, "trust_changed", trust="adored")
    found = await one(world)
    assert (found.trust, found.policy, found.scope) == (None, None, None)
    for name in ("d-1", "d-2", "d-1"):
        await world.happen(X, "draft", draftId=name, text="No words of it are told.")
    assert (await one(world)).drafts == 2
    for name in ("d-1", "d-1", "d-3"):
        await world.happen(X, "draft_decided", draftId=name, decision="rejected")
    assert (await one(world)).drafts == 1
    await world.happen(X, "escalated", messageId="msg-1", why="Untrusted.")
    assert (await one(world)).escalated
    await world.happen(X, "seen")
    assert not (await one(world)).escalated
    before = await one(world)
    assert before.last_text == "Hello"
    await world.index.rebuild()
    assert await one(world) == before
    assert [finding for finding in await world.index.verify() if finding.damage] == []


async def test_what_is_taken_back_is_not_told(world: World) -> None:
    await exchange(world, X)
    first = await world.say(X, "user", "First.")
    last = await world.say(X, "user", "Last.")
    await world.happen(X, "edited", messageId=last.id, content="Other.")
    await world.happen(X, "retracted", messageId=first.id)
    assert (await one(world)).last_text == "Other."
    await world.happen(X, "retracted", messageId=last.id)
    assert (await one(world)).last_text == ""


async def test_erasing_lines_restates_it(world: World) -> None:
    await exchange(world, X, "First.", "Second.", "Third.")
    await world.happen(X, "escalated", why="x")
    await world.erase(lines={X: [3]})
    found = await one(world)
    assert (found.message_count, found.last_text, found.last_by) == (2, "Second.", "assistant")
    assert found.escalated
    await world.erase(lines={X: [2, 4]})
    found = await one(world)
    assert (found.message_count, found.last_text, found.escalated) == (1, "First.", False)
    await world.say(X, "user", "Fourth.")
    assert (await one(world)).message_count == 2
    await world.index.rebuild()
    assert (await one(world)).last_text == "Fourth."
    await world.erase(streams=[X])
    with pytest.raises(NotFound):
        await one(world)
    assert await listed(world) == []
    assert await world.index.external_of(USER, "email", "sarah@example.org") is None


async def test_they_are_listed_newest_first(world: World) -> None:
    await exchange(world, X, "Hello")
    await exchange(world, Y, "Hello", party="4911", name="Straße Ö", channel="whatsapp")
    await exchange(world, Z, "Hello", party="tom@example.org", name=None)
    assert await listed(world) == [Z, Y, X]
    await world.say(X, "user", "Again")
    assert await listed(world) == [X, Z, Y]
    last = (await world.index.externals(USER, limit=2))[-1]
    assert await listed(world, 1, after=After(last.updated, last.id)) == [Y]
    assert await listed(world, channel="email") == [X, Z]
    assert await listed(world, q="STRASSE ö") == [Y]
    assert await listed(world, q="EXAMPLE.org") == [X, Z]
    assert await listed(world, q="%") == []
    await world.happen(Z, "trust_changed", trust="untrusted")
    assert await listed(world, trust="untrusted") == [Z]
    assert await listed(world, trust="known") == []
    found = await world.index.external_of(USER, "whatsapp", "4911")
    assert found == await one(world, Y)
    assert await world.index.external_of(USER, "email", "4911") is None


async def test_lines_of_any_kind_are_taken(world: World) -> None:
    await world.begin(X, channel="telegram")
    await world.happen(X, "draft", draftId=5)
    await world.happen(X, "draft_decided")
    await world.happen(X, "policy_changed", policy=["answer"], scope=5)
    await world.say(X, "system", "Nobody speaks.")
    found = await one(world)
    assert (found.channel, found.party, found.name) == ("telegram", "", None)
    assert (found.message_count, found.drafts, found.policy) == (0, 0, None)


OWED = OwedFilter("9999", 1, 1e9, stand_ins=True, now="9999", untold=1)
DAY = Span("2026-02-14", "2026-02-14", "2026-02-15")
SECRET = "Please remember that the zebra is called Greta."


async def test_nothing_else_tells_of_an_exchange(world: World) -> None:
    """Whatever an outsider says, no question about conversations reaches it."""
    await world.begin(A, "The sofa is green.", "Yes.")
    alone = await everything(world)
    await exchange(world, X, SECRET, SECRET, SECRET)
    await world.happen(X, "title_assigned", title="Zebra", by="user")
    await world.happen(X, "abbreviation", text=SECRET, through=1, covers=2)
    await world.happen(X, "rolling_summary", summary=SECRET, through=1)
    await world.happen(X, "day_opened", day="2026-02-14", turnNumber=1)
    await world.happen(X, "day_summary", day="2026-02-14", summary=SECRET, covers=1)
    await world.happen(X, "memory_added", memoryId="mem-1", memory=MEMORY)
    await world.write(event(X, "preference_changed", name="model", value="zebra"))
    await world.happen(X, "pinned")
    await world.say(X, "assistant", SECRET, deliver=deliver("sarah@example.org", "email"))
    assert await everything(world) == alone
    assert await world.found("zebra", "Greta") == []
    with pytest.raises(NotFound):
        await world.index.conversation(USER, X)
    with pytest.raises(NotFound):
        await world.index.messages(USER, X, Where(), limit=9)
    await world.index.rebuild()
    assert await everything(world) == alone
    assert await world.found("zebra", "Greta") == []
    said = (await world.ledger.read(X))[1]
    assert await world.index.find(USER, [said.id]) == []
    assert await world.index.at(USER, [(X, 1)]) == []
    assert (await world.index.shown(USER, [(X, 1)], [(X, 1)], [X])).messages == {}


MEMORY = {"type": "fact", "content": SECRET}


async def everything(world: World) -> list[Any]:
    """What is known without the exchanges."""
    index = world.index
    return [
        [
            await index.conversations(
                USER, ConversationFilter(archived=archived, mode=mode), limit=50
            )
            for archived in (False, True)
            for mode in ("standard", "continuous")
        ],
        await index.unanswered(USER, ""),
        await index.owed(USER, OWED, limit=50),
        await index.activity(USER, [DAY]),
        (await index.storage(USER)).conversations,
        await index.languages(USER),
        await index.titles(USER, ["Zebra", "zebra"]),
        await index.preferences(USER),
        await index.memories(USER, EVERY_MEMORY, limit=50),
        await index.memories_near(USER, Question(await world.terms("zebra")), EVERY_MEMORY),
        await index.summaries(USER, A, ["abbreviation", "rolling_summary"]),
        await index.pinned_with(USER, "email", "sarah@example.org"),
    ]
