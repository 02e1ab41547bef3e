"""A folder of exports: a file for each conversation, or for each day of one, and an index."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from pathlib import Path

import orjson

from palaver.index.port import Day
from palaver.index.records import ConversationMeta
from palaver.portability.export import (
    RENDERERS,
    SUFFIXES,
    Format,
    Readable,
    export_conversations,
    export_day,
)
from palaver.portability.places import new_folder, open_private
from palaver.portability.text import Entry, first_words

DAYS = "continuous"
"""The folder in which each day of the continuous conversation has a file."""


async def export_folder(
    palaver: Readable,
    conversations: Sequence[ConversationMeta],
    form: Format,
    target: Path,
    *,
    zone: tzinfo = UTC,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Writes each conversation to a file of its own; `progress` gets the number done. In the
    formats that people read, each day of the continuous conversation has a file.

    Raises AlreadyExists when `target` holds anything, StorageFailed when it cannot be written.
    """
    with new_folder(target) as folder:
        entries: list[Entry] = []
        filling = _Filling(palaver, form, folder, zone)
        for done, conversation in enumerate(conversations, 1):
            entries += [entry async for entry in filling.write(conversation)]
            if progress is not None:
                progress(done)
        with open_private(folder / f"index{SUFFIXES[form]}") as file:
            file.writelines(_contents(entries, form, zone))


@dataclass(frozen=True, slots=True)
class _Filling:
    """A folder that is being filled."""

    palaver: Readable
    form: Format
    folder: Path
    zone: tzinfo

    async def write(self, conversation: ConversationMeta) -> AsyncIterator[Entry]:
        """Writes the files of one conversation, and tells of each."""
        by_day = self.form != "jsonl" and conversation.mode == "continuous"
        if by_day and (days := await self.palaver.every_day(conversation.id)):
            (self.folder / DAYS).mkdir(mode=0o700, exist_ok=True)
            for day in days:
                yield await self._write_day(conversation, day)
        else:
            pieces = export_conversations(self.palaver, [conversation.id], self.form, self.zone)
            begins = await self._begins(conversation, 0, 1)
            yield await self._fill(Entry(conversation, self._name(conversation.id), begins), pieces)

    async def _write_day(self, conversation: ConversationMeta, day: Day) -> Entry:
        pieces = export_day(self.palaver, conversation, day, self.form, self.zone)
        begins = await self._begins(conversation, day.first_turn, day.first_turn + 1)
        entry = Entry(conversation, self._name(f"{DAYS}/{day.label}"), begins, day)
        return await self._fill(entry, pieces)

    async def _fill(self, entry: Entry, pieces: AsyncIterator[bytes]) -> Entry:
        with open_private(self.folder / entry.file) as file:
            async for piece in pieces:
                file.write(piece)
        return entry

    async def _begins(self, conversation: ConversationMeta, first: int, last: int) -> str:
        return first_words(await self.palaver.fetch(conversation.id, first=first, last=last))

    def _name(self, stem: str) -> str:
        return f"{stem}{SUFFIXES[self.form]}"


def _contents(entries: Sequence[Entry], form: Format, zone: tzinfo) -> Iterator[bytes]:
    if form == "jsonl":
        for entry in entries:
            about = {"file": entry.file, "firstWords": entry.begins}
            yield orjson.dumps(about | entry.conversation.to_json()) + b"\n"
    else:
        for piece in RENDERERS[form].contents(entries, zone):
            yield piece.encode()
