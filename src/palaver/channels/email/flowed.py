"""Text whose lines may be joined and broken (`format=flowed`, RFC 3676)."""

from __future__ import annotations

from collections.abc import Sequence

_WIDTH = 76


def unflowed(text: str, *, joining: bool) -> list[str]:
    """The lines as they were before. `joining`: the spaces at their ends are not meant."""
    lines: list[str] = []
    flowing: list[str] = []
    depth = 0
    for raw in text.split("\n"):
        bare = raw.lstrip(">")
        marks = len(raw) - len(bare)
        line = bare.removeprefix(" ")
        if flowing and marks != depth:
            lines.append(_flowed(flowing, depth))
            flowing = []
        depth = marks
        soft = line.endswith(" ") and line != "-- "
        flowing.append(line[:-1] if soft and joining else line)
        if not soft:
            lines.append(_flowed(flowing, depth))
            flowing = []
    return [*lines, _flowed(flowing, depth)] if flowing else lines


def _flowed(pieces: Sequence[str], depth: int) -> str:
    text = "".join(pieces)
    return f"{'>' * depth} {text}" if depth else text


def flowed(text: str) -> str:
    """`text` with lines that are not too long, and that whoever reads it joins again."""
    return "\n".join(line for whole in text.split("\n") for line in _broken(whole))


def _broken(whole: str) -> list[str]:
    whole = whole if whole == "-- " else whole.rstrip()
    lines: list[str] = []
    at = 0
    while len(whole) - at > _WIDTH:
        cut = whole.rfind(" ", at + 1, at + _WIDTH)
        cut = cut if cut > 0 else whole.find(" ", at + _WIDTH)
        if cut < 0:
            break
        lines.append(whole[at : cut + 1])
        at = cut + 1
    return [_stuffed(line) for line in [*lines, whole[at:]]]


def _stuffed(line: str) -> str:
    """A line that begins like a mark of the format gets a space before it."""
    return f" {line}" if line.startswith((" ", ">", "From ")) else line
