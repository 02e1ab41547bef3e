"""Stands for what the index will tell of digests."""

from __future__ import annotations

from typing import Any

from palaver.index.port import Index, Owed
from palaver.index.records import StoredSummary, SummarySource
from palaver.ledger.port import Ledger


class Standing:
    def __init__(self, index: Index, ledger: Ledger) -> None:
        self._index = index
        self._ledger = ledger

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)

    async def _events(self, id_: str, name: str):
        return [line for line in await self._ledger.read(id_) if line.event == name]

    async def standing(self, user: str, id_: str) -> Owed:
        meta = await self._index.conversation(user, id_)
        lines = await self._ledger.read(id_)
        spoke = [
            l
            for l in lines
            if (l.type == "turn" and l.data.get("role") in ("user", "assistant"))
            or l.event in ("superseded", "edited")
        ]
        said = [l for l in spoke if l.type == "turn"]
        abbr = [l for l in lines if l.event == "abbreviation"]
        named = [l for l in lines if l.event == "title_assigned"]
        return Owed(
            meta,
            said[-1].data["at"] if said else "",
            spoke[-1].seq if spoke else -1,
            abbr[-1].data["covers"] if abbr else -1,
            max((l.data.get("turn", 0) for l in named), default=0),
            bool(abbr and abbr[-1].data.get("standsInFor")),
            bool(named and named[-1].data.get("standsInFor")),
        )

    async def summary(self, user: str, id_: str, kind: str, *, seq: int | None = None):
        if kind != "abbreviation":
            return await self._index.summary(user, id_, kind, seq=seq)
        found = [l for l in await self._events(id_, kind) if seq in (None, l.seq)]
        if not found:
            return None
        line = found[-1]
        return StoredSummary(
            seq=line.seq,
            kind=kind,
            text=line.data["text"],
            through=line.data["through"],
            made=line.data["at"],
            by=line.data["by"],
            covers=line.data["covers"],
            sources=[SummarySource.model_validate(one) for one in line.data["sources"]],
        )

    async def titles(self, user: str, wanted: list[str]) -> set[str]:
        from palaver.index.port import ConversationFilter

        found = await self._index.conversations(user, ConversationFilter(), limit=200)
        have = {(one.title or "").casefold() for one in found}
        return {one for one in wanted if one.casefold() in have}
