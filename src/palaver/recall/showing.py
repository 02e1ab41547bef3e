"""Showing: the part of a message that tells why it was found."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.index.records import Message
from palaver.recall.plain import plain_text
from palaver.recall.ranking import FoundRound
from palaver.recall.snippet import Snippet, snippet
from palaver.text import Term


def show(message: Message, found: FoundRound, terms: Sequence[Term]) -> Snippet:
    """The best piece of a message in short. Assistants write Markdown; a snippet is plain text."""
    start, end = found.span
    text = _plain(message, message.content[start:end])
    whole = start == 0 and end == len(message.content)
    return snippet(text, terms, before=start > 0 and not whole, after=end < len(message.content))


def beginning(message: Message) -> Snippet:
    """What a message begins with."""
    return snippet(_plain(message, message.content), ())


def _plain(message: Message, text: str) -> str:
    return plain_text(text) if message.role == "assistant" else text
