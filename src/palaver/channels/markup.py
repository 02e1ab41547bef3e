"""Markup: a reply in Markdown, written as a provider shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Protocol

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from palaver.text.quoting import quoted

_OFF = ("code", "html_block", "html_inline", "lheading", "reference")
"""What a part of a longer text would not mean any more, or never meant."""
_RULE = "———"


class Style(Protocol):
    """How a provider writes things. What it is given is written already, except `words`."""

    def plain(self, words: str) -> str: ...

    def strong(self, inner: str) -> str: ...

    def emphasis(self, inner: str) -> str: ...

    def struck(self, inner: str) -> str: ...

    def code(self, words: str) -> str: ...

    def block(self, words: str, language: str) -> str: ...

    def link(self, inner: str, address: str) -> str: ...

    def quote(self, inner: str) -> str: ...


class Plain:
    """Without any markup: what a reader sees, and no less."""

    def plain(self, words: str) -> str:
        return words

    def strong(self, inner: str) -> str:
        return inner

    def emphasis(self, inner: str) -> str:
        return inner

    def struck(self, inner: str) -> str:
        return inner

    def code(self, words: str) -> str:
        return words

    def block(self, words: str, language: str) -> str:
        return words

    def link(self, inner: str, address: str) -> str:
        return named(inner, address)

    def quote(self, inner: str) -> str:
        return quoted(inner)


PLAIN = Plain()


def named(inner: str, address: str) -> str:
    """A link where none can be hidden behind words."""
    bare = address.removeprefix("mailto:")
    return address if not inner or inner in (address, bare) else f"{inner} ({address})"


def render(text: str, style: Style) -> str:
    """`text` as `style` writes it. It always says something if `text` does."""
    blocks = parsed(text).children
    seen = _blocks(blocks, PLAIN).strip("\n")
    if not seen.strip():
        return style.plain(text)
    return seen if style is PLAIN else _blocks(blocks, style).strip("\n")


def parsed(text: str) -> SyntaxTreeNode:
    return SyntaxTreeNode(_parser().parse(text))


@cache
def _parser() -> MarkdownIt:
    known = MarkdownIt("commonmark", {"html": False})
    return known.enable(["table", "strikethrough"]).disable(_OFF)


def _blocks(nodes: Sequence[SyntaxTreeNode], style: Style, between: str = "\n\n") -> str:
    return between.join(written for node in nodes if (written := _block(node, style)))


def _block(node: SyntaxTreeNode, style: Style) -> str:
    match node.type:
        case "fence":
            written = style.block(node.content.removesuffix("\n"), node.info.split(" ")[0])
        case "heading":
            inner = _inline(node, style)
            written = style.strong(inner) if inner else ""
        case "hr":
            written = style.plain(_RULE)
        case "blockquote":
            inner = _blocks(node.children, style)
            written = style.quote(inner) if inner else ""
        case "bullet_list" | "ordered_list":
            written = "\n".join(_items(node, style))
        case "table":
            written = "\n".join(_rows(node, style))
        case _:
            written = _inline(node, style)
    return written


def _items(node: SyntaxTreeNode, style: Style) -> Iterator[str]:
    first = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
    for number, item in enumerate(node.children):
        mark = "- " if first is None else f"{first + number}. "
        inner = _blocks(item.children, style, "\n")
        yield style.plain(mark) + inner.replace("\n", "\n" + " " * len(mark))


def _rows(node: SyntaxTreeNode, style: Style) -> Iterator[str]:
    for part in node.children:
        for row in part.children:
            cells = [_inline(cell, style) for cell in row.children]
            line = " | ".join(cells).rstrip("| ")
            yield style.strong(line) if part.type == "thead" and line else line


def _inline(node: SyntaxTreeNode, style: Style) -> str:
    return "".join(_span(child, style) for child in node.children)


def _span(node: SyntaxTreeNode, style: Style) -> str:
    match node.type:
        case "text":
            written = style.plain(node.content)
        case "softbreak" | "hardbreak":
            written = "\n"
        case "code_inline":
            written = style.code(node.content)
        case "strong":
            written = style.strong(_inline(node, style))
        case "em":
            written = style.emphasis(_inline(node, style))
        case "s":
            written = style.struck(_inline(node, style))
        case "link":
            written = style.link(_inline(node, style), str(node.attrs.get("href", "")))
        case "image":
            written = style.link(style.plain(node.content), str(node.attrs.get("src", "")))
        case _:
            written = _inline(node, style)
    return written
