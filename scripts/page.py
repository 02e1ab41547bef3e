"""Builds the page from `web/` into the Python package, which serves it.

    python -m scripts.page          builds it, if it is not up to date
    python -m scripts.page check    types, lint and format of its sources
    python -m scripts.page test     its unit tests
    python -m scripts.page format   formats its sources

Nothing is done, and nothing said, where nothing changed. Several may run at once: one builds, and
the others wait for it. Whoever serves the page meanwhile has it in memory; one who starts in the
instant in which the new one takes the old one's place is told that there is none.
"""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from scripts.node import run_node, run_npm

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"
OUTPUT = ROOT / "src" / "palaver" / "server" / "page"
STATE = ROOT / "build"
PACKAGES = WEB / "node_modules"
JOBS = ("check", "test", "format")


class NotBuilt(Exception):
    """The page could not be built; the message says why and what to do."""


def build() -> None:
    """Brings the page up to date. Raises NotBuilt."""
    with _alone():
        if _stamp() == _kept():
            return
        _install()
        _tell("Building the page.")
        _build()
        (STATE / "page.stamp").write_text(_stamp())


def run(job: str) -> int:
    """One of the jobs of `web/package.json`, shown as it goes; its exit status. Raises NotBuilt."""
    with _alone():
        _install()
    try:
        run_npm("run", "--silent", job, folder=WEB, shown=True)
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


@contextmanager
def _alone() -> Generator[None]:
    STATE.mkdir(exist_ok=True)
    with (STATE / "page.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# -- what changed ----------------------------------------------------------------------------------


def _stamp() -> str:
    """What it is built from, and what was built: both may have been changed by others."""
    return f"{_digest(_sources())}\n{_digest(_files(OUTPUT))}\n"


def _kept() -> str | None:
    try:
        return (STATE / "page.stamp").read_text() if (OUTPUT / "index.html").exists() else None
    except FileNotFoundError:
        return None


def _sources() -> Iterator[Path]:
    for folder in ("src", "public"):
        yield from _files(WEB / folder)
    yield from (path for path in WEB.iterdir() if path.is_file())


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _digest(paths: Iterable[Path]) -> str:
    digest = sha256()
    for path in sorted(paths):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT)}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


# -- packages --------------------------------------------------------------------------------------


def _install() -> None:
    if _installed():
        return
    _tell("Fetching what the page is built with. This takes a minute, and only the first time.")
    try:
        # Not `npm ci`: it refuses a lock without the programs for other systems, and not every
        # registry has those. This takes what the lock names, and leaves the lock alone.
        run_npm("install", "--no-save", "--no-fund", "--no-audit", "--loglevel=error", folder=WEB)
    except (OSError, subprocess.SubprocessError) as error:
        raise NotBuilt(
            "npm could not fetch what the page is built with. Check the network, and the registry "
            f"in your npm settings.\n{_said(error)}"
        ) from error


def _installed() -> bool:
    """Whether the packages are those of the lock, by npm's own note of what it installed."""
    try:
        there = _versions(PACKAGES / ".package-lock.json")
    except FileNotFoundError:
        return False
    wanted = _versions(WEB / "package-lock.json")
    needed = {name for name, package in wanted.items() if not package.get("optional")}
    return needed <= there.keys() and all(
        wanted[name].get("integrity") == there[name].get("integrity")
        for name in wanted.keys() & there.keys()
    )


def _versions(lock: Path) -> dict[str, dict[str, Any]]:
    packages: dict[str, dict[str, Any]] = json.loads(lock.read_bytes())["packages"]
    return {name: package for name, package in packages.items() if name}


# -- building --------------------------------------------------------------------------------------


def _build() -> None:
    """Into a folder beside it, which then takes its place."""
    with tempfile.TemporaryDirectory(dir=STATE, prefix="page-") as scratch:
        made, old = Path(scratch) / "made", Path(scratch) / "old"
        vite = str(PACKAGES / "vite" / "bin" / "vite.js")
        try:
            run_node(vite, "build", "--outDir", str(made), "--logLevel", "warn", folder=WEB)
        except (OSError, subprocess.SubprocessError) as error:
            raise NotBuilt(f"The page could not be built:\n{_said(error)}") from error
        if OUTPUT.exists():
            OUTPUT.rename(old)
        shutil.move(made, OUTPUT)


def _said(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        both = bytes(error.stdout or b"") + bytes(error.stderr or b"")
        return both.decode(errors="replace").strip() or str(error)
    return str(error)


def _tell(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)  # noqa: T201


def main(arguments: list[str]) -> int:
    try:
        match arguments:
            case []:
                build()
                return 0
            case [job] if job in JOBS:
                return run(job)
            case _:
                sys.exit(f"python -m scripts.page [{'|'.join(JOBS)}]")
    except NotBuilt as error:
        _tell(str(error))
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
