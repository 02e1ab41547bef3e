"""Wording: what a tool gives as text, and what went wrong, for a model to read.

Stored words can say anything. Here they are strings of a JSON document and nothing else: they
cannot end it, and nothing in its text drives a terminal, hides from a reader or turns the order of
letters around.
"""

from __future__ import annotations

import json
import re
from typing import Any

from palaver.errors import PalaverError
from palaver.index.records import Json

# Controls and what no reader sees: soft hyphens, marks of direction and of width, separators of
# lines, fillers, tags and the private planes. JSON reads the escapes back as what they were.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)


def as_text(document: Any) -> str:
    """`document` as JSON on one line that can be read as it stands."""
    text = json.dumps(document, ensure_ascii=False)
    return _UNSEEN.sub(lambda found: json.dumps(found.group())[1:-1], text)


def failure(error: PalaverError) -> Json:
    """What went wrong, and what to do about it."""
    told = {"code": error.code, "message": error.message, "remedy": error.remedy}
    return {"error": told}
