"""Other people's words inside our Markdown: they stay words, whatever they contain."""

from __future__ import annotations

import re

_ACTIVE = re.compile(r"[\\`*_\[\]<~]|&(?=#?\w+;)")
_LEADING = re.compile(r"(?=[-+#>=|:])|^(\d{1,9})(?=[.)])")
_BIDI_CONTROLS = re.compile(r"[\u202a-\u202e\u2066-\u2069]")


def one_line(text: str) -> str:
    """`text` with every run of white space made one space."""
    return " ".join(text.split())


def escaped(text: str) -> str:
    """`text` on one line, with everything escaped that Markdown would take as structure."""
    line = _ACTIVE.sub(lambda found: f"\\{found[0]}", one_line(text))
    return _LEADING.sub(r"\1\\", line, count=1) if _LEADING.match(line) else line


def blockquote(text: str) -> str:
    return f"> {escaped(text)}"


def code(text: str) -> str:
    """`text` to be typed as it is: nothing in it ends it."""
    return f"`{one_line(text).replace('`', '')}`"


def inline(text: str) -> str:
    """Anybody's `text` inside a line of ours: it cannot turn the line's direction either."""
    return escaped(_BIDI_CONTROLS.sub("", text))


def link(text: str, target: str) -> str:
    """A link to an address of ours."""
    return f"[{inline(text)}]({target})"
