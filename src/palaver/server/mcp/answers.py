"""Answers: what a tool gives, as data and as text, and what went wrong, for the model to read."""

from __future__ import annotations

import sys
import traceback

from mcp_types import CallToolResult, TextContent

from palaver.agent.tools import wording
from palaver.agent.tools.wording import as_text
from palaver.errors import PalaverError
from palaver.index.records import Record


def answer(given: Record) -> CallToolResult:
    """What a tool gives: structured, and the same document as text."""
    document = given.to_json()
    return CallToolResult(
        content=[TextContent(type="text", text=as_text(document))], structured_content=document
    )


def failure(error: PalaverError) -> CallToolResult:
    """What went wrong, and what to do about it: a result, so that the model can do it."""
    text = as_text(wording.failure(error))
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


def unforeseen(error: Exception) -> CallToolResult:
    """An error nobody foresaw: where it arose is logged, its words (which may quote) are not."""
    where = "".join(traceback.format_tb(error.__traceback__))
    sys.stderr.write(f"Palaver has a bug: {type(error).__name__}\n{where}")
    return failure(PalaverError())
