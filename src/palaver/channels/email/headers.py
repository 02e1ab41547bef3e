"""The header of a mail, field by field, as its bytes have it. Nothing is guessed or raises."""

from __future__ import annotations

import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass

from palaver.channels.email.charsets import cleaned, decoded

MOST_BYTES = 512 * 1024
"""No more of a header is read."""
MOST_FIELDS = 2_000
MOST_VALUE = 32 * 1024
"""No more of a field is read."""

_NAME = re.compile(rb"[!-9;-~]{1,100}")
_ENCODED = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]{0,2000})\?=")
_ESCAPED = re.compile(rb"=([0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its name in small letters, and its value on one line, as it came."""

    name: str
    value: bytes


@dataclass(frozen=True, slots=True)
class Header:
    """All fields, from the top to the bottom."""

    fields: Sequence[Field]
    sound: bool
    """Whether every line belongs to a field, and all of it was read. If not, somebody might read it
    otherwise than we do, and it proves nothing."""

    def all(self, name: str) -> list[bytes]:
        return [field.value for field in self.fields if field.name == name]

    def raw(self, name: str) -> bytes:
        """The value of the first field of that name; nothing, if there is none."""
        return next((field.value for field in self.fields if field.name == name), b"")

    def text(self, name: str) -> str:
        """The same, as people read it."""
        return spoken(self.raw(name))

    def word(self, name: str) -> str:
        """The first word of it, in small letters, without what follows a semicolon."""
        words = decoded(self.raw(name)[:200]).lower().split(";")[0].split()
        return words[0] if words else ""


def parted(raw: bytes) -> tuple[Header, bytes]:
    """A mail as its header and its body."""
    ends = [(at, len(mark)) for mark in (b"\n\r\n", b"\n\n") if (at := raw.find(mark)) >= 0]
    if raw[:1] == b"\n" or raw[:2] == b"\r\n":
        return Header((), False), raw.lstrip(b"\r\n")
    end, mark = min(ends, default=(len(raw), 0))
    return read(raw[:end]), raw[end + mark :]


def read(block: bytes) -> Header:
    """The fields that a block of lines holds."""
    sound = len(block) <= MOST_BYTES and b"\0" not in block
    lines: list[list[bytes]] = []
    for ended in block[:MOST_BYTES].split(b"\n"):
        line = ended.removesuffix(b"\r")
        sound = sound and b"\r" not in line
        if line[:1] in (b" ", b"\t") and lines:
            sound = sound and bool(line.strip())
            lines[-1].append(line)
        elif line:
            lines.append([line])
    found = [_field(b"".join(folded)[: MOST_VALUE + 100]) for folded in lines[:MOST_FIELDS]]
    fields = tuple(field for field in found if field is not None)
    return Header(fields, sound and len(fields) == len(lines))


def _field(line: bytes) -> Field | None:
    name, colon, value = line.partition(b":")
    name = name.rstrip(b" \t")
    if not colon or not _NAME.fullmatch(name):
        return None
    return Field(name.decode("ascii").lower(), value.strip(b" \t\r\n\0")[:MOST_VALUE])


def spoken(value: bytes) -> str:
    """A value as people read it: its encoded words are decoded."""
    text = decoded(value)
    pieces: list[str] = []
    waiting: list[bytes] = []
    charset = ""
    end = 0
    for word in _ENCODED.finditer(text):
        between = text[end : word.start()]
        if waiting and (between.strip() or word[1].lower() != charset):
            pieces.append(decoded(b"".join(waiting), charset))
            waiting = []
            between = between if between.strip() else ""
        elif waiting:
            between = ""
        pieces.append(between)
        charset = word[1].lower().partition("*")[0]
        waiting.append(_unencoded(word[2], word[3]))
        end = word.end()
    if waiting:
        pieces.append(decoded(b"".join(waiting), charset))
    return cleaned("".join(pieces) + text[end:])


def _unencoded(encoding: str, text: str) -> bytes:
    data = text.encode("utf-8", "replace")
    if encoding in "bB":
        return unbased(data)
    return _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), data.replace(b"_", b" "))


_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


def unbased(data: bytes) -> bytes:
    """What Base64 says, as far as it says anything."""
    letters = _BASE64.sub(b"", data)
    whole = len(letters) - (1 if len(letters) % 4 == 1 else 0)
    return binascii.a2b_base64(letters[:whole] + b"=" * (-whole % 4))
