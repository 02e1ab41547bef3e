"""How conversations and messages look on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from palaver.cli.output import one_line, say, say_prose

if TYPE_CHECKING:
    from datetime import tzinfo

    from palaver.index.records import ConversationMeta, Message


def say_conversation(conversation: ConversationMeta, zone: tzinfo) -> None:
    """One line of a list."""
    from palaver.portability.text import local_time, title_of

    say(
        (conversation.id, "dim"),
        f"  {local_time(conversation.updated, zone)}",
        f"  {one_line(conversation.channel)}",
        f"  {counted(conversation.turn_count, 'turn'):>9}  ",
        (one_line(title_of(conversation)), "bold"),
    )


def say_heading(conversation: ConversationMeta, zone: tzinfo) -> None:
    """What stands above the messages of a conversation."""
    from palaver.portability.text import facts_about, title_of

    say((one_line(title_of(conversation)), "bold"))
    for name, value in facts_about(conversation, zone):
        say((f"{name}: {one_line(value)}", "dim"))


def say_message(message: Message, zone: tzinfo) -> None:
    """Who said it, when, and the words."""
    from palaver.portability.text import local_time, speaker, words
    from palaver.recall.plain import plain_lines

    say()
    say(
        (one_line(speaker(message)), "bold"),
        (f"  {local_time(message.timestamp, zone)}  {message.id}", "dim"),
    )
    say_prose(plain_lines(words(message)) if message.role == "assistant" else words(message))


def counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
