"""Places an export goes to: there whole or not at all, never over anything, for its owner only."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from palaver.errors import AlreadyExists, StorageFailed, StorageFull


@contextmanager
def new_file(target: Path) -> Generator[BinaryIO]:
    """A file to fill; it gets its name once it is whole. Raises AlreadyExists, StorageFailed."""
    with _workplace(target) as folder:
        if target.exists():
            raise AlreadyExists(
                f"{target} is there already.", remedy="Choose another name, or remove it first."
            )
        with open_private(folder / "export") as file:
            yield file
        (folder / "export").rename(target)


@contextmanager
def new_folder(target: Path) -> Generator[Path]:
    """A folder to fill; it gets its name once it is whole. Raises AlreadyExists, StorageFailed."""
    with _workplace(target) as folder:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise AlreadyExists(
                f"{target} is there already.", remedy="Choose a new name, or an empty folder."
            )
        whole = folder / "export"
        whole.mkdir(mode=0o700)
        yield whole
        whole.rename(target)


def open_private(path: Path) -> BinaryIO:
    """A new file that only its owner can read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


@contextmanager
def _workplace(target: Path) -> Generator[Path]:
    """A hidden folder beside `target`, gone afterwards whatever happens."""
    folder: Path | None = None
    try:
        folder = Path(tempfile.mkdtemp(prefix=".palaver-export-", dir=target.parent))
        yield folder
    except OSError as error:
        raise _not_written(target, error) from error
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _not_written(target: Path, error: OSError) -> StorageFailed:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StorageFull(
            f"The disk is full, so {target} was not written.",
            remedy="Free some space, or choose a place on another disk.",
        )
    reason = (error.strerror or "it failed").lower()
    return StorageFailed(
        f"{target} cannot be written: {reason}.",
        remedy="Choose a place in a folder that is there and that you can write to.",
    )
