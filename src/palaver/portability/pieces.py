"""The small part of Markdown that assistants write: blocks of lines, and pieces of a line.

Links are only ever their text. What is not known stays the text it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from palaver.recall.plain import unescaped

MAX_DEPTH = 8
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_QUOTE = re.compile(r" {0,3}> ?(.*)", re.DOTALL)
_SIGNS = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?<!`)(?P<ticks>`{1,8})(?!`)(?P<code>[^\n]{1,1000}?)(?<!`)(?P=ticks)(?!`)"
    r"|\*\*(?=\S)(?P<bold>[^\n]{0,1000}?\S)\*\*"
    r"|!?\[(?P<label>(?:\\.|[^\[\]\\\n]){1,1000})\]\([^\s()<>]{1,2000}\)"
)


@dataclass(frozen=True, slots=True)
class Paragraph:
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Code:
    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    blocks: Sequence[Block]


Block = Paragraph | Code | Quote
Piece = tuple[Literal["text", "bold", "code"], str]


def blocks(lines: Sequence[str], depth: int = 0) -> list[Block]:
    """The blocks that `lines` are made of."""
    found: list[Block] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        if not line.strip():
            place += 1
        elif fence := _FENCE.match(line):
            end = _end_of_code(lines, place + 1, fence[1])
            found.append(Code("\n".join(lines[place + 1 : end])))
            place = end + 1
        else:
            quoted = _quoted(line, depth)
            end = _end_of_block(lines, place + 1, depth, quoted=quoted)
            taken = lines[place:end]
            found.append(_quote(taken, depth) if quoted else Paragraph(taken))
            place = end
    return found


def pieces(line: str) -> Iterator[Piece]:
    """The pieces of one line, in order; two texts never follow on each other."""
    shown, text = 0, ""
    for found in _SIGNS.finditer(line):
        kind, words = _piece(found)
        text += line[shown : found.start()] + (words if kind == "text" else "")
        shown = found.end()
        if kind != "text":
            yield from _text(text)
            yield kind, words
            text = ""
    yield from _text(text + line[shown:])


def _text(text: str) -> Iterator[Piece]:
    if text:
        yield "text", text


def _piece(found: re.Match[str]) -> Piece:
    if found["bold"]:
        return "bold", "".join(text for _, text in pieces(found["bold"]))
    if found["code"]:
        return "code", found["code"]
    return "text", found["escaped"] or unescaped(found["label"])


def _quote(lines: Sequence[str], depth: int) -> Quote:
    inner = [_QUOTE.sub(r"\1", line, count=1) for line in lines]
    return Quote(blocks(inner, depth + 1))


def _quoted(line: str, depth: int) -> bool:
    return depth < MAX_DEPTH and _QUOTE.match(line) is not None


def _end_of_code(lines: Sequence[str], place: int, fence: str) -> int:
    while place < len(lines) and not lines[place].strip().startswith(fence):
        place += 1
    return place


def _end_of_block(lines: Sequence[str], place: int, depth: int, *, quoted: bool) -> int:
    while (
        place < len(lines)
        and lines[place].strip()
        and not _FENCE.match(lines[place])
        and _quoted(lines[place], depth) == quoted
    ):
        place += 1
    return place
