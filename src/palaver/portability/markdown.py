"""Conversations as Markdown that reads well as it is.

The words of a message stand in a quotation, with everything escaped that Markdown gives a meaning:
whatever they hold is shown as it was said, and can neither end its message nor load or run
anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import tzinfo
from typing import Any

import orjson

from palaver.index.port import Day
from palaver.index.records import ConversationMeta, Message
from palaver.portability.pieces import Block, Code, Quote, blocks, pieces
from palaver.portability.text import (
    ALL,
    Entry,
    facts_about,
    facts_about_day,
    local_time,
    one_line,
    show_controls,
    speaker,
    summary_lines,
    title_of,
    words,
)
from palaver.times import spoken_day

_MEANINGFUL = re.compile(r"([\\`*_{}\[\]<>#&~|!$^])")
_ACTIVE = re.compile(r"[\\`*_\[\]<~|$]|&(?=#?\w+;)")
_LEADING = re.compile(r"[-+#>=:]|\d{1,9}(?=[.)])")
_BACKTICKS = re.compile("`+")
_BACKSLASHED = r"\\\g<0>"
_HARD_BREAK = "  \n"


def opening(title: str) -> str:
    return ""


def heading(conversation: ConversationMeta, zone: tzinfo) -> str:
    """The title and the facts of one conversation."""
    lines = [f"- {name}: {_inline(value)}" for name, value in facts_about(conversation, zone)]
    return f"# {_inline(title_of(conversation))}\n\n" + "\n".join(lines) + "\n\n"


def day(of: Day, level: int) -> str:
    """The date of a day, what tells of it, and the heading of what was said on it."""
    facts = "\n".join(f"- {name}: {_inline(value)}" for name, value in facts_about_day(of))
    told = _summary(of.summary.text, level + 1) if of.summary else ""
    said = f"{'#' * (level + 1)} Messages\n\n"
    return f"{'#' * level} {spoken_day(of.label)}\n\n{facts}\n\n{told}{said}"


def _summary(text: str, level: int) -> str:
    shown = ""
    for kind, told in summary_lines(show_controls(text)):
        if kind == "heading":
            shown = f"{shown.rstrip()}\n\n{'#' * level} {_inline(told)}\n\n".lstrip()
        elif kind == "point":
            shown += f"- {_line(told)}\n"
        else:
            shown += f"{_line(told)}\n\n"
    return f"{shown.rstrip()}\n\n"


def message(said: Message, zone: tzinfo) -> str:
    """Who said it and when, then the words."""
    by = f", {_inline(said.model)}" if said.model else ""
    who = f"**{_inline(speaker(said))}**, {local_time(said.timestamp, zone)}{by}\n\n"
    body = _body(said) if said.content or said.status == "redacted" else ""
    return who + body + "".join(_tool_call(call) for call in said.lasting_calls)


def closing() -> str:
    return ""


def contents(entries: Sequence[Entry], zone: tzinfo) -> Iterator[str]:
    """The index of a folder: each conversation with the file that holds it."""
    yield f"# {ALL}\n\n"
    for entry in entries:
        words = f" — {_inline(entry.begins)}" if entry.begins else ""
        when = local_time(entry.began, zone)
        yield f"- {when} [{_inline(entry.title)}]({entry.file}){words}\n"


def quoted(text: str) -> str:
    """`text` as a quotation that nothing in it can end, with its lines as they are."""
    paragraphs = re.split(r"\n(?:[^\S\n]*\n)+", text)
    return _prefixed([_joined(map(escaped, one.split("\n"))) for one in paragraphs])


def escaped(line: str) -> str:
    """One line with everything escaped that Markdown would take as structure."""
    words = line.lstrip()
    indent = line[: len(line) - len(words)].expandtabs(4)
    safe = _ACTIVE.sub(_BACKSLASHED, words)
    if found := _LEADING.match(safe):
        mark = found.end() if found[0].isdigit() else 0
        safe = f"{safe[:mark]}\\{safe[mark:]}"
    return "\u00a0" * len(indent) + safe  # ordinary spaces would make it code


def fenced(text: str) -> str:
    """`text` as a block that nothing in it can end."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}\n\n"


def _body(said: Message) -> str:
    """Assistants write Markdown; everybody else's words are shown as they are."""
    if said.role == "assistant" and said.status != "redacted":
        return _prefixed([_block(block) for block in blocks(words(said).split("\n"))])
    return quoted(words(said))


def _block(block: Block) -> str:
    if isinstance(block, Quote):
        return _prefixed([_block(one) for one in block.blocks]).rstrip("\n")
    if isinstance(block, Code):
        return fenced(block.text).rstrip("\n")
    return _joined(map(_line, block.lines))


def _line(line: str) -> str:
    """A line of an assistant, with its bold words and its code, and with links as their text."""
    shown = ""
    for kind, text in pieces(line):
        if kind == "code" and "`" not in text and text.strip():
            shown += f"`{text.strip()}`"
        elif kind == "bold" and text[:1].isalnum() and text[-1:].isalnum():
            shown += f"**{_ACTIVE.sub(_BACKSLASHED, text)}**"
        else:
            shown += escaped(text) if not shown else _ACTIVE.sub(_BACKSLASHED, text)
    return shown


def _joined(lines: Iterable[str]) -> str:
    """Lines that stay lines when they are shown."""
    return _HARD_BREAK.join(line.rstrip() for line in lines)


def _prefixed(parts: Sequence[str]) -> str:
    """The parts as one quotation."""
    lines = "\n\n".join(part for part in parts if part).split("\n")
    return "".join(f"> {line}\n" if line else ">\n" for line in lines) + "\n"


def _tool_call(call: dict[str, Any]) -> str:
    name = _inline(str(call.get("toolName", "tool")))
    shown = orjson.dumps(call, option=orjson.OPT_INDENT_2).decode()
    return f"Used {name}:\n\n{fenced(show_controls(shown))}"


def _inline(text: str) -> str:
    """`text` on one line, with nothing in it that Markdown gives a meaning."""
    return _MEANINGFUL.sub(r"\\\1", one_line(text))
