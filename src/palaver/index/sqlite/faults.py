"""What can be wrong with the file of the index, and what that means for it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import apsw

from palaver.index.faults import Failed, Unusable

_DAMAGED_READS = (
    apsw.SQLITE_IOERR_SHORT_READ,
    apsw.SQLITE_IOERR_CORRUPTFS,
    apsw.SQLITE_IOERR_DATA,
)
_FULL = ("The disk is full, so the index falls behind.", "Free some space.")
_HELD = ("Another process holds the index.", "Wait, or stop the process that holds it.")
_UNWRITABLE = ("The index cannot be written.", "Make the .db files of the home writable.")
_FAILURES: tuple[tuple[type[apsw.Error], str, str], ...] = (
    (apsw.FullError, *_FULL),
    (apsw.BusyError, *_HELD),
    (apsw.LockedError, *_HELD),
    (apsw.CantOpenError, *_UNWRITABLE),
    (apsw.ReadOnlyError, *_UNWRITABLE),
    (apsw.PermissionsError, *_UNWRITABLE),
)


@contextmanager
def faults() -> Generator[None]:
    """Raises Unusable or Failed for whatever SQLite or the disk raises."""
    try:
        yield
    except apsw.Error as error:
        raise _fault(error) from error
    except UnicodeDecodeError as error:
        raise Unusable("A row of the index is damaged.") from error
    except OSError as error:
        reason = (error.strerror or "it failed").lower()
        raise Failed(f"The index cannot be reached: {reason}.", "Check the disk.") from error


def _fault(error: apsw.Error) -> Unusable | Failed:
    if isinstance(error, apsw.CorruptError | apsw.NotADBError) or _is_damaged_read(error):
        return Unusable("The file of the index is damaged.")
    if isinstance(error, apsw.SQLError):
        return Unusable("The index is not as this program made it.")
    if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHMSIZE:
        return Failed(*_FULL)  # the file that readers share could not grow
    for kind, message, remedy in _FAILURES:
        if isinstance(error, kind):
            return Failed(message, remedy)
    return Failed(f"The index did not answer: {error}.", "Check the disk.")


def _is_damaged_read(error: apsw.Error) -> bool:
    return getattr(error, "extendedresult", 0) in _DAMAGED_READS
