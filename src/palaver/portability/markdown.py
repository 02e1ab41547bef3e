"""Conversations as Markdown that reads well as it is.

Words stand in fences longer than any run of backticks in them: whatever they hold is shown as it
was said, and can neither end its message nor load or run anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import Any

import orjson

from palaver.index.records import ConversationMeta, Message
from palaver.portability.text import (
    ALL,
    facts_about,
    local_time,
    one_line,
    show_controls,
    speaker,
    title_of,
    words,
)

_MEANINGFUL = re.compile(r"([\\`*_{}\[\]<>#&~|!$^])")
_BACKTICKS = re.compile("`+")


def opening(title: str) -> str:
    return ""


def heading(conversation: ConversationMeta, zone: tzinfo) -> str:
    """The title and the facts of one conversation."""
    lines = [f"- {name}: {_inline(value)}" for name, value in facts_about(conversation, zone)]
    return f"# {_inline(title_of(conversation))}\n\n" + "\n".join(lines) + "\n\n"


def message(said: Message, zone: tzinfo) -> str:
    """Who said it and when, then the words."""
    by = f", {_inline(said.model)}" if said.model else ""
    who = f"**{_inline(speaker(said))}**, {local_time(said.timestamp, zone)}{by}\n\n"
    body = fenced(words(said)) if said.content or said.status == "redacted" else ""
    return who + body + "".join(_tool_call(call) for call in said.tool_calls or ())


def closing() -> str:
    return ""


def contents(conversations: Sequence[tuple[ConversationMeta, str]], zone: tzinfo) -> Iterator[str]:
    """The index of a folder: each conversation with the file that holds it."""
    yield f"# {ALL}\n\n"
    for conversation, file in conversations:
        title = _inline(title_of(conversation))
        yield f"- {local_time(conversation.created, zone)} [{title}]({file})\n"


def fenced(text: str) -> str:
    """`text` as a block that nothing in it can end."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}\n\n"


def _tool_call(call: dict[str, Any]) -> str:
    name = _inline(str(call.get("toolName", "tool")))
    shown = orjson.dumps(call, option=orjson.OPT_INDENT_2).decode()
    return f"Used {name}:\n\n{fenced(show_controls(shown))}"


def _inline(text: str) -> str:
    """`text` on one line, with nothing in it that Markdown gives a meaning."""
    return _MEANINGFUL.sub(r"\\\1", one_line(text))
