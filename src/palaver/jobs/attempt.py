"""An attempt: a job is done once, and what went wrong is given back."""

from __future__ import annotations

import logging
from datetime import timedelta

from palaver.errors import PalaverError
from palaver.jobs.kind import Due, Ended, Kind, Run

BUSY = timedelta(seconds=5)
"""After so long it is looked again whether somebody else is still at the same work."""

log = logging.getLogger(__name__)


def attempt(kind: Kind, due: Due, run: Run) -> PalaverError | None:
    """None when it is done. Raises Ended."""
    try:
        kind.run(due, run)
    except Ended:
        raise
    except Exception as error:  # whatever it is, it is shown, and tried again
        problem = known(error)
        if problem is not error:
            log.exception("The job %s failed.", kind.id_of(due))
        return problem
    return None


def known(error: Exception) -> PalaverError:
    """One of our errors, for whatever went wrong."""
    if isinstance(error, PalaverError):
        return error
    return PalaverError(f"It failed ({type(error).__name__}: {error}).")
