"""Verifying a home: its lines and its rows, as they lie there. Nothing is mended or made again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import PurePath

from palaver.index.sqlite.examine import examine, glance
from palaver.ledger.files import FileStore, Home
from palaver.ledger.port import Finding
from palaver.ledger.verify import verify_stream, verify_streams

_SURE = ("index_damaged", "row_damaged", "text_damaged", "unfinished_copy")
_LOSSES = ("vanished", "shortened")


def findings(home: Home) -> list[Finding]:
    """Everything there is to say about the files of a home and about its index."""
    store = FileStore(home)
    found = [*verify_streams(store), *examine(home.index, store)]
    unsure = [item for item in found if item.damage and item.code not in _SURE]
    if unsure and os.access(home.write_lock, os.R_OK | os.W_OK):
        gone = _passed(store, unsure)
        found = [item for item in found if item not in gone]
    return found


def _passed(store: FileStore, unsure: Sequence[Finding]) -> set[Finding]:
    """Looks again while nobody writes: what a writer was in the middle of is not damage."""
    with store.exclusive():
        lost = glance(store.home.index, store).lost
        again: set[Finding] = set()
        for stream in {_stream_of(item) for item in unsure}:
            if store.size(stream) is not None:
                again.update(verify_stream(store, stream))
        return {item for item in unsure if not _stays(item, store, again, lost)}


def _stays(item: Finding, store: FileStore, again: set[Finding], lost: Sequence[str]) -> bool:
    stream = _stream_of(item)
    if item.code in _LOSSES:
        return stream in lost
    if item.line is None and item.offset is None:  # the file of a deleted conversation
        return store.size(stream) is not None
    return item in again


def _stream_of(item: Finding) -> str:
    return PurePath(item.file).stem
