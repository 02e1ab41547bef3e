"""The archive: what was said, kept, listed, followed and found again."""

from __future__ import annotations

from dataclasses import dataclass

from palaver.conversation.calendar import Calendar
from palaver.conversation.conversations import Conversations
from palaver.conversation.happenings import Listening
from palaver.conversation.insights import Statistics
from palaver.conversation.messages import Messages
from palaver.conversation.sources import Sources
from palaver.conversation.streams import Streams
from palaver.house.ground import Ground
from palaver.recall.ranking import ranking_of
from palaver.recall.search import Search


@dataclass(frozen=True, slots=True)
class Archive:
    streams: Streams
    sources: Sources
    conversations: Conversations
    calendar: Calendar
    messages: Messages
    listening: Listening
    statistics: Statistics
    search: Search


def furnish_archive(ground: Ground) -> Archive:
    books, clock, zone = ground.books, ground.clock, ground.zone
    streams, sources = Streams(books), Sources(books)
    night = ground.settings.continuous.night
    calendar = Calendar(books, streams, ground.preferences, clock, night)
    return Archive(
        streams=streams,
        sources=sources,
        conversations=Conversations(books),
        calendar=calendar,
        messages=Messages(books, streams, sources, calendar),
        listening=Listening(books, ground.engine.events),
        statistics=Statistics(books, zone, clock),
        search=Search(
            books.index,
            ground.user,
            zone=zone,
            clock=clock,
            ranking=ranking_of(ground.settings.index),
        ),
    )
