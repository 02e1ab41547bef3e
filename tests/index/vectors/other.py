"""Another process that uses the same vectors."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from palaver.index.sqlite.database import Database
from palaver.index.vectors.statements import QUERIES
from tests.index.vectors.spaces import fill, keys, opened

_ROOT = Path(__file__).parents[3]


def begin(path: Path, work: str, first: int, last: int) -> subprocess.Popen[bytes]:
    """Starts another process that does some work with these texts."""
    module = "tests.index.vectors.other"
    command = [sys.executable, "-m", module, str(path), work, str(first), str(last)]
    return subprocess.Popen(command, cwd=_ROOT)


def elsewhere(path: Path, work: str, first: int, last: int) -> int:
    """Waits until another process has done it; returns how it ended."""
    return begin(path, work, first, last).wait()


def main(path: Path, work: str, first: int, last: int) -> None:
    store = opened(path)
    match work:
        case "put":
            fill(store, first, last, at_once=7)
        case "delete":
            store.delete(keys(first, last))
        case _:
            _die_at(work)
            fill(store, first, last)
    store.close()


def _die_at(statement: str) -> None:
    """As if the power went when it comes to this statement."""
    run: Any = vars(Database)["run"]

    def run_or_die(self: Database, sql: str, values: Any = ()) -> None:
        if sql == QUERIES[statement]:
            os.kill(os.getpid(), signal.SIGKILL)
        run(self, sql, values)

    setattr(Database, "run", run_or_die)  # noqa: B010


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
