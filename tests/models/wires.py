"""The protocols of OpenAI (chat completions) and Anthropic (messages), as streams of bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tests.models.script import (
    Body,
    Call,
    Disconnect,
    Hold,
    Raw,
    Status,
    Step,
    Stop,
    Text,
    Thinking,
    Trouble,
    Used,
)

Sent = bytes | Disconnect | Hold
_ENDS = {
    "openai": {
        "stop": "stop",
        "length": "length",
        "refusal": "content_filter",
        "tool": "tool_calls",
    },
    "anthropic": {
        "stop": "end_turn",
        "length": "max_tokens",
        "refusal": "refusal",
        "tool": "tool_use",
    },
}


def problem(protocol: str, step: Status) -> bytes:
    """An error as the provider writes it."""
    if step.body is not None:
        return step.body
    if protocol == "openai":
        error = {"message": step.message, "type": step.kind, "param": None, "code": step.kind}
        return json.dumps({"error": error}).encode()
    return json.dumps(
        {"type": "error", "error": {"type": step.kind, "message": step.message}}
    ).encode()


def openai(steps: Sequence[Step], asked: Body) -> Iterator[Sent]:
    """The chunks of a chat completion."""
    yield _chunk(asked, {"role": "assistant", "content": ""})
    calls = 0
    for step in steps:
        match step:
            case Text():
                yield from (_chunk(asked, {"content": piece}) for piece in step.pieces)
            case Thinking():
                yield _chunk(asked, {"reasoning_content": step.text})
            case Call():
                yield from (_chunk(asked, {"tool_calls": [one]}) for one in _called(step, calls))
                calls += 1
            case Trouble():
                error = {"message": step.message, "type": step.kind, "code": step.kind}
                yield _data({"error": error})
            case Raw():
                yield step.data
            case Disconnect() | Hold():
                yield step
            case _:
                pass
    reason = _end(steps, "openai")
    if reason is not None:
        yield _chunk(asked, {}, reason)
    if asked.get("stream_options", {}).get("include_usage"):
        yield _data({**_frame(asked), "choices": [], "usage": _openai_usage(_used(steps))})
    yield b"data: [DONE]\n\n"


def _frame(asked: Body) -> Body:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_790_000_000,
        "model": asked.get("model", ""),
    }


def _chunk(asked: Body, delta: Body, reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
    return _data({**_frame(asked), "choices": [choice]})


def _called(step: Call, index: int) -> Iterator[Body]:
    function = {"name": step.name, "arguments": ""}
    yield {"index": index, "id": step.id, "type": "function", "function": function}
    for piece in _cut(step):
        yield {"index": index, "function": {"arguments": piece}}


def _openai_usage(used: Used) -> Body:
    return {
        "prompt_tokens": used.input,
        "completion_tokens": used.output,
        "total_tokens": used.input + used.output,
        "prompt_tokens_details": {"cached_tokens": used.cache_read},
    }


def anthropic(steps: Sequence[Step], asked: Body) -> Iterator[Sent]:
    """The events of a message."""
    used = _used(steps)
    yield _event("message_start", {"message": _message(asked, used)})
    yield _event("ping", {})
    index = 0
    for step in steps:
        match step:
            case Text() | Thinking() | Call():
                yield from _block(step, index)
                index += 1
            case Trouble():
                yield _event("error", {"error": {"type": step.kind, "message": step.message}})
            case Raw():
                yield step.data
            case Disconnect() | Hold():
                yield step
            case _:
                pass
    if (reason := _end(steps, "anthropic")) is not None:
        delta = {"stop_reason": reason, "stop_sequence": None}
        yield _event("message_delta", {"delta": delta, "usage": {"output_tokens": used.output}})
        yield _event("message_stop", {})


def _message(asked: Body, used: Used) -> Body:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": asked.get("model", ""),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {
            "input_tokens": used.input - used.cache_read - used.cache_write,
            "cache_read_input_tokens": used.cache_read,
            "cache_creation_input_tokens": used.cache_write,
            "output_tokens": 1,
        },
    }


def _block(step: Text | Thinking | Call, index: int) -> Iterator[bytes]:
    start, deltas = _content(step)
    yield _event("content_block_start", {"index": index, "content_block": start})
    for delta in deltas:
        yield _event("content_block_delta", {"index": index, "delta": delta})
    yield _event("content_block_stop", {"index": index})


def _content(step: Text | Thinking | Call) -> tuple[Body, list[Body]]:
    match step:
        case Text():
            deltas: list[Body] = [{"type": "text_delta", "text": piece} for piece in step.pieces]
            return {"type": "text", "text": ""}, deltas
        case Thinking():
            return {"type": "thinking", "thinking": "", "signature": ""}, [
                {"type": "thinking_delta", "thinking": step.text},
                {"type": "signature_delta", "signature": step.signature},
            ]
        case Call():
            deltas = [{"type": "input_json_delta", "partial_json": one} for one in _cut(step)]
            return {"type": "tool_use", "id": step.id, "name": step.name, "input": {}}, deltas


def _cut(step: Call) -> list[str]:
    return [
        step.arguments[start : start + step.cut]
        for start in range(0, len(step.arguments), step.cut)
    ]


def _used(steps: Sequence[Step]) -> Used:
    return next((step for step in steps if isinstance(step, Used)), Used())


def _end(steps: Sequence[Step], protocol: str) -> str | None:
    """The reason that the script gives, or else the one that fits it."""
    told = next((step for step in steps if isinstance(step, Stop)), None)
    if told is None:
        told = Stop("tool" if any(isinstance(step, Call) for step in steps) else "stop")
    return None if told.reason is None else _ENDS[protocol][told.reason]


def _data(value: Any) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def _event(kind: str, value: Body) -> bytes:
    return f"event: {kind}\n".encode() + _data({"type": kind, **value})
