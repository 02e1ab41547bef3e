"""What is open: questions without an answer, tasks, promises, decisions that were put off."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from palaver.agent.markdown import inline, link
from palaver.agent.offline.asked import Asked
from palaver.agent.offline.evidence import telling_words
from palaver.agent.offline.plan import Call, Plan, Spoken, call
from palaver.agent.offline.quotation import Quotation
from palaver.agent.offline.telling import Teller
from palaver.agent.offline.texts import NOTHING_OPEN, OPEN_EVERYWHERE, OPEN_HERE
from palaver.context.packet import OpenItem
from palaver.index.records import Json, Message
from palaver.text import fold, language, occurrences, query_terms, words

_MOST = 10
_HERE = re.compile(
    r"\b(?:here|this conversation|hier|dieser? (?:unterhaltung|konversation)|diesem gesprach)\b"
)
_SAID_OF_IT = re.compile(
    r"all(?:en?)?|aufgaben?|conversations?|do|dos|fragen?|gesprach|give|here|heute|hier|issues?|items?"
    r"|konversation|left|list\w*|loops?|mach(?:en?)?|meinen?|muss|noch|offene?n?|open|outstanding|pending"
    r"|points?|promis\w*|punkte?|questions?|soll|steht|still|tasks?|to|today|todos?|tun|undone"
    r"|unanswered|unfinished|unterhaltung"
)


def what_is_open(asked: Asked, teller: Teller, otherwise: Plan) -> Plan:
    """What is open, here or everywhere, and has to do with the words that are left. If nothing has,
    the question meant something else."""
    here = asked.says(_HERE)
    if not asked.offers("open_loops"):
        return _known_here(asked)
    (found,) = yield [listing(asked.here if here else None)]
    about = [word for word in telling_words(asked.text) if not _SAID_OF_IT.fullmatch(fold(word))]
    loops = [one for one in loops_in(found, but=asked.ids) if _holds(one.text, about)]
    if about and not loops:
        return (yield from otherwise)
    if not loops:
        return Spoken(NOTHING_OPEN)
    return spoken(OPEN_HERE if here else OPEN_EVERYWHERE, loops, found, teller)


def listing(conversation_id: str | None) -> Call:
    where = {"conversationId": conversation_id} if conversation_id else {}
    return call("open_loops", limit=_MOST, **where)


def loops_in(found: Json, *, but: Iterable[str]) -> list[Quotation]:
    """What `open_loops` gave, without what the message that asks leaves open itself."""
    passed = set(but)
    return [
        Quotation(_message(one), one["text"], frozenset())
        for one in found.get("openLoops", ())
        if one["messageId"] not in passed
    ]


def items(loops: Sequence[Quotation], found: Json, teller: Teller) -> list[str]:
    """The loops as lines of a list, each with its kind."""
    known = {one["messageId"]: one for one in found["openLoops"]}
    return [
        teller.item(
            one,
            known[one.message.id]["conversationName"],
            f"{known[one.message.id]['kind'].capitalize()}: ",
        )
        for one in loops
    ]


def spoken(opening: str, loops: Sequence[Quotation], found: Json, teller: Teller) -> Spoken:
    told = "\n".join(items(loops, found, teller))
    return Spoken(f"{opening}\n\n{told}", tuple(one.source for one in loops))


def _holds(text: str, about: Sequence[str]) -> bool:
    spoken = sorted({"en", language(words(text))})
    return not about or any(occurrences(text, query_terms(" ".join(about), spoken)))


def _known_here(asked: Asked) -> Spoken:
    """What the packet tells of this conversation, when nobody may be asked."""
    packet = asked.packet
    loops = [
        one
        for one in (*packet.open_loops, *packet.pending_clarifications)
        if one.message_id not in asked.ids
    ]
    if not loops:
        return Spoken(NOTHING_OPEN)
    lines = [f"- {inline(one.text)} ({_turn(asked, one)})" for one in loops]
    return Spoken("\n".join([OPEN_HERE, "", *lines]))


def _turn(asked: Asked, item: OpenItem) -> str:
    return link(f"turn {item.turn_number}", f"/c/{asked.here}#{item.message_id}")


def _message(loop: Json) -> Message:
    return Message(
        id=loop["messageId"],
        conversation_id=loop["conversationId"],
        seq=0,
        role=loop["role"],
        content=loop["text"],
        timestamp=loop["timestamp"],
        turn_number=loop["turn"],
    )
