"""The wire to Anthropic."""

from __future__ import annotations

import logging
from typing import Any

from anthropic import AsyncAnthropic
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.settings import CacheConfig

from palaver.agent.models.patience import Patience
from palaver.agent.models.wire import Wire
from palaver.settings import ModelSettings, ProviderSettings

_ADDRESS = "https://api.anthropic.com"
# With a variable in the shell it would write whole conversations to standard error.
logging.getLogger("anthropic").setLevel(logging.WARNING)


class _Client(AsyncAnthropic):
    """The client, without the headers that a variable in somebody's shell adds to each request."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._custom_headers = {}


class ClaudeWire(Wire):
    """Anthropic, connected."""

    def __init__(self, name: str, provider: ProviderSettings, patience: Patience) -> None:
        super().__init__(name, provider, patience)
        client = _Client(
            api_key=self.key,
            base_url=self.base_url or _ADDRESS,
            max_retries=0,
            http_client=self.http,
            open_telemetry=False,
        )
        self._provider = AnthropicProvider(anthropic_client=client)

    def model(self, entry: ModelSettings) -> tuple[Model, AnthropicModelSettings]:
        """Notes inside a conversation stay where they are, as tagged text: as system messages they
        would be moved. What is always the same, tools and system prompt, is cached."""
        profile = ModelProfile(supports_inline_system_prompts=False)
        model = AnthropicModel(entry.model, provider=self._provider, profile=profile)
        wishes = AnthropicModelSettings(cache=CacheConfig(messages=False))
        if entry.max_tokens is not None:
            wishes["max_tokens"] = entry.max_tokens
        _think(model, entry, wishes)
        return model, wishes


def _think(model: AnthropicModel, entry: ModelSettings, wishes: AnthropicModelSettings) -> None:
    """Models that think by themselves are asked to say what: they would keep silent meanwhile."""
    adaptive = model.profile.get("anthropic_supports_adaptive_thinking", False)
    thinks = entry.thinking or model.profile.get("thinking_enabled_by_default", False)
    if entry.thinking == "off":
        wishes["thinking"] = False
    elif adaptive and thinks:
        wishes["anthropic_thinking"] = {"type": "adaptive", "display": "summarized"}
        wishes["anthropic_effort"] = entry.thinking
    elif entry.thinking is not None:
        wishes["thinking"] = entry.thinking
