"""What is still known of a long conversation after it was compressed many times."""

from __future__ import annotations

import asyncio

from benchmarks.homes import scratch_home
from benchmarks.result import Result
from benchmarks.vectors import CACHE
from palaver.embedding import load_embedder
from tests.digest.planted import measure

TURNS = 2000
FACTS, LOOPS = 80, 20
BUDGET = 2500


def run() -> list[Result]:
    return [asyncio.run(_result())]


async def _result() -> Result:
    how = (
        f"A conversation of {TURNS:,} turns with {FACTS} facts and {LOOPS} open questions planted "
        f"among others that are easily confused with them, in a context of {BUDGET:,} "
        "tokens. Each is asked about at the end, when it was compressed many times."
    )
    result = Result("Compression", how, axis="answerable of 100")
    with scratch_home() as home:
        words = await measure(home.root, TURNS, FACTS, LOOPS, BUDGET)
    with scratch_home() as home:
        model = load_embedder(CACHE)
        known = await measure(home.root, TURNS, FACTS, LOOPS, BUDGET, embedder=model)
    share = 100 / (FACTS + LOOPS)
    result.at_least("compressions", known.compressions, "", 20)
    result.at_least("from the context or one search", known.either * share, "%", 100)
    result.note("the same without a model, by words alone", words.either * share, "%")
    result.note("from the context", known.packet * share, "%")
    result.note("from one search", known.recall * share, "%")
    result.note("in the summary itself", known.in_summary * share, "%")
    result.note("slowest compression", known.slowest * 1000, "ms")
    result.bars = [
        ("context or search", known.either * share),
        ("context", known.packet * share),
        ("search", known.recall * share),
        ("summary", known.in_summary * share),
    ]
    return result
