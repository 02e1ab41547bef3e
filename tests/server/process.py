"""The real thing: `palaver serve` as a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from urllib.parse import parse_qs, urlsplit

PROGRAM = str(Path(sys.executable).parent / "palaver")
_LINK = re.compile(r"http://\S+$")


class Process:
    """A running server, known by its start line."""

    def __init__(
        self,
        home: Path,
        port: int = 0,
        *,
        browser: Path | None = None,
        as_json: bool = False,
        database_url: str | None = None,
        program: Sequence[str] = (PROGRAM,),
        variables: Mapping[str, str] = {},
    ) -> None:
        """With a `browser`, a program of the test opens the page; `program` may be another one that
        takes the same arguments."""
        flags, opening = (["--open"], {"BROWSER": f"{browser} %s"}) if browser else ([], {})
        flags += ["--json"] * as_json
        opening |= {"PALAVER_DATABASE_URL": database_url} if database_url else {}
        self._process = subprocess.Popen(
            [*program, "serve", "--home", str(home), "--port", str(port), *flags],
            env={**os.environ, **opening, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stderr is not None
        said: list[str] = []
        found = None
        for line in self._process.stderr:  # it may warn of something before it is ready
            said.append(line)
            if found := _LINK.search(line.rstrip("\n")):
                break
        assert found, "".join(said)
        self.line = said[-1].rstrip("\n")
        self._said = "".join(said)
        self.link = found[0]
        self.stdout = self.stderr = ""

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def url(self) -> str:
        parts = urlsplit(self.link)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def port(self) -> int:
        return urlsplit(self.link).port or 0

    @property
    def code(self) -> str:
        return parse_qs(urlsplit(self.link).query)["code"][0]

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def kill(self) -> None:
        """As a power failure would, as far as the process can tell."""
        self._process.kill()
        self.wait()

    def wait(self) -> int:
        """Its exit status, and what it said until then."""
        if self._process.returncode is None:
            out, rest = self._process.communicate(timeout=30)
            self.stdout, self.stderr = out, self._said + rest
        return self._process.wait()

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.returncode is None:
            self.kill()
