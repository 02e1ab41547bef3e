"""The window: first and newest messages, within the budget, whatever was said."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from palaver.context import scales
from palaver.context.blocks import Block
from palaver.context.window import MARKER, apply_context_window, fit
from palaver.context.wire import blocks_of
from palaver.index.records import Message
from tests.context.histories import AMPLE, COUNTER, broken, cost, plain, stored

BUDGETS = st.one_of(st.integers(-10, 60), st.integers(60, 600), st.integers(600, 9000))


def said(*texts: str) -> list[dict[str, Any]]:
    roles = ("user", "assistant")
    return [{"role": roles[n % 2], "content": text} for n, text in enumerate(texts)]


def window(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    shown = apply_context_window(messages, budget, 0)
    assert cost(shown) <= max(budget, 0)
    return shown


@settings(max_examples=150)
@given(stored(), BUDGETS, st.booleans())
@example(plain("👨‍👩‍👧‍👦 " * 10, "hello"), AMPLE, False)
@example(plain("\u0300" * 60, "hello " * 76), AMPLE, False)
def test_every_promise_holds_for_every_history(
    messages: list[Message], budget: int, gap: bool
) -> None:
    blocks = blocks_of([one for one in messages if is_shown(one)], UTC)
    shown = fit(blocks, budget, scales.Scales(COUNTER, budget), gap=gap)
    assert not broken(blocks, shown, budget, gap=gap and bool(blocks))


def is_shown(message: Message) -> bool:
    return message.status not in ("superseded", "redacted", "streaming")


def test_the_oldest_go_first_and_a_marker_stands_for_them() -> None:
    messages = said(*(f"{n} " + "word " * 50 for n in range(20)))
    shown = window(messages, 500)
    assert shown[:2] == [messages[0], MARKER]
    assert shown[2:] == messages[-len(shown[2:]) :]
    assert 3 < len(shown) < 12


def test_tool_output_is_trimmed_before_anything_goes() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "log", "arguments": "{}"}}
    messages = [
        *said("first", "second", "third"),
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "line of output\n" * 4000},
        {"role": "assistant", "content": "fine"},
        {"role": "user", "content": "and now?"},
    ]
    shown = window(messages, 600)
    assert MARKER not in shown
    assert [one["role"] for one in shown] == [one["role"] for one in messages]
    output = shown[4]["content"]
    assert output.startswith("line of output")
    assert "characters left out]" in output
    assert cost(shown) > 500


def test_the_room_is_shared_by_long_outputs_and_short_ones_stay_whole() -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for n, size in enumerate((4000, 10, 2000)):
        call = {"id": str(n), "type": "function", "function": {"name": "log", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": str(n), "content": "out " * size})
    shown = window(messages, 1000)
    long, short, other = (one["content"] for one in shown if one["role"] == "tool")
    assert short == "out " * 10
    assert len(long) == pytest.approx(len(other), rel=0.1)


def test_a_message_that_does_not_fit_is_shown_head_and_tail() -> None:
    text = "Beginning. " + "middle " * 5000 + "End."
    (shown,) = window(said(text), 300)
    assert shown["content"].startswith("Beginning.")
    assert shown["content"].endswith("End.")
    first, newest = window(said("Hello", text), 300)
    assert first["content"] == "Hello"
    assert newest["content"].endswith("End.")


def test_a_long_message_of_the_past_does_not_push_out_all_before_it() -> None:
    messages = said("first", "second", "word " * 20_000, "fourth", "fifth")
    shown = window(messages, 1000)
    assert [one["content"][:5] for one in shown] == ["first", "secon", "word ", "fourt", "fifth"]


def test_calls_that_cannot_be_shown_go_with_their_results() -> None:
    calls = [
        {"id": str(n), "type": "function", "function": {"name": "log", "arguments": "{}"}}
        for n in range(40)
    ]
    results = [{"role": "tool", "tool_call_id": str(n), "content": "out"} for n in range(40)]
    calling = {"role": "assistant", "content": None, "tool_calls": calls}
    shown = window([*said("first"), calling, *results, *said("and now?")], 200)
    assert [one["role"] for one in shown] == ["user", "assistant", "user"]
    assert shown[1]["content"] == "[Tool calls left out: 40]"


def test_parts_are_cut_to_their_text() -> None:
    parts: list[Any] = [
        {"type": "text", "text": "word " * 2000},
        {"type": "image_url", "image_url": {}},
    ]
    (shown,) = window([{"role": "user", "content": parts}], 100)
    assert shown["content"].startswith("word word")


def test_a_careless_count_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of the promises would notice a window that spends too much."""
    blocks = [Block(({"role": "user", "content": "word " * 60},), (str(n),)) for n in range(30)]

    def nothing(self: object, message: object) -> int:
        return 1

    monkeypatch.setattr(scales.Scales, "message", nothing)
    assert (
        broken(blocks, fit(blocks, 500, scales.Scales(COUNTER, 500)), 500) == "the budget is kept"
    )
