"""Learning: what the owner asks to have remembered is taken before it is answered, as far as its
words are plain, or after the reply, and the rest is read now and then.

Whatever becomes of it, a reply and a digest are none the worse: turns that were not read are read
the next time.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Awaitable, Callable
from pathlib import PurePath

from palaver.digest.state.others import own_words
from palaver.errors import NotFound, PalaverError
from palaver.index.records import Message
from palaver.ledger.lines import Draft
from palaver.memory.model.wish import asks_to_remember
from palaver.memory.reading import Reading
from palaver.memory.withdrawing import Withdrawing

log = logging.getLogger(__name__)


class Learning:
    """Learns from one user's conversations while they go on."""

    def __init__(
        self,
        reading: Reading,
        withdrawing: Withdrawing,
        read_on: Callable[[str], None] | None,
    ) -> None:
        """`read_on` has a conversation read on in the background; it is None where nothing is done
        there. Then somebody else will."""
        self._reading = reading
        self._withdrawing = withdrawing
        self._read_on = read_on

    async def before(self, question: Message) -> None:
        """What comes before a reply: it can tell whether what is asked for is remembered."""
        if asks_to_remember(own_words(question.content)):
            await safely(question.conversation_id, self._reading.at_once)

    async def after(self, conversation_id: str) -> None:
        """What follows a reply."""
        await safely(conversation_id, self._after)

    async def read_again(self, message: Message) -> list[Draft]:
        """What is to be written together with a message that is said otherwise, so that its turn is
        read again. Raises IndexUnavailable."""
        return await self._reading.unread(message.conversation_id, message.turn_number)

    async def taken_back(self, old: Message, new: Message) -> None:
        """What was learned of an old message goes with it, as far as the new one says otherwise."""
        await safely(old.conversation_id, lambda _: self._withdrawing.withdraw(old, new))

    async def _after(self, conversation_id: str) -> None:
        await self._reading.at_once(conversation_id)
        if self._read_on is not None and await self._reading.is_due(conversation_id):
            self._read_on(conversation_id)


async def safely(conversation_id: str, learn: Callable[[str], Awaitable[object]]) -> None:
    """Learns from a conversation. Raises nothing: what fails is told, and stays due."""
    try:
        await learn(conversation_id)
    except NotFound:  # it was deleted meanwhile
        pass
    except PalaverError as error:
        log.warning("learning_failed %s %s: %s", conversation_id, error.code, error.message)
    except Exception as error:  # noqa: BLE001 - what was said is worth more than what is learned
        _log(conversation_id, error)


def _log(conversation_id: str, error: Exception) -> None:
    """Where it arose; not its words, which may quote."""
    places = traceback.extract_tb(error.__traceback__)
    where = ", ".join(f"{PurePath(one.filename).name}:{one.lineno}" for one in places)
    log.error("learning_broken %s %s at %s", conversation_id, type(error).__name__, where)
