"""The continuous conversation, which goes on from day to day."""

from __future__ import annotations

from palaver.context.tokens import EstimatedTokens
from palaver.conversation.continuous import Continuous
from palaver.conversation.day_loops import Loops
from palaver.conversation.days import Days
from palaver.conversation.excerpts import Excerpts
from palaver.house.archive import Archive
from palaver.house.context import Context
from palaver.house.ground import Ground
from palaver.recall.continuous import ContinuousSearch


def furnish_days(ground: Ground, archive: Archive, context: Context) -> Continuous:
    books, preferences = ground.books, ground.preferences
    return Continuous(
        books,
        archive.conversations,
        preferences,
        days=Days(books, archive.calendar, preferences, Loops(books, context.states)),
        search=ContinuousSearch(
            books.index, ground.user, archive.search, zone=ground.zone, clock=ground.clock
        ),
        excerpts=Excerpts(books, EstimatedTokens()),
        remake=ground.orders.remake_day,
    )
