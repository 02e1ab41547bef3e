"""What is known of the streams of a home as they are stored."""

from __future__ import annotations

from dataclasses import dataclass

from palaver.ledger.files.erasing import Deleted
from palaver.ledger.files.heads import Heads
from palaver.ledger.files.keys import Keys
from palaver.ledger.files.store import FileStore
from palaver.ledger.lines import Line
from palaver.ledger.stamping import Head


@dataclass(frozen=True, slots=True)
class FileStreams:
    """Used under the write lock."""

    store: FileStore
    heads: Heads
    keys: Keys
    deleted: Deleted

    def head(self, stream: str) -> Head:
        return self.heads.of(stream)

    def find_key(self, key: str, pos: int) -> Line | None:
        return self.keys.find(key, pos)

    def was_deleted(self, stream: str) -> bool:
        return stream in self.deleted.now()

    def bytes_between(self, stream: str, start: int, end: int) -> bytes:
        return self.store.bytes_between(stream, start, end)
