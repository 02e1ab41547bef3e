"""Odd conversations: names for those in which nobody says anything that could name them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from palaver.digest.casing import title_case
from palaver.digest.offline.idle import greets, is_idle
from palaver.digest.offline.wording import about, nothing
from palaver.digest.state.content import telling
from palaver.index.records import Message
from palaver.text import fold, language, words

READ = 4_000
"""So many characters of a message are read for a name."""
_LINK = re.compile(r"\b(?:https?://|www\.)([\w.-]{3,60}\w)(\S*)")
_SLUG = re.compile(r"[a-z]{2,}(?:[-_][a-z]{2,}){1,5}", re.IGNORECASE)
_FENCE = re.compile(r"```([a-zA-Z+#]{1,12})\b")
_DEFINED = re.compile(
    r"\b(?:def|class|function|func|fn|struct|interface|const|let|var|CREATE TABLE|module)\s+"
    r"([A-Za-z_][\w.]{2,40})"
)
_LONGEST = 40
_TONGUES = {
    **{code: code.upper() for code in ("sql", "html", "css", "json", "xml", "yaml", "php")},
    "js": "JavaScript",
    "ts": "TypeScript",
    "py": "Python",
    "cpp": "C++",
    "sh": "Shell",
}


class Odd(NamedTuple):
    """A name, and the message and its words that it stands on."""

    title: str
    message: Message | None
    quote: str


def names(messages: Sequence[Message]) -> Iterator[Odd]:
    """Names for any conversation, the best one first; at least one."""
    spoken = language(words(" ".join(one.content[:200] for one in messages)))
    for message in messages:
        said = message.content[:READ]
        yield from _links(message, said)
        yield from _code(message, said)
    for message in messages:
        yield from _words(message, _LINK.sub(" ", message.content[:READ]), spoken)
    yield from _dated(messages, nothing(spoken))


def _links(message: Message, said: str) -> Iterator[Odd]:
    for found in _LINK.finditer(said):
        host = found[1].removeprefix("www.")
        if slug := _SLUG.search(found[2]):
            title = title_case(["Link", "to", *re.split("[-_]", slug[0])], "en")
            yield Odd(title, message, slug[0])
        yield Odd(f"Link to {host}", message, host)


def _code(message: Message, said: str) -> Iterator[Odd]:
    fence = _FENCE.search(said)
    tongue = f"{_TONGUES.get(fence[1], fence[1].capitalize())} " if fence else ""
    for found in _DEFINED.finditer(said):
        yield Odd(f"{tongue}Code of {found[1]}", message, found[1])
    if fence:
        yield Odd(f"{tongue}Code", message, fence[1])


def _words(message: Message, said: str, spoken: str) -> Iterator[Odd]:
    """Single words that tell something, the first of them first."""
    for word in dict.fromkeys(words(said)[:200]):
        told = telling(word, spoken)
        idle = greets(fold(word)) or is_idle(word, told, spoken)
        if told and not idle and len(word) <= _LONGEST and (spelled := _spelled(word, said)):
            title = about(_capital(spelled), spoken) if word.isalnum() else f"Emoji {spelled}"
            yield Odd(title, message, spelled)


def _spelled(word: str, said: str) -> str:
    """A word as it stands in a text; "" if it stands there in another form only."""
    at = said.casefold().find(word)
    found = said[at : at + len(word)] if at >= 0 else ""
    return found if found.casefold() == word else ""


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:] if word.islower() else word


def _dated(messages: Sequence[Message], name: str) -> Iterator[Odd]:
    yield Odd(name, None, "")
    if messages:
        day, _, time = messages[0].timestamp.partition("T")
        yield Odd(f"{name} {day}", None, "")
        yield Odd(f"{name} {day} {time[:5]}", None, "")
