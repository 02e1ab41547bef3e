"""Exports: conversations in one stream of bytes, in any of the formats.

`jsonl` is the stored lines, byte for byte. `markdown` and `html` are what a person reads.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, tzinfo
from typing import Literal, Protocol, get_args

from palaver.index.records import ConversationMeta, Message
from palaver.ledger.lines import Line
from palaver.portability import html, markdown
from palaver.portability.text import ALL, Entry, title_of

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

    async def fetch(
        self, conversation_id: str, *, first: int | None = None, last: int | None = None
    ) -> Sequence[Message]: ...


class Renderer(Protocol):
    """A format that people read."""

    def opening(self, title: str) -> str: ...

    def heading(self, conversation: ConversationMeta, zone: tzinfo) -> str: ...

    def message(self, said: Message, zone: tzinfo) -> str: ...

    def closing(self) -> str: ...

    def contents(self, entries: Sequence[Entry], zone: tzinfo) -> Iterator[str]: ...


RENDERERS: dict[Format, Renderer] = {"markdown": markdown, "html": html}


async def export_conversations(
    palaver: Readable, conversation_ids: Sequence[str], form: Format, zone: tzinfo = UTC
) -> AsyncIterator[bytes]:
    """The conversations one after the other, as one document, in blocks. Raises NotFound.

    Nothing has been given out yet when the first conversation is not there.
    """
    block = bytearray()
    async for piece in _pieces(palaver, conversation_ids, form, zone):
        block += piece
        if len(block) >= _BLOCK:
            yield bytes(block)
            block.clear()
    yield bytes(block)


async def _pieces(
    palaver: Readable, conversation_ids: Sequence[str], form: Format, zone: tzinfo
) -> AsyncIterator[bytes]:
    if form == "jsonl":
        for conversation_id in conversation_ids:
            for line in await palaver.lines(conversation_id):
                yield line.raw + b"\n"
        return
    renderer = RENDERERS[form]
    yield renderer.opening(await _title(palaver, conversation_ids)).encode()
    for conversation_id in conversation_ids:
        async for piece in _rendered(palaver, conversation_id, renderer, zone):
            yield piece.encode()
    yield renderer.closing().encode()


async def _title(palaver: Readable, conversation_ids: Sequence[str]) -> str:
    if len(conversation_ids) != 1:
        return ALL
    return title_of(await palaver.conversation(conversation_ids[0]))


async def _rendered(
    palaver: Readable, conversation_id: str, renderer: Renderer, zone: tzinfo
) -> AsyncIterator[str]:
    conversation = await palaver.conversation(conversation_id)
    yield renderer.heading(conversation, zone)
    for first in range(0, conversation.turn_count + 1, _TURNS_AT_ONCE):
        last = first + _TURNS_AT_ONCE - 1
        for said in await palaver.fetch(conversation_id, first=first, last=last):
            yield renderer.message(said, zone)
