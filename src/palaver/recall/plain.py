"""Markdown made plain: what a reader sees of it, without its signs and its targets."""

from __future__ import annotations

import re

_QUOTE_MARK = re.compile(r"^ {0,3}(?:> ?)+", re.MULTILINE)
_SIGNS = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<code>(?<!`)(?P<ticks>`{1,8})(?!`)[^\n]{1,1000}?(?<!`)(?P=ticks)(?!`))"
    r"|\*\*(?=\S)(?P<bold>[^\n]{0,1000}?\S)\*\*"
    r"|!?\[(?P<label>(?:\\.|[^\[\]\\]){1,1000})\]\([^\s()<>]{1,2000}\)"
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def plain_lines(markdown: str) -> str:
    """`markdown` with links as their text, and without signs; quotations keep their mark."""
    return _SIGNS.sub(_seen, markdown)


def plain_text(markdown: str) -> str:
    """The same, without the marks of quotations."""
    return plain_lines(_QUOTE_MARK.sub("", markdown))


def unescaped(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)


def _seen(found: re.Match[str]) -> str:
    if found["bold"]:
        return plain_lines(found["bold"])
    return found["escaped"] or found["code"] or unescaped(found["label"])
