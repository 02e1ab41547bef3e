"""The nightly check of a home that is open then: its rows and pieces against the ledger."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, tzinfo
from threading import Event, Thread

from palaver.errors import PalaverError
from palaver.jobs.findings import found_wrong
from palaver.jobs.schedule import last_night, pause_after
from palaver.ledger.port import Finding
from palaver.times import Clock

_LOOK = 30.0

log = logging.getLogger(__name__)


class Nightly:
    """A thread that checks after each night. What it finds wrong has the index made again."""

    def __init__(
        self,
        check: Callable[[], list[Finding]],
        rebuild: Callable[[str], None],
        clock: Clock,
        zone: tzinfo,
        *,
        look: float = _LOOK,
    ) -> None:
        """Every `look` seconds it looks at the clock."""
        self._check = check
        self._rebuild = rebuild
        self._clock = clock
        self._zone = zone
        self._look = look
        self._checked = last_night(clock(), zone)
        self._awake, self._stopped = Event(), False
        self._thread: Thread | None = None
        self.running = False
        self.attempts = 0
        self.problem: PalaverError | None = None
        self.after: datetime | None = None
        self.cancelled: datetime | None = None
        """The night for which nobody wants it."""

    def start(self) -> None:
        self._thread = Thread(target=self._run, name="palaver-nightly", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends without waiting for a check that is under way: it only reads."""
        self._stopped = True
        self._awake.set()

    @property
    def due(self) -> bool:
        return self._checked < last_night(self._clock(), self._zone)

    @property
    def left(self) -> bool:
        """Whether nobody wants what is due."""
        return self.cancelled == last_night(self._clock(), self._zone)

    def now(self) -> None:
        """Has what is due done at once."""
        self.after = self.cancelled = None
        self._awake.set()

    def leave(self) -> None:
        """Leaves it for this night."""
        self.cancelled = last_night(self._clock(), self._zone)

    def _run(self) -> None:
        while not self._stopped:
            self._awake.wait(self._look)
            self._awake.clear()
            night = last_night(self._clock(), self._zone)
            if not self._stopped and self.due and self._wanted():
                self._attempt(night)

    def _wanted(self) -> bool:
        return not self.left and (self.after is None or self.after <= self._clock())

    def _attempt(self, night: datetime) -> None:
        self.running = True
        try:
            wrong = found_wrong(self._check())
        except PalaverError as error:
            self._fails(error)
        except Exception as error:  # whatever it is, it is shown, and tried again
            log.exception("The nightly check failed.")
            self._fails(PalaverError(f"It failed ({type(error).__name__}: {error})."))
        else:
            if wrong is None:
                self._checked = night
                self.attempts, self.problem, self.after = 0, None, None
            else:
                self._rebuild(wrong.message)
                self._fails(wrong)
        finally:
            self.running = False

    def _fails(self, problem: PalaverError) -> None:
        self.attempts += 1
        self.problem = problem
        self.after = self._clock() + pause_after(self.attempts)
