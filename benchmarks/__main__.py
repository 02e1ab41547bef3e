"""Runs the benchmarks and writes `results/summary.md` and a picture for each."""

from __future__ import annotations

import importlib
import platform
import sys
from pathlib import Path

from benchmarks.plots import plot
from benchmarks.result import Result

RESULTS = Path(__file__).parent / "results"
NAMES = (
    *("append", "tail", "rebuild", "start", "vectors", "findable", "search", "memories"),
    *("postgres_append", "postgres_vectors", "postgres_search", "walls"),
    *("live", "relay", "sockets", "state", "context"),
    *("model_overhead", "webhooks"),
    *("compression", "lifecycle", "digest", "server", "page", "days"),
)


def main(wanted: list[str]) -> int:
    RESULTS.mkdir(exist_ok=True)
    results: list[Result] = []
    for name in wanted or NAMES:
        print(f"{name} …", file=sys.stderr)
        results += importlib.import_module(f"benchmarks.{name}").run()
    python = f"Python {platform.python_version()}, {platform.system()}"
    text = f"# Benchmarks\n\n{python}.\n\n" + "\n".join(result.table() for result in results)
    print(text)
    if not wanted:
        (RESULTS / "summary.md").write_text(text)
    plot(results, RESULTS)
    return 0 if all(f.met is not False for result in results for f in result.figures) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
