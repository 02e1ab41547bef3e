"""The states of one user's conversations: kept in the index, and never far behind.

A look takes the kept state and folds what was said since. When that is much (the index was made
again, or a history was brought in) it answers at once from the end of the conversation, and folds
the whole of it in the background, a part at a time. A packet waits for a part once, otherwise for
a few messages to be folded, and never for anything to be kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from palaver.digest.remembered import Remembered
from palaver.digest.state import STATE_VERSION, Item, State, fold_all, with_status
from palaver.digest.statuses import Statuses
from palaver.errors import IndexUnavailable, NotFound, StorageError
from palaver.index.port import ConversationFilter, Index, Kept, Unfolded, Where
from palaver.index.records import ConversationMeta, Message, Record

_PART = 100
"""So many messages are read and folded at a time."""
_FAR = 500
"""A state that is so many lines behind is caught up with in the background."""
_FEW = 8
"""No more messages are folded for a packet, again and again."""
_SOON = 2
"""What follows on a state is folded again for each packet; when it is more, it is kept."""
_SLICE = 5
"""In the background, so many are folded before somebody else gets a turn."""
_ASIDE = 0.05
"""So many seconds after a packet was asked for, nothing is folded in the background."""
_PATIENCE = 4
"""So many times it waits like that before it goes on all the same."""
_RECENT = 20
"""So many conversations are looked through for what is left open."""
_ATTEMPTS = 3
_PARSED = 256


Folding = Callable[[Sequence[Message], State], Awaitable[State]]
"""The state after some messages, and the one before them."""


async def in_a_thread(messages: Sequence[Message], before: State) -> State:
    return await asyncio.to_thread(fold_all, messages, before)


@dataclass(frozen=True, slots=True)
class Known:
    """The state of a conversation, as far as it is known."""

    state: State
    whole: bool
    """False while only the end of the conversation has been read."""


class Opening(Record):
    """Something that a conversation leaves open, in the words it was said in."""

    text: str
    kind: str
    turn: int
    message_id: str
    conversation_id: str
    timestamp: str
    """When it was said, in UTC."""


class States:
    """Tells where each conversation of one user stands."""

    def __init__(
        self, index: Index, user: str, statuses: Statuses, fold: Folding = in_a_thread
    ) -> None:
        self._fold_all = fold
        self._index = index
        self._user = user
        self._statuses = statuses
        self._catching_up: dict[str, asyncio.Task[None]] = {}
        self._one_at_a_time = asyncio.Semaphore(1)
        self._parsed = Remembered[tuple[str, State]](_PARSED)
        """The kept states that were read last, each with its text."""
        self._ends = Remembered[tuple[Sequence[Message], State]](_PARSED)
        """What the ends of conversations tell, each with its messages."""
        self._asked = -_ASIDE
        self._closing = False

    async def state(self, conversation: ConversationMeta) -> State:
        """The state of a conversation that is taken up. Raises NotFound."""
        state = await self._at_once(conversation.id)
        return self._statuses.taken_up(conversation, state)

    async def look(self, conversation: ConversationMeta) -> Known:
        """The state of a conversation, which is not taken up by that. Raises NotFound."""
        known = await self._known(conversation.id)
        return Known(self._statuses.seen(conversation, known.state), known.whole)

    async def glance(self, conversation_id: str, most: int = _FEW) -> State:
        """The state of a conversation for somebody who does not wait: when it is more than so many
        messages behind, as it is kept, or what its end tells; the rest is folded meanwhile. Raises
        NotFound."""
        read = await self._read(conversation_id, most)
        if read.seal and (read.more or len(read.messages) > _SOON):
            self._begin(conversation_id)
        if not read.more:
            return await self._folded(conversation_id, read)
        if read.kept is None:
            return await self._end(conversation_id)
        return await self._folded(conversation_id, replace(read, messages=()))

    async def keep(self, conversation_id: str) -> None:
        """Folds what was said and keeps it; call it after each turn. Raises NotFound."""
        await self._known(conversation_id)
        self._statuses.turned(conversation_id)

    async def open(self, conversation_id: str | None, *, limit: int) -> list[Opening]:
        """What is left open, in one conversation or in the latest ones; the newest first.

        Raises NotFound, IndexUnavailable.
        """
        if conversation_id is not None:
            conversations = [await self._index.conversation(self._user, conversation_id)]
        else:
            wanted = ConversationFilter()
            conversations = await self._index.conversations(self._user, wanted, limit=_RECENT)
        found: list[tuple[str, Item]] = []
        for conversation in conversations:
            items = (await self._known(conversation.id)).state.open_items
            found += [(conversation.id, item) for item in sorted(items, key=lambda item: -item.seq)]
            if len(found) >= limit:
                break
        return await self._dated(found[:limit])

    async def _dated(self, found: Sequence[tuple[str, Item]]) -> list[Opening]:
        ids = [item.message_id for _, item in found]
        said = {one.id: one.timestamp for one in await self._index.find(self._user, ids)}
        return [
            _opening(conversation_id, item, said[item.message_id])
            for conversation_id, item in found
            if item.message_id in said
        ]

    async def close(self) -> None:
        """Notes that the conversations which were used here were left cleanly."""
        self._closing = True  # what is being kept is waited for, or it would come after this
        await asyncio.gather(*self._catching_up.values(), return_exceptions=True)
        for conversation_id in self._statuses.last_used():
            with suppress(NotFound, IndexUnavailable, StorageError):  # the ledger has it all
                read = await self._read(conversation_id)
                if not read.more:
                    state = await self._folded(conversation_id, read)
                    await self._keep(conversation_id, with_status(state, "shutdown_clean"), read)

    # -- folding -----------------------------------------------------------------------------

    async def _at_once(self, conversation_id: str) -> State:
        """What is kept and the messages since, or what the end of the conversation tells."""
        self._asked = asyncio.get_running_loop().time()
        read = await self._read(conversation_id, _FEW)
        if read.more and read.seal and conversation_id not in self._catching_up:
            read = await self._read(conversation_id)  # once: it is kept then
        if read.seal and (read.more or len(read.messages) > _SOON):
            self._begin(conversation_id)
        if not read.more:
            return await self._folded(conversation_id, read)
        return await self._end(conversation_id)

    async def _end(self, conversation_id: str) -> State:
        """What the last few messages tell; the same ones are not folded again."""
        page = await self._index.messages(self._user, conversation_id, Where(), limit=_FEW)
        known = self._ends.get(conversation_id)
        if known is None or known[0] != page.messages:
            known = page.messages, await self._fold_all(page.messages, State())
            self._ends.put(conversation_id, known)
        return known[1]

    async def _known(self, conversation_id: str) -> Known:
        read = await self._read(conversation_id)
        if read.more and (not read.seal or await self._is_far(conversation_id, read)):
            return await self._provisional(conversation_id, read)
        while True:
            state = await self._fold(conversation_id, read)
            if not read.more:
                return Known(state, whole=True)
            following = await self._read(conversation_id)
            if following.kept == read.kept:  # it cannot be kept now
                return await self._provisional(conversation_id, read)
            read = following

    async def _read(self, conversation_id: str, limit: int = _PART) -> Unfolded:
        return await self._index.unfolded(self._user, conversation_id, STATE_VERSION, limit=limit)

    async def _folded(self, conversation_id: str, read: Unfolded) -> State:
        """The state after what was read. A text that was read before is not parsed again."""
        before = State()
        if read.kept:
            parsed = self._parsed.get(conversation_id)
            if parsed is None or parsed[0] != read.kept.text:
                parsed = read.kept.text, State.model_validate_json(read.kept.text)
                self._parsed.put(conversation_id, parsed)
            before = parsed[1]
        return await self._fold_all(read.messages, before) if read.messages else before

    async def _fold(self, conversation_id: str, read: Unfolded) -> State:
        """The state after what was read, which is kept if there is anything new in it."""
        state = await self._folded(conversation_id, read)
        if read.messages:
            await self._keep(conversation_id, state, read)
        return state

    async def _keep(self, conversation_id: str, state: State, read: Unfolded) -> bool:
        kept = Kept(state.covers, STATE_VERSION, state.model_dump_json())
        return await self._index.keep(self._user, conversation_id, kept, read)

    async def _is_far(self, conversation_id: str, read: Unfolded) -> bool:
        page = await self._index.messages(self._user, conversation_id, Where(), limit=1)
        return page.messages[-1].seq - read.messages[0].seq >= _FAR

    async def _provisional(self, conversation_id: str, read: Unfolded) -> Known:
        """What the end of the conversation tells; the rest is folded meanwhile, if it can be."""
        if read.seal:
            self._begin(conversation_id)
        page = await self._index.messages(self._user, conversation_id, Where(), limit=_PART)
        return Known(await self._fold_all(page.messages, State()), whole=False)

    # -- in the background -------------------------------------------------------------------

    def _begin(self, conversation_id: str) -> None:
        if conversation_id in self._catching_up:
            return
        task = asyncio.create_task(self._catch_up(conversation_id))
        self._catching_up[conversation_id] = task
        task.add_done_callback(lambda _: self._catching_up.pop(conversation_id, None))

    async def _catch_up(self, conversation_id: str) -> None:
        """Folds a conversation part by part; what is kept stays, whatever happens meanwhile."""
        failed = 0
        # Whatever stands in the way meets the next look, too.
        with suppress(NotFound, IndexUnavailable, StorageError):
            async with self._one_at_a_time:
                while failed < _ATTEMPTS and not self._closing:
                    read = await self._read(conversation_id)
                    if not (read.seal and read.messages):
                        return
                    state = await self._in_slices(conversation_id, read)
                    if state is None:
                        return
                    failed += not await self._keep(conversation_id, state, read)

    async def _in_slices(self, conversation_id: str, read: Unfolded) -> State | None:
        """The same state, folded a little at a time, because packets go first; None when there is
        no time for it any more."""
        state = await self._folded(conversation_id, replace(read, messages=()))
        for start in range(0, len(read.messages), _SLICE):
            await self._step_aside()
            if self._closing:
                return None
            state = await self._fold_all(read.messages[start : start + _SLICE], state)
        return state

    async def _step_aside(self) -> None:
        """However many packets are asked for, it goes on after a while."""
        waited = 0
        while waited < _PATIENCE and asyncio.get_running_loop().time() - self._asked < _ASIDE:
            await asyncio.sleep(_ASIDE)
            waited += 1


def _opening(conversation_id: str, item: Item, said: str) -> Opening:
    return Opening(
        text=item.text,
        kind=item.kind,
        turn=item.turn,
        message_id=item.message_id,
        conversation_id=conversation_id,
        timestamp=said,
    )
