"""HTML as the text that a reader sees, with what it quotes marked by `>`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from palaver.channels.email.tags import NAME, attributes_of, plain, tokens

_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")

_BLOCK_NAMES = """
p div ul ol li table tr h1 h2 h3 h4 h5 h6 blockquote pre hr section article header footer address
dl dt dd center form fieldset main nav aside figure figcaption body html br
"""
_APART_NAMES = "p h1 h2 h3 h4 h5 h6 blockquote pre ul ol table"
_VOID_NAMES = "br hr img input meta link area base col embed source track wbr"
_UNSEEN_NAMES = """
script style head title template svg math object iframe select textarea audio video
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_APART = frozenset(_APART_NAMES.split())
_VOID = frozenset(_VOID_NAMES.split())
_UNSEEN = frozenset(_UNSEEN_NAMES.split())
_HIDDEN = re.compile(r"display:none|visibility:hidden|mso-hide:all|font-size:0(?:px|pt)?(?:;|$)")
_QUOTES = (
    "gmail_quote",
    "yahoo_quoted",
    "moz-forward-container",
    "moz-cite-prefix",
    "protonmail_quote",
    "tutanota_quote",
    "gmail_attr",
    "outlookmessageheader",
    "zmail_extra",
    "mail-editor-reference-message-container",
)
_TO_THE_END = ("divrplyfwdmsg", "appendonsend", "stopspelling", "x_divrplyfwdmsg")
"""All that follows one of these was written before."""
_SIGNATURES = (
    "gmail_signature",
    "moz-signature",
    "signature",
    "ms-outlook-mobile-signature",
    "protonmail_signature_block",
    "applemailsignature",
)
_MOST_DEPTH = 500
_MOST_BACK = 100


@dataclass(slots=True)
class _Open:
    """An element that has begun."""

    name: str
    unseen: bool = False
    quote: bool = False
    signature: bool = False
    link: str = ""
    began: int = 0
    count: int = 0


@dataclass(slots=True)
class Rendered:
    """What a reader sees, with quotations marked, and the signature."""

    lines: list[str] = field(default_factory=list[str])
    signature: list[str] = field(default_factory=list[str])


def rendered(html: str) -> Rendered:
    """The text of a page. It takes time in proportion to the length, and never raises."""
    page = _Page()
    for tag, text in tokens(html):
        if tag:
            page.tag(tag)
        else:
            page.text(text)
    return page.end()


class _Page:
    """What has been read so far."""

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._line: list[str] = []
        self._seen = Rendered()
        self._to_the_end = False
        self._unseen = 0
        self._quotes = 0
        self._signatures = 0
        self._pre = 0
        self._gap = False

    def text(self, text: str) -> None:
        if self._unseen:
            return
        text = plain(text)
        if self._pre:
            first, *others = text.split("\n")
            self._line.append(first)
            for line in others:
                self._break()
                self._line.append(line)
        elif text:
            self._line.append(_SPACES.sub(" ", text))

    def tag(self, tag: str) -> None:
        named = NAME.match(tag)
        name = named[0].lower() if named else ""
        if name.startswith("/"):
            self._closing(name[1:])
        elif name:
            self._opening(name, tag)

    def _opening(self, name: str, tag: str) -> None:
        attributes = attributes_of(tag[len(name) :])
        known = {attributes.get("id", "").lower(), *attributes.get("class", "").lower().split()}
        if name in _BLOCKS:
            self._break(gap=name in _APART)
        if not known.isdisjoint(_TO_THE_END):
            self._break()
            self._to_the_end = True
        if name in _VOID:
            self._void(name, attributes)
            return
        if len(self._open) < _MOST_DEPTH:
            self._begin(name, attributes, known)
        if name == "li" and not self._unseen:
            self._line.append(self._bullet())
        elif name in ("td", "th") and self._line:
            self._line.append(" ")

    def _begin(self, name: str, attributes: Mapping[str, str], known: set[str]) -> None:
        style = "".join(attributes.get("style", "").lower().split())
        one = _Open(
            name,
            unseen=name in _UNSEEN or bool(_HIDDEN.search(style)),
            quote=name == "blockquote" or not known.isdisjoint(_QUOTES),
            signature=not known.isdisjoint(_SIGNATURES),
            link=attributes.get("href", "") if name == "a" else "",
            began=len(self._line),
        )
        if one.quote or one.signature:
            self._break()
            one.began = 0
        self._open.append(one)
        self._count(one, 1)

    def _count(self, one: _Open, step: int) -> None:
        self._unseen += step * one.unseen
        self._quotes += step * one.quote
        self._signatures += step * one.signature
        self._pre += step * (one.name == "pre")

    def _void(self, name: str, attributes: Mapping[str, str]) -> None:
        alternative = attributes.get("alt", "").strip()
        if name == "img" and alternative and not self._unseen:
            self._line.append(f"[{alternative[:100]}]")

    def _bullet(self) -> str:
        for one in reversed(self._open[-_MOST_BACK:]):
            if one.name == "ol":
                one.count += 1
                return f"{one.count}. "
            if one.name == "ul":
                break
        return "- "

    def _closing(self, name: str) -> None:
        recent = self._open[-_MOST_BACK:]
        back = next((n for n, one in enumerate(reversed(recent), 1) if one.name == name), 0)
        for _ in range(back):
            self._end(self._open.pop())
        if name in _BLOCKS:
            self._break(gap=name in _APART)

    def _end(self, one: _Open) -> None:
        if one.link:
            self._link(one)
        if one.quote or one.signature or one.name == "pre":
            self._break()
        self._count(one, -1)

    def _link(self, one: _Open) -> None:
        label = "".join(self._line[one.began :]).strip()
        target = one.link.strip()[:2000]
        shown = target.removeprefix("mailto:").removesuffix("/")
        wanted = target.startswith(("http://", "https://", "mailto:")) and not self._unseen
        if wanted and label and shown not in (label, f"http://{label}", f"https://{label}"):
            self._line.append(f" ({target.removeprefix('mailto:')})")

    def _break(self, *, gap: bool = False) -> None:
        """Ends the line, if anything stands on it."""
        line = "".join(self._line)
        self._line.clear()
        line = line.rstrip() if self._pre else line.strip()
        if line:
            self._put(line)
            self._gap = False
        elif gap or self._pre:
            self._blank()
        if gap and line:
            self._blank()

    def _put(self, line: str) -> None:
        if self._quotes or self._to_the_end:
            self._seen.lines.append(f"> {line}")
        elif self._signatures:
            self._seen.signature.append(line)
        else:
            self._seen.lines.append(line)

    def _blank(self) -> None:
        if not self._gap and self._seen.lines:
            self._seen.lines.append(">" if self._quotes or self._to_the_end else "")
        self._gap = True

    def end(self) -> Rendered:
        while self._open:
            self._end(self._open.pop())
        self._break()
        return self._seen
