"""Rebuilds in the background: one thread, started when there is a reason, once at a time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Protocol

from palaver.errors import IndexTooNew, StorageError
from palaver.index.condition import Condition
from palaver.index.connection import Connection
from palaver.index.faults import Failed, Incomplete, Missing, Unusable
from palaver.index.records import Health
from palaver.index.stored.caught import Rebuild as Outcome
from palaver.index.stored.rebuild import Rebuild, Stopped
from palaver.index.stored.sets import Sets
from palaver.ledger.port import LineSource

_ATTEMPTS = 5
_MOMENT = 1.0
"""A rebuild is waited for so long: that of a short ledger is done by then."""
_CANCELLED = "Run `palaver rebuild`, or `palaver jobs retry` with the id of the job."

Listener = Callable[[Health], None]


@dataclass(frozen=True, slots=True)
class Opened:
    """The rows of an index, for a rebuild."""

    database: Connection
    sets: Sets
    fresh: bool
    """Whether there is nothing yet."""


class Site(Protocol):
    """Where the rows of an index are made again."""

    def alone(self, pause: Callable[[float], None]) -> AbstractContextManager[bool]:
        """Waits until nobody else makes them; gives whether somebody did. `pause` waits a little,
        or raises to give up."""
        ...

    def open(self, *, empty: bool) -> AbstractContextManager[Opened]:
        """What is there, or with `empty` nothing, whatever was there before. Raises Unusable,
        Failed, IndexTooNew."""
        ...


class Rebuilds:
    """Makes the index again whenever that is needed."""

    def __init__(self, site: Site, source: LineSource, condition: Condition) -> None:
        self.on_swap: Callable[[], None] = lambda: None
        """Called when the new rows have taken their place, while nobody can commit."""
        self._site = site
        self._source = source
        self._condition = condition
        self._guard = Lock()
        self._stop = Event()
        self._closed = False
        self._cancelled = False
        self._thread: Thread | None = None
        self._listener: Listener | None = None
        self.ended: Future[None] = Future()
        """Done when no rebuild is under way."""
        self.ended.set_result(None)

    def start(self, reason: str, *, afresh: bool = False, listener: Listener | None = None) -> None:
        """Begins a rebuild, unless one is under way. `afresh` makes rows that are fine again."""
        with self._guard:
            self._listener = listener or self._listener
            if self._closed or self.running:
                return
            self._cancelled = False
            self._stop.clear()
            self.ended = Future()
            self.ended.set_running_or_notify_cancel()  # nobody who waits can cancel it
            self._condition.rebuilds(reason)
            self._thread = Thread(
                target=self._run, args=(afresh,), name="palaver-rebuild", daemon=True
            )
            self._thread.start()

    def start_for(self, fault: Unusable) -> None:
        """Begins a rebuild because of what was found, unless somebody cancelled one; rows that are
        damaged are made again."""
        if not self._cancelled:
            self.start(str(fault), afresh=not isinstance(fault, Missing | Incomplete))

    def start_at_once(self, fault: Unusable) -> Outcome:
        """The same for an index that is being opened; gives what has become of it."""
        self.start_for(fault)
        self.wait(_MOMENT)
        return "running" if self.running else "done"

    @property
    def running(self) -> bool:
        return not self.ended.done()

    @property
    def cancelled(self) -> bool:
        """Whether none is begun until somebody asks for one."""
        return self._cancelled

    def wait(self, seconds: float | None = None) -> None:
        """Returns when no rebuild is under way, or after some time."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def stop(self) -> None:
        """Ends a rebuild that is under way; it goes on at the next start."""
        with self._guard:
            self._closed = True
        self._stop.set()
        self.wait()

    def cancel(self) -> None:
        """Ends a rebuild that is under way, and begins none until somebody asks for one."""
        with self._guard:
            self._cancelled = True
        self._stop.set()
        self.wait()
        self._condition.fails(Failed("The rebuild was cancelled.", _CANCELLED))

    # -- in the thread -----------------------------------------------------------------------

    def _run(self, afresh: bool) -> None:
        try:
            with self._site.alone(self._pause) as waited:
                self._remake(afresh and not waited)  # whoever held it has just done so
        except Stopped:
            return
        except Failed as fault:
            self._condition.fails(fault)
        except (IndexTooNew, StorageError) as error:
            self._condition.fails(Failed(error.message, error.remedy))
        except Exception as error:  # noqa: BLE001 - without this thread nobody would hear of it
            reason = f"The rebuild failed ({type(error).__name__}: {error})."
            self._condition.fails(Failed(reason, "Run `palaver rebuild`."))
        finally:
            self._listener = None
            self.ended.set_result(None)

    def _pause(self, seconds: float) -> None:
        if self._stop.wait(seconds):
            raise Stopped

    def _remake(self, afresh: bool) -> None:
        """Tries again from nothing when what is there turns out to be damaged."""
        for attempt in range(_ATTEMPTS):
            try:
                self._attempt(afresh=afresh, empty=attempt > 0)
                return
            except Unusable as fault:
                self._condition.rebuilds(str(fault))
        raise Failed("The index is damaged again and again.", "Check the disk.")

    def _attempt(self, *, afresh: bool, empty: bool) -> None:
        """Makes the index again, from nothing if need be. Raises Unusable, Failed, and more."""
        with self._site.open(empty=empty) as opened:
            rebuild = Rebuild(opened.database, opened.sets, self._source, self._advance, self._stop)
            if not (afresh or rebuild.needed()) or (opened.fresh and rebuild.little()):
                rebuild.at_once(self.on_swap)
            else:
                rebuild.run(self.on_swap, afresh=afresh)
            self._condition.fine()
            rebuild.clean_up()

    def _advance(self, done: int, total: int) -> None:
        self._condition.advances(done, total)
        if self._listener:
            self._listener(self._condition.health())
