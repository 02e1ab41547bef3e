"""Threads: which messages a mail answers, and what its subject is without `Re:` and the like."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

from palaver.channels.email.charsets import one_line
from palaver.channels.email.headers import Header

MOST_IDS = 100
MOST_SUBJECT = 500
_MOST_ID = 200
"""Longer ids are hashed: keys have to be short."""
MADE_UP = "@id.invalid"
"""How an id ends that nobody else knows."""
_MOST_REFERENCES = 6 * 1024

_BRACKETED = re.compile(r"<([^<>]{1,998})>")
_PREFIXES = """
re r aw antw antwort antwoord sv svar vs vl vb fw fwd wg tr rv enc ref res rif i odp pd ynt ilt atb
doorst betr bls trs fs pt na re-envio reenviado
回复 回覆 答复 答覆 转发 轉寄 轉發 返信 転送 회신 전달 отв ответ пересл הועבר השב
"""
_PREFIX = re.compile(
    r"(?:" + "|".join(map(re.escape, sorted(_PREFIXES.split(), key=len, reverse=True))) + r")"
    r"(?:\[[0-9]{1,3}\]|\([0-9]{1,3}\)|\^[0-9]{1,3})? ?[:\uff1a] ?",
    re.IGNORECASE,
)
_LIST = re.compile(r"\[[^\[\]]{1,60}\] ?")
_MOST_PREFIXES = 40


def message_id(text: str) -> str | None:
    """The id that a field names first, without brackets, or None."""
    return next(iter(ids(text)), None)


def ids(text: str) -> list[str]:
    """All ids that a field names, each once, in their order; the outermost ones of too many."""
    found = [_short("".join(one.split())) for one in _BRACKETED.findall(text)]
    if not found:
        found = [_short(word) for word in text.split() if "@" in word and "<" not in word]
    unique = list(dict.fromkeys(one for one in found if one))
    return unique if len(unique) <= MOST_IDS else unique[:1] + unique[1 - MOST_IDS :]


def _short(one: str) -> str:
    if not one.isprintable():
        one = "".join(char for char in one if char.isprintable())
    if len(one.encode()) <= _MOST_ID:
        return one
    return f"{sha256(one.encode()).hexdigest()}{MADE_UP}"


def own_id(header: Header, body: bytes) -> str:
    """The id of a mail. One that has none gets one from what never changes about it."""
    given = message_id(header.text("message-id"))
    if given is not None:
        return given
    stable = [header.raw(name) for name in ("from", "to", "cc", "date", "subject")]
    digest = sha256(b"\0".join([*stable, body])).hexdigest()
    return f"{digest}{MADE_UP}"


def references(header: Header) -> list[str]:
    """The messages before it, the first one of the thread first."""
    return ids(header.text("references"))


def nearest_first(answered: Iterable[str], before: list[str]) -> list[str]:
    """The ids of earlier messages, from the one that is answered to the first one of the thread."""
    return list(dict.fromkeys([*answered, *reversed(before)]))[:MOST_IDS]


def fitting(before: list[str]) -> list[str]:
    """As many references as are kept with a message: the first and the last ones."""
    kept: list[str] = []
    left = _MOST_REFERENCES - len((before or [""])[0].encode())
    for one in reversed(before[1:]):
        left -= len(one.encode()) + 4
        if left < 0:
            break
        kept.append(one)
    return before[:1] + kept[::-1]


def bare(subject: str) -> str:
    """A subject without `Re:` and the like, in any language, and without the names of lists."""
    rest = one_line(subject, MOST_SUBJECT)
    for _ in range(_MOST_PREFIXES):
        found = _PREFIX.match(rest) or _listed(rest)
        if found is None:
            break
        rest = rest[found.end() :]
    return rest.strip()


def _listed(text: str) -> re.Match[str] | None:
    """The name of a list, if a prefix stands behind it."""
    found = _LIST.match(text)
    return found if found and _PREFIX.match(text, found.end()) else None


def subject_key(subject: str) -> str:
    """What the subjects of one thread have in common."""
    return bare(subject).casefold()


def has_reply_prefix(subject: str) -> bool:
    """Whether a subject says that the mail answers or passes on another."""
    text = one_line(subject, MOST_SUBJECT)
    return (_PREFIX.match(text) or _listed(text)) is not None
