"""What `palaver doctor` looks at when conversations are kept in a database. It changes nothing."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import Path

from palaver.cli.checks import Check, check_model
from palaver.engines.databases import Seen, look_at
from palaver.errors import DatabaseTooNew, StorageError

_INSTALL = "Install pgvector on the machine of the database; the guide to PostgreSQL says how."


def check_everything(url: str, models: Path) -> Iterator[Check]:
    """Looks at everything, the most basic things first; `models` is the folder for models."""
    yield Check("ok", "Python", platform.python_version())
    yield check_model(models)
    try:
        seen = look_at(url)
    except StorageError as error:
        yield Check("fail", "database", error.message, error.remedy)
        return
    yield Check("ok", "database", f"PostgreSQL {seen.version}")
    yield check_vectors(seen)
    yield check_tables(seen)


def check_vectors(seen: Seen) -> Check:
    """Whether the server can keep vectors."""
    if seen.has_vectors is None:
        return Check("fail", "pgvector", "The server does not have it.", _INSTALL)
    if not seen.has_vectors:
        message = "The server has it, and this database does not use it yet."
        return Check("warn", "pgvector", message, "It is set up at the first start.")
    return Check("ok", "pgvector", "This database uses it.")


def check_tables(seen: Seen) -> Check:
    """Whether the primary tables are those of this version."""
    match seen.tables:
        case "missing":
            return Check(
                "warn", "tables", "There are none yet.", "They are made at the first start."
            )
        case "old":
            message = "They are those of an earlier version."
            return Check("warn", "tables", message, "The next start brings them up to date.")
        case "new":
            error = DatabaseTooNew()
            return Check("fail", "tables", error.message, error.remedy)
        case "current":
            return Check("ok", "tables", f"They are up to date. Users: {seen.users:,}.")
