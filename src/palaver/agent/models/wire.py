"""The wire to a provider: its library, given what Palaver's settings say and nothing else.

`claude` and `chat` are the two kinds, apart from each other because each is slow to import.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import httpx2
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings as Wishes

from palaver.agent.language import Request
from palaver.agent.models.forms import Form
from palaver.agent.models.patience import Patience
from palaver.agent.models.prices import price_of
from palaver.agent.models.talk import Talk
from palaver.settings import ModelSettings, ProviderSettings

_NO_KEY = "none"
"""Sent to servers that need no key: the library wants one."""


class Wire(ABC):
    """A provider, connected."""

    def __init__(self, name: str, provider: ProviderSettings, patience: Patience) -> None:
        self.name = name
        self.base_url = provider.base_url
        self.key = provider.api_key.get_secret_value() if provider.api_key else _NO_KEY
        self.http = httpx2.AsyncClient(
            timeout=httpx2.Timeout(patience.first, connect=patience.connect),
            limits=httpx2.Limits(max_connections=1000, max_keepalive_connections=100),
        )
        self._patience = patience
        self._forms: dict[ModelSettings, Form] = {}

    def talk(self, entry: ModelSettings, request: Request) -> Talk:
        model, wishes = self.model(entry)
        return Talk(model, request, wishes, self._patience, price_of(entry), secret=self.key)

    def form(self, entry: ModelSettings) -> Form:
        """The same one each time: it learns which means a server knows."""
        if entry not in self._forms:
            model, wishes = self.model(entry)
            price = price_of(entry)
            self._forms[entry] = Form(model, wishes, self._patience, price, secret=self.key)
        return self._forms[entry]

    @abstractmethod
    def model(self, entry: ModelSettings) -> tuple[Model, Wishes]:
        """The model as the library has it, and how it is to answer."""

    async def close(self) -> None:
        await self.http.aclose()
