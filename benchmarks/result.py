"""What a benchmark has to say: figures with their targets, and a picture."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure; `target` says what was promised, in words."""

    name: str
    value: float
    unit: str
    target: str
    met: bool | None = None
    """None when nothing was promised about it."""

    def row(self) -> str:
        mark = {True: "yes", False: "**no**", None: ""}[self.met]
        return f"| {self.name} | {self.value:,.4g} {self.unit} | {self.target} | {mark} |"


@dataclass(slots=True)
class Result:
    """The figures of one benchmark."""

    title: str
    how: str
    figures: list[Figure] = field(default_factory=list[Figure])
    bars: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    axis: str = ""

    def at_least(self, name: str, value: float, unit: str, least: float) -> None:
        self.figures.append(Figure(name, value, unit, f"≥ {least:,g} {unit}", value >= least))

    def at_most(self, name: str, value: float, unit: str, most: float) -> None:
        self.figures.append(Figure(name, value, unit, f"≤ {most:,g} {unit}", value <= most))

    def note(self, name: str, value: float, unit: str) -> None:
        self.figures.append(Figure(name, value, unit, ""))

    def table(self) -> str:
        rows = ["| what | measured | promised | met |", "|---|---|---|---|"]
        rows += [figure.row() for figure in self.figures]
        return f"## {self.title}\n\n{self.how}\n\n" + "\n".join(rows) + "\n"
