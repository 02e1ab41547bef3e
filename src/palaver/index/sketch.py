"""A sketch of a conversation: its row, made without reading every line.

Its first line, its events and its last messages say nearly all; they are found by looking for
bytes. It serves until the real row is made. In a sketch, lines are numbered by their offset, and an
abbreviation tells of everything before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from palaver.index.projection import Fold
from palaver.index.rows import SPEAKING_ROLES, ConversationRow
from palaver.ledger.lines import Line, read_line

_MESSAGE = b'{"type":"turn",'
"""How most lines begin; whatever begins otherwise is looked at."""
_TAIL = 1 << 16
_LAST = 4
"""How many of the last messages are looked at."""


def sketch(stream: str, pieces: Iterable[bytes]) -> ConversationRow | None:
    """The row of a conversation from its bytes, in pieces of whole lines."""
    fold = Fold(stream)
    offset, tail = 0, b""
    for piece in pieces:
        for start in _notable(piece, first=offset == 0):
            fold.take(_line(stream, piece, start, offset))
        tail = piece[-_TAIL:] if len(piece) >= _TAIL else (tail + piece)[-_TAIL:]
        offset += len(piece)
    for line in _last_messages(stream, tail, offset):
        if line.seq > 0:
            fold.overhear(line)
    return fold.row


def with_lines(row: ConversationRow, lines: Iterable[Line]) -> ConversationRow | None:
    """A sketched row after lines that follow it."""
    fold = Fold(row.id, row)
    for line in lines:
        fold.take(_numbered(line))
    return fold.row


def _notable(piece: bytes, *, first: bool) -> list[int]:
    """Where the lines begin that say something about the conversation, in order."""
    found: list[int] = []
    start = 0
    for raw in piece.split(b"\n")[:-1]:
        if not raw.startswith(_MESSAGE) or (first and start == 0):
            found.append(start)
        start += len(raw) + 1
    return found


def _last_messages(stream: str, tail: bytes, end: int) -> list[Line]:
    """The last messages in the end of a stream, the last one first."""
    found: list[Line] = []
    stop = len(tail)
    while stop > 0 and len(found) < _LAST:
        start = tail.rfind(b"\n", 0, stop - 1) + 1
        whole = start > 0 or len(tail) == end
        line = _line(stream, tail, start, end - len(tail))
        if whole and line.type == "turn" and line.data.get("role") in SPEAKING_ROLES:
            found.append(line)
        stop = start
    return found


def _line(stream: str, piece: bytes, start: int, offset: int) -> Line:
    place = offset + start
    return _numbered(read_line(stream, place, place, piece[start : piece.find(b"\n", start)]))


def _numbered(line: Line) -> Line:
    """The line as a sketch takes it; which other lines it names by number cannot be told."""
    data = {name: value for name, value in line.data.items() if name != "covers"}
    return replace(line, seq=line.offset, data=data)
