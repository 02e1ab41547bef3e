"""Where a key was used before: asked of the index, or looked for in the streams themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from palaver.errors import Erased
from palaver.ledger.files.store import FileStore
from palaver.ledger.lines import Line, key_digest, read_line
from palaver.ledger.port import Follower, KeyHit


class Keys:
    """The keys of one user. Used under the write lock."""

    def __init__(self, store: FileStore, follower: Follower | None) -> None:
        self._store = store
        self._follower = follower
        self._used: dict[str, KeyHit] = {}
        self._scanned_at = -1

    def find(self, key: str, pos: int) -> Line | None:
        """The line that `key` was first used for, `pos` being the ledger's position now.

        Raises Erased when that line is gone.
        """
        hit = self._hit(key, pos)
        if hit is None:
            return None
        line = self._store.at(hit.stream, hit.offset) if hit.stream else None
        if line is None or line.data.get("key") != key:
            raise Erased
        return line

    def _hit(self, key: str, pos: int) -> KeyHit | None:
        if self._follower:
            hit = self._follower.find_key(key_digest(key), pos)
            if hit is None or hit.sure:
                return hit
        if self._scanned_at != pos:
            self._used, self._scanned_at = dict(self._scan()), pos
        return self._used.get(key_digest(key))

    def _scan(self) -> Iterator[tuple[str, KeyHit]]:
        """Every key that was used, from the streams: slow, once for each position without an index.

        Erased keys come last, because they are erased wherever they stand.
        """
        erased: list[str] = []
        for stream in self._store.sizes():
            for place, raw in self._store.raw_lines(stream):
                if b'"key' in raw:
                    data = read_line(stream, 0, place, raw).data
                    if isinstance(key := data.get("key"), str):
                        yield key_digest(key), KeyHit(stream, place)
                    if isinstance(keys := data.get("keys"), list):
                        erased += cast("list[str]", keys)
        yield from ((digest, KeyHit(None)) for digest in erased)
