"""Rounds: what was said earlier in a turn, shown again with who said it and when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import tzinfo

from palaver.context.clipping import clipped, longest_cut
from palaver.context.quoting import NOTE, said
from palaver.context.sections import Entry, Piece, Purse, told
from palaver.context.wire import words_of
from palaver.index.records import Message

_HEADING = f"Earlier in this conversation. {NOTE}"
_SHARE = 4
"""A message takes at most one part in so many of the budget."""


def round_entry(messages: Sequence[Message], purse: Purse, zone: tzinfo) -> Entry:
    """A round in words; long messages are shown head and tail."""
    texts = (said(one, _short(words_of(one), purse), zone) for one in messages)
    return Entry("\n".join(texts), tuple(one.id for one in messages), messages[0].seq)


def rounds_piece(entries: Iterable[Entry], purse: Purse) -> Piece | None:
    """The section that tells the rounds, as many as fit; the first ones are wanted most."""
    chosen = purse.afford(_HEADING, entries)
    if not chosen:
        return None
    return purse.pay(told(_HEADING, chosen), [name for one in chosen for name in one.ids])


def _short(text: str, purse: Purse) -> str:
    most = purse.budget // _SHARE
    if purse.counter.count(text) <= most:
        return text
    cut = longest_cut(text, most, purse.counter)
    return clipped(text, cut) if cut else ""
