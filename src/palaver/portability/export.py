"""Exports: conversations in one stream of bytes, in any of the formats.

`jsonl` is the stored lines, byte for byte. `markdown` and `html` are what a person reads.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, tzinfo
from typing import Literal, Protocol, get_args

from palaver.errors import NotFound
from palaver.index.port import Day
from palaver.index.records import ConversationMeta, Message
from palaver.ledger.lines import Line
from palaver.portability import html, markdown
from palaver.portability.text import ALL, Entry, title_of
from palaver.settings import zone_named
from palaver.times import spoken_day

Format = Literal["jsonl", "markdown", "html"]
FORMATS: tuple[Format, ...] = get_args(Format)
MEDIA_TYPES: dict[Format, str] = {
    "jsonl": "application/jsonl",
    "markdown": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
}
SUFFIXES: dict[Format, str] = {"jsonl": ".jsonl", "markdown": ".md", "html": ".html"}
_TURNS_AT_ONCE = 200
_BLOCK = 64 * 1024


class Readable(Protocol):
    """What an export reads from: `Palaver` is one."""

    async def conversation(self, conversation_id: str) -> ConversationMeta: ...

    async def lines(self, conversation_id: str) -> Sequence[Line]: ...

    async def every_day(self, conversation_id: str) -> Sequence[Day]: ...

    async def fetch(
        self, conversation_id: str, *, first: int | None = None, last: int | None = None
    ) -> Sequence[Message]: ...


class Renderer(Protocol):
    """A format that people read."""

    def opening(self, title: str) -> str: ...

    def heading(self, conversation: ConversationMeta, zone: tzinfo) -> str: ...

    def day(self, of: Day, level: int) -> str: ...

    def message(self, said: Message, zone: tzinfo) -> str: ...

    def closing(self) -> str: ...

    def contents(self, entries: Sequence[Entry], zone: tzinfo) -> Iterator[str]: ...


RENDERERS: dict[Format, Renderer] = {"markdown": markdown, "html": html}


async def export_conversations(
    palaver: Readable,
    conversation_ids: Sequence[str],
    form: Format,
    zone: tzinfo = UTC,
    *,
    title: str | None = None,
    without_erased: bool = False,
) -> AsyncIterator[bytes]:
    """The conversations one after the other, as one document, in blocks. Raises NotFound.

    Nothing has been given out yet when the first conversation is not there. `without_erased` goes
    on without those that are gone by the time it is their turn. `title` stands above all of them.
    """
    block = bytearray()
    if form != "jsonl" and title is None:
        title = await _title(palaver, conversation_ids)
    async for piece in _pieces(
        palaver, conversation_ids, form, zone, title=title, without_erased=without_erased
    ):
        block += piece
        if len(block) >= _BLOCK:
            yield bytes(block)
            block.clear()
    yield bytes(block)


async def export_day(
    palaver: Readable, conversation: ConversationMeta, day: Day, form: Format, zone: tzinfo = UTC
) -> AsyncIterator[bytes]:
    """A day of the continuous conversation as one document, in a format that people read."""
    renderer = RENDERERS[form]
    yield renderer.opening(spoken_day(day.label)).encode()
    async for piece in _day(palaver, conversation, day, renderer, zone, level=1):
        yield piece.encode()
    yield renderer.closing().encode()


async def _pieces(
    palaver: Readable,
    conversation_ids: Sequence[str],
    form: Format,
    zone: tzinfo,
    *,
    title: str | None,
    without_erased: bool,
) -> AsyncIterator[bytes]:
    renderer = RENDERERS.get(form)
    if renderer is not None:
        yield renderer.opening(title or ALL).encode()
    for conversation_id in conversation_ids:
        try:
            async for piece in _one(palaver, conversation_id, renderer, zone):
                yield piece
        except NotFound:
            if not without_erased:
                raise
    if renderer is not None:
        yield renderer.closing().encode()


async def _one(
    palaver: Readable, conversation_id: str, renderer: Renderer | None, zone: tzinfo
) -> AsyncIterator[bytes]:
    if renderer is None:
        for line in await palaver.lines(conversation_id):
            yield line.raw + b"\n"
    else:
        async for piece in _rendered(palaver, conversation_id, renderer, zone):
            yield piece.encode()


async def _title(palaver: Readable, conversation_ids: Sequence[str]) -> str:
    if len(conversation_ids) != 1:
        return ALL
    return title_of(await palaver.conversation(conversation_ids[0]))


async def _rendered(
    palaver: Readable, conversation_id: str, renderer: Renderer, zone: tzinfo
) -> AsyncIterator[str]:
    conversation = await palaver.conversation(conversation_id)
    yield renderer.heading(conversation, zone)
    days = await palaver.every_day(conversation_id) if conversation.mode == "continuous" else ()
    for day in days:
        async for piece in _day(palaver, conversation, day, renderer, zone, level=2):
            yield piece
    if not days:
        async for piece in _said(palaver, conversation, renderer, zone):
            yield piece


async def _day(
    palaver: Readable,
    conversation: ConversationMeta,
    day: Day,
    renderer: Renderer,
    zone: tzinfo,
    *,
    level: int,
) -> AsyncIterator[str]:
    """A day, with the times of the place where the user was then."""
    yield renderer.day(day, level)
    there = zone_named(day.zone) or zone
    turns = (day.first_turn, day.last_turn)
    async for piece in _said(palaver, conversation, renderer, there, turns):
        yield piece


async def _said(
    palaver: Readable,
    conversation: ConversationMeta,
    renderer: Renderer,
    zone: tzinfo,
    turns: tuple[int, int | None] = (0, None),
) -> AsyncIterator[str]:
    first, last = turns
    end = conversation.turn_count if last is None else last
    for begin in range(first, end + 1, _TURNS_AT_ONCE):
        until = min(begin + _TURNS_AT_ONCE - 1, end)
        for said in await palaver.fetch(conversation.id, first=begin, last=until):
            yield renderer.message(said, zone)
