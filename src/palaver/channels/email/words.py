"""The words of a structured field: comments, quotation marks, and the marks between its parts."""

from __future__ import annotations


def uncommented(text: str) -> str | None:
    """`text` without its comments; None if one of them or a quotation has no end."""
    kept: list[str] = []
    depth = 0
    quoting = False
    escaped = False
    for char in text:
        if escaped:
            escaped = False
        elif char == "\\" and (quoting or depth):
            escaped = True
        elif char == '"' and not depth:
            quoting = not quoting
        elif not quoting and char in "()":
            depth += 1 if char == "(" else -1
            if depth < 0:
                return None
            if not depth:
                kept.append(" ")
            continue
        if not depth:
            kept.append(char)
    return None if depth or quoting else "".join(kept)


def split(text: str, mark: str = ";") -> list[str]:
    """`text` at its marks, apart from those inside quotation marks."""
    parts: list[list[str]] = [[]]
    quoting = False
    escaped = False
    for char in text:
        if escaped:
            escaped = False
        elif quoting and char == "\\":
            escaped = True
        elif char == '"':
            quoting = not quoting
        elif not quoting and (char == mark or (mark == " " and char in "\t\r\n")):
            parts.append([])
            continue
        parts[-1].append(char)
    return ["".join(part) for part in parts]
