"""Fitting: text from elsewhere, so that it can be stored whatever it is."""

from __future__ import annotations

import re

_UNFIT = re.compile("[\0\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def fit(text: str) -> str:
    """`text` with a replacement sign for what can never be stored."""
    if not _UNFIT.search(text):
        return text
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return joined.replace("\0", _REPLACEMENT)
