"""What every index promises, whatever engine keeps its rows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from palaver.errors import NotFound
from palaver.index.port import (
    EVERY_MEMORY,
    Activity,
    After,
    ConversationFilter,
    Index,
    Kept,
    OwedFilter,
    Question,
    SearchFilter,
    Span,
    Unfolded,
    Where,
)
from palaver.ledger.lines import USER_STREAM, Line, event, meta, turn
from palaver.ledger.port import Erasure
from tests.index.memories import MEMORY, remember
from tests.index.sent import X, deliver
from tests.index.worlds import USER, A, B, C, World

# -- conversations -------------------------------------------------------------------------------


async def test_a_conversation_is_what_its_lines_say(world: World) -> None:
    await world.begin(
        A,
        "Hello",
        "Hi",
        channel="whatsapp",
        participants=["user", "+1555"],
        metadata={"a": [1]},
        channelMeta={"contactNumber": "+1555"},
        model="opus",
    )
    await world.happen(A, "title_assigned", title="Greetings", topics=["hello"], by="offline")
    await world.happen(A, "abbreviation", text="They greeted.")
    found = await world.conversation()
    assert found.to_json() == {
        "id": A,
        "channel": "whatsapp",
        "mode": "standard",
        "title": "Greetings",
        "topics": ["hello"],
        "created": "2026-02-14T09:00:01.000Z",
        "updated": "2026-02-14T09:00:01.000Z",
        "turnCount": 1,
        "participants": ["user", "+1555"],
        "abbreviation": "They greeted.",
        "manuallyNamed": False,
        "pinned": False,
        "archived": False,
        "model": "opus",
        "metadata": {"a": [1]},
        "channelMeta": {"contactNumber": "+1555"},
        "readOnly": False,
        "needsAbbreviation": False,
    }


async def test_a_view_is_a_conversation_with_its_last_messages_and_its_length(
    world: World,
) -> None:
    lines = await world.begin(A, "one", "two", "three")
    view = await world.index.view(USER, A, limit=2)
    assert view.conversation == await world.conversation()
    assert [message.content for message in view.page.messages] == ["two", "three"]
    assert (view.page.has_more, view.version) == (True, lines[-1].end)
    renamed = await world.happen(A, "title_assigned", title="Numbers", by="user")
    await world.begin(B, "elsewhere")
    view = await world.index.view(USER, A, limit=3)
    assert (view.conversation.title, view.page.has_more) == ("Numbers", False)
    assert view.version == renamed.end
    await world.ledger.erase(Erasure(lines={A: [1]}))
    (*_, record) = await world.ledger.read(A)
    assert (await world.index.view(USER, A, limit=1)).version == record.end


async def test_a_conversation_exists_with_its_first_line(world: World) -> None:
    await world.begin(A)
    found = await world.conversation()
    assert (found.turn_count, found.updated) == (0, found.created)
    assert await world.messages() == []


async def test_other_streams_are_no_conversations(world: World) -> None:
    await world.begin(A, "x")
    await world.write(meta("ext-A", user=USER), turn("ext-A", "user", "outsider words"))
    await world.write(meta(USER_STREAM, user=USER), event(USER_STREAM, "memory_added", text="x"))
    assert await world.listed() == [A]
    for stream in ("ext-A", USER_STREAM):
        with pytest.raises(NotFound):
            await world.conversation(stream)
        with pytest.raises(NotFound):
            await world.messages(stream)
    assert await world.found("outsider") == []


async def test_conversations_are_listed_by_when_something_was_last_said(world: World) -> None:
    for stream in (A, B, C):
        await world.begin(stream, "x")
    await world.say(A, "assistant", "later")
    await world.happen(B, "title_assigned", title="Renamed", by="user")
    await world.say(B, "system", "neither user nor assistant")
    assert await world.listed() == [A, C, B]


async def test_lists_go_on_after_a_conversation(world: World) -> None:
    names = [f"conv-{n:02}" for n in range(7)]
    now = "2026-01-01T00:00:00.000Z"
    for n, name in enumerate(names):
        await world.begin(name)
        await world.say(name, "user", "x", timestamp=now if n < 5 else f"2026-01-0{n}T00:00:00Z")
    pages: list[list[str]] = []
    after: After | None = None
    while True:
        page = await world.index.conversations(USER, ConversationFilter(), limit=3, after=after)
        if not page:
            break
        pages.append([one.id for one in page])
        after = After(page[-1].updated, page[-1].id)
    assert pages == [names[:3:-1], names[3:0:-1], names[:1]]


async def test_lists_are_filtered(world: World) -> None:
    await world.begin(A, "x", title="Ärger im Büro")
    await world.begin(B, "x", channel="email", title="Pricing 100%")
    await world.begin(C, "x", mode="continuous")
    assert await world.listed() == [B, A]
    assert await world.listed(mode="continuous") == [C]
    assert await world.listed(channel="email") == [B]
    assert await world.listed(title_contains="ÄRGER") == [A]
    assert await world.listed(title_contains="büro") == [A]
    assert await world.listed(title_contains="0%") == [B]
    assert await world.listed(title_contains="%") == [B]
    assert await world.listed(title_contains="_") == []
    assert await world.listed(archived=True) == []


async def test_archived_conversations_come_back_with_a_message(world: World) -> None:
    await world.begin(A, "x")
    await world.happen(A, "archived")
    assert await world.listed() == []
    assert await world.listed(archived=True) == [A]
    await world.say(A, "tool", "says nothing")
    assert await world.listed() == []
    await world.say(A, "user", "again")
    assert await world.listed() == [A]
    await world.happen(A, "archived")
    await world.happen(A, "unarchived")
    assert await world.listed() == [A]


async def test_a_title_given_by_the_user_stays(world: World) -> None:
    await world.begin(A, "x")
    await world.happen(A, "title_assigned", title="Made", by="offline", topics=["a"])
    assert not (await world.conversation()).manually_named
    await world.happen(A, "title_assigned", title="Given", by="user")
    await world.happen(A, "title_assigned", title="Made again", by="offline", topics=["b"])
    found = await world.conversation()
    assert (found.title, found.topics, found.manually_named) == ("Given", ["b"], True)
    await world.happen(A, "title_assigned", title="Given again", by="user")
    assert (await world.conversation()).title == "Given again"


async def test_a_title_given_at_the_beginning_stays(world: World) -> None:
    await world.begin(A, "x", title="Given", manuallyNamed=True)
    await world.happen(A, "title_assigned", title="Made", by="offline")
    found = await world.conversation()
    assert (found.title, found.manually_named) == ("Given", True)


async def test_pinned_conversations_of_channels_are_read_only(world: World) -> None:
    await world.begin(A, "x", channel="whatsapp", pinned=True)
    await world.begin(B, "x")
    await world.happen(B, "pinned")
    assert [(await world.conversation(s)).pinned for s in (A, B)] == [True, True]
    assert [(await world.conversation(s)).read_only for s in (A, B)] == [True, False]
    await world.happen(A, "unpinned")
    assert not (await world.conversation()).read_only


async def test_updates_change_what_they_name(world: World) -> None:
    await world.begin(A, "x", metadata={"a": 1}, model="opus")
    await world.happen(A, "meta_update", metadata={"b": 2}, topics=["t"])
    found = await world.conversation()
    assert (found.metadata, found.topics, found.model) == ({"b": 2}, ["t"], "opus")
    await world.happen(A, "model_changed", model="haiku")
    assert (await world.conversation()).model == "haiku"
    await world.happen(A, "model_changed")
    assert (await world.conversation()).model is None


# -- messages ------------------------------------------------------------------------------------

RICH: dict[str, Any] = {
    "parts": [{"type": "text", "text": "x"}, {"type": "file", "name": "a.pdf"}],
    "channel": "email",
    "sender": "sarah@example.org",
    "author": {"kind": "participant", "id": "sarah", "grade": "known"},
    "model": "opus",
    "thinkingText": "Let me see …",
    "usage": {"input": 1200, "output": 350},
    "cost": 0.004,
    "toolCalls": [{"toolName": "t", "input": {"a": 1}, "output": None}],
    "suggestedValues": ["yes", 1],
    "suggestedActions": [{"label": "Go"}],
    "customPayload": {"any": ["thing", None]},
    "intent": "ask",
    "actionName": "search",
    "jobRefs": ["job-1"],
    "key": "api:1",
    "replyTo": "msg-X",
    "status": "interrupted",
}


async def test_a_message_keeps_all_its_fields(world: World) -> None:
    await world.begin(A, "first")
    first = (await world.messages())[0]
    sources = [{"messageId": first.id, "quote": "first"}, {"messageId": "msg-Y", "quote": None}]
    line = await world.say(A, "assistant", "Answer", sources=sources, **RICH)
    found = (await world.index.message(USER, A, line.id)).to_json()
    assert found == RICH | {
        "id": line.id,
        "conversationId": A,
        "seq": 2,
        "role": "assistant",
        "content": "Answer",
        "timestamp": "2026-02-14T09:00:02.000Z",
        "turnNumber": 1,
        "sources": sources,
        "supersedes": None,
        "delivery": None,
    }


async def test_messages_come_in_order_from_any_place(world: World) -> None:
    lines = await world.begin(A, *(str(n) for n in range(9)))
    ids = [line.id for line in lines[1:]]

    async def page(limit: int, **where: Any) -> tuple[str, bool]:
        found = await world.index.messages(USER, A, Where(**where), limit=limit)
        return "".join(message.content for message in found.messages), found.has_more

    assert await page(3) == ("678", True)
    assert await page(9) == ("012345678", False)
    assert await page(3, before=ids[3]) == ("012", False)
    assert await page(3, before=ids[4]) == ("123", True)
    assert await page(3, before=ids[0]) == ("", False)
    assert await page(3, after=ids[4]) == ("567", True)
    assert await page(3, after=ids[5]) == ("678", False)
    assert await page(3, after=ids[8]) == ("", False)
    assert await page(4, around=ids[4]) == ("2345", True)
    assert await page(5, around=ids[4]) == ("23456", True)
    assert await page(4, around=ids[0]) == ("01", True)
    assert await page(1, around=ids[4]) == ("4", True)
    assert await page(50, around=ids[4]) == ("012345678", False)
    assert await page(3, first=True) == ("012", True)
    assert await page(9, first=True) == ("012345678", False)


async def test_turns(world: World) -> None:
    await world.begin(A, "1", "1!", "2", "2!", "3")
    await world.say(A, "tool", "3?")
    found = await world.index.turns(USER, A, 2, 3)
    assert [(m.turn_number, m.content) for m in found] == [
        (2, "2"),
        (2, "2!"),
        (3, "3"),
        (3, "3?"),
    ]
    assert await world.index.turns(USER, A, 4, 9) == []
    assert (await world.conversation()).turn_count == 3


async def test_what_is_near_to_lines(world: World) -> None:
    await world.begin(A, *(str(number) for number in range(9)))
    near = await world.index.near(USER, A, [5, 1, 99], limit=4)
    assert ["".join(one.content for one in some) for some in near] == ["2345", "01", "78"]
    assert await world.index.near(USER, A, [], limit=4) == []
    with pytest.raises(NotFound):
        await world.index.near(USER, B, [1], limit=4)
    with pytest.raises(NotFound):
        await world.index.near("usr-other", A, [1], limit=4)


async def test_a_superseded_message_steps_back(world: World) -> None:
    lines = await world.begin(A, "old words", "reply")
    await world.write(turn(A, "user", "new words", turnNumber=1, supersedes=lines[1].id))
    assert await world.contents() == ["reply", "new words"]
    assert await world.found("words") == ["new words"]
    old = await world.index.message(USER, A, lines[1].id)
    assert (old.status, old.content) == ("superseded", "old words")
    await world.happen(A, "superseded", messageId=lines[2].id)
    assert await world.contents() == ["new words"]
    assert [m.content for m in await world.index.turns(USER, A, 1, 1)] == ["new words"]
    assert await world.contents(before=lines[2].id) == []


async def test_an_edited_message_says_something_else(world: World) -> None:
    lines = await world.begin(A, "old words")
    edit = await world.happen(A, "edited", messageId=lines[1].id, content="new words")
    assert await world.contents() == ["new words"]
    assert await world.found("old") == []
    assert await world.found("new") == ["new words"]
    assert [(d.seq, d.id) for d in await world.index.dependents(USER, [lines[1].id])] == [
        (edit.seq, None)
    ]


async def test_a_retracted_message_says_nothing(world: World) -> None:
    lines = await world.begin(A, "regretted words", "ok")
    await world.happen(A, "retracted", messageId=lines[1].id)
    found = await world.messages()
    assert [(m.content, m.status) for m in found] == [("", "redacted"), ("ok", "complete")]
    assert await world.found("regretted") == []
    await world.happen(A, "edited", messageId=lines[1].id, content="back again")
    assert await world.found("back") == []


async def test_events_about_unknown_messages_change_nothing(world: World) -> None:
    await world.begin(A, "x")
    for name in ("edited", "retracted", "superseded", "reacted", "close", "unheard_of"):
        await world.happen(A, name, messageId="msg-nobody", content="y")
    assert await world.contents() == ["x"]


async def test_the_current_reply(world: World) -> None:
    lines = await world.begin(A, "question", "first answer", "next question")
    asked, first, nxt = (line.id for line in lines[1:])

    async def reply(message_id: str) -> str | None:
        found = await world.index.reply_to(USER, message_id)
        return found.content if found else None

    assert await reply(asked) == "first answer"
    assert await reply(nxt) is None
    await world.write(turn(A, "assistant", "better", turnNumber=1, supersedes=first))
    assert await reply(asked) == "better"
    await world.write(turn(A, "assistant", "named", turnNumber=1, replyTo=asked))
    assert await reply(asked) == "named"
    await world.write(turn(A, "assistant", "for another", turnNumber=2, replyTo="msg-other"))
    assert await reply(nxt) is None
    with pytest.raises(NotFound):
        await reply("msg-nobody")


async def test_the_messages_without_a_reply(world: World) -> None:
    lines = await world.begin(A, "answered", "the answer", "waits")
    other = await world.begin(B, "erased answer", "gone", "replaced")
    await world.erase(lines={B: [2]})
    await world.say(B, "user", "waits too")
    await world.say(B, "user", "instead", turnNumber=2, supersedes=other[3].id)
    await world.happen(A, "archived")
    found = await world.index.unanswered(USER, "")
    told = [(one.conversation_id, one.content) for one in found]
    assert told == [(A, "waits"), (B, "waits too"), (B, "instead")]
    since = lines[3].data["timestamp"]
    assert found[0].timestamp == since
    later = await world.index.unanswered(USER, found[1].timestamp)
    assert [one.content for one in later] == ["waits too", "instead"]
    await world.say(A, "assistant", "late", turnNumber=2, status="failed")
    assert [one.content for one in await world.index.unanswered(USER, since)] == [
        "waits too",
        "instead",
    ]


async def test_the_notice_of_a_failure_is_not_found(world: World) -> None:
    await world.begin(A, "hello")
    await world.say(A, "assistant", "busy", turnNumber=1, status="failed")
    assert await world.found("busy") == []
    assert await world.found("hello") != []
    assert [one.content for one in await world.messages()] == ["hello", "busy"]
    assert await world.index.verify() == []


async def test_find_gives_those_that_are_there(world: World) -> None:
    first = await world.begin(A, "one", "two")
    second = await world.begin(B, "three")
    await world.erase(lines={A: [2]})
    ids = [second[1].id, "msg-nobody", first[1].id, first[2].id, first[1].id]
    found = await world.index.find(USER, ids)
    assert [(m.conversation_id, m.content) for m in found] == [(B, "three"), (A, "one")]


# -- erasure -------------------------------------------------------------------------------------


async def test_a_redacted_message_keeps_its_place_and_nothing_else(world: World) -> None:
    await world.begin(A, "one")
    line = await world.say(A, "assistant", "secret words", **RICH)
    await world.begin(B, "other words")
    before = await world.conversation()
    await world.erase(lines={A: [2]})
    found = await world.index.message(USER, A, line.id)
    assert found.model_dump(exclude_defaults=True) == {
        "id": line.id,
        "conversation_id": A,
        "seq": 2,
        "role": "assistant",
        "content": "",
        "timestamp": line.data["timestamp"],
        "turn_number": 1,
        "status": "redacted",
    }
    assert await world.contents() == ["one", ""]
    assert await world.found("words") == ["other words"]
    assert await world.conversation() == before


async def test_an_erased_title_gives_way_to_the_one_before(world: World) -> None:
    await world.begin(A, "x")
    await world.happen(A, "title_assigned", title="First", by="offline", topics=["a"])
    second = await world.happen(A, "title_assigned", title="Second", by="offline")
    await world.erase(lines={A: [second.seq]})
    found = await world.conversation()
    assert (found.title, found.topics) == ("First", ["a"])


async def test_an_erased_edit_gives_the_first_words_back(world: World) -> None:
    lines = await world.begin(A, "first words")
    edit = await world.happen(A, "edited", messageId=lines[1].id, content="other words")
    await world.erase(lines={A: [edit.seq]})
    assert await world.contents() == ["first words"]
    assert await world.found("words") == ["first words"]
    await world.erase(lines={A: [lines[1].seq]})
    assert await world.contents() == [""]


async def test_erasing_a_message_keeps_an_archive_closed_or_open(world: World) -> None:
    await world.begin(A, "x")
    await world.happen(A, "archived")
    await world.say(A, "user", "opens it")
    await world.erase(lines={A: [3]})
    assert await world.listed() == [A]
    await world.happen(A, "archived")
    await world.erase(lines={A: [1]})
    assert await world.listed(archived=True) == [A]


async def test_a_deleted_conversation_is_gone(world: World) -> None:
    lines = await world.begin(A, "secret words")
    await world.begin(B, "other words")
    await world.erase(streams=[A])
    assert await world.listed() == [B]
    assert await world.found("words") == ["other words"]
    calls: list[Awaitable[Any]] = [
        world.conversation(A),
        world.messages(A),
        world.index.message(USER, A, lines[1].id),
        world.index.turns(USER, A, 1, 1),
        world.evidence("x", conversation_id=A),
    ]
    for call in calls:
        with pytest.raises(NotFound):
            await call
    assert await world.index.find(USER, [lines[1].id]) == []


async def test_dependents_are_events_with_sources_and_replies_that_quote(world: World) -> None:
    lines = await world.begin(A, "the source", "x")
    source = lines[1].id
    await world.begin(B, "y")
    quoting = [{"messageId": source, "quote": "source"}, {"messageId": source}]
    reply = await world.say(B, "assistant", "You said: source", sources=quoting)
    await world.say(B, "assistant", "used it", sources=[{"messageId": source}])
    title = await world.happen(A, "title_assigned", title="T", sources=[{"messageId": source}])
    await world.write(
        meta(USER_STREAM, user=USER),
        event(USER_STREAM, "memory_added", text="t", sources=[{"messageId": source}]),
    )
    found = await world.index.dependents(USER, [source, "msg-nobody", source])
    assert [(one.stream, one.seq, one.id) for one in found] == [
        (A, title.seq, None),
        (B, reply.seq, reply.id),
        (USER_STREAM, 1, None),
    ]
    await world.erase(lines={A: [title.seq], B: [reply.seq], USER_STREAM: [1]})
    assert await world.index.dependents(USER, [source]) == []


# -- search --------------------------------------------------------------------------------------


async def test_any_word_is_found(world: World) -> None:
    await world.begin(A, "the login bug", "a bug in the garden, among other insects", "login")
    await world.begin(B, "nothing of that kind")
    found = await world.found("login", "bug")
    assert found[0] == "the login bug"
    assert len(found) == (await world.evidence("login", "bug")).matches == 3
    assert await world.found("LOGIN") == ["login", "the login bug"]
    assert await world.found() == []


async def test_letters_are_folded(world: World) -> None:
    await world.begin(A, "Le café d'Émile", "Straße", "ÅNGSTRÖM")
    assert await world.found("cafe") == ["Le café d'Émile"]
    assert await world.found("emile") == ["Le café d'Émile"]
    assert await world.found("angstrom") == ["ÅNGSTRÖM"]


async def test_what_a_system_says_is_not_found(world: World) -> None:
    await world.begin(A, "word")
    await world.say(A, "system", "system word")
    await world.say(A, "tool", "tool word")
    assert await world.found("word") == ["word", "tool word"]


ODD = ['"', "*", "NEAR(", "-", "content:", "a AND", "^x", "{", "()", "'", "\\", "+", "a OR b"]


@pytest.mark.parametrize("word", [*ODD, "", " ", "\0", "a\0b", '""', "東京", "\u202e", "x" * 5000])
async def test_no_character_means_anything(world: World, word: str) -> None:
    await world.begin(A, "words", "something else")
    await world.found(word)
    assert await world.found(word, "words") == ["words"]


async def test_many_words_at_once(world: World) -> None:
    await world.begin(A, "word1999")
    assert await world.found(*(f"word{n}" for n in range(2000))) == ["word1999"]


async def test_a_search_is_filtered(world: World) -> None:
    await world.begin(A, channel="web")
    await world.begin(B, channel="email")
    await world.say(A, "user", "word one", timestamp="2026-01-01T10:00:00.000Z")
    await world.say(A, "user", "word two", timestamp="2026-01-02T10:00:00.000Z")
    await world.say(B, "user", "word three", timestamp="2026-01-03T10:00:00.000Z")

    async def found(**wanted: Any) -> set[str]:
        contents = await world.found("word", **wanted)
        assert (await world.evidence("word", **wanted)).matches == len(contents)
        return {content.split()[1] for content in contents}

    assert await found() == {"one", "two", "three"}
    assert await found(channel="email") == {"three"}
    assert await found(conversation_id=A) == {"one", "two"}
    assert await found(since="2026-01-02T10:00:00.000Z") == {"two", "three"}
    assert await found(until="2026-01-02T10:00:00.000Z") == {"one"}
    assert await found(channel="web", since="2026-01-01T10:00:00.001Z") == {"two"}
    with pytest.raises(NotFound):
        await found(conversation_id="conv-nobody")


# -- how much was said ---------------------------------------------------------------------------

DAYS = [
    Span("Monday", "2026-01-05T00:00:00.000Z", "2026-01-06T00:00:00.000Z"),
    Span("Tuesday", "2026-01-06T00:00:00.000Z", "2026-01-07T00:00:00.000Z"),
]


async def reply(world: World, when: str, **fields: Any) -> Line:
    given = {"model": "opus", "usage": {"input": 100, "output": 10}, "cost": 0.5}
    return await world.say(A, "assistant", "Yes.", timestamp=when, **(given | fields))


async def test_what_was_said_is_counted_by_day_channel_and_model(world: World) -> None:
    await world.begin(A)
    await world.say(A, "user", "early", timestamp="2026-01-04T23:59:59.999Z")
    for when in ("2026-01-05T00:00:00Z", "2026-01-05T23:59:59.999Z"):
        await world.say(A, "user", "Well?", timestamp=when, channel="web")
        await reply(world, when, channel="web")
    await world.say(A, "user", "Next", timestamp="2026-01-06T00:00:00Z", channel="email")
    await reply(world, "2026-01-06T09:00:00Z", channel="email", model="haiku", usage=None)
    await world.say(A, "system", "Be kind.", timestamp="2026-01-06T09:00:00Z")
    await world.say(A, "user", "late", timestamp="2026-01-07T00:00:00Z")
    nothing = Activity("", "", None)
    assert await world.index.activity(USER, DAYS) == [
        replace(nothing, day="Monday", channel="web", messages=2, turns=2),
        Activity("Monday", "web", "opus", 2, 0, 200, 20, 1.0),
        replace(nothing, day="Tuesday", channel="email", messages=1, turns=1),
        Activity("Tuesday", "email", "haiku", 1, 0, 0, 0, 0.5),
    ]


async def test_what_nobody_sees_any_more_has_cost_what_it_cost(world: World) -> None:
    when = "2026-01-05T09:00:00Z"
    await world.begin(A)
    await world.say(A, "user", "Well?", timestamp=when)
    old = await reply(world, when)
    await reply(world, when, supersedes=old.id)
    await reply(world, when, status="failed")
    (asked, replied) = await world.index.activity(USER, DAYS)
    assert (asked.messages, asked.turns, asked.channel) == (1, 1, "web")
    assert (replied.messages, replied.input_tokens, replied.cost) == (1, 300, 1.5)


@pytest.mark.parametrize(
    "usage",
    [{"input": "many", "output": [1]}, {"input": -5, "output": True}, {"input": None}, {}],
    ids=str,
)
async def test_what_is_no_number_of_tokens_counts_for_none(world: World, usage: Any) -> None:
    await world.begin(A)
    await reply(world, "2026-01-05T09:00:00Z", usage=usage, cost=-1.0)
    (one,) = await world.index.activity(USER, DAYS)
    assert (one.input_tokens, one.output_tokens, one.cost) == (0, 0, 0.0)


async def test_no_sum_is_too_large(world: World) -> None:
    await world.begin(A)
    for _ in range(3):
        usage = {"input": 10**18, "output": 1e300}
        await reply(world, "2026-01-05T09:00:00Z", usage=usage, cost=1e308)
    (one,) = await world.index.activity(USER, DAYS)
    assert (one.input_tokens, one.output_tokens, one.cost) == (3 * 10**12, 3 * 10**12, 3e9)


async def test_storage_is_what_the_streams_take(world: World) -> None:
    before = await world.index.storage(USER)
    assert (before.conversations, before.ledger_bytes) == (0, 0)
    lines = await world.begin(A, "x", "y")
    others = await world.begin(B)
    found = await world.index.storage(USER)
    assert found.conversations == 2
    assert found.ledger_bytes == lines[-1].end + others[-1].end
    assert found.index_bytes is None or found.index_bytes > 0


# -- what the user has chosen --------------------------------------------------------------------


async def choose(world: World, name: Any, value: Any) -> None:
    await world.write(event(USER_STREAM, "preference_changed", name=name, value=value))


async def test_the_last_choice_counts(world: World) -> None:
    assert await world.index.preferences(USER) == {}
    await world.write(meta(USER_STREAM, user=USER))
    await choose(world, "timezone", "Europe/Berlin")
    await choose(world, "model", "opus")
    await choose(world, "timezone", "Asia/Tokyo")
    found = await world.index.preferences(USER)
    assert {name: one.value for name, one in found.items()} == {
        "timezone": "Asia/Tokyo",
        "model": "opus",
    }
    assert found["model"].since < found["timezone"].since
    await choose(world, "model", None)
    assert list(await world.index.preferences(USER)) == ["timezone"]
    await world.index.rebuild()
    assert list(await world.index.preferences(USER)) == ["timezone"]


async def test_an_erased_choice_was_never_made(world: World) -> None:
    await world.write(meta(USER_STREAM, user=USER))
    for zone in ("Europe/Berlin", "Asia/Tokyo"):
        await choose(world, "timezone", zone)
    await world.ledger.erase(Erasure(lines={USER_STREAM: [2]}))
    for _ in range(2):
        assert (await world.index.preferences(USER))["timezone"].value == "Europe/Berlin"
        await world.index.rebuild()


async def test_what_is_no_choice_chooses_nothing(world: World) -> None:
    await world.write(meta(USER_STREAM, user=USER))
    await choose(world, 7, "x")
    await choose(world, "", "x")
    await choose(world, "model", 7)
    await world.begin(A, "x")
    await world.write(event(A, "preference_changed", name="model", value="opus"))
    assert await world.index.preferences(USER) == {}


# -- users ---------------------------------------------------------------------------------------

CALLS: dict[str, Callable[[Index, str, str, str], Awaitable[Any]]] = {
    "conversations": lambda i, u, c, m: i.conversations(u, ConversationFilter(), limit=1),
    "conversation": lambda i, u, c, m: i.conversation(u, c),
    "view": lambda i, u, c, m: i.view(u, c, limit=1),
    "messages": lambda i, u, c, m: i.messages(u, c, Where(), limit=1),
    "turns": lambda i, u, c, m: i.turns(u, c, 1, 1),
    "near": lambda i, u, c, m: i.near(u, c, [1], limit=1),
    "message": lambda i, u, c, m: i.message(u, c, m),
    "find": lambda i, u, c, m: i.find(u, [m]),
    "reply_to": lambda i, u, c, m: i.reply_to(u, m),
    "unanswered": lambda i, u, c, m: i.unanswered(u, ""),
    "evidence": lambda i, u, c, m: i.evidence(u, Question([]), SearchFilter()),
    "at": lambda i, u, c, m: i.at(u, [(c, 1)]),
    "shown": lambda i, u, c, m: i.shown(u, [(c, 1)], [(c, 1)], [c]),
    "described": lambda i, u, c, m: i.described(u, [c]),
    "languages": lambda i, u, c, m: i.languages(u),
    "unfolded": lambda i, u, c, m: i.unfolded(u, c, 1, limit=1),
    "keep": lambda i, u, c, m: i.keep(u, c, Kept(1, 1, "x"), Unfolded(None, [], more=False)),
    "summary": lambda i, u, c, m: i.summary(u, c, "compression"),
    "summaries": lambda i, u, c, m: i.summaries(u, c, ["compression"]),
    "versions": lambda i, u, c, m: i.versions(u, c, "compression"),
    "telling": lambda i, u, c, m: i.telling(u, [c]),
    "days": lambda i, u, c, m: i.days(u, c, limit=1),
    "day": lambda i, u, c, m: i.day(u, c, "2026-02-14"),
    "day_of_turn": lambda i, u, c, m: i.day_of_turn(u, c, 1),
    "day_of_id": lambda i, u, c, m: i.day_of_id(u, c, "day-1"),
    "untold_days": lambda i, u, c, m: i.untold_days(u, c, limit=1),
    "citing": lambda i, u, c, m: i.citing(u, c, [m]),
    "owed": lambda i, u, c, m: i.owed(u, OwedFilter("", 5, 60, stand_ins=True), limit=1),
    "standing": lambda i, u, c, m: i.standing(u, c),
    "titles": lambda i, u, c, m: i.titles(u, ["x"]),
    "meanings": lambda i, u, c, m: i.meanings(u, ["x"]),
    "length": lambda i, u, c, m: i.length(u, c),
    "preferences": lambda i, u, c, m: i.preferences(u),
    "activity": lambda i, u, c, m: i.activity(u, [Span("2026-02-14", "2026-02-14", "2026-02-15")]),
    "storage": lambda i, u, c, m: i.storage(u),
    "dependents": lambda i, u, c, m: i.dependents(u, [m]),
    "memories": lambda i, u, c, m: i.memories(u, EVERY_MEMORY, limit=1),
    "memory_count": lambda i, u, c, m: i.memory_count(u, EVERY_MEMORY),
    "memory": lambda i, u, c, m: i.memory(u, MEMORY),
    "some_memories": lambda i, u, c, m: i.some_memories(u, [MEMORY]),
    "memory_lines": lambda i, u, c, m: i.memory_lines(u, [MEMORY]),
    "memories_near": lambda i, u, c, m: i.memories_near(u, Question((), "tea"), EVERY_MEMORY),
    "memories_at": lambda i, u, c, m: i.memories_at(u, [1]),
    "alike": lambda i, u, c, m: i.alike(u, "tea", ["coffee"]),
    "oblivion_salts": lambda i, u, c, m: i.oblivion_salts(u),
    "pinned": lambda i, u, c, m: i.pinned(u, "email", "x"),
    "pinned_with": lambda i, u, c, m: i.pinned_with(u, "email", "x"),
    "outbox": lambda i, u, c, m: i.outbox(u, 1),
    "deliveries": lambda i, u, c, m: i.deliveries(u, c, [m]),
    "delivery": lambda i, u, c, m: i.delivery(u, m),
    "externals": lambda i, u, c, m: i.externals(u, limit=1),
    "external": lambda i, u, c, m: i.external(u, X),
    "external_of": lambda i, u, c, m: i.external_of(u, "email", "x"),
    "external_languages": lambda i, u, c, m: i.external_languages(u),
    "external_hits": lambda i, u, c, m: i.external_hits(u, [], SearchFilter()),
    "external_found": lambda i, u, c, m: i.external_found(u, [(X, 1)]),
    "forgotten": lambda i, u, c, m: i.forgotten(u, ["0" * 32]),
}


@pytest.mark.parametrize("call", CALLS)
async def test_nobody_sees_anything_of_another_user(world: World, call: str) -> None:
    lines = await world.begin(A, "x", "y")
    await remember(world, MEMORY, "I like tea.")
    await world.begin(X)
    await world.say(A, "assistant", "z", id=lines[1].id, deliver=deliver("contact-1"))
    await CALLS[call](world.index, USER, A, lines[1].id)
    with pytest.raises(NotFound):
        await CALLS[call](world.index, "usr-other", A, lines[1].id)


def test_every_method_that_takes_a_user_is_tried() -> None:
    methods = {name for name, value in vars(Index).items() if "user" in _parameters(value)}
    assert methods == CALLS.keys()


def _parameters(value: Any) -> tuple[str, ...]:
    code = getattr(value, "__code__", None)
    return code.co_varnames[: code.co_argcount] if code else ()


@pytest.mark.parametrize(
    "call",
    [
        "conversation",
        "view",
        "summaries",
        "messages",
        "turns",
        "near",
        "message",
        "reply_to",
        "standing",
    ],
)
async def test_what_is_not_there_is_not_found(world: World, call: str) -> None:
    await world.begin(A, "x")
    with pytest.raises(NotFound):
        await CALLS[call](world.index, USER, B, "msg-nobody")


@pytest.mark.parametrize("where", ["before", "after", "around"])
async def test_a_place_has_to_be_a_message_of_the_conversation(world: World, where: str) -> None:
    await world.begin(A, "x")
    other = await world.begin(B, "y")
    for message_id in ("msg-nobody", other[1].id):
        with pytest.raises(NotFound):
            await world.messages(A, **{where: message_id})


# -- following and rebuilding --------------------------------------------------------------------


async def test_a_rebuild_changes_no_answer(world: World) -> None:
    lines = await world.begin(A, "one", "two", "three", "four")
    await world.begin(B, "five")
    await world.begin(C, "six")
    await world.happen(A, "title_assigned", title="Numbers", by="user")
    await world.write(turn(A, "user", "neuf", turnNumber=1, supersedes=lines[1].id))
    await world.erase(lines={A: [3]}, streams=[C])

    async def everything() -> list[Any]:
        return [
            await world.index.conversations(USER, ConversationFilter(), limit=9),
            [await world.messages(stream) for stream in (A, B)],
            await world.found("two", "three", "neuf", "five", "six"),
        ]

    before = await everything()
    reports: list[str] = []
    await world.index.rebuild(lambda health: reports.append(health.status))
    assert await everything() == before
    assert set(reports) == {"rebuilding"}
    assert world.index.health().status == "ok"
    assert await world.index.verify() == []
    await world.say(A, "assistant", "ten")
    assert await world.found("ten") == ["ten"]


async def test_settling_waits_until_everything_is_there(world: World) -> None:
    await world.begin(A, "x")
    await world.index.settle()
    assert world.index.health().status == "ok"
    assert await world.found("x") == ["x"]


async def test_a_key_leads_to_its_line(world: World) -> None:
    await world.begin(A)
    first = await world.say(A, "user", "x", key="api:1")
    (again,) = await world.ledger.append([turn(A, "user", "x", key="api:1")])
    assert again.replayed
    assert again.line.id == first.id
    await world.ledger.erase(Erasure(lines={A: [1]}))
    assert await world.contents() == [""]
