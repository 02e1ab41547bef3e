"""Conversations as one page that stands alone: nothing runs or loads; light, dark, printable."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import Any

import orjson

from palaver.index.port import Day
from palaver.index.records import ConversationMeta, Message
from palaver.portability.pieces import Block, Code, Quote, blocks, pieces
from palaver.portability.text import (
    ALL,
    Entry,
    SummaryLine,
    facts_about,
    facts_about_day,
    local_time,
    show_controls,
    speaker,
    summary_lines,
    title_of,
    words,
)
from palaver.times import spoken_day


def opening(title: str) -> str:
    """The head of the page. Only its own style sheet is allowed, by its hash."""
    style = files("palaver.portability").joinpath("page.css").read_text(encoding="utf-8")
    allowed = b64encode(sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
    )


def heading(conversation: ConversationMeta, zone: tzinfo) -> str:
    """The title and the facts of one conversation."""
    facts = facts_about(conversation, zone)
    shown = "".join(f"<dt>{name}</dt><dd>{_text(value)}</dd>" for name, value in facts)
    return f'<h1 dir="auto" lang="">{_text(title_of(conversation))}</h1>\n<dl>{shown}</dl>\n'


def day(of: Day, level: int) -> str:
    """The date of a day, what tells of it, and the heading of what was said on it."""
    facts = "".join(
        f"<dt>{name}</dt><dd>{_text(value)}</dd>" for name, value in facts_about_day(of)
    )
    told = _summary(of.summary.text, level + 1) if of.summary else ""
    date = f'<h{level} id="{escape(of.label)}">{spoken_day(of.label)}</h{level}>'
    return f"{date}\n<dl>{facts}</dl>\n{told}<h{level + 1}>Messages</h{level + 1}>\n"


def _summary(text: str, level: int) -> str:
    shown = ""
    for points, lines in groupby(summary_lines(text), lambda line: line[0] == "point"):
        told = "".join(_summary_line(kind, words, level) for kind, words in lines)
        shown += f"<ul>\n{told}</ul>\n" if points else told
    return shown


def _summary_line(kind: SummaryLine, words: str, level: int) -> str:
    tag = {"heading": f"h{level}", "point": "li", "text": "p"}[kind]
    return f'<{tag} dir="auto" lang="">{"".join(map(_piece, pieces(words)))}</{tag}>\n'


def message(said: Message, zone: tzinfo) -> str:
    """One message; its words stay within it whatever they are."""
    who = _text(speaker(said))
    when = f'<time datetime="{escape(said.timestamp)}">{local_time(said.timestamp, zone)}</time>'
    by = f" <span>{_text(said.model)}</span>" if said.model else ""
    body = _body(said)
    calls = "".join(_tool_call(call) for call in said.lasting_calls)
    return (
        f'<article id="{escape(said.id)}" class="{said.role}" aria-label="{who}">\n'
        f'<header><b dir="auto">{who}</b> {when}{by}</header>\n{body}{calls}</article>\n'
    )


def closing() -> str:
    return "</main>\n</body>\n</html>\n"


def contents(entries: Sequence[Entry], zone: tzinfo) -> Iterator[str]:
    """The index of a folder: each conversation with the file that holds it."""
    yield opening(ALL) + f"<h1>{ALL}</h1>\n<ul>\n"
    for entry in entries:
        link = f'<a href="{escape(entry.file)}" dir="auto" lang="">{_text(entry.title)}</a>'
        words = f' <span dir="auto" lang="">{_text(entry.begins)}</span>' if entry.begins else ""
        yield f"<li>{local_time(entry.began, zone)} {link}{words}</li>\n"
    yield "</ul>\n" + closing()


def _body(said: Message) -> str:
    """Assistants write Markdown; everybody else's words are shown as they are."""
    if said.role == "assistant" and said.status != "redacted":
        return "".join(_block(block) for block in blocks(words(said).split("\n")))
    return f'<p dir="auto" lang="">{_text(words(said))}</p>\n'


def _block(block: Block) -> str:
    if isinstance(block, Quote):
        return f"<blockquote>{''.join(_block(one) for one in block.blocks)}</blockquote>\n"
    if isinstance(block, Code):
        return f"<pre><code>{_text(block.text)}</code></pre>\n"
    lines = "\n".join("".join(map(_piece, pieces(line))) for line in block.lines)
    return f'<p dir="auto" lang="">{lines}</p>\n'


def _piece(piece: tuple[str, str]) -> str:
    tag = {"bold": "strong", "code": "code"}.get(piece[0])
    return f"<{tag}>{_text(piece[1])}</{tag}>" if tag else _text(piece[1])


def _tool_call(call: dict[str, Any]) -> str:
    name = _text(str(call.get("toolName", "tool")))
    shown = _text(orjson.dumps(call, option=orjson.OPT_INDENT_2).decode())
    return f"<details><summary>Used {name}</summary><pre>{shown}</pre></details>\n"


def _text(text: str) -> str:
    return escape(show_controls(text))
