"""Naming: the people and animals of the owner's life that are called by name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palaver.memory.cues import Cues
from palaver.memory.offline.clauses import Stretch

_NAME = re.compile(
    r"(?:,| \(|:)? ?(?:called |named |namens |appelee? |llamad[oa] |di nome |genaamd |chamad[oa] )?"
    r"(?P<name>(?:The )?[A-Z\u00c0-\u00de][\w'\u2019-]+(?: [A-Z\u00c0-\u00de][\w'\u2019-]+){0,2})"
)
_NO_NAME = re.compile(r"(?:I|I'm|I've|We|My|Our|And|But|So|The|If|When|Mr|Ich|Je|Und|Et|Y|E|En)$")


def named(own: str, clause: Stretch, cues: Cues) -> Iterator[tuple[int, int]]:
    """Where a clause says who somebody is, and their name."""
    for pattern in cues.whose:
        for found in pattern.finditer(clause.low):
            name = _NAME.match(own, clause.start + found.end("rel"), clause.end)
            if name and not _NO_NAME.match(name["name"]):
                yield clause.start + found.start(), name.end()
