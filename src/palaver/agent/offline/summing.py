"""Summing up: what stands out in a conversation, word for word, with links to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from palaver.agent.markdown import blockquote, inline
from palaver.agent.offline.asked import Asked
from palaver.agent.offline.decisions import decisions_in
from palaver.agent.offline.opening import items, listing, loops_in
from palaver.agent.offline.plan import Plan, Spoken, call
from palaver.agent.offline.quotation import Quotation, quote
from palaver.agent.offline.read import fetch, messages_in
from palaver.agent.offline.telling import Teller
from palaver.agent.offline.texts import CLOSED, EMPTY, SUMMARY
from palaver.index.records import Json, Message
from palaver.index.values import OFFLINE

_FIRST_TURNS = 40
_MOST = 5


@dataclass(frozen=True, slots=True)
class Digest:
    """What stands out in a conversation."""

    said: Sequence[Message]
    decisions: Sequence[Quotation]
    loops: Sequence[Quotation]

    @property
    def ends(self) -> list[Quotation]:
        """How it began, and how it went on last."""
        both = [self.said[0], *self.said[1:][-1:]]
        return [found for message in both if (found := quote(message, ()))]

    @property
    def quotations(self) -> list[Quotation]:
        return [*self.ends, *self.decisions, *self.loops]


def sum_up(asked: Asked, teller: Teller) -> Plan:
    """The first and the last message of this conversation, decisions, and what is open."""
    if not asked.offers("fetch_context"):
        return Spoken(CLOSED)
    calls = [fetch(asked.here, 1, _FIRST_TURNS), call("fetch_context", conversationId=asked.here)]
    if asked.offers("open_loops"):
        calls.append(listing(asked.here))
    given = yield calls
    said = [
        one
        for one in messages_in(given[:2])
        if one.id not in asked.ids and one.model != OFFLINE and one.content.strip()
    ]
    if not said:
        return Spoken(EMPTY)
    found = given[2] if asked.offers("open_loops") else {}
    digest = Digest(
        said,
        list(islice(decisions_in(said), _MOST)),
        loops_in(found, but=asked.ids)[:_MOST],
    )
    parts = [SUMMARY, *_parts(digest, asked, teller, given[0], found)]
    return Spoken("\n\n".join(parts), tuple(one.source for one in digest.quotations))


def _parts(digest: Digest, asked: Asked, teller: Teller, read: Json, found: Json) -> Iterator[str]:
    packet = asked.packet
    if packet.active_topics:
        yield f"Topics: {inline(', '.join(packet.active_topics))}."
    if packet.rolling_summary:
        yield f"A summary that was made before:\n\n{blockquote(packet.rolling_summary)}"
    yield from _ends(digest, teller)
    if digest.decisions:
        yield "\n".join(["What looks like a decision:", "", *map(teller.item, digest.decisions)])
    if digest.loops:
        yield "\n".join(["What is open:", "", *items(digest.loops, found, teller)])
    if (turns := read.get("totalTurns", 0)) > _FIRST_TURNS:
        yield f"I read its first {_FIRST_TURNS} turns and its last ones, out of {turns}."


def _ends(digest: Digest, teller: Teller) -> Iterator[str]:
    first, *last = digest.ends
    yield f"It began like this. {teller.tell(first, None)}"
    for one in last:
        yield f"The last thing before your question: {teller.tell(one, None)}"
