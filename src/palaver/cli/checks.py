"""What `palaver doctor` looks at. It changes nothing, so that it can look at a broken home."""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import stat
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from palaver.agent.models import Catalogue
from palaver.cli.jobs import brought, digests_among
from palaver.embedding.status import model_status
from palaver.engines import LOCAL
from palaver.errors import BadSetting, CopyUnfinished, IndexTooNew
from palaver.index.sqlite.examine import glance, sqlite_version, uncaught
from palaver.index.values import OFFLINE
from palaver.jobs.embedded.glance import due_in
from palaver.ledger.files import FileStore, Home
from palaver.ledger.files.home import TORN
from palaver.ledger.files.mending import unterminated
from palaver.settings import Settings

_LITTLE_SPACE = 1 << 30
_NO_SPACE = 20 << 20
_LOCK_PATIENCE = 1.0
_OTHERS = 0o077
_USE = os.R_OK | os.W_OK | os.X_OK
_SQLITE = (3, 51, 3)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    status: Literal["ok", "warn", "fail"]
    name: str
    message: str
    remedy: str | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def check_everything(home: Home, models: Path, settings: Settings) -> Iterator[Check]:
    """Looks at everything, the most basic things first; `models` is the folder for models."""
    yield Check("ok", "Python", platform.python_version())
    yield check_sqlite()
    yield check_model(models)
    yield from check_models(settings)
    yield check_home(home)
    if os.path.lexists(home.unfinished):
        yield Check("fail", "copy", str(CopyUnfinished()), CopyUnfinished.remedy)
    if not os.access(home.conversations, _USE):
        return
    yield check_files(home)
    yield check_space(home)
    yield check_lock(home)
    yield check_tails(FileStore(home))
    yield check_fragments(home)
    yield check_index(home)
    yield check_start(home, models, settings)


def check_sqlite() -> Check:
    """Whether the SQLite library is one without the known fault in its write-ahead log."""
    version = sqlite_version()
    if tuple(int(part) for part in version.split(".")) >= _SQLITE:
        return Check("ok", "SQLite", version)
    return Check("fail", "SQLite", f"{version} can damage the index.", "Upgrade apsw.")


def check_model(models: Path) -> Check:
    """Whether search can go by meaning. It is no failure if not: words are found all the same."""
    found = model_status(models)
    if found.problem:
        return Check("warn", "model", found.problem.message, found.problem.remedy)
    return Check("ok", "model", str(found.folder))


def check_models(settings: Settings) -> Iterator[Check]:
    """What the language models do. None of them is asked anything."""
    try:
        catalogue = Catalogue(settings.agent)
    except BadSetting as error:
        yield Check("fail", "agent", error.message, error.remedy)
        return
    yield check_agent(catalogue)
    yield check_digests(catalogue, settings.index.abbreviation_model)


def check_agent(catalogue: Catalogue) -> Check:
    """Who answers, and which other models could."""
    usual, *others = catalogue.list()
    answers = "The offline assistant" if usual.kind == "offline" else usual.name
    more = [one.name for one in others if one.connected and one.kind != "offline"]
    message = f"{answers} answers; connected too: {', '.join(more) or 'no model'}."
    if not usual.connected:
        remedy = f"Set `agent.providers.{usual.provider}`, or another `agent.model`."
        return Check("fail", "agent", f"{usual.name} is not connected.", remedy)
    return Check("ok", "agent", message)


def check_digests(catalogue: Catalogue, wanted: str | None) -> Check:
    """Who names and abbreviates conversations."""
    try:
        name = catalogue.digest_model(wanted)
    except BadSetting as error:
        return Check("fail", "digests", error.message, error.remedy)
    who = "No model" if name == OFFLINE else name
    return Check("ok", "digests", f"{who} is asked for titles and abbreviations.")


def check_home(home: Home) -> Check:
    """Whether there is a folder to work in."""
    choose = "Choose another with --home or PALAVER_HOME."
    try:
        for folder in (home.root, home.conversations):
            if not stat.S_ISDIR(folder.stat().st_mode):
                return Check("fail", "home", f"{folder} is a file, not a folder.", choose)
            if not os.access(folder, _USE):
                return Check("fail", "home", f"You may not read and write {folder}.", choose)
    except FileNotFoundError as error:
        message = f"{error.filename} is not there yet."
        return Check("warn", "home", message, "It is made at the first start.")
    except OSError as error:
        reason = (error.strerror or "it failed").lower()
        return Check("fail", "home", f"{error.filename} cannot be reached: {reason}.", choose)
    return Check("ok", "home", str(home.root))


def check_files(home: Home) -> Check:
    """Whether its owner, and nobody else, can read and write every file."""
    for path in _files(home):
        if not os.access(path, os.R_OK | os.W_OK):
            remedy = "Give it to yourself with `chown` and `chmod u+rw`."
            return Check("fail", "files", f"You may not read and write {path}.", remedy)
    for path in (home.root, *_files(home)):
        if path.stat().st_mode & _OTHERS:
            remedy = f"Run `chmod -R go= {home.root}`."
            return Check("warn", "files", f"Others may reach {path}.", remedy)
    return Check("ok", "files", "You can read and write them, and nobody else can.")


def check_space(home: Home) -> Check:
    """Whether the disk can take more."""
    free = shutil.disk_usage(home.root).free
    message = f"{free / (1 << 30):.1f} GB are free."
    if free < _NO_SPACE:
        message = f"Only {free >> 20} MB are free, so messages may be refused."
        return Check("fail", "disk", message, "Free some space.")
    if free < _LITTLE_SPACE:
        return Check("warn", "disk", message, "Free some space soon.")
    return Check("ok", "disk", message)


def check_lock(home: Home) -> Check:
    """Whether nobody holds the write lock longer than a commit takes."""
    if not os.access(home.write_lock, os.R_OK):
        return Check("ok", "lock", "There is none.")
    handle = os.open(home.write_lock, os.O_RDONLY | os.O_CLOEXEC)
    try:
        free = _try_lock(handle, time.monotonic() + _LOCK_PATIENCE)
    finally:
        os.close(handle)
    if free:
        return Check("ok", "lock", "The write lock is free.")
    return Check(
        "fail",
        "lock",
        "Another process holds the write lock and does not let it go.",
        f"Find it with `fuser {home.write_lock}` and stop it.",
    )


def _try_lock(handle: int, deadline: float) -> bool:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        else:
            return True


def check_tails(store: FileStore) -> Check:
    """Whether every file of the ledger ends with a whole line."""
    streams = store.sizes()
    torn = [stream for stream in streams if _ends_torn(store, stream)]
    if not torn:
        return Check("ok", "ledger", f"Files: {len(streams)}; each ends with a whole line.")
    message = f"Files: {len(streams)}; torn at the end: {len(torn)}, such as {torn[0]}."
    return Check("warn", "ledger", message, "The next start mends that, and loses nothing.")


def _ends_torn(store: FileStore, stream: str) -> bool:
    path = store.home.stream(stream)
    if not os.access(path, os.R_OK):
        return False  # said with the other files
    handle = store.ops.open_read(path)
    try:
        return bool(unterminated(store, handle))
    finally:
        store.ops.close(handle)


def check_fragments(home: Home) -> Check:
    """Whether crashes left fragments that were set aside."""
    found = [path for path in _files(home) if path.name.endswith(TORN)]
    if not found:
        return Check("ok", "fragments", "No crash left any.")
    message = f"A crash left something unfinished: {len(found)}, such as {found[0]}."
    return Check(
        "warn",
        "fragments",
        message,
        "Each was cut off a torn end. Delete them once you know that nothing is missing.",
    )


def check_index(home: Home) -> Check:
    """Whether the index can answer, and whether it has seen more than there is now."""
    try:
        health = glance(home.index, FileStore(home))
    except IndexTooNew as error:
        return Check("fail", "index", error.message, error.remedy)
    if health.lost:
        files = "file has" if len(health.lost) == 1 else "files have"
        message = f"{len(health.lost)} {files} lost lines, such as {health.lost[0]}."
        return Check("fail", "index", message, "Restore them from a backup; see `palaver verify`.")
    if health.status == "degraded":
        return Check("fail", "index", health.detail, "Run `palaver rebuild` once it is mended.")
    if health.status == "rebuilding":
        return Check("warn", "index", health.detail, "Nothing is lost; a search waits for it.")
    return Check("ok", "index", health.detail)


def check_start(home: Home, models: Path, settings: Settings) -> Check:
    """What the next start has to do before everything is in order, and what it leaves to do."""
    try:
        caught = uncaught(home.index, FileStore(home))
        jobs = due_in(home, models, LOCAL, brought(settings))
    except (IndexTooNew, BadSetting):  # said with the index, or with the models
        return Check("ok", "start", "The index was not looked at.")
    does = f"To catch up with: lines {caught.lines:,}, in files {len(caught.streams):,}."
    if caught.rebuild != "none":
        does = "The next one makes the index."
    return Check("ok", "start", f"{does} Digests due: {digests_among(jobs)}.")


def _files(home: Home) -> Iterator[Path]:
    for folder in (home.root, home.conversations, home.external):
        if folder.is_dir():
            yield from (path for path in sorted(folder.iterdir()) if path.is_file())
