"""Oblivion: what was forgotten is not learned again, and nothing of it is kept to know that by.

Of a forgotten memory salted hashes stay: of what it said, of the messages it stood on, and of the
words about which everything was forgotten. Whoever has the ledger can try words against them, one
by one; nobody can read them.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import combinations, islice, product

from palaver.index.records import Memory, Message
from palaver.ledger import lines
from palaver.ledger.lines import USER_STREAM, Draft
from palaver.memory.forms import forms, telling
from palaver.memory.keeping import FORGOTTEN, Keeping
from palaver.memory.port import Candidate
from palaver.text import language, words

_TOGETHER = 3
"""So many words, the longest, tell what it is about which everything is forgotten."""
_TRIED = 20_000
"""So many of their combinations are tried."""


class About:
    """Some words, and whether a text is about all of them, in whatever form."""

    def __init__(self, text: str) -> None:
        told = telling(words(text)) or words(text)
        self.words = sorted(dict.fromkeys(told), key=lambda one: (-len(one), one))[:_TOGETHER]

    def is_in(self, *texts: str) -> bool:
        return bool(self.words) and all(
            any(not forms(one, spoken).isdisjoint(found) for spoken, found in map(_read, texts))
            for one in self.words
        )

    def marks(self, spoken: Iterable[str]) -> Iterator[str]:
        """One for each way in which the words may stand in texts of some languages."""
        codes = {"en", language(self.words), *spoken}
        found = [{form for code in codes for form in forms(one, code)} for one in self.words]
        return (_about(one) for one in product(*found))


class Oblivion:
    """What one user has forgotten."""

    def __init__(self, keeping: Keeping) -> None:
        self._keeping = keeping

    async def event(
        self,
        memories: Sequence[Memory],
        about: str | None = None,
        said_again: Sequence[Message] = (),
    ) -> Draft:
        """The line that keeps memories from being learned again: from anybody's words that say the
        same, and from the messages in which they were said."""
        index, user = self._keeping.index, self._keeping.user
        salt = next(iter(await index.oblivion_salts(user)), None) or secrets.token_hex(16)
        marks = {mark for memory in memories for mark in _marks(memory)}
        marks |= {_from(message.id) for message in said_again}
        if about:
            marks |= set(About(about).marks(await index.languages(user, unread=0)))
        return lines.event(
            USER_STREAM,
            FORGOTTEN,
            memoryIds=sorted({memory.id for memory in memories}),
            markSalt=salt,
            marks=sorted(_digest(salt, mark) for mark in marks),
        )

    async def holds(self, candidate: Candidate) -> bool:
        """Whether this was forgotten. What the owner asks to have remembered comes back, but not
        from a message of which something was forgotten since. Raises IndexUnavailable."""
        index, user = self._keeping.index, self._keeping.user
        salts = await index.oblivion_salts(user)
        if not salts:
            return False
        marks = {_from(candidate.message_id)} if candidate.message_id else set[str]()
        if not candidate.explicit:
            marks |= {_said(candidate.content), _said(candidate.quote)}
            marks |= set(_abouts(candidate.content, candidate.quote))
        digests = [_digest(salt, mark) for salt in salts for mark in marks]
        return bool(await index.forgotten(user, digests))


def _marks(memory: Memory) -> Iterable[str]:
    yield _said(memory.content)
    if memory.quote:
        yield _said(memory.quote)
    if memory.source_message_id:
        yield _from(memory.source_message_id)


def _abouts(*texts: str) -> Iterator[str]:
    """What might be the words about which everything was forgotten."""
    found = {form for _, here in map(_read, texts) for form in here}
    tried = (some for size in range(1, _TOGETHER + 1) for some in combinations(sorted(found), size))
    return (_about(some) for some in islice(tried, _TRIED))


def _read(text: str) -> tuple[str, set[str]]:
    """In which language a text is, and the words of it in all their forms."""
    found = words(text)
    spoken = language(found)
    return spoken, {form for one in telling(found) or found for form in forms(one, spoken)}


def _said(text: str) -> str:
    """The same for whatever says the same words, in whatever order and case."""
    return "said:" + " ".join(sorted(set(words(text))))


def _from(message_id: str) -> str:
    return f"from:{message_id}"


def _about(found: Iterable[str]) -> str:
    return "about:" + " ".join(sorted(found))


def _digest(salt: str, mark: str) -> str:
    return blake2b(mark.encode(), key=salt.encode(), digest_size=16).hexdigest()
