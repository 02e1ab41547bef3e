"""Somebody who answers as a test wants it, and how their reply is read as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any

import httpx
import orjson
import pytest

from palaver.agent.answering import Answerer, Delta, Frames, ReplyDraft, Task
from palaver.agent.language import Said
from palaver.conversation.making import Maker
from palaver.errors import ModelBusy

Json = dict[str, Any]


class Model:
    """Answers what the test says, and waits at a mark until it is let go on."""

    def __init__(self) -> None:
        self.words: list[str] = ["It ", "is ", "blue."]
        self.reached, self.go_on = Event(), Event()
        self.scopes: list[frozenset[str]] = []

    async def answer(self, task: Task, draft: ReplyDraft, frames: Frames) -> AsyncGenerator[Delta]:
        self.scopes.append(task.caller.scopes)
        draft.model = "test"
        for word in self.words:
            if word == "…":
                self.reached.set()
                while not await asyncio.to_thread(self.go_on.wait, 0.01):
                    pass
            elif word == "busy":
                raise ModelBusy
            else:
                draft.content += word
                yield Said(word)


@contextmanager
def speaking() -> Generator[Model]:
    """Whoever is asked in this process answers as the model."""
    model = Model()

    def keep(maker: Maker, answerer: Answerer) -> None:
        """Whoever would answer otherwise does not."""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Maker, "answerer", property(lambda _: model, keep), raising=False)
        yield model


def events(answer: httpx.Response) -> Iterator[tuple[str, Json]]:
    name = ""
    for line in answer.iter_lines():
        kind, _, value = line.partition(": ")
        if kind == "event":
            name = value
        elif kind == "data":
            yield name, orjson.loads(value)


def stream(api: httpx.Client, **body: Any) -> Any:
    return api.stream("POST", "/api/chat", json=body, headers={"Accept": "text/event-stream"})
