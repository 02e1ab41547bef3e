"""Connections to providers: one for each, made when it is first needed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from palaver.agent.language import Exchange, LanguageModel, Piece, Request, ToolResult
from palaver.agent.models.catalogue import ANTHROPIC, OPENAI, Catalogue
from palaver.agent.models.patience import Patience
from palaver.digest.model.asking import Writer, Written
from palaver.errors import ModelNotConnected
from palaver.index.records import Json
from palaver.settings import AgentSettings, ModelSettings, ProviderSettings

if TYPE_CHECKING:
    from palaver.agent.models.talk import Talk
    from palaver.agent.models.wire import Wire

_LONGEST_ANSWER = 4000
"""In tokens: some models cannot but think, and that counts."""


class Connections:
    """The connected models of a catalogue, ready to be asked."""

    def __init__(
        self, settings: AgentSettings, catalogue: Catalogue, patience: Patience | None = None
    ) -> None:
        waiting = patience or Patience()
        self._catalogue = catalogue
        self._links = {
            name: Link(name, provider, waiting) for name, provider in settings.providers.items()
        }

    def model(self, name: str) -> LanguageModel:
        """Raises ModelUnknown, ModelNotConnected."""
        entry = self._entry(name)
        return ConnectedModel(self._links[entry.provider], entry)

    def writer(self, name: str) -> Writer:
        """The model as one that writes in a given shape, without thinking first. Raises
        ModelUnknown, ModelNotConnected."""
        entry = self._entry(name)
        most = min(_LONGEST_ANSWER, self._catalogue.window(name) // 4)
        brief = entry.model_copy(update={"thinking": "off", "max_tokens": most})
        return ConnectedModel(self._links[entry.provider], brief)

    def _entry(self, name: str) -> ModelSettings:
        entry = self._catalogue.entry(name)
        if not self._catalogue.is_connected(entry.provider):
            missing = "apiKey" if entry.provider in (ANTHROPIC, OPENAI) else "baseUrl"
            raise ModelNotConnected(
                f"The model {name!r} is not connected.",
                remedy=f"Set `agent.providers.{entry.provider}.{missing}`.",
            )
        return entry

    async def warm_up(self) -> None:
        """Does what takes long before the usual model can be asked. It asks it nothing."""
        info = self._catalogue.info(None)
        if info.connected and info.kind == "connected":
            await self._links[info.provider].warm_up()

    async def close(self) -> None:
        for link in self._links.values():
            await link.close()


class Link:
    """What leads to a provider: nothing at first, a wire once one of its models is asked."""

    def __init__(self, name: str, provider: ProviderSettings, patience: Patience) -> None:
        self._name = name
        self._provider = provider
        self._patience = patience
        self._making = asyncio.Lock()
        self._wire: Wire | None = None

    async def wire(self) -> Wire:
        async with self._making:
            if self._wire is None:
                self._wire = await asyncio.to_thread(self._connect)
        return self._wire

    async def warm_up(self) -> None:
        """Lets the first reply begin as soon as any other."""
        await asyncio.to_thread(self._kind)

    def _connect(self) -> Wire:
        return self._kind()(self._name, self._provider, self._patience)

    def _kind(self) -> type[Wire]:
        """Takes two seconds or more the first time: the provider's library is slow to import."""
        if self._name == ANTHROPIC:
            from palaver.agent.models.claude import ClaudeWire as Kind
        else:
            from palaver.agent.models.chat import ChatWire as Kind
        return Kind

    async def close(self) -> None:
        wire, self._wire = self._wire, None
        if wire is not None:
            await wire.close()


class ConnectedModel:
    """A model at a provider, which talks, and writes: `Writer` of `palaver.digest.model.asking`."""

    def __init__(self, link: Link, entry: ModelSettings) -> None:
        self._link = link
        self._entry = entry

    @property
    def name(self) -> str:
        """As its provider calls it: a name for `/model` may stand for another one next year."""
        return self._entry.model

    def exchange(self, request: Request) -> Exchange:
        return _Exchange(self._link, self._entry, request)

    async def write(self, system: str, text: str, schema: Json) -> Written:
        form = (await self._link.wire()).form(self._entry)
        return await form.fill(system, text, schema)


class _Exchange:
    def __init__(self, link: Link, entry: ModelSettings, request: Request) -> None:
        self._link = link
        self._entry = entry
        self._request = request
        self._talk: Talk | None = None

    async def step(self, results: Sequence[ToolResult] = ()) -> AsyncGenerator[Piece]:
        if self._talk is None:
            self._talk = (await self._link.wire()).talk(self._entry, self._request)
        async with aclosing(self._talk.step(results)) as pieces:
            async for piece in pieces:
                yield piece
