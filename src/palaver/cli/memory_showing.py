"""How memories look on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from palaver.cli.output import one_line, say

if TYPE_CHECKING:
    from datetime import tzinfo

    from palaver.index.records import Memory
    from palaver.memory.records import Extraction, MemoryHistory

_REASONS = {
    "secret": "a secret",
    "sensitive": "sensitive, and nobody asked to have it remembered",
    "forgotten": "forgotten before",
}


def say_memories(memories: Sequence[Memory], zone: tzinfo) -> None:
    """A list, or that there is nothing to list."""
    for memory in memories:
        say_memory(memory, zone)
    if not memories:
        say("There is no such memory.")


def say_memory(memory: Memory, zone: tzinfo) -> None:
    """One line of a list."""
    from palaver.portability.text import local_time

    category = [one_line(memory.category)] if memory.category else []
    marks = ", ".join([*category, *_marks(memory)])
    say(
        (memory.id, "dim"),
        f"  {local_time(memory.valid_from or memory.created, zone)}",
        f"  {memory.type:<10}  ",
        (one_line(memory.content), "bold"),
        (f" ({marks})" if marks else "", "dim"),
    )


def _marks(memory: Memory) -> list[str]:
    """What is not usual about it."""
    found = {
        "pinned": memory.pinned,
        "archived": memory.archived,
        "waits for approval": memory.state == "waiting",
        "replaced": memory.superseded_by is not None,
        f"{memory.confidence:.0%} sure": memory.confidence < 1,
    }
    return [mark for mark, is_so in found.items() if is_so]


def say_history(history: MemoryHistory, zone: tzinfo) -> None:
    """A memory with all that is known about it."""
    from palaver.portability.text import local_time

    memory = history.memory
    say_memory(memory, zone)
    if memory.quote:
        say(f"> {one_line(memory.quote)}")
    if memory.source_message_id:
        say((f"From {memory.source_conversation_id}, {memory.source_message_id}", "dim"))
    times = "once" if memory.access_count == 1 else f"{memory.access_count} times"
    say((f"Used {times} in replies.", "dim"))
    for change in history.changes:
        when = local_time(change.at, zone)
        say(f"{when}  {change.event} by {one_line(change.by)}  ", (one_line(change.content), "dim"))
    for title, others in (("Before:", history.before), ("Since then:", history.after)):
        if others:
            say((title, "dim"))
            say_memories(others, zone)


def say_extraction(found: Extraction, zone: tzinfo, *, stored: bool) -> None:
    """What was found in a conversation, and what became of it."""
    new = "It is remembered now:" if stored else "It would be remembered:"
    waiting = "It waits for approval:" if stored else "It would wait for approval:"
    for title, memories in ((new, found.added), (waiting, found.waiting)):
        if memories:
            say((title, "dim"))
            say_memories(memories, zone)
    for one in found.superseded:
        say((f"{one.memory_id} is replaced by {one.by}.", "dim"))
    for one in found.merged:
        say((f"Known already, as {one.memory_id}: ", "dim"), one_line(one.content))
    for one in found.skipped:
        reason = _REASONS.get(one.reason, one.reason)
        say(("Left out: ", "dim"), one_line(one.quote), (f" ({reason})", "dim"))
    if not any((found.added, found.waiting, found.merged, found.skipped)):
        say("There is nothing in it to remember.")
