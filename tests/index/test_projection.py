"""The projection: whatever is stored can be folded, and however it is, the rows are the same."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palaver.errors import NotFound
from palaver.index.delta import Delta
from palaver.index.folded import FoldedConversation
from palaver.index.port import Owed, Where
from palaver.index.projection import Fold
from palaver.index.rows import row_hash, to_conversation, to_message, to_owed, to_summary
from palaver.index.summary_fold import ABBREVIATION
from palaver.ledger.lines import Line, read_line
from palaver.ledger.strict import dumps
from tests.index.dumps import dump
from tests.index.histories import FOREIGN, STREAMS, History, steps
from tests.index.worlds import USER, A, FileWorld, open_files

# -- anything can be folded ----------------------------------------------------------------------

_JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
_TYPES = st.sampled_from(["turn", "turn", "event", "meta", "meta_update", "tombstone", "x"])
_EVENTS = st.sampled_from(
    [
        *("title_assigned", "redacted", "deleted", "edited", "superseded", "archived"),
        *("model_changed", "abbreviation", "rolling_summary"),
    ]
)
# fmt: off
_FIELDS = (
    "role", "content", "timestamp", "at", "turnNumber", "status", "supersedes", "replyTo",
    "channel", "sender", "author", "model", "parts", "thinkingText", "usage", "cost", "toolCalls",
    "suggestedValues", "suggestedActions", "customPayload", "intent", "actionName", "jobRefs",
    "sources", "key", "id", "seq", "pos", "title", "name", "topics", "by", "metadata",
    "channelMeta", "participants", "created", "mode", "pinned", "messageId", "targets", "keys",
    "stream", "text", "summary", "through", "covers", "turn", "standsInFor",
)
# fmt: on
_TARGET = st.fixed_dictionaries(
    {"seq": st.integers(-1, 6) | _JSON},
    optional={"role": st.sampled_from(["user", "tool"]) | _JSON, "event": _JSON, "id": _JSON},
)
_ANY: dict[str, Any] = dict.fromkeys(_FIELDS, _JSON)
_LINES: Any = st.fixed_dictionaries(
    {"type": _TYPES},
    optional=_ANY
    | {
        "event": _EVENTS | _JSON,
        "role": st.sampled_from(["user", "assistant", "tool"]) | _JSON,
        "targets": st.lists(_TARGET, max_size=3) | _JSON,
        "id": st.sampled_from(["msg-1", "msg-2"]) | _JSON,
        "messageId": st.sampled_from(["msg-1", "msg-2"]) | _JSON,
        "timestamp": st.sampled_from(["2026-01-01", "9999-12-31T23:59:59-23:59"]) | _JSON,
    },
)


@given(st.lists(_LINES, max_size=8), st.sampled_from([A, "user", "ext-A"]))
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_stored_can_be_folded(bodies: list[dict[str, Any]], stream: str) -> None:
    delta = Delta(Fold(stream))
    for seq, body in enumerate(bodies):
        delta.take(Line(stream, seq, seq * 10, b"x" * 9, body))
    for row in delta.rows.values():
        row_hash(stream, row)
        to_message(stream, row)
    if delta.fold.row:
        row_hash(stream, delta.fold.row.values())
        to_owed(delta.fold.row)
    for summary in delta.summaries.values():
        to_summary(summary)


@given(st.lists(_LINES, max_size=6))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_stored_can_be_indexed(bodies: list[dict[str, Any]]) -> None:
    lines = [raw for body in bodies if (raw := _written(body)) is not None]

    async def run(folder: Path) -> None:
        world = await open_files(folder)
        await world.close()
        world.file().write_bytes(b"".join(line + b"\n" for line in lines))
        world = await open_files(folder)
        assert world.index.health().status == "ok"
        assert world.index.seen().get(A, 0) == (world.store.size(A) or 0)
        assert [f for f in await world.index.verify() if f.damage] == []
        await world.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))


def _written(body: dict[str, Any]) -> bytes | None:
    """The line as another program might write it."""
    try:
        return dumps(body)
    except orjson.JSONEncodeError:
        return None


def test_a_line_of_the_first_specification_is_read() -> None:
    fold = Fold(A)
    delta = Delta(fold)
    for seq, raw in enumerate(
        [
            b'{"type":"meta","id":"conv-A","channel":"web","created":"2026-02-14T09:00:00Z"}',
            b'{"type":"turn","role":"user","content":"Hello","timestamp":"2026-02-14T09:00:01Z"}',
            b'{"type":"turn","role":"assistant","content":"Hi","timestamp":"2026-02-14T10:00:05+01:00"}',
            b'{"type":"turn","role":"user","content":"More","timestamp":"2026-02-14T09:02:00Z"}',
            b'{"type":"meta_update","name":"autumn-wind","topics":["login-bug"]}',
            b'{"type":"event","event":"close"}',
        ]
    ):
        delta.take(read_line(A, seq, seq * 100, raw))
    assert fold.row is not None
    found = to_conversation(fold.row)
    assert (found.title, found.topics, found.turn_count) == ("autumn-wind", ["login-bug"], 2)
    assert (found.created, found.updated) == (
        "2026-02-14T09:00:00.000Z",
        "2026-02-14T09:02:00.000Z",
    )
    messages = [to_message(A, row) for row in delta.rows.values()]
    assert [(m.turn_number, m.timestamp[11:]) for m in messages] == [
        (1, "09:00:01.000Z"),
        (1, "09:00:05.000Z"),
        (2, "09:02:00.000Z"),
    ]
    assert len({m.id for m in messages}) == 3


# -- however it is folded, the rows are the same -------------------------------------------------


@given(steps)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_rows_are_the_same_however_they_came(history: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_same_rows(Path(folder), history))


async def _same_rows(folder: Path, history: list[dict[str, Any]]) -> None:
    world = await open_files(folder)
    taking = History(world)
    for step in history:
        await taking.take(step)
    await world.close()
    world = await open_files(folder)  # reads what others have written
    assert world.index.health().status == "ok"
    followed = dump(world.home.index)
    await _same_answers(world)
    await world.index.rebuild()
    assert dump(world.home.index) == followed
    await world.close()
    world.home.index.unlink()
    world = await open_files(folder)
    await world.index.settle()
    assert dump(world.home.index) == followed
    assert [finding for finding in await world.index.verify() if finding.damage] == []
    await world.close()


async def _same_answers(world: FileWorld) -> None:
    """Folding a conversation in memory says what its rows say."""
    for stream in STREAMS:
        listed = await world.listed() + await world.listed(archived=True)
        for archived in (False, True):
            listed += await world.listed(mode="continuous", archived=archived)
        if stream not in listed:
            with pytest.raises(NotFound):
                FoldedConversation(world.store, stream)
            continue
        folded = FoldedConversation(world.store, stream)
        page = await world.index.messages(USER, stream, Where(), limit=1000)
        assert folded.page(Where(), 1000) == page
        first = await world.index.messages(USER, stream, Where(first=True), limit=2)
        assert folded.page(Where(first=True), 2) == first
        for message in page.messages:
            for where in (Where(before=message.id), Where(after=message.id)):
                expected = await world.index.messages(USER, stream, where, limit=3)
                assert folded.page(where, 3) == expected
            around = Where(around=message.id)
            expected = await world.index.messages(USER, stream, around, limit=4)
            assert folded.page(around, 4) == expected
        assert folded.turns(0, 2) == await world.index.turns(USER, stream, 0, 2)
        standing = await world.index.standing(USER, stream)
        assert folded.standing() == standing
        assert folded.view(3) == await world.index.view(USER, stream, limit=3)
        await _told_by_its_summary(world, standing)


async def _told_by_its_summary(world: FileWorld, standing: Owed) -> None:
    """A conversation shows an abbreviation only as long as there is the summary that holds it."""
    shown = standing.conversation.abbreviation
    if shown is not None:
        held = await world.index.summary(USER, standing.conversation.id, ABBREVIATION)
        assert held is not None
        assert (held.text, held.covers) == (shown, standing.abbreviated_seq)


@pytest.mark.parametrize("seq", range(len(FOREIGN)))
async def test_erasing_any_adopted_line_gives_the_rows_of_a_rebuild(
    tmp_path: Path, seq: int
) -> None:
    world = await open_files(tmp_path)
    world.file().write_bytes(b"".join(line + b"\n" for line in FOREIGN))
    await world.say(A, "user", "our own")
    await world.erase(lines={A: [seq]})
    followed = dump(world.home.index)
    await world.index.rebuild()
    assert dump(world.home.index) == followed
    await world.close()
