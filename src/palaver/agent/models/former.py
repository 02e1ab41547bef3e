"""Former tools: calls of tools that a model is not offered now, told to it in words.

Whoever sends a message may be allowed less than whoever sent the one before, or a tool may be gone:
providers refuse a conversation in which tools were called when there are none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from palaver.context.blocks import calls_of, text_of
from palaver.index.records import Json
from palaver.text import quoted


def in_words(messages: Sequence[Json], offered: Collection[str]) -> Iterator[Json]:
    """The messages, with the calls of all other tools, and what came of them, as text."""
    results = {one["tool_call_id"]: text_of(one) for one in messages if one["role"] == "tool"}
    told: set[str] = set()
    for message in messages:
        former = [call for call in calls_of(message) if call["function"]["name"] not in offered]
        if former:
            told.update(call["id"] for call in former)
            yield _without(message, former, results)
        elif message.get("tool_call_id") not in told:
            yield message


def _without(message: Json, former: Sequence[Json], results: dict[str, str]) -> Json:
    said = [text_of(message), *(_told(call, results) for call in former)]
    kept = [call for call in calls_of(message) if call not in former]
    content = "\n\n".join(text for text in said if text)
    return {"role": "assistant", "content": content, **({"tool_calls": kept} if kept else {})}


def _told(call: Json, results: dict[str, str]) -> str:
    """What came of it is quoted: it is a record, whatever it says."""
    made = call["function"]
    result = quoted(results.get(call["id"], ""))
    return f"[The tool {made['name']} was used with {made['arguments']}. It gave:]\n{result}"
