"""What a packet is asked for: the conversation, what is known of it, and what may be spent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from palaver.context.blocks import text_of
from palaver.context.history import History
from palaver.context.policy import Policy, SectionName
from palaver.context.ports import Standing, Summary
from palaver.context.scales import Scales
from palaver.context.sections import Piece, Purse, state_piece, summary_piece
from palaver.context.window import Window, fit
from palaver.index.records import ConversationMeta


@dataclass(frozen=True, slots=True)
class Asked:
    """Everything that a packet is made of, before it is decided how much of it is shown."""

    conversation: ConversationMeta
    policy: Policy
    budget: int
    """What the whole packet may cost."""
    scales: Scales
    zone: tzinfo
    standing: Standing
    summaries: Sequence[Summary]
    history: History
    most_history: int | None = None
    """What the history may cost at most, whatever the budget is."""

    @property
    def newest(self) -> int:
        """What the message costs that is to be answered."""
        return self.scales.total(self.history.blocks[-1:])

    @property
    def question(self) -> str:
        """What the user says in it; nothing, if it is not the user who spoke last."""
        last = self.history.blocks[-1].messages[0] if self.history.blocks else {"role": ""}
        return text_of(last) if last["role"] == "user" else ""

    def purse(self, name: SectionName) -> Purse:
        """What a section may cost: nothing that the message to be answered needs."""
        share = sum(section.share for section in self.policy.sections if section.name == name)
        return Purse(name, int(max(self.budget - self.newest, 0) * share), self.scales.counter)

    def state(self, beside: Sequence[Piece]) -> list[Piece]:
        """Where the conversation stands, as far as the window does not show it anyway, `beside`
        which other sections are shown."""
        purse = self.purse("state")
        window = self.window(self.room(beside, purse.budget))
        seen = {name for block in window.blocks for name in block.ids}
        piece = state_piece(self.standing, purse, seen, topics=window.marked)
        return [piece] if piece else []

    def told(self) -> list[Piece]:
        """The summaries that have a place in this kind of conversation, and fit into it."""
        pieces = (
            summary_piece(summary, self.purse(summary.section), self.zone)
            for summary in self.summaries
        )
        return [piece for piece in pieces if piece]

    def room(self, pieces: Iterable[Piece], reserved: int = 0) -> int:
        """What is left for the history."""
        left = self.budget - reserved - sum(piece.tokens for piece in pieces)
        most = self.most_history
        return left if most is None else min(left, max(most, self.newest))

    def window(self, room: int) -> Window:
        return fit(
            self.history.blocks,
            room,
            self.scales,
            keep_first=self.policy.keep_first,
            gap=self.history.missing > 0,
        )
