"""The parts of a mail, as far as there are not too many of them, and what each one is.

Everything is bounded: how deep parts lie in each other, how many there are, and how much of each is
decoded. What is beyond that is not looked at, and the mail says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from palaver.channels.email.charsets import decoded, one_line
from palaver.channels.email.headers import Header, parted, spoken, unbased
from palaver.channels.email.words import split, uncommented

MOST_DEPTH = 8
MOST_PARTS = 200
MOST_TEXT = 512 * 1024
"""So many bytes of a part are decoded to text, and no more."""
_MOST_FIELD = 4 * 1024
_MOST_NAME = 150
_MOST_BOUNDARY = 200

_ESCAPES = re.compile(rb"=([0-9A-Fa-f]{2})|=[ \t]*\r?\n")
_CONTINUED = re.compile(r"([^*]{1,40})(?:\*([0-9]{1,3}))?(\*?)")


@dataclass(slots=True)
class Budget:
    """How many parts may still be looked at."""

    parts: int = MOST_PARTS
    exceeded: bool = False

    def take(self) -> bool:
        self.parts -= 1
        self.exceeded = self.exceeded or self.parts < 0
        return self.parts >= 0


class _Typed(NamedTuple):
    """A value, and what is said about it."""

    kind: str
    parameters: Mapping[str, str]


@dataclass
class Part:
    """One part: its header, and what is in it, as it came."""

    header: Header
    data: bytes
    depth: int = 0
    parts: list[Part] = field(default_factory=list["Part"])

    @cached_property
    def _type(self) -> _Typed:
        kind, parameters = typed(self.header.raw("content-type"))
        return _Typed(kind if "/" in kind else "text/plain", parameters)

    @property
    def kind(self) -> str:
        """Such as `text/plain`."""
        return self._type.kind

    @property
    def parameters(self) -> Mapping[str, str]:
        return self._type.parameters

    @cached_property
    def _disposition(self) -> _Typed:
        return _Typed(*typed(self.header.raw("content-disposition")))

    @property
    def is_attached(self) -> bool:
        return self._disposition.kind == "attachment"

    @property
    def is_embedded(self) -> bool:
        """Whether it belongs to the text, such as a picture in a signature."""
        return not self.is_attached and bool(self.header.raw("content-id"))

    @property
    def name(self) -> str:
        """The name of the file, without its folders."""
        named = self._disposition.parameters.get("filename") or self.parameters.get("name", "")
        return one_line(re.split(r"[/\\]", named)[-1], _MOST_NAME)

    @property
    def encoding(self) -> str:
        return self.header.word("content-transfer-encoding")

    @property
    def size(self) -> int:
        """How large it is once decoded, by the count; nothing is decoded for it."""
        if self.encoding != "base64":
            return len(self.data)
        breaks = self.data.count(b"\n") + self.data.count(b"\r")
        padding = self.data.rstrip()[-2:].count(b"=")
        return max(0, (len(self.data) - breaks) * 3 // 4 - padding)

    def text(self) -> str:
        """What it says, if it is a text."""
        encoding = self.encoding
        if encoding == "base64":
            data = unbased(self.data[: 2 * MOST_TEXT])
        elif encoding == "quoted-printable":
            data = _unescaped(self.data[: 3 * MOST_TEXT])
        else:
            data = self.data[:MOST_TEXT]
        return decoded(data[:MOST_TEXT], self.parameters.get("charset"))


def _unescaped(data: bytes) -> bytes:
    """Quoted-printable as far as it is; what is broken stays."""
    return _ESCAPES.sub(lambda found: bytes([int(found[1], 16)]) if found[1] else b"", data)


def tree(raw: bytes, budget: Budget, depth: int = 0) -> Part:
    """A mail or one of its parts, with the parts that lie in it."""
    header, data = parted(raw)
    part = Part(header, data, depth)
    boundary = part.parameters.get("boundary", "")[:_MOST_BOUNDARY]
    if part.kind.startswith("multipart/") and boundary:
        if depth >= MOST_DEPTH:
            budget.exceeded = True
            return part
        for piece in _pieces(data, boundary.encode("utf-8", "replace"), budget):
            part.parts.append(tree(piece, budget, depth + 1))
    return part


def _pieces(data: bytes, boundary: bytes, budget: Budget) -> list[bytes]:
    """What lies between the boundaries."""
    line = re.compile(rb"(?:^|\r?\n)--" + re.escape(boundary) + rb"(--)?[ \t]*(?=\r?\n|$)")
    marks = list(islice(line.finditer(data), budget.parts + 2))
    pieces: list[bytes] = []
    for at, mark in enumerate(marks):
        if mark[1] or not budget.take():
            break
        end = marks[at + 1].start() if at + 1 < len(marks) else len(data)
        inside = data[mark.end() : end]
        pieces.append(inside.removeprefix(b"\r").removeprefix(b"\n"))
    return pieces


def typed(value: bytes) -> tuple[str, dict[str, str]]:
    """A value such as `text/plain; charset=utf-8` as its word and its parameters (RFC 2231)."""
    text = decoded(value[:_MOST_FIELD])
    word, *rest = split(uncommented(text) or text)
    pieces: dict[str, dict[int, tuple[str, bool]]] = {}
    for part in rest[:50]:
        name, _, given = part.partition("=")
        named = _CONTINUED.fullmatch(name.strip().lower())
        if named:
            at = int(named[2] or 0)
            pieces.setdefault(named[1], {}).setdefault(at, (_unquoted(given), bool(named[3])))
    return word.strip().lower(), {name: _whole(found) for name, found in pieces.items()}


def _unquoted(value: str) -> str:
    value = value.strip()
    if value[:1] == '"':
        value = re.sub(r"\\(.)", r"\1", value[1:].removesuffix('"'))
    return value


def _whole(pieces: Mapping[int, tuple[str, bool]]) -> str:
    """The pieces of a parameter in their order, decoded."""
    ordered = [pieces[at] for at in sorted(pieces)]
    first, extended = ordered[0]
    charset = None
    if extended and first.count("'") >= 2:
        charset, _, first = first.split("'", 2)
        ordered[0] = (first, True)
    data = b"".join(
        unquote_to_bytes(value) if extended else value.encode() for value, extended in ordered
    )
    return decoded(data, charset) if any(extended for _, extended in ordered) else spoken(data)
