"""Changes: what a line does to the rows of its stream, and to the keys of its user."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from palaver.index.channel_rows import DeliveryRow, ExternalMessageRow
from palaver.index.rows import (
    DayRow,
    MemoryRow,
    MessageRow,
    OblivionRow,
    PreferenceRow,
    SummaryRow,
    UseRow,
)


class Insert(NamedTuple):
    """A new message."""

    row: MessageRow


class Patch(NamedTuple):
    """Another row for the message with this id, unless it is erased or not there."""

    message_id: str
    change: Callable[[MessageRow], MessageRow]


class Erase(NamedTuple):
    """All that is left of a message, in the place it had."""

    row: MessageRow


class Remember(NamedTuple):
    """A key was used by the line at `offset`."""

    digest: str
    offset: int


class Forget(NamedTuple):
    """The messages with these keys are erased; the keys stay used."""

    digests: Sequence[str]


class Cite(NamedTuple):
    """Line `seq` stands on a message."""

    seq: int
    message_id: str
    quoted: int
    """1 if the line has to go when the message goes."""


class Summarise(NamedTuple):
    """A part of the conversation in fewer words."""

    row: SummaryRow


class Mark(NamedTuple):
    """A day begins, or is done."""

    row: DayRow


class Prefer(NamedTuple):
    """The user has chosen something for themselves."""

    row: PreferenceRow


class Learn(NamedTuple):
    """Something is remembered, or is remembered otherwise."""

    row: MemoryRow


class Use(NamedTuple):
    """A reply was made with a memory."""

    row: UseRow


class Unlearn(NamedTuple):
    """Something is not to be learned again."""

    row: OblivionRow


class Deliver(NamedTuple):
    """Something is to be sent."""

    row: DeliveryRow


class Move(NamedTuple):
    """Another row for what is to be sent and has this id, unless it is erased or not there."""

    message_id: str
    change: Callable[[DeliveryRow], DeliveryRow]


class Receive(NamedTuple):
    """A new message of an exchange with an outsider."""

    row: ExternalMessageRow


class Revise(NamedTuple):
    """Another row for the message of an exchange that has this id, unless it is not there; or none
    any more."""

    message_id: str
    change: Callable[[ExternalMessageRow], ExternalMessageRow | None]


class Uncite(NamedTuple):
    """Line `seq` is erased: it stands on nothing any more, says nothing in fewer words, marks no
    day, chooses nothing, remembers nothing, was made with no memory, and is not to be sent."""

    seq: int


class Drop(NamedTuple):
    """A whole stream is erased."""

    stream: str


class Restate(NamedTuple):
    """Lines are erased whose traces cannot be taken back one by one: fold the stream again.

    Without `whole`, it is enough to make the conversation's row again.
    """

    erased: frozenset[int]
    whole: bool


Change = (
    Insert
    | Patch
    | Erase
    | Remember
    | Forget
    | Cite
    | Summarise
    | Mark
    | Prefer
    | Learn
    | Use
    | Unlearn
    | Deliver
    | Move
    | Receive
    | Revise
    | Uncite
    | Drop
    | Restate
)
