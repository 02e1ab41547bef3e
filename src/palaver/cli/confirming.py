"""Asking before something goes for good."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from palaver.cli.output import note
from palaver.errors import InputError


def confirmed(question: str, facts: Sequence[str]) -> bool:
    """Shows `facts` and asks, on standard error. Raises InputError when nobody is there."""
    if not sys.stdin.isatty():
        raise InputError(
            "Nobody is there to confirm this, so nothing was done.",
            remedy="Add --yes if you are sure; --preview says what would go.",
        )
    for fact in facts:
        note(fact)
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
