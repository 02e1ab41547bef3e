"""The tools for what is remembered: `memory_search` and `memory_add`."""

from __future__ import annotations

from palaver.agent.tools.memory_shapes import (
    MemoryAddAnswer,
    MemoryAddArguments,
    MemorySearchAnswer,
    MemorySearchArguments,
    RememberedOne,
)
from palaver.agent.tools.past import Past
from palaver.agent.tools.recall import spoken_date
from palaver.digest.state.others import own_words
from palaver.errors import NotFound
from palaver.index.records import ConversationMeta, Json, Memory, Message
from palaver.memory.forms import telling
from palaver.memory.model.wish import asks_to_remember
from palaver.memory.records import NewMemory, given_as
from palaver.text import sentence_spans, whole_character, words

_LONGEST = 500


async def memory_search(past: Past, given: MemorySearchArguments) -> MemorySearchAnswer:
    """Raises InputError, IndexUnavailable."""
    memories = past.archive.memories
    found = await memories.search(given.query, type=given.type, limit=given.limit)
    shown = [await _labelled(past, one) for one in found]
    if await memories.asks(given.query):
        return MemorySearchAnswer(memories=shown)
    more = await memories.count(given.type) - len(found)
    return MemorySearchAnswer(memories=shown, more=max(more, 0))


_SAID, _GUESSED = 0.9, 0.5
"""How sure it is what the owner said, or a program that may write; and what the agent made of
something else, which waits for approval."""


async def memory_add(past: Past, given: MemoryAddArguments) -> MemoryAddAnswer:
    """What is remembered stands on the message that is being answered, so that it goes with it.

    Raises InputError, Forbidden, IndexUnavailable, StorageError.
    """
    asked = await _asked(past)
    bears = asked is not None and _bears(given.content, asked.content)
    new: Json = {"content": given.content, "type": given.type, "category": given.category}
    if asked is not None and bears:
        new |= {
            "sourceConversationId": asked.conversation_id,
            "sourceMessageId": asked.id,
            "quote": _quotation(given.content, asked.content),
        }
    memory, is_new = await past.archive.memories.put(
        given_as(NewMemory, new),
        by=past.by,
        asked=asked is not None and bears and asks_to_remember(own_words(asked.content)),
        confidence=_SAID if bears or past.message_id is None else _GUESSED,
    )
    return MemoryAddAnswer(memory=await _labelled(past, memory), known=not is_new)


async def _asked(past: Past) -> Message | None:
    """The message of the owner that is being answered, if it is known here, and says something."""
    if past.conversation_id is None or past.message_id is None:
        return None
    asked = await past.archive.message(past.conversation_id, past.message_id)
    is_own = asked.author is not None and asked.author.kind == "owner"
    return asked if is_own and asked.content.strip() else None


def _bears(content: str, said: str) -> bool:
    """Whether a message says what is to be remembered: it has most of its telling words."""
    wanted = set(telling(words(content)))
    return 2 * len(wanted.intersection(words(said))) >= len(wanted) > 0


def _quotation(content: str, said: str) -> str:
    """The sentence that has most in common with what is remembered; of several, the first."""
    wanted = set(words(content))
    sentences = [said[start:end].strip() for start, end in sentence_spans(said)]
    told = [one for one in sentences if one] or [said.strip()]
    best = max(told, key=lambda one: len(wanted.intersection(words(one))))
    return best[: whole_character(best, _LONGEST)]


async def _labelled(past: Past, memory: Memory) -> RememberedOne:
    """A memory with who said it and where, as far as that is still there."""
    said, conversation = await _source(past, memory)
    since = memory.valid_from or memory.created
    role = "assistant" if said and said.role == "assistant" else "user"
    return RememberedOne(
        memory_id=memory.id,
        type=memory.type,
        category=memory.category,
        content=memory.content,
        confidence=memory.confidence,
        pinned=memory.pinned,
        state=memory.state,
        date=spoken_date(since, past.zone()),
        timestamp=since,
        written_by=memory.by,
        quote=memory.quote if said and (memory.quote or "") in said.content else None,
        role=role if said else None,
        sender=said.sender if said else None,
        author=said.author if said else None,
        conversation_id=conversation.id if conversation else None,
        conversation_name=conversation.name if conversation else None,
        channel=conversation.channel if conversation else None,
        message_id=said.id if said else None,
    )


async def _source(past: Past, memory: Memory) -> tuple[Message | None, ConversationMeta | None]:
    if memory.source_conversation_id is None or memory.source_message_id is None:
        return None, None
    try:
        said = await past.archive.message(memory.source_conversation_id, memory.source_message_id)
        return said, await past.archive.conversation(said.conversation_id)
    except NotFound:
        return None, None
