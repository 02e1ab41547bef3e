"""What a proof has to say at the end."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Report:
    """How much was tried, and every promise that was seen broken."""

    name: str
    unit: str
    tried: int = 0
    failures: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])

    def fail(self, message: str) -> None:
        self.failures.append(message)

    @property
    def held(self) -> bool:
        return self.tried > 0 and not self.failures

    def __str__(self) -> str:
        verdict = "held" if self.held else f"BROKEN {len(self.failures)} times"
        lines = [f"{self.name}: {verdict} over {self.tried:,} {self.unit}"]
        lines += [f"  - {failure}" for failure in self.failures[:10]]
        return "\n".join(lines + [f"  ({note})" for note in self.notes])
