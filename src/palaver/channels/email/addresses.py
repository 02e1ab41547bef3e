"""Addresses: whom a field names, and which spelling of an address is the same as which.

Letters that look alike stay different: of the local part only A to Z lose their case, and a domain
with other letters is compared as the DNS has it (`xn--…`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import category, normalize

from palaver.channels.email.charsets import one_line
from palaver.channels.email.headers import spoken
from palaver.channels.port import Person
from palaver.errors import BadValue

MOST = 200
"""No more addresses are read from a mail."""
_MOST_NAME = 200

_ATOM = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\-\u00a0-\U0010ffff]{1,128}")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_SMALL = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_REMEDY = "Write it as name@example.org."


@dataclass(frozen=True, slots=True)
class Entry:
    """One address of a field, as it is written."""

    name: str
    spec: str
    odd: bool
    """Whether others might read another address."""


def normalised(address: str) -> str:
    """The one spelling of an address. Raises BadValue."""
    local, at, domain = address.strip().rpartition("@")
    if not at or len(address) > 320:
        raise BadValue(f"{address[:80]!r} is not an address.", remedy=_REMEDY)
    return f"{_local(local)}@{domain_of(domain)}"


def domain_of(domain: str) -> str:
    """A domain as the DNS has it. Raises BadValue."""
    labels = [_label(label) for label in domain.split(".")] if len(domain) <= 253 else []
    if not labels or not all(_LABEL.fullmatch(label) for label in labels):
        raise BadValue(f"{domain[:80]!r} is not a domain.", remedy=_REMEDY)
    return ".".join(labels)


def _label(label: str) -> str:
    small = label.translate(_SMALL)
    if small.isascii():
        return small
    small = normalize("NFC", small.lower())
    if small.isascii() or not all(
        category(letter)[0] in "LMN" or letter == "-" for letter in small
    ):
        return ""
    return f"xn--{small.encode('punycode').decode('ascii')}"


def _local(local: str) -> str:
    """A local part; quoted only if it has to be."""
    text = local.translate(_SMALL)
    if len(text) > 2 and text[0] == text[-1] == '"':
        inner = re.sub(r"\\(.)", r"\1", text[1:-1])
        if _is_atom(inner):
            return inner
        if inner.isprintable() and len(inner) <= 128 and "=?" not in inner:
            escaped = inner.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
    elif _is_atom(text):
        return text
    raise BadValue(f"{local[:80]!r} is not the name of a mailbox.", remedy=_REMEDY)


def _is_atom(text: str) -> bool:
    return (
        _ATOM.fullmatch(text) is not None
        and text.isprintable()
        and "=?" not in text
        and ".." not in text
        and text[0] != "."
        and text[-1] != "."
        and normalize("NFC", text) == text
    )


def same(address: str) -> str | None:
    """The one spelling of an address, or None if it is none."""
    try:
        return normalised(address)
    except BadValue:
        return None


def only(values: list[bytes]) -> Person | None:
    """Whom a field names that must be there once and name one mailbox, in no unusual way."""
    entries = list(_entries(_readable(values[0]))) if len(values) == 1 else []
    if len(entries) != 1 or entries[0].odd or "=?" in entries[0].spec:
        return None
    return _person(entries[0])


def named(values: Iterable[bytes]) -> list[Person]:
    """All whom fields name, each once, as far as they can be read."""
    found: dict[str, Person] = {}
    for value in values:
        for entry in _entries(_readable(value)):
            person = _person(entry)
            if person is not None:
                found.setdefault(person.id, person)
            if len(found) >= MOST:
                return list(found.values())
    return list(found.values())


def _person(entry: Entry) -> Person | None:
    address = same(entry.spec)
    if address is None:
        return None
    return Person(address, one_line(spoken(entry.name.encode()), _MOST_NAME) or None)


def _readable(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


class _Scanner:
    """Takes a field apart, one character after the other."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._begin()

    def _begin(self, *, odd: bool = False) -> None:
        self._outer: list[str] = []
        self._inner: list[str] | None = None
        self._closed = False
        self._odd = odd
        self._note = ""

    def entries(self) -> Iterable[Entry]:
        while self._at < len(self._text):
            char = self._text[self._at]
            if char in ",;" and (self._inner is None or self._closed):
                yield self._entry()
                self._begin(odd=char == ";")
                self._at += 1
            else:
                self._take(char)
        if self._inner is not None and not self._closed:
            self._odd = True
        yield self._entry()

    def _take(self, char: str) -> None:
        if char == '"':
            self._put(self._quoted())
        elif char == "(":
            self._note = self._comment()
            self._odd = self._odd or (self._inner is not None and not self._closed)
            self._put(" ")
        else:
            self._at += 1
            self._mark(char)

    def _mark(self, char: str) -> None:
        if char == "<":
            self._odd = self._odd or self._inner is not None
            self._inner = []
            self._closed = False
        elif char == ">":
            self._odd = self._odd or self._inner is None or self._closed
            self._closed = True
        elif char == ":" and self._inner is None:
            self._begin(odd=True)
        else:
            self._put(char)

    def _put(self, text: str) -> None:
        if self._inner is not None and not self._closed:
            self._inner.append(text)
        else:
            self._odd = self._odd or (self._closed and bool(text.strip()))
            self._outer.append(text)

    def _quoted(self) -> str:
        end = self._at + 1
        while end < len(self._text) and self._text[end] != '"':
            end += 2 if self._text[end] == "\\" else 1
        self._odd = self._odd or end >= len(self._text)
        found = self._text[self._at : end + 1]
        self._at = end + 1
        return found

    def _comment(self) -> str:
        begun = self._at
        depth = 0
        while self._at < len(self._text):
            char = self._text[self._at]
            self._at += 2 if char == "\\" else 1
            depth += (char == "(") - (char == ")")
            if depth == 0:
                return self._text[begun + 1 : self._at - 1]
        self._odd = True
        return ""

    def _entry(self) -> Entry:
        outer = "".join(self._outer).strip()
        if self._inner is None:
            return Entry(self._note, outer, self._odd)
        name = re.sub(r"\\(.)", r"\1", outer.replace('"', ""))
        return Entry(name or self._note, "".join(self._inner), self._odd)


def _entries(text: str) -> Iterable[Entry]:
    return _Scanner(text).entries()
