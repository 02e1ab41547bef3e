"""Where tests keep what they throw away: in memory, if the machine has room for it there.

Thousands of homes and databases are made and removed again. On a disk that takes longer than what
they are made for, and no test cuts the power of the machine: what a killed program wrote is there.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
_ROOM = 4 << 30


def settle() -> None:
    """Everything temporary goes there from now on, unless `TMPDIR` says where; of programs that
    tests start, too."""
    if "TMPDIR" not in os.environ and _has_room(MEMORY):
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None


def short() -> Path:
    """A folder with a short name, as sockets need it."""
    return MEMORY if tempfile.gettempdir() == str(MEMORY) else Path("/tmp")


def _has_room(folder: Path) -> bool:
    try:
        found = os.statvfs(folder)
    except OSError:
        return False
    runs = not found.f_flag & os.ST_NOEXEC  # some tests make programs
    return runs and os.access(folder, os.W_OK) and found.f_bavail * found.f_frsize >= _ROOM
