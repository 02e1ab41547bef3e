"""Days by hand, and what is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from palaver.context.tokens import EstimatedTokens
from palaver.digest.days.making import made
from palaver.digest.days.port import DayPoint, DayStory, DaySummary, Section
from palaver.digest.state import Closing, Item, fold_all
from palaver.index.records import Message, StoredSummary, SummarySource
from tests.digest.model.stories import message

count = EstimatedTokens().count
LABEL = "2026-02-14"

DAY = (
    "I want to finish the kitchen before Easter. The old floor came out this morning.",
    "That is a good start.",
    "We decided to take the blue tiles from Krause, order 4711-B.",
    "Noted, the blue ones.",
    "The plumber found a leak behind the sink, and Marta paid him 140 euros.",
    "I see. Was it the old pipe?",
    "Yes, the copper one. I still need to send the photos to the insurance.",
    "Then keep the broken piece, too.",
    "Remind me to call the electrician on Friday.",
    "I will.",
)
TAG = (
    "Ich will bis Ende März den Umzug nach Leipzig schaffen. Die neue Wohnung liegt in der "
    "Südstraße 14.",
    "Klingt gut.",
    "Wir haben uns für die Spedition Krause entschieden, Angebot 88-1204.",
    "Notiert.",
    "Erinnere mich am Freitag daran, den Strom abzumelden.",
    "Mache ich.",
    "Ich muss noch die Kaution überweisen.",
    "Gut zu wissen.",
)


def said(*texts: str, start: int = 1) -> list[Message]:
    """Messages in which user and assistant take turns."""
    return [message(number, text) for number, text in enumerate(texts, start=start)]


def day(*texts: str, **more: Any) -> DayStory:
    """A day with nothing before it, and what it leaves open."""
    messages = said(*texts)
    state = fold_all(messages)
    given: dict[str, Any] = {"open": state.open_items, "closed": state.closed, **more}
    return DayStory(LABEL, messages, **given)


def told(*texts: str, **more: Any) -> DaySummary:
    return made(day(*texts, **more), count)


def lines(summary: DaySummary, section: Section) -> list[str]:
    return [point.text for point in summary.of(section)]


def loop(number: int, text: str, closed_by: int | None = None, **more: Any) -> Item:
    """Something that was left open in a message of an earlier day, and maybe closed since."""
    closing = (
        None
        if closed_by is None
        else Closing(message_id=f"msg-{closed_by}", turn=(closed_by + 1) // 2, how="done")
    )
    fields: dict[str, Any] = {
        "kind": "task",
        "owed_by": "user",
        "turn": 0,
        "closed": closing,
        **more,
    }
    return Item(message_id=f"old-{number}", seq=number, text=text, **fields)


def point(
    section: Section, text: str, *on: str, quote: str | None = None, kind: str = "said"
) -> DayPoint:
    sources = [SummarySource(message_id=one, quote=quote, kind=kind, by="user") for one in on]
    return DayPoint(section=section, text=text, sources=sources)


def stored(text: str, sources: Sequence[SummarySource] = (), **more: Any) -> StoredSummary:
    fields: dict[str, Any] = {
        "seq": 50,
        "kind": f"day_summary {LABEL}",
        "through": 3,
        "covers": 20,
        **more,
    }
    return StoredSummary(text=text, made="", sources=list(sources), **fields)
