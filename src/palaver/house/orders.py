"""Orders: what one user's conversations have digested in the background, by whoever does that."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager

from palaver.conversation.digests import DigestWork
from palaver.digest.days.due import Reason
from palaver.engines import Engine
from palaver.errors import Conflict


class Orders:
    """Hands one user's orders to those digests that the engine uses; there may be none."""

    def __init__(self, engine: Engine, user: str) -> None:
        self._engine = engine
        self._user = user

    @property
    def digests(self) -> Sequence[DigestWork]:
        return [one for one in self._engine.work if isinstance(one, DigestWork)]

    def left(self, conversation_id: str) -> None:
        """Nobody looks at a conversation any more."""
        for digests in self.digests:
            digests.left(self._user, conversation_id)

    def read_on(self, conversation_id: str) -> None:
        """Has a conversation read on for what is worth remembering."""
        for digests in self.digests:
            digests.learn(self._user, conversation_id)

    def tell_day(self, conversation_id: str, label: str, reason: Reason) -> None:
        """Has the summary of a day made."""
        for digests in self.digests:
            digests.day(self._user, conversation_id, label, reason)

    def remake_day(self, conversation_id: str, label: str) -> None:
        """Has the summary of a day made again. Raises Conflict where nobody makes any."""
        if not self.digests:
            raise Conflict(
                "This program makes no summaries.", remedy="Open the library with digests=True."
            )
        self.tell_day(conversation_id, label, "asked")

    @contextmanager
    def giving_way(self, waits: Callable[[], bool]) -> Generator[None]:
        """No digest is begun while `waits` says that somebody waits for a reply."""
        with ExitStack() as giving_way:
            for digests in self.digests:
                giving_way.enter_context(digests.giving_way(waits))
            yield

    async def settle(self) -> None:
        """Returns when what was ordered is done."""
        for digests in self.digests:
            await digests.settle()
