"""External communications as the owner sees them: listed, read, decided, erased."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from palaver.channels.connection import Connection
from palaver.channels.external.exchanges import PREFIX
from palaver.channels.external.records import (
    Decided,
    Decision,
    DraftReply,
    External,
    ExternalChange,
    ExternalPage,
    ExternalView,
    Withheld,
)
from palaver.channels.external.replying import Replies
from palaver.channels.external.said import back_until, code_of, said_in
from palaver.channels.external.standing import shown
from palaver.conversation.books import Books
from palaver.conversation.delivered import with_deliveries
from palaver.conversation.erasure import erasure_of
from palaver.conversation.records import DependentRef, Receipt
from palaver.conversation.stored import API, message_of
from palaver.conversation.streams import check_channel
from palaver.errors import BadId, BadValue, Conflict, KeyReused, NotFound
from palaver.index import values
from palaver.index.fulltext.outside import READ
from palaver.index.pieces import piece_keys
from palaver.index.port import After, Dependent
from palaver.index.records import ExternalMeta, Message
from palaver.ledger import lines, strict
from palaver.ledger.lines import Draft, Line, check_stream
from palaver.ledger.port import Erasure
from palaver.recall import cursor as cursors
from palaver.recall.search import check_limit
from palaver.settings import Tier
from palaver.text import counted

_PAST = {"approve": "approved", "edit": "edited", "reject": "rejected"}
_PAGE = 200


def check_external_id(external_id: str) -> str:
    """`external_id`, if it can be one. Raises BadId."""
    if not external_id.startswith(f"{PREFIX}-"):
        raise BadId(f"{external_id[:80]!r} is not the id of an external communication.")
    return check_stream(external_id)


class Externals:
    """The external communications of one user."""

    def __init__(self, books: Books, connections: Mapping[str, Connection]) -> None:
        self._books = books
        self._connections = connections
        self._replies = Replies(books, connections)

    # -- reading -----------------------------------------------------------------------------

    async def page(
        self,
        *,
        channel: str | None = None,
        trust: Tier | None = None,
        q: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> ExternalPage:
        """Exchanges, the latest first. `trust` goes by what was decided here; `q` is looked for in
        names. Raises BadValue, BadText, BadCursor, IndexUnavailable."""
        check_limit(limit)
        if channel is not None:
            check_channel(channel)
        strict.check_text(q or "")
        after = After(*cursors.position(cursor, check_external_id)) if cursor is not None else None
        found = await self._books.index.externals(
            self._books.user, channel=channel, trust=trust, q=q, limit=limit + 1, after=after
        )
        some = found[:limit]
        more = len(found) > limit
        return ExternalPage(
            external=[self._shown(one) for one in some],
            next_cursor=cursors.encode([some[-1].updated, some[-1].id]) if more else None,
        )

    async def get(self, external_id: str) -> External:
        """Raises BadId, NotFound, IndexUnavailable."""
        return self._shown(await self._meta(external_id))

    async def view(
        self, external_id: str, *, before: str | None = None, limit: int = 50
    ) -> ExternalView:
        """An exchange with its last messages, or those before one. Raises BadId, NotFound,
        IndexUnavailable."""
        check_limit(limit)
        meta = await self._meta(external_id)

        def enough(some: Sequence[Line]) -> bool:
            there = _before(said_in(some), before)
            return there is not None and len(there) > limit and _has_drafts(some, meta)

        stored = await back_until(self._books.ledger, external_id, enough, limit + 1)
        said = _before(said_in(stored), before)
        if said is None:
            raise NotFound(f"There is no message {str(before)[:80]}.")
        messages = await with_deliveries(self._books, said[-limit:])
        drafts = _open_drafts(stored)
        return ExternalView(
            external=self._shown(meta),
            messages=messages,
            has_more=len(said) > limit,
            unreachable=await self._unreachable(meta),
            drafts=drafts,
            withheld=_withheld(stored, {one.id for one in (*messages, *drafts)}),
        )

    async def _unreachable(self, meta: ExternalMeta) -> str | None:
        try:
            await self._replies.question(meta)
        except Conflict as error:
            return f"{error.message} {error.remedy}"
        return None

    async def drafts(self) -> list[tuple[External, DraftReply]]:
        """Every draft that waits for the owner's word. Raises IndexUnavailable."""
        return [
            (self._shown(meta), draft)
            async for meta in self._every()
            if meta.drafts
            for draft in await self._drafts_of(meta)
        ]

    async def _drafts_of(self, meta: ExternalMeta) -> list[DraftReply]:
        ledger = self._books.ledger
        return _open_drafts(await back_until(ledger, meta.id, lambda some: _has_drafts(some, meta)))

    async def called(self, code: str) -> list[External]:
        """The exchanges that a code stands for in commands: none, or one. Raises
        IndexUnavailable."""
        return [self._shown(one) async for one in self._every() if code_of(one.id) == code]

    async def unanswered(self) -> list[External]:
        """Those that the owner has to see, and has not seen. Raises IndexUnavailable."""
        return [self._shown(one) async for one in self._every() if one.escalated]

    async def _every(self) -> AsyncIterator[ExternalMeta]:
        after = None
        while page := await self._books.index.externals(self._books.user, limit=_PAGE, after=after):
            for one in page:
                yield one
            after = After(page[-1].updated, page[-1].id)

    async def _meta(self, external_id: str) -> ExternalMeta:
        check_external_id(external_id)
        return await self._books.index.external(self._books.user, external_id)

    def _shown(self, meta: ExternalMeta) -> External:
        return shown(meta, self._connections.get(meta.channel))

    # -- deciding ----------------------------------------------------------------------------

    async def change(self, external_id: str, change: ExternalChange) -> External:
        """How far somebody is trusted, and what is done for them. Raises BadId, BadValue, NotFound,
        StorageError, IndexUnavailable."""
        meta = await self._meta(external_id)
        if events := list(_events(meta, change)):
            await self._books.ledger.append(events)
        return await self.get(external_id)

    async def decide(
        self, external_id: str, draft_id: str, decision: Decision, text: str | None = None
    ) -> Decided:
        """Sends a draft, or other words instead, or nothing: once. Raises BadId, BadValue,
        NotFound, Conflict, StorageError, IndexUnavailable."""
        meta = await self._meta(external_id)
        stored = await back_until(
            self._books.ledger, external_id, lambda some: _draft(some, draft_id) is not None
        )
        if (draft := _draft(stored, draft_id)) is None:
            raise NotFound(f"There is no draft {draft_id[:80]}.", remedy="List the drafts.")
        written = _written(draft, decision, text)
        past = _PAST[decision]
        decided = lines.event(
            external_id,
            "draft_decided",
            draftId=draft_id,
            decision=past,
            key=f"decided:{draft_id}",
        )
        seen = [lines.event(external_id, "seen")]
        own = self._books.user if decision == "edit" else None
        reply = [_reply(draft, meta, written, own)] if written is not None else []
        if any(line.event == "draft_decided" and _is_of(line, draft_id) for line in stored):
            raise _decided_before()
        try:
            appended = await self._books.ledger.append([decided, *reply, *seen])
        except KeyReused:
            raise _decided_before() from None
        message = message_of(appended[1].line) if reply else None
        return Decided.model_validate({"draft_id": draft_id, "decision": past, "message": message})

    async def reply(
        self, external_id: str, text: str, key: str | None = None, *, surface: str = API
    ) -> Message:
        """Sends somebody the owner's own words, in answer to the last message that is proven to be
        theirs. The same key and words give the first message again. Raises BadId, InputError,
        NotFound, Conflict, KeyReused, Erased, StorageError, IndexUnavailable."""
        meta = await self._meta(external_id)
        message = await self._replies.send(meta, text, key, surface)
        return (await with_deliveries(self._books, [message]))[0]

    async def delete(self, external_id: str, *, preview: bool = False) -> Receipt:
        """Erases an exchange for good, with the answers to commands that tell of it, or shows what
        that takes. Raises BadId, NotFound, StorageError, IndexUnavailable."""
        await self._meta(external_id)
        stored = await self._books.ledger.read(external_id)
        said = sum(line.type == "turn" for line in stored)
        found = [one.content[:READ] for one in said_in(stored)]
        told = await self._told_of(external_id)
        if not preview:
            erasure = replace(erasure_of(told), streams=[external_id])
            await self._books.ledger.erase(erasure)
            # A command may have been answered between the two.
            while late := [one for one in await self._told_of(external_id) if one not in told]:
                await self._books.ledger.erase(erasure_of(late))
                told += late
        erased = [f"The exchange and its {counted(said, 'message')}, with drafts and notices."]
        if told:
            erased += [f"{counted(len(told), 'answer')} to commands that told of it."]
        return Receipt(
            preview=preview,
            conversation_id=external_id,
            messages=said,
            dependents=[DependentRef(conversation_id=one.stream, message_id=None) for one in told],
            rows=1 + len(found),
            full_text=len(found),
            pieces=sum(len(piece_keys("assistant", one)) for one in found),
            erased=erased,
            remains=list(self._books.remains),
        )

    async def _told_of(self, external_id: str) -> list[Dependent]:
        """The answers to commands that tell of an exchange, wherever they were given."""
        return await self._books.index.dependents(self._books.user, [external_id])

    async def forget_told(self, line: Line, about: Sequence[str]) -> bool:
        """Erases the answer to a command if an exchange that it is about is gone: `delete` may not
        have seen it. Raises StorageError, IndexUnavailable."""
        try:
            for one in about:
                await self._meta(one)
        except NotFound:
            await self._books.ledger.erase(Erasure(lines={line.stream: [line.seq]}))
            return True
        return False


def _before(said: list[Message], message_id: str | None) -> list[Message] | None:
    """What was said before a message, or all if none is named; None if it is not there."""
    if message_id is None:
        return said
    places = (number for number, one in enumerate(said) if one.id == message_id)
    place = next(places, None)
    return None if place is None else said[:place]


def _draft(stored: Sequence[Line], draft_id: str) -> Line | None:
    drafts = (line for line in stored if line.event == "draft" and _is_of(line, draft_id))
    return next(drafts, None)


def _has_drafts(stored: Sequence[Line], meta: ExternalMeta) -> bool:
    """Whether all that wait are among these lines."""
    return len(_open_drafts(stored)) >= meta.drafts


def _events(meta: ExternalMeta, change: ExternalChange) -> list[Draft]:
    given = change.model_fields_set
    told: list[Draft] = []
    if "trust" in given and change.trust != meta.trust:
        told.append(lines.event(meta.id, "trust_changed", trust=change.trust))
    policy = change.policy if "policy" in given else meta.policy
    scope = change.scope if "scope" in given else meta.scope
    if (policy, scope) != (meta.policy, meta.scope):
        told.append(lines.event(meta.id, "policy_changed", policy=policy, scope=scope))
    trust = change.trust if "trust" in given else meta.trust
    if policy == "answer" and trust != "known":
        raise BadValue(
            "Who is not known is not answered by a model alone.",
            remedy="Set `trust` to known as well, or use the policy draft.",
        )
    if change.seen and meta.escalated:
        told.append(lines.event(meta.id, "seen"))
    return told


def _written(draft: Line, decision: Decision, text: str | None) -> str | None:
    """What is to be sent. Raises BadValue."""
    if decision == "edit":
        if text is None or not text.strip():
            raise BadValue("What is to be sent instead is missing.", remedy="Give `text`.")
        return text
    if text is not None:
        raise BadValue("Only an edited draft has a text.", remedy="Leave `text` out, or edit it.")
    return values.text(draft.data.get("text")) if decision == "approve" else None


def _reply(draft: Line, meta: ExternalMeta, text: str, own: str | None) -> Draft:
    """`own` is who has written it, if it was not the model."""
    return lines.turn(
        meta.id,
        "assistant",
        text,
        channel=meta.channel,
        author={"kind": "owner", "id": own} if own else {"kind": "assistant"},
        model=None if own else draft.data.get("by"),
        replyTo=draft.data.get("messageId"),
        draftId=draft.data.get("draftId"),
        key=f"reply:{draft.data.get('draftId')}",
        deliver=draft.data.get("respond"),
        withheld=draft.data.get("withheld"),
    )


def _open_drafts(stored: Sequence[Line]) -> list[DraftReply]:
    decided = {line.data.get("draftId") for line in stored if line.event == "draft_decided"}
    return [
        DraftReply(
            id=line.data["draftId"],
            code=code_of(line.data["draftId"]),
            text=values.text(line.data.get("text")) or "",
            message_id=values.text(line.data.get("messageId")),
            by=values.text(line.data.get("by")) or "",
            created=values.moment(line.data.get("at")) or values.EPOCH,
        )
        for line in stored
        if line.event == "draft" and line.data.get("draftId") not in decided
    ]


def _withheld(stored: Sequence[Line], shown_ids: set[str]) -> list[Withheld]:
    """What was withheld from those who wrote the replies and drafts that are shown."""
    found: list[Withheld] = []
    for line in stored:
        told = line.data.get("withheld")
        is_draft = line.event == "draft"
        named = line.data.get("draftId") if is_draft else line.id
        if named not in shown_ids or not isinstance(told, dict):
            continue
        kept = cast("dict[str, list[object]]", told)
        found.append(
            Withheld(
                message_id=str(line.data.get("messageId")) if is_draft else line.id,
                conversations=[str(one) for one in kept.get("conversations", ())],
                memories=[str(one) for one in kept.get("memories", ())],
            )
        )
    return found


def _is_of(line: Line, draft_id: str) -> bool:
    return line.data.get("draftId") == draft_id


def _decided_before() -> Conflict:
    return Conflict("This draft was decided before.", remedy="Look at what became of it.")
