"""What a mail says: what is new in it, what it quotes, and what is attached to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from palaver.channels.email import flowed, html, quoting
from palaver.channels.email.headers import Header
from palaver.channels.email.mime import MOST_DEPTH, Budget, Part, tree
from palaver.index.records import Json

MOST_NEW = 200_000
"""So many characters of what is new are kept, and of what is quoted."""
MOST_FILES = 100
_MOST_QUOTES = 10
_MOST_SHOWN = 20
"""So many files are named in the text."""

_PROOFS = (
    "application/pgp-signature",
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
)
_TEXTS = ("text/plain", "text/html", "text/enriched", "text/richtext")
_TOO_MANY = "[This mail has more parts than are read.]"
_CUT = "[The rest of this mail was too long to be kept.]"


@dataclass(slots=True)
class Body:
    """All of it."""

    new: str
    parts: Sequence[Json]
    notes: Sequence[str]
    """What stands in the text for what is no text."""


@dataclass(slots=True)
class _Found:
    lines: list[str] = field(default_factory=list[str])
    quotes: list[str] = field(default_factory=list[str])
    signature: list[str] = field(default_factory=list[str])
    files: list[Part] = field(default_factory=list[Part])


def read(mail: Part, budget: Budget) -> Body:
    """What a mail says. Nothing that is attached is opened."""
    found = _Found()
    _walk(mail, found, budget)
    text = quoting.parted(found.lines)
    quotes = [quote for quote in (text.quote, *found.quotes) if quote.strip()]
    signature = "\n".join([text.signature, *found.signature]).strip()
    parts: list[Json] = [{"type": "quote", "text": quote} for quote in _kept(quotes)]
    if signature:
        parts.append({"type": "signature", "text": signature[:2000]})
    parts += [_file(file) for file in found.files[:MOST_FILES]]
    notes = [_noted(file) for file in found.files if not file.is_embedded][:_MOST_SHOWN]
    if budget.exceeded or len(found.files) > MOST_FILES:
        notes.append(_TOO_MANY)
    if len(text.new) > MOST_NEW:
        notes.append(_CUT)
    return Body(text.new[:MOST_NEW].strip(), parts, notes)


def _kept(quotes: Sequence[str]) -> Iterator[str]:
    """As many quotations as are kept, all together."""
    left = MOST_NEW
    for quote in quotes[:_MOST_QUOTES]:
        if left <= 0:
            return
        yield quote if len(quote) <= left else f"{quote[:left]}\n{_CUT}"
        left -= len(quote)


def _walk(part: Part, found: _Found, budget: Budget) -> None:
    if part.kind == "multipart/alternative" and part.parts:
        _alternatives(part.parts, found, budget)
    elif part.kind in ("multipart/related", "multipart/signed") and part.parts:
        _walk(part.parts[0], found, budget)
        found.files += [one for one in part.parts[1:] if one.kind not in _PROOFS]
    elif part.parts:
        for one in part.parts:
            _walk(one, found, budget)
    else:
        _leaf(part, found, budget)


def _leaf(part: Part, found: _Found, budget: Budget) -> None:
    if part.kind in ("message/rfc822", "message/global") and part.encoding != "base64":
        _passed_on(part, found, budget)
    elif _is_text(part):
        _say(part, found)
    elif part.kind not in _PROOFS:
        found.files.append(part)


def _is_text(part: Part) -> bool:
    broken = part.kind.startswith("multipart/")
    return broken or (part.kind in _TEXTS and not part.is_attached and not part.name)


def _alternatives(parts: Sequence[Part], found: _Found, budget: Budget) -> None:
    """Of several ways to say the same, the plainest that says anything."""
    plain = [part for part in parts if part.kind == "text/plain"]
    others = [part for part in parts if part.kind != "text/plain"]
    said = len(found.lines)
    for part in plain + [part for part in others if part.kind != "text/calendar"]:
        before = len(found.files)
        _walk(part, found, budget)
        if any(line.strip() for line in found.lines[said:]):
            break
        del found.files[before:]
    found.files += [part for part in others if part.kind == "text/calendar"]


def _say(part: Part, found: _Found) -> None:
    if found.lines and found.lines[-1]:
        found.lines.append("")
    if part.kind == "text/html":
        page = html.rendered(part.text())
        found.lines += page.lines
        found.signature += page.signature
    elif part.parameters.get("format", "").lower() == "flowed":
        joining = part.parameters.get("delsp", "").lower() == "yes"
        found.lines += flowed.unflowed(part.text(), joining=joining)
    else:
        found.lines += part.text().split("\n")


def _passed_on(part: Part, found: _Found, budget: Budget) -> None:
    """A mail in a mail: somebody else's words, whoever attached it."""
    if part.depth >= MOST_DEPTH:
        budget.exceeded = True
        return
    inner = tree(part.data.lstrip(b"\r\n"), budget, part.depth + 1)
    within = _Found()
    _walk(inner, within, budget)
    title = "\n".join(_titles(inner.header))
    found.quotes += ["\n".join([title, "", *within.lines]).strip(), *within.quotes]
    found.files += within.files


def _titles(header: Header) -> list[str]:
    names = ("From", "To", "Date", "Subject")
    return [f"{name}: {text[:300]}" for name in names if (text := header.text(name.lower()))]


def _file(part: Part) -> Json:
    return {
        "type": "file",
        "name": part.name,
        "mediaType": part.kind[:100],
        "size": part.size,
        "text": _noted(part),
    }


def _noted(part: Part) -> str:
    if part.kind == "text/calendar":
        return "[Invitation]"
    name = part.name.replace("[", "(").replace("]", ")") or part.kind[:100]
    return f"[Attachment: {name}, {weight(part.size)}]"


def weight(size: int) -> str:
    """How much so many bytes are: 120 kB."""
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"
