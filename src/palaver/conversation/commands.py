"""Commands in a conversation: each is answered at once, and kept with its answer as one event."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from palaver.agent.commands import OF_OTHERS, Command, help_text, unknown_text, usage_text
from palaver.agent.language import ModelInfo, Models
from palaver.agent.markdown import inline, link
from palaver.conversation.books import Books
from palaver.conversation.conversations import Conversations, checked_title
from palaver.conversation.forgetting import Forgetting
from palaver.conversation.records import Reply
from palaver.conversation.saying import Place, Saying, limited
from palaver.conversation.stored import API, message_of, namespaced
from palaver.conversation.streams import CONTINUOUS, PREFIX, Streams
from palaver.errors import BadValue, Erased, InputError, KeyReused, ModelError
from palaver.index import values
from palaver.index.records import ConversationMeta, Json, Message
from palaver.ledger import lines
from palaver.ledger.lines import Draft, Line

EVENT = "command"
_NEEDS = {"title": ("write",), "forget": ("write", "recall")} | dict.fromkeys(OF_OTHERS, ("write",))
"""What whoever gives the command must be allowed to do, beside chatting."""


@dataclass(frozen=True, slots=True)
class Given:
    """A command, where it was given, and by whom."""

    command: Command
    text: str
    place: Place
    key: str | None
    scopes: Collection[str]
    surface: str = API
    """The namespace of its key."""
    deliver: Json | None = None
    """Where the answer is to be sent, if the command came by a channel."""

    @property
    def named_key(self) -> str | None:
        """Its key, told apart from those of other surfaces."""
        own = self.key is None or self.surface == API
        return self.key if own else f"{self.surface}:{self.key}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a command: the answer, and what is stored with it in one commit."""

    answer: str
    drafts: tuple[Draft, ...] = ()
    fields: Json | None = None
    """What else is noted in the event."""
    about: tuple[str, ...] = ()
    """The exchanges with outsiders that the answer tells of: it goes with them."""

    @property
    def noted(self) -> Json:
        """The fields of the event, with what it stands on."""
        sources = {"sources": [{"messageId": one} for one in self.about]} if self.about else {}
        return {**sources, **(self.fields or {})}


@dataclass(frozen=True, slots=True)
class Answered:
    """A command that was answered."""

    reply: Reply
    waiting: Message | None = None
    """A message that it has stored, and that wants an answer."""


class OfOthers(Protocol):
    """Who answers outsiders, and decides about replies to them."""

    async def answer(self, name: str, argument: str, key: str | None) -> Outcome:
        """What came of a command about them; what it sends is sent once for each key. Raises
        StorageError, IndexUnavailable."""
        ...

    async def forget(self, line: Line, about: Sequence[str]) -> bool:
        """Erases the answer to a command if an exchange that it is about was erased meanwhile.
        Raises StorageError, IndexUnavailable."""
        ...


class Commands:
    """Answers the commands of one user."""

    def __init__(
        self,
        books: Books,
        conversations: Conversations,
        streams: Streams,
        models: Models,
        forgetting: Forgetting,
        *,
        others: OfOthers | None = None,
    ) -> None:
        """`others` is who answers outsiders, where there are any."""
        self._others = others
        self._books = books
        self._conversations = conversations
        self._streams = streams
        self._models = models
        self._forgetting = forgetting

    async def answer(self, given: Given) -> Answered:
        """Carries a command out, once for each key. Raises NotFound, KeyReused, ReadOnly, Erased,
        StorageFailed, IndexUnavailable."""
        place = given.place
        conversation = await self._conversation(given)
        begun = [] if conversation else [self._conversations.beginning(place.channel)]
        stream = conversation.id if conversation else begun[0].stream
        outcome = _refusal(given) or await self._outcome(given, conversation, stream)
        event = lines.event(
            stream,
            EVENT,
            name=given.command.name,
            text=_kept_text(given, outcome),
            answer=outcome.answer,
            key=namespaced(given.surface, given.key),
            deliver=given.deliver,
            **outcome.noted,
        )
        drafts = [
            replace(one, here=place.conversation_id is not None)
            for one in (*_keyed(outcome.drafts, given), event)
        ]
        try:
            appended = await self._books.ledger.append([*begun, *drafts])
        except KeyReused:
            return Answered(_reply(await self._earlier(stream, given)))
        await self._check_kept(appended[-1].line, outcome.about)
        questions = [one.line for one in appended if one.line.type == "turn" and not one.replayed]
        waiting = message_of(questions[0]) if questions else None
        return Answered(_reply(appended[-1].line), waiting)

    async def _check_kept(self, line: Line, about: Sequence[str]) -> None:
        """Raises Erased when what the answer tells of was erased while it was written."""
        if about and self._others and await self._others.forget(line, about):
            raise Erased(
                "What the answer tells of was erased while it was written, so it went too.",
                remedy="Give the command again.",
            )

    async def _conversation(self, given: Given) -> ConversationMeta | None:
        """Where the command is given; None where a conversation is to begin."""
        place = given.place
        if place.conversation_id is None:
            return None if place.new else await self._conversations.latest(place.channel)
        if place.new:
            raise BadValue("A new conversation gets an id of its own.", remedy="Give one of them.")
        if given.deliver is None:
            await self._streams.writable(place.conversation_id)
        return await self._conversations.get(place.conversation_id)

    async def _earlier(self, stream: str, given: Given) -> Line:
        """What the same command gave before. Raises KeyReused when it was another one."""
        key = namespaced(given.surface, given.key)
        for line in await self._books.ledger.read(stream):
            same = line.event == EVENT and line.data.get("key") == key
            if same and line.data.get("text") in (given.text, _without_words(given)):
                return line
        raise KeyReused

    # -- what each of them does --------------------------------------------------------------

    async def _outcome(
        self, given: Given, conversation: ConversationMeta | None, stream: str
    ) -> Outcome:
        command = given.command
        match command.name:
            case "new":
                return self._new(given, conversation)
            case "model":
                return self._model(command.argument, conversation, stream)
            case "title":
                return _title(command.argument, conversation, stream)
            case "forget":
                found = await self._forgetting.outcome(command.argument, stream, conversation)
                return Outcome(found.answer, fields=found.fields)
            case _:
                return await self._told(command, given.named_key)

    async def _told(self, command: Command, key: str | None) -> Outcome:
        """The answer to a command that changes nothing here."""
        others = self._others
        if command.name == "help":
            return Outcome(help_text(others=others is not None))
        if others is not None and command.name in OF_OTHERS:
            return await others.answer(command.name, command.argument, key)
        return Outcome(unknown_text(command.name, others=others is not None))

    def _new(self, given: Given, old: ConversationMeta | None) -> Outcome:
        if _is_continuous(old) and not given.command.argument:
            return Outcome(f"This conversation goes on. {link('Start another one', '/?new')}.")
        channel = old.channel if old else given.place.channel
        name = _new_id(PREFIX, given.named_key)
        if old is not None and given.deliver is not None:
            return self._new_of_channel(old, name)
        begun = self._conversations.beginning(channel, name=name, model=old.model if old else None)
        answer = f"This is a new conversation: {link('open it', f'/c/{name}')}."
        fields: Json = {"conversationId": name}
        if not (text := given.command.argument):
            return Outcome(answer, (begun,), fields)
        said = Saying(text, scopes=limited(given.scopes), id=_new_id("msg", given.named_key))
        fields["sources"] = [{"messageId": said.id}]  # the command goes with what it said
        drafts = said.drafts(name, channel, self._books.user)
        return Outcome(answer, (begun, *drafts), fields)

    def _new_of_channel(self, old: ConversationMeta, name: str) -> Outcome:
        """The channel goes on in another conversation; this one goes on in the page only."""
        begun = self._conversations.beginning(
            old.channel,
            name=name,
            model=old.model,
            pinned_to=old.channel_meta,
            participants=old.participants,
        )
        unpinned = lines.event(old.id, "unpinned")
        answer = "This is a new conversation. The one before is kept in the page."
        return Outcome(answer, (unpinned, begun), {"conversationId": name})

    def _model(self, name: str, conversation: ConversationMeta | None, stream: str) -> Outcome:
        if not name:
            return Outcome(self._models_text(conversation))
        try:
            info = self._models.info(name)
        except ModelError as error:
            told = f"{inline(error.message)} {error.remedy}"
            return Outcome(f"{told}\n\n{self._models_text(conversation)}")
        if not info.connected:
            return Outcome(f"`{info.name}` is not connected. `/model` shows those that are.")
        changed = lines.event(stream, "model_changed", model=info.name)
        return Outcome(f"From now on `{info.name}` answers in this conversation.", (changed,))

    def _models_text(self, conversation: ConversationMeta | None) -> str:
        listed = self._models.list()
        chosen = conversation.model if conversation else None
        current = chosen or listed[0].name
        lines_ = [_model_line(one) for one in listed]
        return f"`{inline(current)}` answers in this conversation.\n\n" + "\n".join(lines_)


def _is_continuous(conversation: ConversationMeta | None) -> bool:
    return conversation is not None and conversation.mode == CONTINUOUS


def _keyed(drafts: Sequence[Draft], given: Given) -> list[Draft]:
    """What is stored with a command is repeated with it: it has keys made from the command's."""
    if given.key is None:
        return list(drafts)
    return [
        replace(draft, body={**draft.body, "key": f"command:{number}:{given.named_key}"})
        for number, draft in enumerate(drafts)
    ]


def _kept_text(given: Given, outcome: Outcome) -> str:
    """What is kept of a command that came to nothing names no words: no erasure would find them."""
    return given.text if outcome.drafts or outcome.fields else _without_words(given)


def _without_words(given: Given) -> str:
    return f"/{given.command.name} …" if given.command.argument else given.text


def _refusal(given: Given) -> Outcome | None:
    missing = [one for one in _NEEDS.get(given.command.name, ()) if one not in given.scopes]
    if not missing:
        return None
    if given.deliver is not None:
        return Outcome("That is not done where others read along.")
    return Outcome(f"Your token may not do that: it needs the scope `{missing[0]}`.")


def _title(text: str, conversation: ConversationMeta | None, stream: str) -> Outcome:
    if _is_continuous(conversation):
        return Outcome("This conversation goes on from day to day, and has no title.")
    if not text:
        return Outcome(usage_text("title"))
    try:
        title = checked_title(text)
    except InputError as error:
        return Outcome(error.message)
    named = lines.event(stream, "title_assigned", title=title, by="user")
    return Outcome(f"This conversation is called “{inline(title)}” now.", (named,))


def _model_line(model: ModelInfo) -> str:
    state = "" if model.connected else ", not connected"
    return f"- `{model.name}`: {inline(model.model)}{state}"


def _new_id(prefix: str, key: str | None) -> str:
    """The same one for the same key, so that a repeated command begins no other conversation."""
    if key is None:
        return lines.new_id(prefix)
    return f"{prefix}-{lines.derived_id(f'new:{key}', 0).partition('-')[2]}"


def _reply(line: Line) -> Reply:
    begun = values.text(line.data.get("conversationId"))
    return Reply(
        conversation_id=line.stream,
        turn_number=None,
        reply=answer_of(line),
        new_conversation_id=begun,
    )


def answer_of(line: Line) -> Message:
    """The answer to a command, as a message that stands in no turn."""
    data: dict[str, Any] = line.data
    key = values.text(data.get("key"))
    return Message(
        id=line.id,
        conversation_id=line.stream,
        seq=line.seq,
        role="assistant",
        content=values.text(data.get("answer")) or "",
        timestamp=values.moment(data.get("timestamp")) or values.EPOCH,
        turn_number=0,
        key=key.removeprefix(f"{API}:") if key else None,
    )
