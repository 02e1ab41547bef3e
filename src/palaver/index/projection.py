"""The one projection from lines to rows: pure, incremental, the same for every engine.

A `Fold` takes the lines of a stream in order. What becomes of the messages it says as changes; the
conversation's row it keeps itself. Taking the lines as they come, or all at once from a stream in
which some have been erased since, gives the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from palaver.index import conversation_fold as conversations
from palaver.index import day_fold as days
from palaver.index import external_fold as externals
from palaver.index import values
from palaver.index.changes import (
    Change,
    Cite,
    Deliver,
    Drop,
    Erase,
    Forget,
    Insert,
    Learn,
    Mark,
    Move,
    Patch,
    Prefer,
    Remember,
    Restate,
    Summarise,
    Uncite,
    Unlearn,
    Use,
)
from palaver.index.channel_rows import ExternalRow
from palaver.index.delivery_fold import EVENTS as OF_DELIVERIES
from palaver.index.delivery_fold import delivery_row, moved
from palaver.index.memory_fold import memory_row, oblivion_rows, use_rows
from palaver.index.message_fold import (
    edited,
    erased_row,
    message_row,
    retracted,
    superseded,
)
from palaver.index.preference_fold import preference_row
from palaver.index.rows import ConversationRow, MessageRow
from palaver.index.summary_fold import summary_row
from palaver.ledger.lines import ROLES, USER_STREAM, Line, key_digest, sources_of
from palaver.ledger.stamping import Turns

_OF_MESSAGES = ("edited", "retracted", "superseded")
_NONE: frozenset[int] = frozenset()


class Fold:
    """The rows of one stream, line by line."""

    def __init__(
        self,
        stream: str,
        row: ConversationRow | None = None,
        erased: frozenset[int] = _NONE,
        *,
        external: ExternalRow | None = None,
    ) -> None:
        """`row` is the conversation after the lines before, and changes with the next ones; so does
        `external`, if the stream is an exchange with an outsider. Lines in `erased` are skipped."""
        self.stream = stream
        self.row = row
        self.external = external
        self._is_conversation = stream.startswith("conv-")
        self._is_external = stream.startswith(externals.PREFIX)
        self._traceless = set(erased)
        """Lines that this fold knows to have left no trace in the rows."""

    def take(self, line: Line) -> list[Change]:
        """What `line` changes."""
        data = line.data
        kind = data.get("type")
        if not data or kind == "tombstone" or line.seq in self._traceless:
            self._traceless.add(line.seq)
            return []
        changes: list[Change] = []
        if isinstance(key := data.get("key"), str):
            changes.append(Remember(key_digest(key), line.offset))
        if kind == "turn":
            changes += self._turn(line)
        elif kind == "meta":
            self._meta(data)
        elif name := line.event:
            changes += self._event(line, name)
        if "deliver" in data and self.stream != USER_STREAM and (row := delivery_row(line)):
            changes.append(Deliver(row))
        return changes

    def _meta(self, data: Mapping[str, Any]) -> None:
        if self._is_conversation:
            self.row = self.row or ConversationRow(self.stream)
            conversations.take_meta(self.row, data)
        elif self._is_external:
            externals.take_meta(self._exchange(), data)

    def _exchange(self) -> ExternalRow:
        if self.external is None:
            self.external = ExternalRow(self.stream)
        return self.external

    def _turn(self, line: Line) -> Iterator[Change]:
        data = line.data
        if data.get("role") not in ROLES:
            return
        yield from _cites(line)
        if self._is_external:
            externals.hear(self._exchange(), line)
            yield from externals.received(self._exchange(), line)
        if not self._is_conversation:
            return
        conversation = self._known(data)
        row = message_row(line, self._number(data), conversation.created)
        conversations.hear(conversation, row, data)
        yield Insert(row)
        yield from map(Use, use_rows(line, row.timestamp))
        if row.supersedes:
            yield _patch(conversation, row.supersedes, superseded)

    def overhear(self, line: Line) -> None:
        """Notes that a message was said, and makes no row of it."""
        data = line.data
        if self._is_conversation and data.get("role") in ROLES:
            conversation = self._known(data)
            row = message_row(line, self._number(data), conversation.created)
            conversations.hear(conversation, row, data)

    def _known(self, data: Mapping[str, Any]) -> ConversationRow:
        if self.row is None:
            self.row = conversations.begun_by(self.stream, data)
        return self.row

    def _number(self, data: Mapping[str, Any]) -> int:
        stated = values.count(data.get("turnNumber"))
        if stated is not None:
            return stated
        if self.row and self.row.begun == conversations.WITH_META:
            self.row.begun = conversations.COUNTED
        return Turns(self.row.turn_count if self.row else 0).place({"role": data["role"]})

    # -- events ------------------------------------------------------------------------------

    def _event(self, line: Line, name: str) -> Iterator[Change]:
        data = line.data
        for source in sources_of(data):
            yield Cite(line.seq, source["messageId"], 1)
        if name == "redacted":
            yield from self._redacted(data)
        elif self.stream == USER_STREAM:
            yield from _of_user(line, name)
        elif self._is_external:
            externals.take_event(self._exchange(), line)
            yield from externals.revised(line)
            yield from _of_delivery(line)
        elif self._is_conversation:
            conversation = self._known(data)
            conversations.take_event(conversation, line)
            yield from _of_delivery(line)
            if day := days.day_row(conversation, line):
                yield Mark(day)
            if summary := summary_row(line):
                yield Summarise(summary)
            yield from _of_message(conversation, line, name)

    def _redacted(self, data: Mapping[str, Any]) -> Iterator[Change]:
        targets = [
            target
            for target in values.objects(data.get("targets"))
            if values.count(target.get("seq")) is not None
        ]
        yield Forget(values.digests(data.get("keys")))
        yield from (Uncite(target["seq"]) for target in targets)
        if self._is_external and any(one["seq"] not in self._traceless for one in targets):
            self._traceless |= {target["seq"] for target in targets}
            yield Restate(frozenset(self._traceless), whole=True)
        if self._is_conversation:
            conversation = self._known(data)
            yield from self._restate(conversation, targets)
            if any(target.get("event") == days.SUMMARY for target in targets):
                days.lose(conversation)
            for target in targets:
                yield from self._erase(conversation, target)

    def _restate(
        self, conversation: ConversationRow, targets: Iterable[dict[str, Any]]
    ) -> Iterator[Change]:
        """Asks to fold again when something has left traces other than a message of ours, or the
        last one: what was heard before it is the last then; or one that waits to be told."""
        traced = [target for target in targets if target["seq"] not in self._traceless]
        self._traceless |= {target["seq"] for target in targets}
        unsure = conversation.begun != conversations.WITH_META
        whole = any(unsure or _reaches_messages(target) for target in traced)
        if whole or any(_is_remembered(conversation, target) for target in traced):
            yield Restate(frozenset(self._traceless), whole)

    def _erase(self, conversation: ConversationRow, target: Mapping[str, Any]) -> Iterator[Change]:
        row = erased_row(self.stream, target, conversation.created)
        if row is None:
            return
        conversations.hear(conversation, row, target)
        conversations.outdate(conversation, row.id)
        yield Erase(row)
        if row.supersedes:
            yield _patch(conversation, row.supersedes, superseded)


def _is_remembered(conversation: ConversationRow, target: Mapping[str, Any]) -> bool:
    """Whether the conversation's row may tell of the erased line."""
    seq = target["seq"]
    return (
        "role" not in target or seq == conversation.heard_seq or days.is_untold(conversation, seq)
    )


def _reaches_messages(target: Mapping[str, Any]) -> bool:
    """Whether the erased line may have changed rows besides its own and the conversation's."""
    if "role" in target:
        return "chain" not in target  # an adopted line: others may be numbered after it
    return target.get("event") in (None, "redacted", *_OF_MESSAGES, *OF_DELIVERIES)


def _patch(
    conversation: ConversationRow, message_id: str, change: Callable[[MessageRow], MessageRow]
) -> Patch:
    conversations.outdate(conversation, message_id)
    days.outdate(conversation)
    return Patch(message_id, change)


def _of_message(conversation: ConversationRow, line: Line, name: str) -> Iterator[Change]:
    message_id = line.data.get("messageId")
    if name not in _OF_MESSAGES or not isinstance(message_id, str):
        return
    if name == "superseded":
        yield _patch(conversation, message_id, superseded)
    elif name == "retracted":
        yield _patch(conversation, message_id, retracted)
    elif isinstance(content := line.data.get("content"), str):
        yield _patch(conversation, message_id, edited(content))
        yield Cite(line.seq, message_id, 1)


def _of_delivery(line: Line) -> Iterator[Change]:
    if move := moved(line):
        yield Move(*move)


def _of_user(line: Line, name: str) -> Iterator[Change]:
    if name == "deleted":
        yield from _deleted(line.data)
    elif preference := preference_row(line):
        yield Prefer(preference)
    elif memory := memory_row(line):
        yield Learn(memory)
    else:
        yield from map(Unlearn, oblivion_rows(line))


def _deleted(data: Mapping[str, Any]) -> Iterator[Change]:
    if isinstance(stream := data.get("stream"), str) and stream != USER_STREAM:
        yield Drop(stream)
    yield Forget(values.digests(data.get("keys")))


def _cites(line: Line) -> Iterator[Cite]:
    """The messages that a message stands on. What a tool was asked for holds words of the message
    that it was used for, so a reply with tool calls goes when that goes."""
    data = line.data
    if "sources" in data:
        for source in sources_of(data):
            quoted = int(isinstance(source.get("quote"), str))
            yield Cite(line.seq, source["messageId"], quoted)
    if data.get("toolCalls") and isinstance(asked := data.get("replyTo"), str):
        yield Cite(line.seq, asked, 1)
