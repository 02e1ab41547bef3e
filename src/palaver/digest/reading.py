"""Reading a digest: what a conversation is called and what it is about, each with where it comes
from."""

from __future__ import annotations

from palaver.digest.notes import flat
from palaver.digest.points import points_of
from palaver.digest.port import BULLET, Point
from palaver.index.newest import newest_summary
from palaver.index.port import Index
from palaver.index.records import (
    ConversationMeta,
    Moment,
    Record,
    StoredSummary,
    SummarySource,
)
from palaver.index.summary_fold import ABBREVIATION, TITLE


class DigestPart(Record):
    """A conversation, or a part of it, in fewer words."""

    text: str
    points: list[Point]
    """What it says, point by point, each with the messages it stands on."""
    by: str
    """Who made it: `offline`, or the name of a model."""
    made: Moment
    through: int
    """The last turn of which it tells."""


class ConversationDigest(Record):
    """What a conversation is called and what it is about."""

    title: str | None
    titled_by: str | None
    """`user`, `offline` or the name of a model; None when that is not known."""
    topics: list[str]
    title_sources: list[SummarySource]
    """The messages that a title stands on which nobody gave by hand."""
    abbreviation: DigestPart | None
    rolling_summary: DigestPart | None
    """What was said up to the last turns: the newer of rolling summary and compression."""
    needs_abbreviation: bool


class Digests:
    """Reads the digests of one user's conversations."""

    def __init__(self, index: Index, user: str) -> None:
        self._index = index
        self._user = user

    async def of(self, conversation_id: str) -> ConversationDigest:
        """Raises NotFound, IndexUnavailable."""
        meta = await self._index.conversation(self._user, conversation_id)
        named = await self._index.summary(self._user, conversation_id, TITLE)
        short = await self._index.summary(self._user, conversation_id, ABBREVIATION)
        rolling = await newest_summary(self._index, self._user, conversation_id)
        own = named if named and named.text == meta.title and not meta.manually_named else None
        return ConversationDigest(
            title=meta.title,
            titled_by=_titled_by(meta, own),
            topics=meta.topics,
            title_sources=own.sources if own else [],
            abbreviation=_told(short, points_of(short)) if short else None,
            rolling_summary=_told(rolling, _lines_of(rolling)) if rolling else None,
            needs_abbreviation=meta.needs_abbreviation,
        )


def _titled_by(meta: ConversationMeta, named: StoredSummary | None) -> str | None:
    if meta.manually_named:
        return "user"
    return named.by or None if named else None


def _told(summary: StoredSummary, points: list[Point]) -> DigestPart:
    return DigestPart(
        text=summary.text,
        points=points,
        by=summary.by,
        made=summary.made,
        through=summary.through,
    )


def _lines_of(summary: StoredSummary) -> list[Point]:
    """The points of a summary in Markdown: each of its lines quotes what it stands on."""
    lines = [line for line in summary.text.splitlines() if line.startswith(BULLET)]
    return [
        Point(
            text=line.removeprefix(BULLET),
            sources=[one for one in summary.sources if _is_quoted(one, line)],
        )
        for line in lines
    ]


def _is_quoted(source: SummarySource, line: str) -> bool:
    quote = flat(source.quote or "")
    return bool(quote) and line.endswith(quote) and f"Turn {source.turn}" in line
