"""Answers: what a tool gives, as data and as text, and what went wrong, for the model to read.

Stored words can say anything. Here they are strings of a JSON document and nothing else: they
cannot end it, and nothing in its text drives a terminal, hides from a reader or turns the order of
letters around.
"""

from __future__ import annotations

import json
import re
import sys
import traceback
from typing import Any

from mcp_types import CallToolResult, TextContent

from palaver.errors import PalaverError
from palaver.index.records import Record

# Controls and what no reader sees: soft hyphens, marks of direction and of width, separators of
# lines, fillers, tags and the private planes. JSON reads the escapes back as what they were.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)


def answer(given: Record) -> CallToolResult:
    """What a tool gives: structured, and the same document as text."""
    document = given.to_json()
    return CallToolResult(
        content=[TextContent(type="text", text=as_text(document))], structured_content=document
    )


def failure(error: PalaverError) -> CallToolResult:
    """What went wrong, and what to do about it: a result, so that the model can do it."""
    told = {"code": error.code, "message": error.message, "remedy": error.remedy}
    text = as_text({"error": told})
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


def unforeseen(error: Exception) -> CallToolResult:
    """An error nobody foresaw: where it arose is logged, its words (which may quote) are not."""
    where = "".join(traceback.format_tb(error.__traceback__))
    sys.stderr.write(f"Palaver has a bug: {type(error).__name__}\n{where}")
    return failure(PalaverError())


def as_text(document: Any) -> str:
    """`document` as JSON on one line that can be read as it stands."""
    text = json.dumps(document, ensure_ascii=False)
    return _UNSEEN.sub(lambda found: json.dumps(found.group())[1:-1], text)
