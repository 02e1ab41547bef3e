"""What can go wrong with a database, and which of our errors that is.

The driver's own words stay in the chain of causes: they may hold names, values and addresses.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import psycopg

from palaver.errors import (
    DatabaseUnusable,
    PalaverError,
    StorageBusy,
    StorageFailed,
    StorageFull,
    StorageUnreachable,
)

_BUSY = {
    "40001",  # serialization_failure
    "40P01",  # deadlock_detected
    "53200",  # out_of_memory
    "53300",  # too_many_connections
    "55P03",  # lock_not_available: lock_timeout
    "57014",  # query_canceled: statement_timeout
}
_FULL = {"53100"}  # disk_full
_GONE = {
    "25006",  # read_only_sql_transaction: a standby answers until it is promoted
    "25P03",  # idle_in_transaction_session_timeout
    "57P01",  # admin_shutdown
    "57P02",  # crash_shutdown
    "57P03",  # cannot_connect_now
    "57P05",  # idle_session_timeout
}
_SHUT = {"3D000", "42501"}  # no such database, insufficient_privilege
_SAID = "PV001"  # one of our own scripts says what is wrong, and what to do about it


@contextmanager
def faults() -> Generator[None]:
    """Raises one of our errors for whatever the driver raises."""
    try:
        yield
    except psycopg.Error as error:
        raise fault(error) from error


def fault(error: psycopg.Error) -> PalaverError:
    """The error a caller gets."""
    state = error.sqlstate
    if state is None:
        lost = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
        return StorageUnreachable() if lost else StorageFailed("The database was asked wrongly.")
    if state in _BUSY:
        return StorageBusy()
    if state in _FULL:
        return StorageFull("The disk of the database is full, so nothing was stored.")
    if state in _GONE or state.startswith("08"):
        return StorageUnreachable()
    if state in _SHUT or state == _SAID or state.startswith("28"):
        return _unusable(error, state)
    return StorageFailed(
        f"The database refused it (SQLSTATE {state}).",
        remedy="Look into the log of the database, then send it again with the same key.",
    )


def behind(error: BaseException) -> PalaverError:
    """The error a caller gets for one that another library made of the driver's."""
    found = error.__cause__ or error.__context__
    return fault(found) if isinstance(found, psycopg.Error) else StorageFailed(f"{error}")


def _unusable(error: psycopg.Error, state: str) -> DatabaseUnusable:
    if state == _SAID:
        return DatabaseUnusable(error.diag.message_primary, remedy=error.diag.message_hint)
    return DatabaseUnusable(f"The database does not let Palaver in (SQLSTATE {state}).")


def refusal(error: psycopg.Error) -> DatabaseUnusable:
    """Why a connection could not be opened, for whoever starts the program."""
    if isinstance(error, psycopg.OperationalError):
        line = str(error).strip().partition("\n")[0]
        cause = line.rpartition("FATAL:" if "FATAL:" in line else "failed:")[2].strip()
        return DatabaseUnusable(f"The database cannot be used: {cause.rstrip('.')}.")
    return DatabaseUnusable(
        "The address of the database cannot be read.",
        remedy="Write PALAVER_DATABASE_URL as postgresql://user:password@host:5432/database.",
    )
