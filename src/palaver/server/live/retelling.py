"""Retelling: a reply in the making, for whoever comes while it is being told."""

from __future__ import annotations

from palaver.conversation.steps import (
    MessageAccepted,
    ReplyDelta,
    ReplyFinished,
    ReplyStarted,
    ReplyThinking,
    ReplyTool,
    Step,
)


class Retelling:
    """What was told of a reply so far."""

    def __init__(self, conversation_id: str, question_id: str) -> None:
        self.conversation_id = conversation_id
        self.question_id = question_id
        self._ended_as: str | None = None
        """The message that was told to be the answer."""
        self._forget()

    def _forget(self) -> None:
        self._started: ReplyStarted | None = None
        self._thought: list[str] = []
        self._tools: list[ReplyTool] = []
        self._said: list[str] = []

    def add(self, step: Step) -> bool:
        """Whether it is news: not when the whole answer was told already. Two nodes may mean to
        answer one message: the first has died, or it was sent to both."""
        if _message_of(step) == self._ended_as:
            return False
        self._ended_as = None
        self._add(step)
        return True

    def _add(self, step: Step) -> None:
        match step:
            case ReplyStarted():
                self._forget()
                self._started = step
            case ReplyThinking():
                self._thought.append(step.text)
            case ReplyTool():
                self._tools.append(step)
            case ReplyDelta():
                self._said.append(step.text)
            case _:
                self._forget()  # it is finished, and there is nothing left to tell

    def end_as(self, message_id: str) -> None:
        """Its question has an answer, whoever made it."""
        self._ended_as = message_id

    def steps(self) -> list[Step]:
        """The same in few steps. Whoever hears these, and then those to come, misses nothing."""
        if self._started is None or self._ended_as is not None:
            return []
        named = {
            "conversation_id": self.conversation_id,
            "message_id": self._started.message_id,
        }
        steps: list[Step] = [self._started]
        if thought := "".join(self._thought):
            steps.append(ReplyThinking(**named, offset=0, text=thought))
        steps += self._tools
        if said := "".join(self._said):
            steps.append(ReplyDelta(**named, offset=0, text=said))
        return steps


def _message_of(step: Step) -> str:
    match step:
        case MessageAccepted():
            return step.message.id
        case ReplyFinished():
            return step.turn.id
        case _:
            return step.message_id
