"""What a message stands on: every source is there, and every quotation is word for word."""

from __future__ import annotations

from collections.abc import Iterable

from palaver.conversation.books import Books
from palaver.errors import BadValue, Erased
from palaver.index.records import Source
from palaver.ledger.lines import Line, check_message_id, sources_of
from palaver.ledger.port import Erasure


class Sources:
    """Checks sources before a message is written, and once more after it has been."""

    def __init__(self, books: Books) -> None:
        self._books = books

    async def check(self, sources: Iterable[Source]) -> None:
        """Raises BadId, and BadValue unless each message is there and says what is quoted."""
        given = list(sources)
        wanted = {check_message_id(source.message_id) for source in given}
        found = await self._contents(wanted)
        for source in given:
            if source.message_id not in found:
                raise BadValue(f"The source {source.message_id} is not a message of yours.")
            if source.quote is not None and source.quote not in found[source.message_id]:
                raise BadValue(f"The quotation does not stand in {source.message_id}.")

    async def gone(self, sources: Iterable[Source]) -> bool:
        """Whether any of the messages is not there."""
        wanted = {source.message_id for source in sources}
        return not wanted <= (await self._contents(wanted)).keys()

    async def check_kept(self, lines: Iterable[Line]) -> None:
        """Erases what was written while its sources were being erased. Raises Erased.

        An erasure looks once more for what stands on the erased words, after it has erased them;
        this looks from the other side, so that one of the two sees the other.
        """
        quoted = [(line, _quoted(line)) for line in lines]
        found = await self._contents({one for _, ids in quoted for one in ids})
        gone = [line for line, ids in quoted if not ids <= found.keys()]
        if gone:
            seqs = [line.seq for line in gone]
            await self._books.ledger.erase(Erasure(lines={gone[0].stream: seqs}))
            raise Erased(
                "What the message stands on was erased while it was written, so it went too.",
                remedy="Write it again without what was erased.",
            )

    async def _contents(self, message_ids: Iterable[str]) -> dict[str, str]:
        ids = sorted(message_ids)
        found = await self._books.index.find(self._books.user, ids) if ids else []
        return {message.id: message.content for message in found}


def _quoted(line: Line) -> set[str]:
    return {one["messageId"] for one in sources_of(line.data) if one.get("quote") is not None}
