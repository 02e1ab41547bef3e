"""Sentences: where they end, in any script."""

from __future__ import annotations

import re
from collections.abc import Iterator

SENTENCE_END = re.compile(
    r"[.!?\u2026]+[\"'\u201d\u2019\u00bb)\]*_]*(?=\s)|[\u3002\uff01\uff1f]+|\n+"
)
"""What stands at the end of a sentence; a full stop may stand elsewhere, too."""
_NO_END = re.compile(
    r"(?:\b(?:dr|mr|mrs|ms|prof|st|vs|no|nr|e\.g|i\.e|z\.b|bzw|etc|approx)|(?:^|\s)\d{1,2})\Z", re.I
)
"""Before a full stop that ends no sentence: abbreviations, and the numbers of a list."""


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence of `text` begins and ends, with the white space between them."""
    start = 0
    for found in SENTENCE_END.finditer(text):
        if found[0] == "." and _NO_END.search(text, max(found.start() - 8, 0), found.start()):
            continue
        yield start, found.end()
        start = found.end()
    if start < len(text):
        yield start, len(text)
