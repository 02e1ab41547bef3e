"""How soon a message can be found: by its words at once, by what it means soon after."""

from __future__ import annotations

import asyncio
import time

from benchmarks.homes import scratch_home
from benchmarks.result import Result
from benchmarks.sentences import sentences
from benchmarks.vectors import CACHE
from palaver.app import Palaver
from palaver.conversation.records import NewMessage
from palaver.embedding import load_embedder

BEFORE = 1_000
_GLANCE = 0.02
_PATIENCE = 30.0
SAID = (
    ("My dog limps since Sunday.", "limps", "pet illness"),
    ("We drove down to the seaside.", "seaside", "coast trip"),
    ("The landlord raises what we pay.", "landlord", "rent increase"),
    ("Grandma turns ninety in June.", "ninety", "family birthday"),
    ("The laptop does not boot any more.", "laptop", "broken computer"),
    ("I cannot fall asleep before three.", "asleep", "insomnia"),
    ("Lena got the job at the hospital.", "hospital", "new employment of a nurse"),
    ("The tomatoes on the balcony are ripe.", "balcony", "growing vegetables at home"),
)
"""What is said, a word of it, and what means the same without any of its words."""


def run() -> list[Result]:
    return [asyncio.run(_measure())]


async def _measure() -> Result:
    how = (
        f"{len(SAID)} messages, one at a time, in a home with {BEFORE:,} others, the real model; "
        "from the acknowledgement until a search finds it, the search included."
    )
    result = Result("Findable", how, axis="seconds (the slowest)")
    model = load_embedder(CACHE)
    words: list[float] = []
    meanings: list[float] = []
    with scratch_home() as home:
        async with Palaver.open(home.root, embedder=model) as palaver:
            await _fill(palaver)
            for said, word, meant in SAID:
                conversation = await palaver.start()
                await palaver.append(conversation.id, "user", said)
                stored = time.perf_counter()
                if not await _finds(palaver, word, conversation.id):
                    raise AssertionError(f"{word!r} was not found at once.")
                words.append(time.perf_counter() - stored)
                meanings.append(await _until_found(palaver, meant, conversation.id, stored))
                await palaver.settle()
    result.note("by word, the slowest", max(words), "s")
    result.at_most("by meaning, the slowest", max(meanings), "s", 2)
    result.bars = [("by word", max(words)), ("by meaning", max(meanings))]
    return result


async def _fill(palaver: Palaver) -> None:
    conversation = await palaver.start()
    texts = sentences(BEFORE)
    await palaver.append_many(
        conversation.id, [NewMessage(role="user", content=text) for text in texts]
    )
    await palaver.settle()


async def _until_found(palaver: Palaver, query: str, conversation: str, stored: float) -> float:
    """How long after `stored` it is found; between the looks the machine is idle."""
    while not await _finds(palaver, query, conversation):
        if time.perf_counter() - stored > _PATIENCE:
            raise AssertionError(f"{query!r} was never found.")
        await asyncio.sleep(_GLANCE)
    return time.perf_counter() - stored


async def _finds(palaver: Palaver, query: str, conversation: str) -> bool:
    results = await palaver.search(query, limit=50)
    return any(one.conversation_id == conversation for one in results)
