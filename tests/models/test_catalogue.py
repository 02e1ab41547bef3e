"""Which models there are: names, what they need, and what they cost."""

from __future__ import annotations

from typing import Any

import genai_prices
import pytest
from genai_prices.data_snapshot import get_snapshot
from pydantic_ai.usage import RequestUsage

from palaver.agent.language import Exchange, Models, Request
from palaver.agent.models import Catalogue, Connections, ModelRegistry
from palaver.agent.models.catalogue import BUILT_IN
from palaver.agent.models.prices import price_of
from palaver.errors import BadSetting, ModelNotConnected, ModelUnknown
from palaver.settings import AgentSettings, ModelSettings


class Offline:
    """Stands for the offline assistant."""

    name = "offline"

    def exchange(self, request: Request) -> Exchange:
        raise NotImplementedError


OFFLINE = Offline()


def registry(**settings: Any) -> Models:
    agent = AgentSettings.model_validate(settings)
    catalogue = Catalogue(agent)
    return ModelRegistry(catalogue, Connections(agent, catalogue), OFFLINE)


KEY = {"anthropic": {"apiKey": "sk-1"}}
OLLAMA = {"ollama": {"baseUrl": "http://localhost:11434/v1"}}


def test_without_settings_the_offline_assistant_answers() -> None:
    models = registry()
    assert models.choose(None) is models.choose("offline") is OFFLINE
    assert models.info(None).kind == "offline"
    assert [one.name for one in models.list()] == ["offline", "opus", "sonnet", "haiku"]
    assert [one.connected for one in models.list()] == [True, False, False, False]


def test_the_usual_model_comes_first() -> None:
    models = registry(model="haiku", providers=KEY)
    assert models.choose(None).name == "claude-haiku-5-5"
    assert [one.name for one in models.list()] == ["haiku", "opus", "sonnet", "offline"]
    assert models.choose("offline") is OFFLINE


@pytest.mark.parametrize(
    ("providers", "provider", "connected"),
    [
        ({}, "anthropic", False),
        ({"anthropic": {"baseUrl": "http://proxy"}}, "anthropic", False),
        ({"anthropic": {"apiKey": "k"}}, "anthropic", True),
        ({"openai": {"apiKey": "k"}}, "openai", True),
        ({"openai": {"baseUrl": "http://proxy"}}, "openai", True),
        ({"ollama": {"apiKey": "k"}}, "ollama", False),
        ({"ollama": {"baseUrl": "http://localhost"}}, "ollama", True),
    ],
)
def test_what_a_provider_needs(providers: Any, provider: str, connected: bool) -> None:
    found = registry(providers=providers)
    name = f"{provider}:some/model:8b" if provider in providers else "opus"
    assert found.info(name).connected is connected
    if not connected:
        with pytest.raises(ModelNotConnected) as caught:
            found.choose(name)
        assert f"agent.providers.{provider}." in caught.value.remedy


def test_names_of_the_users_own_go_before_ours() -> None:
    own = {"provider": "ollama", "model": "llama3.2:3b", "window": 8192}
    models = registry(models={"opus": own, "quick": own}, providers=OLLAMA)
    assert models.info("opus").model == models.info("quick").model == "llama3.2:3b"
    assert models.info("quick").window == 8192
    assert models.choose("ollama:llama3.2:1b").name == "llama3.2:1b"


@pytest.mark.parametrize("name", ["opsu", "nobody:model", "ollama:", ":x", "OPUS", "", "x" * 999])
def test_a_name_that_names_nothing(name: str) -> None:
    models = registry(providers=OLLAMA)
    if not name:
        assert models.choose(name) is OFFLINE
        return
    with pytest.raises(ModelUnknown) as caught:
        models.choose(name)
    assert caught.value.remedy
    with pytest.raises(ModelUnknown):
        models.info(name)


def test_a_usual_model_that_is_none_stops_the_start() -> None:
    with pytest.raises(BadSetting, match=r"agent\.model names 'opsu'") as caught:
        registry(model="opsu")
    assert caught.value.remedy == "Did you mean opus?"
    with pytest.raises(BadSetting, match="hide the offline assistant"):
        registry(models={"offline": {"provider": "x", "model": "y"}})


def test_the_window_of_a_model_that_is_gone() -> None:
    catalogue = Catalogue(AgentSettings())
    assert catalogue.window("gone") == 32_000
    assert catalogue.window("sonnet") == 1_000_000
    assert catalogue.window("openai:gpt-6-sol") == 128_000


@pytest.mark.parametrize("name", BUILT_IN)
def test_what_we_say_of_built_in_models_is_what_the_list_says(name: str) -> None:
    entry = BUILT_IN[name]
    _, found = get_snapshot().find_provider_model(entry.model, None, "anthropic", None)
    assert found.context_window == entry.window
    for field, tokens in (
        ("input_price", {"input_tokens": 1000}),
        ("output_price", {"output_tokens": 1000}),
        ("cache_read_price", {"input_tokens": 1000, "cache_read_tokens": 1000}),
    ):
        usage = genai_prices.Usage(**tokens)
        listed = genai_prices.calc_price(usage, entry.model, provider_id="anthropic").total_price
        assert float(listed) == pytest.approx(getattr(entry, field) / 1000)


def test_own_prices_go_before_listed_ones_and_unknown_ones_are_not_guessed() -> None:
    usage = RequestUsage(input_tokens=1_000_000, output_tokens=1_000, cache_read_tokens=500_000)
    own = ModelSettings(provider="x", model="y", input_price=2, output_price=4)
    assert price_of(own)(usage) == pytest.approx(2.004)
    cached = own.model_copy(update={"cache_read_price": 1})
    assert price_of(cached)(usage) == pytest.approx(1.504)
    assert price_of(ModelSettings(provider="x", model="y"))(usage) is None
    assert price_of(ModelSettings(provider="openai", model="gpt-nobody-knows"))(usage) is None
    assert (price_of(ModelSettings(provider="openai", model="gpt-6-sol"))(usage) or 0) > 0
    assert price_of(BUILT_IN["haiku"])(usage) != pytest.approx(0.0555), "long prompts cost more"
