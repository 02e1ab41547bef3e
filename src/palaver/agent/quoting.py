"""The offline assistant as somebody who answers: all of its reply comes at once."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from palaver.agent.answering import Delta, Frames, ReplyDraft, Task
from palaver.agent.language import LanguageModel, ModelInfo, Said
from palaver.agent.port import Responder
from palaver.errors import ModelNotConnected, ModelUnknown
from palaver.index.values import OFFLINE

_KNOWN = (OFFLINE, "opus", "sonnet", "haiku")
_WINDOW = 200_000


class Quoting:
    """An Answerer that has a responder answer."""

    def __init__(self, responder: Responder) -> None:
        self._responder = responder

    async def answer(self, task: Task, draft: ReplyDraft, frames: Frames) -> AsyncGenerator[Delta]:
        found = await self._responder.reply(task.question)
        draft.model = found.model
        draft.content = found.content
        draft.sources = list(found.sources)
        yield Said(found.content)


class OfflineOnly:
    """Models of which none is connected but the offline assistant."""

    def choose(self, name: str | None) -> LanguageModel:
        raise ModelNotConnected(f"{self.info(name).name} is not connected.")

    def info(self, name: str | None) -> ModelInfo:
        chosen = name or OFFLINE
        if chosen not in _KNOWN:
            raise ModelUnknown(f"There is no model {chosen[:80]!r}.")
        return ModelInfo(
            name=chosen,
            model=chosen,
            provider=OFFLINE if chosen == OFFLINE else "anthropic",
            connected=chosen == OFFLINE,
            window=_WINDOW,
            kind="offline" if chosen == OFFLINE else "connected",
        )

    def list(self) -> list[ModelInfo]:
        return [self.info(name) for name in _KNOWN]
