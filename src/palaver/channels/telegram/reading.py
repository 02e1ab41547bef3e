"""Reading: the updates of Telegram, in the words of the port."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from palaver.channels import calls
from palaver.channels.calls import each, inner, number, text
from palaver.channels.port import Edited, Person, Place, Reacted, Received, Update
from palaver.channels.telegram.ids import message_id, place_id
from palaver.channels.telegram.saying import files, name_of, without_name, words
from palaver.index.records import Json

WANTED = ("message", "edited_message", "message_reaction")
"""The kinds of updates that are read here."""
_GROUPS = ("group", "supergroup")
_BOT = "It was written by a bot."
_ANONYMOUS = "It was written in the name of a group or a channel."
_NOTICE = "It is a notice of Telegram's."


@dataclass(frozen=True, slots=True)
class Reading:
    """Reads what is told to one bot."""

    bot_id: int
    username: str | None = None
    """The name that it is called by, once that is known."""

    def updates(self, update: Json) -> Iterator[Update]:
        if message := inner(update, "message"):
            yield from self._message(message)
        if message := inner(update, "edited_message"):
            yield from self._edit(message)
        if reaction := inner(update, "message_reaction"):
            yield from self._reaction(reaction, number(update, "update_id"))

    def _message(self, message: Json) -> Iterator[Update]:
        place, sender, said = _place(message), _sender(message), words(message, self.username)
        identity = _identity(message)
        if not (place and sender and identity) or said is None or self._is_own(sender):
            return
        answered = _answered(message)
        quote = text(inner(message, "quote"), "text")
        moved = number(message, "migrate_to_chat_id")
        yield Received(
            id=identity,
            place=place,
            sender=sender,
            text=said,
            timestamp=calls.moment(message, "date"),
            addressed=place.kind == "contact" or self._is_addressed(message, answered),
            unanswerable=_NOTICE if moved is not None else _unanswerable(message),
            answers=_identity({**answered, "chat": inner(message, "chat")}),
            parts=[*([{"type": "quote", "text": quote}] if quote else []), *files(message)],
            details={} if moved is None else {"movedTo": str(moved)},
        )

    def _edit(self, message: Json) -> Iterator[Update]:
        sender, said, edited = (
            _sender(message),
            words(message, self.username),
            number(message, "edit_date"),
        )
        identity = _identity(message)
        if not (sender and identity and edited) or said is None or self._is_own(sender):
            return
        if _place(message):
            yield Edited(f"{identity}:{edited}", identity, sender, said)

    def _reaction(self, reaction: Json, update_id: int | None) -> Iterator[Update]:
        sender, identity = _reacting(reaction), _identity(reaction)
        if sender and identity and update_id is not None and not self._is_own(sender):
            when = number(reaction, "date") or 0
            signs = [calls.label(one, "emoji") for one in each(reaction, "new_reaction")]
            sign = next(
                (one or "❔" for one in signs), ""
            )  # a sign of their own making has no name
            yield Reacted(f"{identity}:{when}:{update_id}", identity, sender, sign)

    def _is_own(self, sender: Person) -> bool:
        return sender.id == str(self.bot_id)

    def _is_addressed(self, message: Json, answered: Json) -> bool:
        """By a command, by an answer to what the bot wrote, or by its name."""
        if number(inner(answered, "from"), "id") == self.bot_id:
            return True
        if inner(message, "forward_origin"):
            return False
        said = text(message, "text") or text(message, "caption")
        if said.startswith("/") and "@" not in without_name(said, self.username).split(" ")[0]:
            return True
        return any(self._is_meant(entity, said) for entity in _entities(message))

    def _is_meant(self, entity: Json, said: str) -> bool:
        if text(entity, "type") == "text_mention":
            return number(inner(entity, "user"), "id") == self.bot_id
        name = _slice(said, number(entity, "offset"), number(entity, "length")).lower()
        is_name = text(entity, "type") == "mention" and self.username is not None
        return is_name and name == f"@{self.username}".lower()


def _entities(message: Json) -> Iterator[Json]:
    for name in ("entities", "caption_entities"):
        yield from each(message, name)


def _slice(said: str, offset: int | None, length: int | None) -> str:
    """A piece of a text that is counted in UTF-16."""
    if offset is None or length is None or offset < 0 or length < 0:
        return ""
    coded = said.encode("utf-16-le")
    return coded[2 * offset : 2 * (offset + length)].decode("utf-16-le", "replace")


def _identity(message: Json) -> str | None:
    chat, found = number(inner(message, "chat"), "id"), number(message, "message_id")
    return None if chat is None or found is None or found < 1 else message_id(chat, found)


def _place(message: Json) -> Place | None:
    """Where it was written; None for a channel, where nobody can be answered."""
    chat = inner(message, "chat")
    identity, kind = number(chat, "id"), text(chat, "type")
    if identity is None:
        return None
    if kind in _GROUPS:
        is_topic = message.get("is_topic_message") is True
        topic = number(message, "message_thread_id") if is_topic else None
        return Place("group", place_id(identity, topic), name_of(chat) or None)
    return Place("contact", str(identity), name_of(chat) or None) if kind == "private" else None


def _sender(message: Json) -> Person | None:
    return _person(inner(message, "sender_chat")) or _person(inner(message, "from"))


def _reacting(reaction: Json) -> Person | None:
    return _person(inner(reaction, "user")) or _person(inner(reaction, "actor_chat"))


def _person(given: Json) -> Person | None:
    identity = number(given, "id")
    return None if not identity else Person(str(identity), name_of(given) or None)


def _unanswerable(message: Json) -> str | None:
    if inner(message, "sender_chat"):
        return _ANONYMOUS
    return _BOT if inner(message, "from").get("is_bot") is True else None


def _answered(message: Json) -> Json:
    """The message that it answers. In a topic, everything answers its beginning: that is none."""
    found = inner(message, "reply_to_message")
    return {} if "forum_topic_created" in found else found
