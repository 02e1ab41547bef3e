"""A command line on a home of its own, in this process or as the real program."""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from palaver.app import Palaver
from palaver.cli.entry import run
from tests.library import Clock, library

T = TypeVar("T")
PROGRAM = str(Path(sys.executable).parent / "palaver")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.err == ""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class CommandLine:
    """Runs `palaver` on the home of this test."""

    home: Path
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def __call__(self, *arguments: str, stdin: str | bytes = b"") -> Outcome:
        """In this process, with standard input from a pipe."""
        given = stdin if isinstance(stdin, bytes) else stdin.encode()
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        status = run([*arguments, "--home", str(self.home)])
        out, err = self.capsys.readouterr()
        return Outcome(status, out, err)

    def program(self, *arguments: str, stdin: str = "") -> Outcome:
        """The real program, as a process of its own."""
        done = subprocess.run(
            [PROGRAM, *arguments, "--home", str(self.home)],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    def library(self, work: Callable[[Palaver], Coroutine[Any, Any, T]]) -> T:
        """Does something to the home through the library."""

        async def opened() -> T:
            async with library(self.home, Clock()) as palaver:
                return await work(palaver)

        return asyncio.run(opened())
