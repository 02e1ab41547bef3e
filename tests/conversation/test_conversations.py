"""Conversations begin, are listed page by page, and change only when something changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.conversation.records import Change
from palaver.errors import BadCursor, BadText, BadValue, Conflict, KeyReused, NotFound
from palaver.recall.cursor import encode
from tests.library import Clock, library

UNKNOWN = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"


async def ids(palaver: Palaver, **wanted: str | bool) -> list[str]:
    page = await palaver.conversations(**wanted)  # pyright: ignore[reportArgumentType]
    return [one.id for one in page.conversations]


async def test_a_conversation_is_what_start_says(palaver: Palaver):
    metadata = {"project": "alpha", "n": 1}
    started = await palaver.start(channel="email", title="  Login\n bug ", metadata=metadata)
    assert started.id.startswith("conv-")
    assert (started.channel, started.title, started.manually_named) == ("email", "Login bug", True)
    assert started.metadata == metadata
    assert (started.mode, started.turn_count, started.archived) == ("standard", 0, False)
    assert await palaver.conversation(started.id) == started


async def test_a_plain_conversation_has_no_title(palaver: Palaver):
    started = await palaver.start()
    assert (started.title, started.manually_named, started.metadata) == (None, False, {})
    assert await palaver.conversation(started.id) == started


async def test_a_repeated_start_gives_the_same_conversation(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as palaver:
        first = await palaver.start(title="One", key="k")
        assert (await palaver.start(title="One", key="k")).id == first.id
    async with library(tmp_path, clock) as palaver:
        assert (await palaver.start(title="One", key="k")).id == first.id
        with pytest.raises(KeyReused):
            await palaver.start(title="Two", key="k")
        assert await ids(palaver) == [first.id]


@pytest.mark.parametrize("channel", ["", "Web", "a b", "../x", "x" * 40, "wéb"])
async def test_a_channel_is_a_short_word(palaver: Palaver, channel: str):
    with pytest.raises(BadValue):
        await palaver.start(channel=channel)
    with pytest.raises(BadValue):
        await palaver.send("Hello", new=True, channel=channel)
    assert await ids(palaver) == []


async def test_the_current_conversation_is_the_latest_on_the_web(palaver: Palaver):
    first = await palaver.current()
    assert await palaver.current() == first
    second = await palaver.start()
    await palaver.append(second.id, "user", "Newer")
    await palaver.start(channel="email")
    assert (await palaver.current()).id == second.id
    await palaver.append(first.id, "user", "Newest")
    assert (await palaver.current()).id == first.id
    await palaver.update(first.id, Change(archived=True))
    assert (await palaver.current()).id == second.id


async def test_lists_filter_by_channel_archive_and_title(palaver: Palaver):
    web = await palaver.start(title="Login bug")
    mail = await palaver.start(channel="email", title="Holiday")
    old = await palaver.start(title="Old login")
    await palaver.update(old.id, Change(archived=True))
    assert await ids(palaver) == [mail.id, web.id]
    assert await ids(palaver, channel="email") == [mail.id]
    assert await ids(palaver, archived=True) == [old.id]
    assert await ids(palaver, q="LOGIN") == [web.id]
    assert await ids(palaver, mode="continuous") == []


async def test_a_list_is_walked_without_repetition_while_new_ones_begin(palaver: Palaver):
    started = [(await palaver.start()).id for _ in range(7)]
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = await palaver.conversations(limit=2, cursor=cursor)
        seen += [one.id for one in page.conversations]
        await palaver.start()
        if (cursor := page.next_cursor) is None:
            break
    assert seen == started[::-1]


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "nonsense",
        "é",
        encode([]),
        encode(["2026-02-14T09:00:00.000Z"]),
        encode(["never", UNKNOWN]),
        encode(["2026-02-14T09:00:00.000Z", "../x"]),
        encode(["2026-02-14T09:00:00.000Z", UNKNOWN, "more"]),
    ],
)
async def test_a_malformed_cursor_is_refused(palaver: Palaver, cursor: str):
    with pytest.raises(BadCursor):
        await palaver.conversations(cursor=cursor)


async def test_a_filter_must_be_text(palaver: Palaver):
    with pytest.raises(BadValue):
        await palaver.conversations(channel="a\ud800")
    with pytest.raises(BadText):
        await palaver.conversations(q="a\ud800")


@pytest.mark.parametrize("limit", [0, -1, 201])
async def test_a_limit_is_1_to_200(palaver: Palaver, limit: int):
    with pytest.raises(BadValue):
        await palaver.conversations(limit=limit)


async def test_renaming_by_hand(palaver: Palaver):
    conversation = await palaver.start()
    renamed = await palaver.update(conversation.id, Change(title="The login bug"))
    assert (renamed.title, renamed.manually_named) == ("The login bug", True)
    last = (await palaver.lines(conversation.id))[-1]
    assert last.event == "title_assigned"
    assert last.data["by"] == "user"
    longest = await palaver.update(conversation.id, Change(title="x" * 255))
    assert longest.title == "x" * 255


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (Change(title=""), BadValue),
        (Change(title=" \n"), BadValue),
        (Change(title="x" * 256), BadValue),
        (Change(title=None), BadValue),
        (Change(title="a\0b"), BadText),
        (Change(archived=None), BadValue),
        (Change(metadata=None), BadValue),
        (Change(metadata={"n": float("inf")}), BadValue),
        (Change(pinned=True), Conflict),
        (Change(title="Good", pinned=False), Conflict),
    ],
)
async def test_a_bad_change_is_refused_and_changes_nothing(
    palaver: Palaver, change: Change, error: type[Exception]
):
    conversation = await palaver.start()
    with pytest.raises(error):
        await palaver.update(conversation.id, change)
    assert len(await palaver.lines(conversation.id)) == 1
    with pytest.raises(NotFound):
        await palaver.update(UNKNOWN, Change(title="Nobody"))


async def test_archiving_and_coming_back_with_a_message(palaver: Palaver):
    conversation = await palaver.start()
    await palaver.append(conversation.id, "user", "A needle")
    assert (await palaver.update(conversation.id, Change(archived=True))).archived
    assert await ids(palaver) == []
    assert [hit.conversation_id for hit in await palaver.search("needle")] == [conversation.id]
    assert not (await palaver.update(conversation.id, Change(archived=False))).archived
    await palaver.update(conversation.id, Change(archived=True))
    await palaver.append(conversation.id, "user", "Back again")
    assert await ids(palaver) == [conversation.id]


async def test_several_changes_are_one_commit_and_survive_a_restart(tmp_path: Path, clock: Clock):
    change = Change(title="Named", metadata={"a": [1]}, model="some-model", archived=True)
    async with library(tmp_path, clock) as palaver:
        conversation = await palaver.start()
        changed = await palaver.update(conversation.id, change)
        assert len({line.data["at"] for line in (await palaver.lines(conversation.id))[1:]}) == 1
    async with library(tmp_path, clock) as palaver:
        assert await palaver.conversation(conversation.id) == changed
        assert (changed.metadata, changed.model) == ({"a": [1]}, "some-model")
        assert (await palaver.update(conversation.id, Change(model=None))).model is None
        assert (await palaver.update(conversation.id, Change(metadata={}))).metadata == {}


async def test_a_change_to_what_is_already_so_writes_nothing(palaver: Palaver):
    conversation = await palaver.start(title="Named")
    change = Change(title="Named", metadata={}, model=None, archived=False)
    await palaver.update(conversation.id, change)
    await palaver.update(conversation.id, Change())
    assert len(await palaver.lines(conversation.id)) == 1


async def test_pinning_one_conversation_of_a_place_unpins_the_other(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as palaver:
        streams = [(await palaver.start(channel="whatsapp")).id for _ in range(3)]
    # Only a channel writes where something was said, so a file brings it.
    parties = ["+4711", "+4711", "+4712"]
    for stream, party in zip(streams, parties, strict=True):
        path = tmp_path / "conversations" / f"{stream}.jsonl"
        path.write_text(
            f'{{"type":"meta","id":"{stream}","channel":"whatsapp","created":"2026-02-14T09:00:00Z",'
            f'"participants":["user"],"channelMeta":{{"kind":"contact","id":"{party}","party":"{party}"}}}}\n'
        )
    (tmp_path / "conversations" / "conversations.db").unlink()
    async with library(tmp_path, clock) as palaver:
        first, second, other = streams
        await palaver.update(first, Change(pinned=True))
        await palaver.update(other, Change(pinned=True))
        await palaver.update(second, Change(pinned=True))
        pinned = [(await palaver.conversation(stream)).pinned for stream in streams]
        assert pinned == [False, True, True]
