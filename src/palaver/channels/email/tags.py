"""The tags of HTML, found in one pass, whatever is broken.

Python's own parser takes time that grows with the square of the length for some of what is sent on
purpose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape

from palaver.channels.email.charsets import cleaned

NAME = re.compile(r"/?[A-Za-z][A-Za-z0-9:-]{0,30}")
_ATTRIBUTE = re.compile(
    r"""([A-Za-z-]{1,30})\s{0,10}=\s{0,10}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
)
_MOST_TAG = 8_000
_DIGITS = re.compile(r"&#[0-9]{8,}|&#[xX][0-9a-fA-F]{7,}")


def tokens(html: str) -> Iterator[tuple[str, str]]:
    """Tags and texts, in turn: `(tag, "")` or `("", text)`."""
    at = 0
    while at < len(html):
        begin = html.find("<", at)
        if begin < 0:
            yield "", html[at:]
            return
        if begin > at:
            yield "", html[at:begin]
        if html.startswith("<!--", begin):
            at = _after(html, "-->", begin + 4)
        elif html[begin + 1 : begin + 2] in ("!", "?"):
            at = _after(html, ">", begin + 1)
        elif NAME.match(html, begin + 1):
            end = _tag_end(html, begin + 1)
            yield html[begin + 1 : end], ""
            at = end + 1
        else:
            yield "", "<"
            at = begin + 1


def _after(html: str, mark: str, at: int) -> int:
    found = html.find(mark, at)
    return len(html) if found < 0 else found + len(mark)


_TAG_MARK = re.compile("[\"'>]")


def _tag_end(html: str, at: int) -> int:
    """Where a tag ends; a mark inside quotation marks does not end it. Without an end it is the
    rest, as in a browser."""
    while found := _TAG_MARK.search(html, at):
        if found[0] == ">":
            return found.start()
        closing = html.find(found[0], found.end())
        if closing < 0:
            break
        at = closing + 1
    return len(html)


def attributes_of(tag: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for one in _ATTRIBUTE.finditer(tag[:_MOST_TAG]):
        found.setdefault(one[1].lower(), plain(one[2] or one[3] or one[4] or ""))
    return found


def plain(text: str) -> str:
    """`text` with its entities as characters."""
    return cleaned(unescape(_DIGITS.sub("\ufffd", text)))
