"""An attendant: a thread that works whenever there may be something to do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from threading import Condition, Thread

LOOK = 5.0
"""After so many seconds it looks by itself: somebody else may have stored something."""
GRACE = 0.25
"""So long it waits for more to do: several messages are cheaper together, and a program that is
over sooner has nothing done in the background."""


class Attendant(ABC):
    """One thread; `wake` it when there may be something to do."""

    def __init__(self) -> None:
        self._signal = Condition()
        self._thread: Thread | None = None
        self._awake = self._busy = self._hurried = self._stopped = False

    def start(self) -> None:
        with self._signal:
            self._awake = True
            self._thread = Thread(target=self._run, name="palaver-keeper", daemon=True)
            self._thread.start()

    def wake(self) -> None:
        with self._signal:
            if not self._awake:  # whoever waits for more is not disturbed by each
                self._awake = True
                self._signal.notify_all()

    def settle(self) -> None:
        """Returns when everything is done that can be done."""
        with self._signal:
            self._awake = self._hurried = True
            self._signal.notify_all()
            self._signal.wait_for(lambda: self._stopped or not (self._awake or self._busy))

    def stop(self) -> None:
        """Ends after the step that is under way."""
        with self._signal:
            self._stopped = True
            self._signal.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join()

    # -- in the thread -----------------------------------------------------------------------

    @abstractmethod
    def _work(self) -> None:
        """Does everything that can be done, unless it is told to stop; raises nothing."""

    @abstractmethod
    def _pauses(self) -> tuple[float, float]:
        """For how many seconds it rests unless it is woken, and then waits for more to do."""

    def _run(self) -> None:
        try:
            while self._waits():
                self._work()
                with self._signal:
                    self._busy = False
                    self._signal.notify_all()
        finally:  # nobody waits for a thread that is not there any more
            with self._signal:
                self._stopped = True
                self._signal.notify_all()

    def _waits(self) -> bool:
        """Waits until there may be something to do, and for more; False when it is time to end."""
        look, grace = self._pauses()
        with self._signal:
            self._signal.wait_for(lambda: self._stopped or self._awake, look)
            self._signal.wait_for(lambda: self._stopped or self._hurried, grace)
            self._awake, self._busy, self._hurried = False, True, False
            return not self._stopped
