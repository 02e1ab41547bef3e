"""Words and meaning search together: each finds what the other cannot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from palaver.app import Palaver
from palaver.errors import IndexUnavailable
from palaver.settings import Settings
from palaver.text.query import MAX_CHARACTERS
from tests.library import BagOfWords, Clock, library

_PATIENCE = 20
TOPICS = ({"sea", "coast", "beach"}, {"car", "vehicle"}, {"dinner", "soup"})


class Topics:
    """A model to which words of one topic mean the same."""

    identity = "topics"
    dimensions = 64

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.full((len(texts), self.dimensions), 1e-3, np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for topic, words in enumerate(TOPICS):
                row[topic] += len(words & set(text.lower().strip(".?").split()))
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def reads(self, text: str) -> bool:
        return True

    def split(self, text: str) -> list[str]:
        return [text]


@pytest.fixture
async def palaver(tmp_path: Path, clock: Clock) -> AsyncIterator[Palaver]:
    settings = Settings.load(tmp_path, user__timezone="UTC")
    async with Palaver.open(settings=settings, clock=clock, embedder=Topics()) as opened:
        yield opened


async def told(palaver: Palaver, *texts: str) -> str:
    conversation = await palaver.start()
    for text in texts:
        await palaver.append(conversation.id, "user", text)
    return conversation.id


async def test_what_is_only_meant_is_found(palaver: Palaver):
    there = await told(palaver, "We drove to the sea.")
    await told(palaver, "There was soup.")
    await palaver.settle()
    page = await palaver.search_page("coast", explain=True)
    (result,) = page.results
    assert (result.conversation_id, result.highlights) == (there, [])
    assert (result.snippet, page.total_matches) == ("We drove to the sea.", 1)
    assert result.explanation is not None
    assert result.explanation["words"] == 0 < result.explanation["meaning"]


async def test_what_only_holds_the_word_is_found(palaver: Palaver):
    meant = await told(palaver, "We drove to the sea.")
    said = await told(palaver, "Xylophones everywhere.")
    await palaver.settle()
    results = await palaver.search("coast xylophone")
    assert {one.conversation_id for one in results} == {meant, said}


async def test_a_word_is_found_before_its_meaning_is_known(palaver: Palaver):
    there = await told(palaver, "A vehicle of my own.")
    assert [one.conversation_id for one in await palaver.search("vehicle")] == [there]
    await palaver.settle()
    assert [one.conversation_id for one in await palaver.search("car")] == [there]


async def test_what_was_just_said_is_found_by_its_meaning_with_nobody_waiting_for_it(
    tmp_path: Path, clock: Clock
):
    async with library(tmp_path, clock) as palaver:  # with the real model
        await told(palaver, "The invoice was paid on Tuesday.")
        await palaver.settle()
        there = await told(palaver, "My dog limps since the weekend.")
        keeper: Any = vars(palaver._index)["_keeper"]  # pyright: ignore[reportPrivateUsage]
        assert await asyncio.to_thread(_rests, keeper)
        best, *_ = await palaver.search("pet illness", explain=True)
        assert best.conversation_id == there
        assert best.explanation is not None
        assert best.explanation["words"] == 0 < best.explanation["meaning"]


def _rests(keeper: Any) -> bool:
    """Waits, without hurrying it, until the keeper says that it has done everything."""
    with keeper._signal:
        return keeper._signal.wait_for(lambda: not (keeper._awake or keeper._busy), _PATIENCE)


async def test_the_filters_hold_for_what_is_meant(palaver: Palaver, clock: Clock):
    early = await told(palaver, "We drove to the sea.")
    clock.advance(days=3)
    late = await told(palaver, "A day at the beach.")
    await palaver.settle()

    async def found(query: str, **scope: str) -> set[str]:
        results = await palaver.search(query, **scope)  # pyright: ignore[reportArgumentType]
        return {one.conversation_id for one in results}

    assert await found("coast") == {early, late}
    assert await found("coast", day="2026-02-14") == {early}
    assert await found("coast on 14 February 2026") == {early}
    assert await found("coast", conversation_id=late) == {late}
    assert await found("coast", channel="email") == set()


async def test_what_is_erased_is_not_meant_any_more(palaver: Palaver):
    gone = await told(palaver, "We drove to the sea.")
    await palaver.settle()
    await palaver.delete(gone)
    assert await palaver.search("coast") == []


async def test_a_huge_query_costs_no_more_than_a_long_one(tmp_path: Path, clock: Clock):
    model = BagOfWords()
    async with Palaver.open(tmp_path, clock=clock, embedder=model) as palaver:
        there = await told(palaver, "The zebra sleeps.")
        await palaver.settle()
        results = await palaver.search("zebra " * 17_000)
    assert [one.conversation_id for one in results] == [there]
    assert max(len(text) for text in model.embedded) <= MAX_CHARACTERS


class Missing(IndexUnavailable):
    """There is no model."""

    remedy = "Get one."


async def test_without_a_model_words_are_found_and_health_says_why(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    def missing(_: Path) -> Topics:
        raise Missing

    monkeypatch.setattr("palaver.engines.loading.load_embedder", missing)
    settings = Settings.load(tmp_path, user__timezone="UTC")
    async with Palaver.open(settings=settings, clock=clock) as palaver:
        there = await told(palaver, "We drove to the sea.")
        await palaver.settle()
        assert [one.conversation_id for one in await palaver.search("sea")] == [there]
        assert await palaver.search("coast") == []
        health = palaver.health()
    assert health.status == "degraded"
    assert health.detail == "Only words are found, not meaning. There is no model. Get one."
