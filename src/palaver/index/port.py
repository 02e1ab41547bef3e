"""The port of the index: what every engine answers, in the same order and with the same errors.

Every query takes the user and sees nothing of anybody else. A foreign id and an absent id give the
same NotFound. An index that cannot be trusted raises IndexUnavailable; it never answers "nothing".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from palaver.index.records import (
    ConversationMeta,
    Delivery,
    ExternalMeta,
    Health,
    Memory,
    MemoryState,
    MemoryType,
    Message,
    MessagePage,
    StoredSummary,
    Trust,
)
from palaver.ledger.port import Finding
from palaver.text import Term

if TYPE_CHECKING:
    from palaver.index.evidence import Evidence, Vector


@dataclass(frozen=True, slots=True)
class ConversationFilter:
    channel: str | None = None
    archived: bool = False
    mode: Literal["standard", "continuous"] = "standard"
    title_contains: str | None = None


@dataclass(frozen=True, slots=True)
class After:
    """Where a list of conversations goes on: after this one, in the order (updated, id)."""

    updated: str
    id: str


@dataclass(frozen=True, slots=True)
class Where:
    """Which messages of a conversation: at most one of these, else the last ones."""

    before: str | None = None
    after: str | None = None
    around: str | None = None
    first: bool = False
    """Those with which it begins."""


@dataclass(frozen=True, slots=True)
class View:
    """A conversation with its last messages, as they were at one moment."""

    conversation: ConversationMeta
    page: MessagePage
    version: int
    """How long its stream was then: it grows with whatever changes the conversation."""


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """Which messages may be found; times are ISO 8601 in UTC, `until` is exclusive."""

    channel: str | None = None
    since: str | None = None
    until: str | None = None
    conversation_id: str | None = None
    turns: tuple[int, int] | None = None
    """Only the turns from the first to the last of these; `conversation_id` is given then."""
    days: bool = False
    """Whether the summaries of days may be found, too."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How far words are followed: what is nearer costs less."""

    occurrences: int = 60_000
    """So many occurrences of the terms are followed, the rarest first; those of one term always."""
    alone: int | None = None
    """If that one alone has more than so many, the last of them are followed; None for all."""
    rounds: int = 250
    """About so many rounds there is evidence."""
    pieces: int | None = None
    """About so many pieces are looked through, the newest of those parts of the index in which the
    conversation is; None for all."""
    unread: int | None = None
    """What is longer, in bytes, and was said so lately that nobody has looked for anything in it,
    is passed over until the index has taken it in; None for nothing."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for: words, and a meaning if there is a model that can tell it."""

    terms: Sequence[Term]
    text: str = ""
    """The text whose meaning is looked for; without it, words alone are."""
    clauses: Sequence[str] = ()
    """Single clauses of the text, which mean something themselves."""
    clause_weight: float = 1.0
    """How much nearness to a clause counts, where nearness to the whole question counts 1."""
    reach: Reach = field(default_factory=Reach)


Place = tuple[str, int]
"""A conversation, and the line of a message in it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is needed to show what was found, without what is gone."""

    messages: Mapping[Place, Message]
    ids: Mapping[Place, str]
    conversations: Mapping[str, ConversationMeta]


@dataclass(frozen=True, slots=True)
class Kept:
    """What was folded from the messages of a conversation up to a line."""

    covers: int
    version: int
    """Another one has folded in another way."""
    text: str


@dataclass(frozen=True, slots=True)
class Unfolded:
    """What is kept of a conversation, and the messages that follow on it, oldest first."""

    kept: Kept | None
    messages: Sequence[Message]
    more: bool
    """Whether there are more messages after these."""
    seal: bytes = b""
    """Tells whether all this has changed; empty when nothing can be kept now."""


@dataclass(frozen=True, slots=True)
class Owed:
    """How a conversation stands that may have to be said in fewer words, or to be named."""

    conversation: ConversationMeta
    heard: str
    """When the ledger took the last line that says something, or says something otherwise."""
    heard_seq: int
    """Which line that is; -1 if nobody spoke, or all who did are erased."""
    abbreviated_seq: int
    """The last line of which the abbreviation tells; -1 without one."""
    named_turn: int
    """How many turns there were when it was named last; 0 if it never was, or nobody said so."""
    abbreviation_stands_in: bool
    title_stands_in: bool
    """Whether it was made without a model because the model failed."""
    day: str | None = None
    """Of a continuous conversation: the label of its newest day."""
    over: tuple[str, ...] = ()
    """The days that are not closed, the oldest first."""
    day_until: str | None = None
    """When the first of them is over."""
    untold: int = 0
    """How many messages there are, counted up to fifty, of which no summary of the newest day
    tells."""
    is_stale: bool = False
    """Whether a summary of a day was erased, and none was made since."""


@dataclass(frozen=True, slots=True)
class OwedFilter:
    """Which conversations are owed something. One that goes on from day to day is owed neither
    abbreviation nor title, but what tells of its days."""

    quiet_since: str
    """In which nothing was heard since: they are owed an abbreviation, if they were never told to
    their end, and a title, if they have none."""
    turns: int
    """With so many turns, one that nobody named is owed a title, quiet or not: unless what was said
    last is older than `lag`, which is a history that somebody brings in."""
    lag: float
    """In seconds, between what was said and when the ledger took it."""
    stand_ins: bool
    """Whether what only stands in for what a model makes is as good as missing."""
    now: str = ""
    """A day that was over by then, and is not closed, is owed something; empty if days are not
    asked for."""
    untold: int = 10
    """With so many messages of which no summary tells, a day is owed one."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day of a continuous conversation."""

    label: str
    """Its date, in the user's time zone when it began."""
    id: str
    zone: str
    opened: str
    """When it began, in UTC."""
    first_turn: int
    last_turn: int | None
    """None while it is the newest day."""
    closed: bool
    messages: int
    """How many the user and the assistant have said, without what is hidden."""
    summary: StoredSummary | None
    """What tells of it, the newest one."""


@dataclass(frozen=True, slots=True)
class Preference:
    """What a user has chosen for themselves."""

    value: str
    since: str


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Which memories: None for whatever it is."""

    state: MemoryState | None = "kept"
    type: MemoryType | None = None
    category: str | None = None
    pinned: bool | None = None
    archived: bool | None = False
    superseded: bool | None = False
    conversation_id: str | None = None
    """In which their source was said."""
    superseded_by: str | None = None


EVERY_MEMORY = MemoryFilter(state=None, archived=None, superseded=None)


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """A line about a memory, and what the memory was from then on."""

    seq: int
    event: str
    memory: Memory
    by: str
    """Who wrote it."""


@dataclass(frozen=True, slots=True)
class NearMemory:
    """A memory that words or meaning speak for."""

    memory: Memory
    words: float
    """What the words say for it: 0 when it holds none of them."""
    cosine: float | None
    """How near in meaning it is; None when nobody can tell."""


@dataclass(frozen=True, slots=True)
class Span:
    """A day, and when it begins and ends, in UTC; the end is exclusive."""

    day: str
    since: str
    until: str


@dataclass(frozen=True, slots=True)
class Activity:
    """What was said on a day, on a channel, by a model; without one, by the user, and in replies of
    which nobody noted who made them."""

    day: str
    channel: str
    model: str | None
    messages: int = 0
    turns: int = 0
    """How many turns the user has begun, or gone on with."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    """In US dollars; what was superseded has been paid for, too."""


@dataclass(frozen=True, slots=True)
class Storage:
    """How much is kept."""

    conversations: int
    ledger_bytes: int
    index_bytes: int | None
    """None where the index is one for many users."""


@dataclass(frozen=True, slots=True)
class Dependent:
    """A line that stands on messages which are to be erased."""

    stream: str
    seq: int
    id: str | None
    """The message's id when it is a reply, None when it is an event."""


class Index(Protocol):
    """Where it is found."""

    def health(self) -> Health: ...

    async def conversations(
        self, user: str, wanted: ConversationFilter, *, limit: int, after: After | None = None
    ) -> list[ConversationMeta]:
        """Newest first by (updated, id)."""
        ...

    async def conversation(self, user: str, conversation_id: str) -> ConversationMeta:
        """Raises NotFound."""
        ...

    async def view(self, user: str, conversation_id: str, *, limit: int) -> View:
        """A conversation with at most `limit` of its last messages. Raises NotFound."""
        ...

    async def messages(
        self, user: str, conversation_id: str, where: Where, *, limit: int
    ) -> MessagePage:
        """Messages of a conversation, oldest first, without superseded ones. Raises NotFound."""
        ...

    async def turns(self, user: str, conversation_id: str, first: int, last: int) -> list[Message]:
        """The messages of the turns `first` to `last`, oldest first. Raises NotFound."""
        ...

    async def near(
        self, user: str, conversation_id: str, lines: Sequence[int], *, limit: int
    ) -> list[list[Message]]:
        """For each of some lines, the messages around it, oldest first. Raises NotFound."""
        ...

    async def message(self, user: str, conversation_id: str, message_id: str) -> Message:
        """Raises NotFound."""
        ...

    async def find(self, user: str, message_ids: Sequence[str]) -> list[Message]:
        """Those of the messages that are there, in whatever conversation; not erased ones."""
        ...

    async def reply_to(self, user: str, message_id: str) -> Message | None:
        """The current reply to a message, or None if it has none yet."""
        ...

    async def unanswered(self, user: str, since: str) -> list[Message]:
        """Messages of the user said at `since` or later, in turns without any reply, also an erased
        one: of the last turns of each conversation, oldest first."""
        ...

    async def evidence(self, user: str, question: Question, wanted: SearchFilter) -> Evidence:
        """The rounds that words or meaning speak for, with all that is needed to rank them.

        No character of a term means anything to the engine. Raises NotFound, IndexUnavailable.
        """
        ...

    async def at(self, user: str, places: Sequence[Place]) -> list[Message]:
        """The messages at some places, in that order; those that are gone are left out."""
        ...

    async def shown(
        self,
        user: str,
        best: Sequence[Place],
        places: Sequence[Place],
        conversation_ids: Sequence[str] = (),
    ) -> Shown:
        """The messages at some places, the ids of those at others, and some conversations."""
        ...

    async def described(
        self, user: str, conversation_ids: Sequence[str]
    ) -> dict[str, ConversationMeta]:
        """Those of the conversations that are there."""
        ...

    async def languages(self, user: str, *, unread: int | None = None) -> list[str]:
        """The languages in which something was said, as far as they are known; most used first.
        `unread` is that of a Reach."""
        ...

    async def unfolded(
        self, user: str, conversation_id: str, version: int, *, limit: int
    ) -> Unfolded:
        """The newest state that is kept, and at most `limit` messages after it.

        While there are no rows: the last messages, after no state. Raises NotFound.
        """
        ...

    async def keep(self, user: str, conversation_id: str, state: Kept, read: Unfolded) -> bool:
        """Keeps a state that was folded from `read`; False when that has changed meanwhile, or
        nothing can be kept now. It goes when a message changes that it covers."""
        ...

    async def summary(
        self, user: str, conversation_id: str, kind: str, *, seq: int | None = None
    ) -> StoredSummary | None:
        """The last summary of a kind, or the one in a line; None when there is none.

        Raises NotFound, IndexUnavailable.
        """
        ...

    async def summaries(
        self, user: str, conversation_id: str, kinds: Sequence[str]
    ) -> list[StoredSummary]:
        """The last summary of each of some kinds, of which there is one.

        Raises NotFound, IndexUnavailable.
        """
        ...

    async def days(
        self, user: str, conversation_id: str, *, before: str | None = None, limit: int
    ) -> list[Day]:
        """Days of a continuous conversation, the newest first; before a label, if it is given.

        Raises NotFound, IndexUnavailable.
        """
        ...

    async def day(self, user: str, conversation_id: str, label: str) -> Day | None:
        """One day; None when there is none of that label. Raises NotFound, IndexUnavailable."""
        ...

    async def day_of_id(self, user: str, conversation_id: str, day_id: str) -> Day | None:
        """The day with an id, if it is one of this conversation. Raises NotFound,
        IndexUnavailable."""
        ...

    async def day_of_turn(self, user: str, conversation_id: str, turn: int) -> Day | None:
        """The day that a turn belongs to, if it belongs to one. Raises NotFound,
        IndexUnavailable."""
        ...

    async def untold_days(self, user: str, conversation_id: str, *, limit: int) -> list[Day]:
        """Days with messages of which their summary, if there is one, does not tell: the oldest
        first; not the newest day.

        Raises NotFound, IndexUnavailable.
        """
        ...

    async def citing(
        self, user: str, conversation_id: str, message_ids: Sequence[str]
    ) -> list[StoredSummary]:
        """The summaries that stand on one of some messages: of each kind the newest, if that does.

        Raises NotFound, IndexUnavailable.
        """
        ...

    async def owed(
        self, user: str, wanted: OwedFilter, *, after: After | None = None, limit: int
    ) -> list[Owed]:
        """Conversations that are owed something, in the order (heard, id); `after` goes on there,
        its `updated` being `heard`. While there are no rows: none. Raises IndexUnavailable."""
        ...

    async def standing(self, user: str, conversation_id: str) -> Owed:
        """How one conversation stands. Raises NotFound, IndexUnavailable."""
        ...

    async def titles(self, user: str, wanted: Sequence[str]) -> set[str]:
        """Those of some titles that conversations have, whatever the case of their letters."""
        ...

    async def meanings(self, user: str, texts: Sequence[str]) -> dict[str, Vector]:
        """The vectors that there are of some pieces of messages, by their text; none is made."""
        ...

    async def activity(self, user: str, days: Sequence[Span]) -> list[Activity]:
        """What was said on some days, in the order (day, channel, model).

        Costs what was said then, not what there is. Raises IndexUnavailable.
        """
        ...

    async def storage(self, user: str) -> Storage:
        """How much is kept. Raises IndexUnavailable."""
        ...

    async def length(self, user: str, stream: str) -> int:
        """How long a stream is, as far as it was seen; 0 when there is none."""
        ...

    async def preferences(self, user: str) -> dict[str, Preference]:
        """What the user has chosen, by name, without what they have taken back."""
        ...

    async def memories(
        self, user: str, wanted: MemoryFilter, *, limit: int, after: After | None = None
    ) -> list[Memory]:
        """Newest first by (updated, id). Raises IndexUnavailable."""
        ...

    async def memory_count(self, user: str, wanted: MemoryFilter) -> int:
        """How many there are of a state and type, pinned, archived and superseded or not. Raises
        IndexUnavailable."""
        ...

    async def memory(self, user: str, memory_id: str) -> Memory:
        """Raises NotFound."""
        ...

    async def some_memories(self, user: str, memory_ids: Sequence[str]) -> list[Memory]:
        """Those of the memories that are there, in that order."""
        ...

    async def memory_lines(self, user: str, memory_ids: Sequence[str]) -> list[MemoryLine]:
        """Every line about some memories, the oldest first."""
        ...

    async def memories_near(
        self, user: str, question: Question, wanted: MemoryFilter
    ) -> list[NearMemory]:
        """The memories that words or meaning speak for most, some of each, in no order."""
        ...

    async def memories_at(self, user: str, seqs: Sequence[int]) -> list[MemoryLine]:
        """What some lines of the user's stream tell of memories, the oldest first."""
        ...

    async def alike(self, user: str, text: str, others: Sequence[str]) -> list[float | None]:
        """How near in meaning some texts are to one, whether they are stored or not; None where
        nobody can tell."""
        ...

    async def oblivion_salts(self, user: str) -> list[str]:
        """With what the hashes of forgotten things are salted."""
        ...

    async def forgotten(self, user: str, digests: Sequence[str]) -> set[str]:
        """Those of some salted hashes that are of forgotten things."""
        ...

    async def pinned(self, user: str, channel: str, place_id: str) -> ConversationMeta | None:
        """The pinned conversation of a place, archived or not: its `channelMeta.id` is that one's.
        There is one at most; of several, the one in which something was said last.

        Costs a lookup. Raises IndexUnavailable.
        """
        ...

    async def pinned_with(self, user: str, channel: str, party: str) -> list[ConversationMeta]:
        """The pinned conversations whose `channelMeta.party` is somebody, newest first by
        (updated, id), at most fifty. Raises IndexUnavailable."""
        ...

    async def outbox(self, user: str, limit: int) -> list[Delivery]:
        """What is `waiting` or `sending`, the oldest first, and last what is tried again later; of
        each place only the oldest one, because it is sent before the others. Raises
        IndexUnavailable."""
        ...

    async def deliveries(
        self, user: str, stream: str, message_ids: Sequence[str]
    ) -> dict[str, Delivery]:
        """How far those of some lines of a stream have come that are sent to a channel."""
        ...

    async def delivery(self, user: str, message_id: str) -> Delivery:
        """Raises NotFound."""
        ...

    async def externals(
        self,
        user: str,
        *,
        channel: str | None = None,
        trust: Trust | None = None,
        q: str | None = None,
        limit: int,
        after: After | None = None,
    ) -> list[ExternalMeta]:
        """Exchanges with outsiders, newest first by (updated, id): those of a channel, those of
        which the owner has said how far they are trusted, those in whose name or address `q`
        stands. Raises IndexUnavailable."""
        ...

    async def external(self, user: str, external_id: str) -> ExternalMeta:
        """Raises NotFound."""
        ...

    async def external_of(self, user: str, channel: str, party: str) -> ExternalMeta | None:
        """The exchange with somebody on a channel; of several, the one that is newest.

        Costs a lookup. Raises IndexUnavailable.
        """
        ...

    async def dependents(self, user: str, message_ids: Sequence[str]) -> list[Dependent]:
        """Events whose `sources` name any of the messages, and replies that quote them."""
        ...

    async def rebuild(self, progress: Callable[[Health], None] | None = None) -> None:
        """Makes every row again from the ledger, while messages are still taken."""
        ...

    async def verify(self) -> list[Finding]:
        """Compares every row with its hash, and every stream with what was seen of it."""
        ...

    async def settle(self) -> None:
        """Waits until the index has everything the ledger has."""
        ...

    async def close(self) -> None: ...
