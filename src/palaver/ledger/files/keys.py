"""Where a key was used before: asked of the index, or looked for in the streams themselves."""

from __future__ import annotations

from palaver.errors import Erased
from palaver.ledger import strict
from palaver.ledger.files.store import FileStore
from palaver.ledger.lines import Line, key_digest, read_line
from palaver.ledger.port import Follower, KeyHit


class Keys:
    """The keys of one user. Used under the write lock."""

    def __init__(self, store: FileStore, follower: Follower | None) -> None:
        self._store = store
        self._follower = follower

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
        if self._follower and self._follower.current(pos):
            return self._follower.find_key(key_digest(key))
        return self._scan(key)

    def _scan(self, key: str) -> KeyHit | None:
        """Looks through every stream: slow, and only while there is no index to ask."""
        digest, literal = key_digest(key), strict.dumps(key)
        for stat in self._store.stat():
            for place, raw in self._store.raw_lines(stat.name):
                if literal in raw or digest.encode() in raw:
                    data = read_line(stat.name, 0, place, raw).data
                    if data.get("key") == key:
                        return KeyHit(stat.name, place)
                    if digest in (data.get("keys") or ()):
                        return KeyHit(None)
        return None
