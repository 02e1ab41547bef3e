"""The wire to OpenAI, and to whatever speaks as OpenAI does: Ollama, vLLM, llama.cpp."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

from openai import AsyncOpenAI
from openai.resources.chat import AsyncChat, AsyncCompletions
from pydantic_ai.models import Model
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.settings import ModelSettings as Wishes

from palaver.agent.models.catalogue import OPENAI
from palaver.agent.models.patience import Patience
from palaver.agent.models.wire import Wire
from palaver.index.records import Json
from palaver.settings import ModelSettings, ProviderSettings

_ADDRESS = "https://api.openai.com/v1"
# Many templates of local models take one system message, at the beginning.
_COMPATIBLE = OpenAIModelProfile(
    openai_chat_supports_multiple_system_messages=False,
    openai_chat_supports_max_completion_tokens=False,
    supports_inline_system_prompts=False,
)


class _Client(AsyncOpenAI):
    """The client, without what variables in somebody's shell add to each request."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._custom_headers = {}
        self.organization = self.project = self.admin_api_key = None

    @property
    def chat(self) -> AsyncChat:
        return _Chat(self)


class _Chat(AsyncChat):
    @property
    def completions(self) -> AsyncCompletions:
        return _Completions(self._client)


class _Completions(AsyncCompletions):
    """Sends the messages as they are: the library would look for names to change in each field of
    each of them, finds none, and takes 15 ms for it."""

    async def create(self, **given: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        extra: Json = {**(given.pop("extra_body", None) or {}), "messages": given.pop("messages")}
        create = cast("Callable[..., Awaitable[Any]]", super().create)
        return await create(messages=(), extra_body=extra, **given)


class ChatWire(Wire):
    """A provider that has chat completions, connected."""

    def __init__(self, name: str, provider: ProviderSettings, patience: Patience) -> None:
        super().__init__(name, provider, patience)
        client = _Client(
            api_key=self.key,
            base_url=self.base_url or _ADDRESS,
            max_retries=0,
            http_client=self.http,
        )
        if name == OPENAI:
            self._provider, self._profile = OpenAIProvider(openai_client=client), None
        else:
            self._provider = OpenAICompatibleProvider(name, openai_client=client)
            self._profile = _COMPATIBLE

    def model(self, entry: ModelSettings) -> tuple[Model, Wishes]:
        wishes = Wishes()
        if entry.max_tokens is not None:
            wishes["max_tokens"] = entry.max_tokens
        if entry.thinking is not None:
            wishes["thinking"] = False if entry.thinking == "off" else entry.thinking
        model = OpenAIChatModel(entry.model, provider=self._provider, profile=self._profile)
        return model, wishes
