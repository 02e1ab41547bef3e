"""Closing: the evidence that something left open has been done, decided or withdrawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from palaver.digest.state.content import PAST, content, plain, share, stem
from palaver.digest.state.heard import BREAK, Heard
from palaver.digest.state.records import How, Item
from palaver.digest.state.sentences import Sentence

_ENOUGH = 0.5
_WORD = re.compile(r"[a-z']+")
_REFERS = re.compile(
    r"\b(?:it|that|them|him|her|this|those|one|ones|some|both|all|\d+|two|three|four)\b"
)
_BARE = 4
_NEAR = 3
_WAITS = re.compile(r"\b(?:hasn't|nobody|no one|waiting|owes)\b")
_REPORT = 8
"""So many words soon after a promise, and about it, are what was promised."""
_IDLE = frozenset(
    {"lose", "forget", "feel", "hear", "see", "mean", "know", "think", "break", "leave"}
)
_DID = re.compile(
    rf"^(?:(?:ok|okay|k|so|yes|yeah|yep|just|i|we|and|already|finally|also)[,.!]? )*"
    rf"(?:{'|'.join(sorted(past for past, verb in PAST.items() if verb not in _IDLE))}"
    r"|(?:book|call|order|email|mail|text|cancel|fix|finish|clean|wash|renew|return|sign|submit|pack"
    r"|ask|print|reserv|schedul|updat|transfer|upload|ship|pick|dropp|tri|test|chang|mov|instal+|merg|deploy|fil|book|sort|handl)ed)"
    r" (?:it|them|one|that|some|those|both|him|her|all)\b"
)
_MINE = frozenset({"task", "reminder", "promise", "decision", "notice"})
"""Loops that the user can have done."""


def closed_by(heard: Heard, loops: Sequence[Item]) -> list[tuple[Item, How]]:
    """The loops that a message of the user closes, and how; the first way that holds counts."""
    found: dict[int, tuple[Item, How]] = {}
    for how, closed in _WAYS.items():
        rest = [item for item in loops if id(item) not in found]
        found |= {id(item): (item, how) for item in closed(heard, rest)}
    return list(found.values())


def given(heard: Heard, loops: Sequence[Item], *, unasked: bool) -> list[Item]:
    """What a reply gives of that which the assistant owed; `unasked`, it comes back by itself."""
    return [item for item in loops if _is_given(item, heard, unasked=unasked)]


def is_closing(heard: Heard, low: str) -> bool:
    """Whether a clause tells that something is over."""
    cues = heard.cues
    return not (cues.negation.search(low) or cues.future.search(low))


def _withdrawn(heard: Heard, loops: Sequence[Item]) -> Iterator[Item]:
    """What the user does not want any more: what is named, else the newest."""
    for sentence in heard.statements:
        found = heard.cues.withdrawn.search(sentence.low)
        if found is None:
            continue
        named = [item for item in loops if share(item.terms, sentence.terms) > 0]
        end = BREAK.search(sentence.low, found.end())
        rest = sentence.low[found.end() : end.start() if end else None]
        if named or not content(rest, heard.language):
            yield from named or loops[-1:]


def _decided(heard: Heard, loops: Sequence[Item]) -> Iterator[Item]:
    """The newest decision that was put off; one that is named, if there is one."""
    waiting = [item for item in loops if item.kind == "decision"]
    for low, terms in heard.clauses if waiting else ():
        cues = heard.cues
        still = cues.negation.search(low) or cues.put_off.search(low)
        if cues.decided.search(low) and not still:
            named = [item for item in waiting if share(item.terms, terms) > 0]
            yield (named or waiting)[-1]
            return


def _done(heard: Heard, loops: Sequence[Item]) -> Iterator[Item]:
    """What the user says has happened; else the newest, when all that is said is that it has."""
    named = [
        item
        for item in loops
        if any(_finishes(item, low, terms, heard) for low, terms in heard.clauses)
    ]
    yield from named or _barely_done(heard, loops)


def _finishes(item: Item, low: str, terms: frozenset[str], heard: Heard) -> bool:
    """Whether a clause of the user says that it happened."""
    if not is_closing(heard, low):
        return False
    if item.kind in {"question", "request"} or _is_to_tell(item, heard):
        held = share(item.terms, terms)
        near = heard.message.turn_number - item.turn == 1
        return held >= _ENOUGH or ((held > 0 or near) and bool(heard.cues.learnt.search(low)))
    past = _past(low)
    if not (past or heard.cues.done.search(low) or _is_perfect(heard, low)):
        return False
    if _is_about(item, terms):
        return True
    return bool(past.intersection(item.terms)) and _refers_back(low)


def _is_to_tell(item: Item, heard: Heard) -> bool:
    """Whether saying it is all that was promised."""
    return item.kind == "promise" and bool(heard.cues.telling.search(plain(item.text)))


def _is_about(item: Item, terms: frozenset[str]) -> bool:
    """Whether a clause names what an item is about, or some of it and little else."""
    held = share(item.terms, terms)
    little = item.kind in _MINE and share(terms, item.terms) >= _ENOUGH
    return held >= _ENOUGH or (held > 0 and little)


def _is_perfect(heard: Heard, low: str) -> bool:
    cues = heard.cues
    return bool(cues.delivered.search(low) or cues.perfect.search(low))


def _past(low: str) -> frozenset[str]:
    """The verbs of a clause that are in the past, by their stems."""
    found = _WORD.findall(low)
    regular = {stem(word, "en") for word in found if word.endswith("ed") and len(word) > 4}
    return frozenset({PAST[word] for word in found if word in PAST} | regular)


def _refers_back(low: str) -> bool:
    """Whether the object of a clause is a pronoun, or its subject is left out."""
    first = _WORD.match(low)
    elliptic = first is not None and (first[0] in PAST or first[0].endswith("ed"))
    return elliptic or bool(_REFERS.search(low))


def _barely_done(heard: Heard, loops: Sequence[Item]) -> Iterator[Item]:
    """The newest loop of the user, when all that is said is that it is done."""
    mine = [item for item in loops if item.kind in _MINE] or list(loops)
    for sentence in heard.statements if mine else ():
        for low in BREAK.split(sentence.low):
            over = low.count(" ") < _BARE and heard.cues.done.search(low)
            bare = over and not _names_another(sentence, mine[-1], heard)
            if bare or (_DID.search(low) and _is_near(mine[-1], heard)):
                if is_closing(heard, low):
                    yield mine[-1]
                return


def _names_another(sentence: Sentence, item: Item, heard: Heard) -> bool:
    """Whether a sentence names what is done, and that is not the item: the soup, for example."""
    over = " ".join(found[0] for found in heard.cues.done.finditer(sentence.low))
    named = sentence.terms - content(over, heard.language)
    return bool(named) and not named.intersection(item.terms)


def _is_near(item: Item, heard: Heard) -> bool:
    """Whether it was left open of late, and not by somebody else."""
    recent = item.kind in _MINE and heard.message.turn_number - item.turn <= _NEAR
    return recent and not _WAITS.search(plain(item.text))


def _is_given(item: Item, heard: Heard, *, unasked: bool) -> bool:
    """Whether the assistant says now what it owed."""
    if item.owed_by != "assistant":
        return False
    if item.kind == "reminder":
        delivered = any(heard.cues.delivered.search(one.low) for one in heard.statements)
        return delivered and share(item.terms, heard.terms) >= _ENOUGH
    if item.kind == "notice" and any(_reports(heard, low) for low, _ in heard.clauses):
        return True
    told = [one for one in heard.statements if not heard.cues.will.search(one.low)]
    terms = frozenset[str]().union(*(one.terms for one in told))
    own = content(plain(item.text), heard.language)
    reports = unasked and _is_near(item, heard) and heard.told >= _REPORT
    if reports and share(item.terms, terms) > 0:
        return True
    return any(_is_held(wanted, terms) for wanted in (item.terms, own))


def _is_held(wanted: Collection[str], terms: frozenset[str]) -> bool:
    return share(wanted, terms) >= _ENOUGH and len(terms.intersection(wanted)) >= 2


def _reports(heard: Heard, low: str) -> bool:
    return bool(heard.cues.done.search(low)) and is_closing(heard, low)


_WAYS: dict[How, Callable[[Heard, Sequence[Item]], Iterator[Item]]] = {
    "withdrawn": _withdrawn,
    "decided": _decided,
    "done": _done,
}
