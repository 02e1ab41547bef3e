"""Quoting: every line of a text marked, so that nothing in it can end its quotation."""

from __future__ import annotations


def quoted(text: str) -> str:
    """`text` with every line of it marked; whatever can end a line ends one."""
    return "\n".join(f"> {line}" for line in text.splitlines())
