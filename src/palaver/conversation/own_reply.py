"""A reply that this process makes."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from palaver.agent.answering import Delta, ToolDone
from palaver.agent.language import ToolCall
from palaver.conversation.live_reply import LiveReply
from palaver.conversation.steps import ReplyTool
from palaver.errors import PalaverError, StorageFailed
from palaver.index.records import Message
from palaver.ledger.lines import new_id

log = logging.getLogger(__name__)
Make = Callable[["OwnReply"], Coroutine[Any, Any, Message]]


class OwnReply(LiveReply):
    """The reply to a message."""

    def __init__(self, question: Message) -> None:
        super().__init__(question, new_id("msg"), question.turn_number)
        self.question = question
        self.stopped = False
        """Whether somebody asked for it to be stopped."""
        self._task: asyncio.Task[None] | None = None
        self._can_stop = True

    # -- for whoever makes it ----------------------------------------------------------------

    def begin(self) -> None:
        """The reply is made from here on; what an earlier beginning gave is gone."""
        self._can_stop = True
        self._begin(new_id("msg") if self.started else self.message_id)

    def tell(self, delta: Delta) -> None:
        """A step was made; the draft holds it already."""
        match delta:
            case ToolCall():
                self._tools.append(self._tool(delta, "started"))
            case ToolDone():
                self._tools.append(self._tool(delta.call, "failed" if delta.failed else "finished"))
            case _:
                pass
        self._move()

    def keep(self) -> None:
        """Nothing stops it any more: what there is will be stored."""
        self._can_stop = False

    def run(self, make: Make) -> asyncio.Task[None]:
        """Has it made, in a task of its own."""
        self._task = asyncio.create_task(self._run(make))
        return self._task

    async def _run(self, make: Make) -> None:
        try:
            self.outcome.set_result(await make(self))
        except asyncio.CancelledError:
            self._fail(StorageFailed("The reply was not made.", remedy="Send the message again."))
        except Exception as error:  # noqa: BLE001 - whoever waits for the reply gets it
            _log(error)
            self._fail(error)
        finally:
            self._move()

    def _tool(self, call: ToolCall, state: str) -> ReplyTool:
        return ReplyTool.model_validate({**self._named, "tool_name": call.name, "state": state})

    # -- for everybody -----------------------------------------------------------------------

    def stop(self, *, asked: bool = True) -> bool:
        """Ends it; what there is of it will be kept. Whether there was anything to end."""
        if self._task is None or self._task.done() or not self._can_stop or self.stopped:
            return False
        self.stopped = asked
        self._can_stop = False
        return self._task.cancel()

    async def end(self, *, asked: bool = True) -> bool:
        """The same; returns when it is stored."""
        if not self.stop(asked=asked):
            return False
        with suppress(Exception):  # whoever waits for the reply gets it
            await self.wait()
        return True


def _log(error: Exception) -> None:
    """Where, without what: it may quote a message."""
    if not isinstance(error, PalaverError):
        places = "".join(traceback.format_tb(error.__traceback__))
        log.error("reply_broken %s\n%s", type(error).__name__, places)
