"""What is new in a mail, and what it repeats: lines are told apart one by one, in one pass.

What was written before is never taken for the sender's words. When in doubt a line is a quotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palaver.channels.email.phrases import (
    BEGINNINGS,
    CLOSERS,
    DEVICES,
    FIELDS,
    FROM,
    OPENERS,
)

_MOST_LINE = 500
"""No more of a line is looked at to tell what it is."""

_MOST_JOINED = 4
_RULES = "-_=*\u2013\u2014"
_COLONS = (":", "\uff1a")
_BLOCK_LINES = 8
_BLOCK_LEAST = 2

_MOST_DEVICE = 100


@dataclass(frozen=True, slots=True)
class Parted:
    """A mail's text, taken apart."""

    new: str
    quote: str
    signature: str


def parted(lines: Sequence[str]) -> Parted:
    """What is new, what is quoted, and how it is signed."""
    new: list[str] = []
    quote: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at].strip()[:_MOST_LINE]
        if line.startswith(">"):
            quote.append(_unmarked(lines[at]))
            at += 1
            continue
        length = _attribution(lines, at, line)
        if length and _is_marked(lines, at + length):
            quote.extend(lines[at : at + length])
            at += length
        elif length or _begins_older(lines, at, line):
            quote.extend(_unmarked(one) for one in lines[at:])
            break
        else:
            new.append(lines[at])
            at += 1
    written, signature = _unsigned(_unruled(new))
    return Parted(_joined(written), _joined(quote), _joined(signature))


def _unmarked(line: str) -> str:
    """A line of a quotation with one mark less."""
    line = line.strip() if line.lstrip().startswith(">") else line
    return line[1:].removeprefix(" ") if line.startswith(">") else line


def _attribution(lines: Sequence[str], at: int, line: str) -> int:
    """How many lines say who wrote what follows; 0 if this is none of them."""
    if not line.lower().startswith(OPENERS) and not CLOSERS.search(line):
        return 0
    joined = ""
    for length in range(1, _MOST_JOINED + 1):
        if at + length > len(lines) or not lines[at + length - 1].strip():
            return 0
        joined = f"{joined} {lines[at + length - 1].strip()}"[:_MOST_LINE].strip()
        if joined.endswith(_COLONS):
            return length if _is_attribution(lines, at + length, joined) else 0
    return 0


def _is_attribution(lines: Sequence[str], after: int, joined: str) -> bool:
    dated = any(char.isdigit() for char in joined) or "@" in joined
    if not dated or not CLOSERS.search(joined):
        return False
    return joined.lower().startswith(OPENERS) or _is_marked(lines, after)


def _is_marked(lines: Sequence[str], at: int) -> bool:
    """Whether the next line that says anything is marked as a quotation."""
    following = (line.strip() for line in lines[at : at + 3])
    return next((line for line in following if line), "").startswith(">")


def _begins_older(lines: Sequence[str], at: int, line: str) -> bool:
    """Whether all from here on was written before."""
    if not line:
        return False
    ruled = line[:2].strip(_RULES) == ""
    words = line.strip(f"{_RULES} :").lower()
    if words.startswith(BEGINNINGS) and (ruled or line.endswith(":")):
        return True
    label = _label(line)
    return label in FROM | FIELDS and _is_block(label, lines[at + 1 : at + _BLOCK_LINES])


def _is_block(first: str, following: Sequence[str]) -> bool:
    """Whether lines go on like the header of a mail, and somebody is named who wrote it."""
    labels = [first, *(_label(line[:_MOST_LINE]) for line in following)]
    others = sum(label in FIELDS for label in labels)
    return others >= _BLOCK_LEAST and not FROM.isdisjoint(labels)


def _label(line: str) -> str:
    """What stands before the colon of a line such as `*Von:* …`."""
    label, colon, _ = line.strip().lstrip("*> ").partition(":")
    if not colon:
        label, colon, _ = line.strip().partition(_COLONS[1])
    return label.strip(" *\xa0").lower() if colon and len(label) < 25 else ""


def _unruled(new: list[str]) -> list[str]:
    """Without a rule at the end: it stood before what was quoted."""
    end = len(new)
    while end and not _said(new[end - 1]):
        end -= 1
    return new[:end]


def _said(line: str) -> bool:
    text = line.strip()
    return bool(text) and (len(text) < 5 or text.strip(_RULES) != "")


def _unsigned(new: list[str]) -> tuple[list[str], list[str]]:
    """What is new without the signature, and the signature."""
    for at, line in enumerate(new):
        if line.rstrip("\r") in ("-- ", "--", "—", "-- \xa0"):
            return new[:at], new[at + 1 :]
    end = len(new)
    while end and _is_device(new[end - 1]):
        end -= 1
    return new[:end], [line for line in new[end:] if line.strip()]


def _is_device(line: str) -> bool:
    text = line.strip()[:_MOST_LINE]
    return not text or (len(text) <= _MOST_DEVICE and DEVICES.match(text) is not None)


def _joined(lines: Sequence[str]) -> str:
    """Lines as one text, with one empty line where there were several."""
    kept: list[str] = []
    for line in map(str.rstrip, lines):
        if line or (kept and kept[-1]):
            kept.append(line)
    return "\n".join(kept).strip("\n")
