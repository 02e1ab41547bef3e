"""The layout of a home: where each stream and each derived file of one user lies."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from palaver.errors import HomeUnusable
from palaver.ledger.lines import STREAM_NAME, USER_STREAM, check_stream

SUFFIX = ".jsonl"
TORN = ".torn"
_STREAM_FILE = re.compile(STREAM_NAME + re.escape(SUFFIX))


@dataclass(frozen=True, slots=True)
class Home:
    """A folder that belongs to one user."""

    root: Path

    @property
    def conversations(self) -> Path:
        return self.root / "conversations"

    @property
    def external(self) -> Path:
        return self.root / "external"

    @property
    def index(self) -> Path:
        return self.conversations / "conversations.db"

    @property
    def vectors(self) -> Path:
        return self.root / "vectors.db"

    @property
    def models(self) -> Path:
        return self.root / "models"

    @property
    def accounts(self) -> Path:
        return self.root / "accounts.db"

    @property
    def config(self) -> Path:
        return self.root / "config.yaml"

    @property
    def write_lock(self) -> Path:
        return self.root / "write.lock"

    @property
    def jobs_lock(self) -> Path:
        return self.root / "jobs.lock"

    @property
    def replies_lock(self) -> Path:
        return self.root / "replies.lock"

    @property
    def unfinished(self) -> Path:
        """There while a copy to this home is not finished."""
        return self.root / "unfinished-copy"

    def stream(self, name: str) -> Path:
        """The file of a stream. Raises BadId: nothing but an id ever becomes a path."""
        return _stream_path(self, name)

    def torn(self, name: str) -> Path:
        """Where fragments that were cut from the end of a stream are kept."""
        path = self.stream(name)
        return path.with_name(path.name + TORN)

    def relative(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def create(self) -> None:
        """Makes the folders, readable by their owner only. Raises HomeUnusable."""
        missing = [folder for folder in self.root.parents if not folder.exists()]
        for folder in (*reversed(missing), self.root, self.conversations):
            try:
                folder.mkdir(mode=0o700, exist_ok=True)
            except FileExistsError:
                raise HomeUnusable(f"{folder} is a file, not a folder.") from None
            except OSError as error:
                reason = (error.strerror or "it failed").lower()
                raise HomeUnusable(f"{folder} cannot be made: {reason}.") from None
        if not os.access(self.root, os.W_OK | os.X_OK) or not os.access(
            self.conversations, os.W_OK | os.X_OK
        ):
            raise HomeUnusable(f"{self.root} cannot be written to.")


def is_stream_file(name: str) -> bool:
    """Whether a file of that name, in a folder of streams, is one."""
    return _STREAM_FILE.fullmatch(name) is not None


@lru_cache(maxsize=8192)
def _stream_path(home: Home, name: str) -> Path:
    """Remembered, because every commit asks several times and paths are slow to make."""
    check_stream(name)
    if name == USER_STREAM:
        return home.root / f"{USER_STREAM}{SUFFIX}"
    folder = home.external if name.startswith("ext-") else home.conversations
    return folder / f"{name}{SUFFIX}"
