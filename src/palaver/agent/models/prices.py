"""Prices: what the tokens of a step cost."""

from __future__ import annotations

from collections.abc import Callable

import genai_prices
from pydantic_ai.messages import ModelResponse
from pydantic_ai.usage import RequestUsage

from palaver.agent.language import Spent, Usage
from palaver.agent.models.catalogue import ANTHROPIC, BUILT_IN, OPENAI
from palaver.settings import ModelSettings

Price = Callable[[RequestUsage], float | None]
"""In US dollars; None when it is not known."""
_MILLION = 1_000_000


def price_of(entry: ModelSettings) -> Price:
    """The user's own prices, or else the provider's."""
    known = entry.input_price is not None and entry.output_price is not None
    if known and entry not in BUILT_IN.values():
        return lambda usage: _own(entry, usage)
    if entry.provider in (ANTHROPIC, OPENAI):
        return lambda usage: _listed(entry, usage)
    return lambda usage: None


def bill(before: Spent, response: ModelResponse, price: Price) -> Spent:
    """What a step has cost by now, with one more answer of the model."""
    usage, cost = response.usage, price(response.usage)
    counted = Usage(
        before.usage.input + usage.input_tokens,
        before.usage.output + usage.output_tokens,
        before.usage.cache_read + usage.cache_read_tokens,
        before.usage.cache_write + usage.cache_write_tokens,
    )
    total = None if cost is None else cost + (before.cost or 0)
    return Spent(counted, total, cut=response.finish_reason == "length")


def _own(entry: ModelSettings, usage: RequestUsage) -> float:
    read, write = entry.input_price or 0, entry.output_price or 0
    cached = read if entry.cache_read_price is None else entry.cache_read_price
    fresh = usage.input_tokens - usage.cache_read_tokens
    spent = fresh * read + usage.cache_read_tokens * cached + usage.output_tokens * write
    return spent / _MILLION


def _listed(entry: ModelSettings, usage: RequestUsage) -> float | None:
    """As the provider's list has it, with what long prompts and writing to the cache cost more."""
    try:
        found = genai_prices.calc_price(usage, entry.model, provider_id=entry.provider)
    except LookupError:
        return None
    return float(found.total_price)
