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
        for done, conversation in enumerate(conversations, 1):
            with open_private(folder / f"{conversation.id}{suffix}") as file:
                async for piece in export_conversations(palaver, [conversation.id], form, zone):
                    file.write(piece)
            if progress is not None:
                progress(done)
        with open_private(folder / f"index{suffix}") as file:
            file.writelines(_contents(conversations, form, zone))


def _contents(
    conversations: Sequence[ConversationMeta], form: Format, zone: tzinfo
) -> Iterator[bytes]:
    files = [(item, f"{item.id}{SUFFIXES[form]}") for item in conversations]
    if form == "jsonl":
        for conversation, file in files:
            yield orjson.dumps({"file": file, **conversation.to_json()}) + b"\n"
    else:
        for piece in RENDERERS[form].contents(files, zone):
            yield piece.encode()
