"""What is printed: text that cannot drive the terminal, or one JSON document."""

from __future__ import annotations

import re
import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from palaver.errors import PalaverError

Piece = str | tuple[str, str]
"""A text, or a text and its style."""

# Everything a terminal may act on, and what turns the order of letters around.
_DANGEROUS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """`text` with what could drive a terminal written out: `\\x1b`, `\\u202e`."""
    return _DANGEROUS.sub(_written_out, text)


def _written_out(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def one_line(text: str) -> str:
    return visible(" ".join(text.split()))


def say(*pieces: Piece) -> None:
    """Prints one line, with its styles if a terminal shows it."""
    safe = [_safe(piece) for piece in pieces]
    if sys.stdout.isatty():
        from rich.text import Text

        _terminal().print(Text.assemble(*safe), soft_wrap=True)
    else:
        sys.stdout.write("".join(text for text, _ in safe) + "\n")


def say_prose(text: str) -> None:
    """Prints lines of prose; on a terminal, long ones are broken between words."""
    if not sys.stdout.isatty():
        say(text)
        return
    for line in visible(text).split("\n"):
        mark = "> " if line.startswith("> ") else ""
        for part in _wrapped(line.removeprefix(mark), len(mark)):
            say(mark + part)


def _wrapped(line: str, indent: int) -> list[str]:
    from rich.text import Text

    width = max(_terminal().width - indent, 20)
    return [part.plain.rstrip() for part in Text(line).wrap(_terminal(), width)] or [""]


def say_json(document: object) -> None:
    """Prints `document`; what could drive a terminal is escaped, which JSON reads back."""
    import orjson

    text = orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()
    sys.stdout.write(_DANGEROUS.sub(lambda found: f"\\u{ord(found.group()):04x}", text) + "\n")


def note(text: str) -> None:
    """Prints a line about the work itself, on standard error."""
    sys.stderr.write(visible(text) + "\n")


def say_error(error: PalaverError) -> None:
    note(f"{error.message}\n{error.remedy}")


def write_bytes(block: bytes) -> None:
    """Prints an export: exactly as it is, unless a terminal shows it."""
    if sys.stdout.isatty():
        sys.stdout.write(visible(block.decode(errors="backslashreplace")))
    else:
        sys.stdout.buffer.write(block)


def _safe(piece: Piece) -> tuple[str, str]:
    text, style = (piece, "") if isinstance(piece, str) else piece
    return visible(text), style


@cache
def _terminal() -> Console:
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)
