"""Pictures of the figures."""

# pyright: reportUnknownMemberType=false
# matplotlib's own types are incomplete.

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot

from benchmarks.result import Result

mpl.use("Agg")


def plot(results: Sequence[Result], folder: Path) -> None:
    """One bar chart per benchmark that has bars."""
    for result in results:
        if not result.bars:
            continue
        figure, axes = pyplot.subplots(figsize=(7, 0.6 * len(result.bars) + 1.4))
        names, values = zip(*result.bars, strict=True)
        axes.barh(names, values, color="#4a6fa5")
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.set_xlabel(result.axis)
        axes.set_title(result.title)
        figure.tight_layout()
        figure.savefig(folder / f"{result.title.lower().replace(' ', '-')}.png", dpi=110)
        pyplot.close(figure)
