"""The catalogue: which models can be chosen, under which names, and what is known of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches

from palaver.agent.language import ModelInfo
from palaver.errors import BadSetting, ModelUnknown
from palaver.index.values import OFFLINE
from palaver.settings import AgentSettings, ModelSettings

ANTHROPIC = "anthropic"
OPENAI = "openai"
_WINDOWS = {ANTHROPIC: 200_000, OPENAI: 128_000}
_UNKNOWN_WINDOW = 32_000
_OFFLINE_WINDOW = 200_000
_DIGESTS = "haiku"
"""The model that abbreviates conversations where no other was chosen."""


def _claude(model: str, read: float, write: float, cached: float) -> ModelSettings:
    return ModelSettings(
        provider=ANTHROPIC,
        model=model,
        window=1_000_000,
        input_price=read,
        output_price=write,
        cache_read_price=cached,
    )


# As of November 2026, from genai-prices 0.2.1; a test compares them with the one that is installed.
BUILT_IN: Mapping[str, ModelSettings] = {
    "opus": _claude("claude-opus-5-5", 4, 20, 0.2),
    "sonnet": _claude("claude-sonnet-5-5", 2, 10, 0.1),
    "haiku": _claude("claude-haiku-5-5", 0.1, 0.5, 0.01),
}


class Catalogue:
    """The models that can be chosen. It connects to nothing."""

    def __init__(
        self, settings: AgentSettings, preferred: Callable[[], str | None] = lambda: None
    ) -> None:
        """`preferred` tells which one the user wants, if they want one in particular. Raises
        BadSetting when the usual model is not one of them."""
        self._settings = settings
        self._named = {**BUILT_IN, **settings.models}
        self._preferred = preferred
        self._default = settings.model or OFFLINE
        if OFFLINE in settings.models:
            raise BadSetting(f"agent.models.{OFFLINE} would hide the offline assistant.")
        if self._find(self._default) is None and self._default != OFFLINE:
            raise BadSetting(
                f"agent.model names {self._default!r}, which is not a model.",
                remedy=self._remedy(self._default),
            )

    @property
    def usual(self) -> str:
        """The model that answers where none was chosen for the conversation."""
        return self._preferred() or self._default

    def entry(self, name: str) -> ModelSettings:
        """How a connected model is set up. Raises ModelUnknown."""
        found = self._find(name)
        if found is None:
            raise ModelUnknown(f"There is no model named {name!r}.", remedy=self._remedy(name))
        return found

    def info(self, name: str | None) -> ModelInfo:
        """What is known of it. Raises ModelUnknown."""
        name = name or self.usual
        if name == OFFLINE:
            return ModelInfo(
                name=OFFLINE,
                model=OFFLINE,
                provider=OFFLINE,
                connected=True,
                window=_OFFLINE_WINDOW,
                kind="offline",
            )
        entry = self.entry(name)
        return ModelInfo(
            name=name,
            model=entry.model,
            provider=entry.provider,
            connected=self.is_connected(entry.provider),
            window=entry.window or _WINDOWS.get(entry.provider, _UNKNOWN_WINDOW),
            input_price=entry.input_price,
            output_price=entry.output_price,
        )

    def digest_model(self, wanted: str | None) -> str:
        """The model that names and abbreviates conversations, if `index.abbreviationModel` says so
        or says nothing: then a connected haiku does, else nobody but the offline maker. Raises
        BadSetting when the one that is named is no model, or not connected."""
        setting = "index.abbreviationModel"
        name = wanted or _DIGESTS
        found = self._find(name)
        if name == OFFLINE or (not wanted and not (found and self.is_connected(found.provider))):
            return OFFLINE
        if found is None:
            what = f"{setting} names {name!r}, which is not a model."
            raise BadSetting(what, remedy=self._remedy(name))
        if not self.is_connected(found.provider):
            raise BadSetting(
                f"{setting} names {name!r}, which is not connected.",
                remedy=f"Set `agent.providers.{found.provider}`, or `{setting}: {OFFLINE}`.",
            )
        return name

    def list(self) -> list[ModelInfo]:
        """All that have a name, the usual one first."""
        return [self.info(name) for name in dict.fromkeys((self.usual, *self._names()))]

    def window(self, name: str | None) -> int:
        """How many tokens it takes; of one that is gone, how many any would take."""
        try:
            return self.info(name).window
        except ModelUnknown:
            return _UNKNOWN_WINDOW

    def is_connected(self, provider: str) -> bool:
        """Whether everything is set that it needs."""
        found = self._settings.providers.get(provider)
        if found is None:
            return False
        if provider == ANTHROPIC:
            return found.api_key is not None
        return found.base_url is not None or (provider == OPENAI and found.api_key is not None)

    def _names(self) -> Iterator[str]:
        yield from self._named
        yield OFFLINE

    def _find(self, name: str) -> ModelSettings | None:
        if name in self._named:
            return self._named[name]
        provider, colon, model = name.partition(":")
        known = provider in (ANTHROPIC, OPENAI) or provider in self._settings.providers
        if not (colon and model and known):
            return None
        return ModelSettings(provider=provider, model=model)

    def _remedy(self, name: str) -> str:
        provider, colon, _ = name.partition(":")
        if colon and provider not in self._settings.providers:
            return f"Set `agent.providers.{provider}`: there is no provider of that name yet."
        near = get_close_matches(name, list(self._names()), n=1)
        if near:
            return f"Did you mean {near[0]}?"
        return f"There are {', '.join(self._names())}; `agent.models` names more."
