"""What is known of the user: what is remembered, since when, and where it was said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil

from palaver.agent.markdown import inline, link
from palaver.agent.offline.asked import Asked
from palaver.agent.offline.evidence import telling_words
from palaver.agent.offline.plan import Plan, Spoken, Steps, call
from palaver.agent.offline.quotation import wants_answer
from palaver.agent.offline.telling import Teller
from palaver.agent.offline.texts import MORE_REMEMBERED, NOTHING_KNOWN, REMEMBERED
from palaver.index.records import Json, Source
from palaver.memory.slots import meaning
from palaver.text import fold, language, occurrences, query_terms, words
from palaver.times import spoken_date

TOOL = "memory_search"
_MOST = 10
_ANYTHING = "me"
"""Asks for whatever there is."""
_ENOUGH = 0.5
"""Such a share of the words of a question a memory holds that answers it."""
# Both are looked for in text without case and diacritics.
_OF_ME_AT_ALL = re.compile(
    r"\bwhat (?:all )?(?:do|did|have) you (?:\w+ ){0,2}?(?:know|knew|remember(?:ed)?|learn(?:ed|t)?"
    r"|note[d]?) (?:\w+ )?(?:about|of) (?:me|myself)\b"
    r"|\b(?:tell me|list|show me) (?:what|all|everything) (?:that )?you (?:know|remember)\b"
    r"|\bdo you know (?:anything|something|much) about me\b|^who am i\W*$"
    r"|\bwas wei(?:ss|ß)t du (?:\w+ ){0,2}?(?:uber mich|von mir)\b"
    r"|\bwas hast du (?:dir )?(?:\w+ ){0,2}?(?:uber mich|von mir) (?:gemerkt|gelernt|behalten)\b"
)
_OF_ME = re.compile(r"\b(?:i|i'm|i've|am i|me|my|mine|ich|mich|mir|mein\w*)\b")
_ASKED = (
    (re.compile(r"\bwhere (?:do|did) (?:i|we) (live|work)\b"), "I {} in Somewhere."),
    (re.compile(r"\bwhere am i (living|working)\b"), "I am {} in Somewhere."),
    (
        re.compile(r"\bwhat(?:'s| is) (?:my|our) ([\w ]{2,30}?)(?: called)?\W*$"),
        "My {} is Something.",
    ),
    (re.compile(r"\bwho(?:'s| is) (?:my|our) ([\w ]{2,30}?)\W*$"), "My {} is Somebody."),
    (re.compile(r"\bwo (wohne|lebe|arbeite) ich\b"), "Ich {} in Irgendwo."),
)
"""Questions for something that there is one of, and how an answer would be worded."""
_SAID = re.compile(
    r"\b(?:asked?|discuss\w*|mention\w*|sa(?:id|y)|t(?:alk(?:ed)?|ell|old)|wr[io]te|written"
    r"|besprochen|erwahnt|erzahlt|gefragt|gesagt|geschrieben|gesprochen)\b"
)
"""Who asks what was said is not told what is remembered."""


def asks_about_user(asked: Asked) -> bool:
    """Whether a message asks for everything that is known of whoever wrote it."""
    return asked.offers(TOOL) and asked.says(_OF_ME_AT_ALL)


def may_be_known(asked: Asked) -> bool:
    """Whether what is remembered may answer a message."""
    return (
        asked.offers(TOOL)
        and (bool(asked.packet.memories) or bool(_slots_asked(asked.text)))
        and asked.says(_OF_ME)
        and not asked.says(_SAID)
        and wants_answer(asked.text)
    )


def what_is_known(asked: Asked, teller: Teller, otherwise: Plan) -> Plan:
    """All that is remembered of the user; otherwise something else, if that is nothing."""
    (given,) = yield [call(TOOL, query=_ANYTHING, limit=_MOST)]
    if found := _kept(given):
        told = _spoken(found, teller)
        more = int(given["more"])
        return Spoken(f"{told.text}\n\n{_left_out(more)}", told.sources) if more else told
    said = yield from otherwise
    return said if said.sources else Spoken(NOTHING_KNOWN)


def what_answers(asked: Asked, teller: Teller, otherwise: Plan) -> Plan:
    """What is remembered that holds the words of a question; otherwise something else."""
    about = telling_words(asked.text)
    found = (yield from looked_up(asked.text)) if about else ()
    if slots := _slots_asked(asked.text):
        filling = [one for one in found if slots & _slots(one["content"])]
        if not filling:  # it may be told in quite other words: "I moved to Oslo"
            newest = yield from looked_up(_ANYTHING)
            filling = [one for one in newest if slots & _slots(one["content"])]
        if filling:
            return _spoken(filling, teller)
    held = [one for one in found if held_by(one["content"], about)]
    return _spoken(held, teller) if held else (yield from otherwise)


def _slots_asked(text: str) -> set[str]:
    """What there is one of at a time that a question asks for."""
    plain = fold(text)
    stated = (said.format(found[1]) for ask, said in _ASKED if (found := ask.search(plain)))
    return {slot for one in stated for slot in _slots(one)}


def _slots(statement: str) -> set[str]:
    return {place.slot for place in meaning(statement).places}


def looked_up(query: str) -> Steps[Sequence[Json]]:
    """The memories that have to do with something."""
    (found,) = yield [call(TOOL, query=query, limit=_MOST)]
    return _kept(found)


def _kept(found: Json) -> list[Json]:
    return [one for one in found.get("memories", ()) if one["state"] == "kept"]


def _left_out(more: int) -> str:
    return MORE_REMEMBERED.format(more=f"{more:,}", page=link("Memories", "/memories"))


def held_by(content: str, about: Sequence[str]) -> bool:
    """Whether a memory holds most of some words."""
    spoken = sorted({"en", language(words(content))})
    terms = query_terms(" ".join(about), spoken)
    held = {one.word for one in occurrences(content, terms)}
    return len(held) >= ceil(_ENOUGH * len(terms)) > 0


def _spoken(memories: Sequence[Json], teller: Teller) -> Spoken:
    told = "\n".join(item(one, teller) for one in memories)
    return Spoken(f"{REMEMBERED}\n\n{told}", sources_of(memories))


def sources_of(memories: Sequence[Json]) -> tuple[Source, ...]:
    """The messages that they stand on."""
    return tuple(
        Source(message_id=one["messageId"], quote=one["quote"])
        for one in memories
        if one["messageId"]
    )


def item(memory: Json, teller: Teller) -> str:
    """A memory as a line of a list, with since when it holds."""
    since = spoken_date(memory["timestamp"], teller.zone)
    if memory["messageId"]:
        since = link(since, f"/c/{memory['conversationId']}#{memory['messageId']}")
    return f"- {inline(memory['content'])} ({memory['type']}, since {since})"
