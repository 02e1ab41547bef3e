"""A folder of exports: one file per conversation, and an index of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, tzinfo
from pathlib import Path

import orjson

from palaver.index.records import ConversationMeta
from palaver.portability.export import (
    RENDERERS,
    SUFFIXES,
    Format,
    Readable,
    export_conversations,
)
from palaver.portability.places import new_folder, open_private
from palaver.portability.text import Entry, first_words


async def export_folder(
    palaver: Readable,
    conversations: Sequence[ConversationMeta],
    form: Format,
    target: Path,
    *,
    zone: tzinfo = UTC,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Writes each conversation to a file of its own; `progress` gets the number done.

    Raises AlreadyExists when `target` holds anything, StorageFailed when it cannot be written.
    """
    suffix = SUFFIXES[form]
    with new_folder(target) as folder:
        entries: list[Entry] = []
        for done, conversation in enumerate(conversations, 1):
            begins = first_words(await palaver.fetch(conversation.id, first=0, last=1))
            entries.append(Entry(conversation, f"{conversation.id}{suffix}", begins))
            with open_private(folder / entries[-1].file) as file:
                async for piece in export_conversations(palaver, [conversation.id], form, zone):
                    file.write(piece)
            if progress is not None:
                progress(done)
        with open_private(folder / f"index{suffix}") as file:
            file.writelines(_contents(entries, form, zone))


def _contents(entries: Sequence[Entry], form: Format, zone: tzinfo) -> Iterator[bytes]:
    if form == "jsonl":
        for conversation, file, begins in entries:
            about = {"file": file, "firstWords": begins, **conversation.to_json()}
            yield orjson.dumps(about) + b"\n"
    else:
        for piece in RENDERERS[form].contents(entries, zone):
            yield piece.encode()
