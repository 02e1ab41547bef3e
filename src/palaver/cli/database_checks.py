"""What `palaver doctor` looks at when conversations are kept in a database. It changes nothing."""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Iterator
from pathlib import Path

from palaver.cli.checks import Check, check_model, check_models
from palaver.cli.jobs import brought, digests_among
from palaver.engines.background import jobs_of
from palaver.engines.databases import Seen, look_at
from palaver.errors import DatabaseTooNew, StorageError
from palaver.jobs import Job
from palaver.jobs.postgres import PostgresJobs
from palaver.settings import Settings

_CREATE = (
    "The first start sets it up if the role may; otherwise have an administrator run CREATE "
    "EXTENSION vector in this database."
)
_ROLE = "Use a role of its own that owns the database; the guide to PostgreSQL says how."
_INSTALL = "Install pgvector on the machine of the database; the guide to PostgreSQL says how."


def check_everything(settings: Settings, models: Path) -> Iterator[Check]:
    """Looks at everything, the most basic things first; `models` is the folder for models."""
    yield Check("ok", "Python", platform.python_version())
    yield check_model(models)
    yield from check_models(settings)
    try:
        seen = look_at(settings.database.url or "")
    except StorageError as error:
        yield Check("fail", "database", error.message, error.remedy)
        return
    yield Check("ok", "database", f"PostgreSQL {seen.version}")
    yield check_role(seen)
    yield check_vectors(seen)
    yield check_tables(seen)
    if seen.tables == "current":
        yield check_jobs(settings)


def check_role(seen: Seen) -> Check:
    """Whether the second wall stands for the role in use."""
    if seen.is_held:
        return Check("ok", "role", "The server holds it to the rows of one user at a time.")
    message = "It is a superuser, or has BYPASSRLS: the server lets it see the rows of everybody."
    return Check("warn", "role", message, _ROLE)


def check_vectors(seen: Seen) -> Check:
    """Whether the server can keep vectors."""
    if seen.has_vectors is None:
        return Check("fail", "pgvector", "The server does not have it.", _INSTALL)
    if not seen.has_vectors:
        message = "The server has it, and this database does not use it yet."
        return Check("warn", "pgvector", message, _CREATE)
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


def check_jobs(settings: Settings) -> Check:
    """Whether somebody does what is due, and whether anything fails."""

    async def look(jobs: PostgresJobs) -> tuple[list[Job], int]:
        return await jobs.list(), await jobs.workers()

    with jobs_of(settings, brought(settings)) as jobs:
        due, workers = asyncio.run(look(jobs))
    failed = [job for job in due if job.state == "failed"]
    told = f"Workers alive: {workers}. Jobs due: {len(due)}."
    if due:
        told = f"{told} Digests among them: {digests_among(due)}."
    if failed:
        reason = failed[0].error.message if failed[0].error else ""
        told = f"{told} Failed: {len(failed)}, such as {failed[0].id}: {reason}"
        return Check("warn", "jobs", told, "`palaver jobs list --everyone` tells of each.")
    if due and not workers:
        return Check("warn", "jobs", told, "`palaver worker` and `palaver serve` run jobs.")
    return Check("ok", "jobs", told)
