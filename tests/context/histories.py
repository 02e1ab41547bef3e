"""Histories of every kind: empty and huge, only tools, all system, half erased, in any script."""

from __future__ import annotations

from typing import Any, Literal

from hypothesis import strategies as st

from palaver.context.blocks import Block, calls_of
from palaver.context.tokens import EstimatedTokens, count_message
from palaver.context.window import MARKER, Window
from palaver.index.records import Author, Json, Message

COUNTER = EstimatedTokens()
AMPLE = 200
"""With so many tokens, the first message, the marker and the newest are always shown."""
UNSEEN = "hidden-word"
"""Stands in everything that a model must not see."""

Role = Literal["user", "assistant", "system", "tool"]

_WORDS = st.sampled_from(
    [
        "hello",
        "zeppelin",
        "日本語です",
        "👨‍👩‍👧‍👦",
        "Straße",
        "привет",
        "9f3a77",
        "\n",
        "\u2028",
        "> ",
    ]
)
_SHORT = st.lists(_WORDS, min_size=1, max_size=12).map(" ".join)
_LONG = st.tuples(_SHORT, st.integers(10, 800)).map(lambda both: f"{both[0]} " * both[1])
_ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
TEXTS = st.one_of(_SHORT, _SHORT, _SHORT, _LONG, _ANY)
_GIVEN: st.SearchStrategy[Any] = st.one_of(
    st.none(), TEXTS, st.dictionaries(_ANY, TEXTS), st.lists(TEXTS, max_size=2)
)


def _call(name: str, given: Any, output: Any) -> Json:
    return {"toolName": name, "input": given, "output": output}


_NAMES = st.sampled_from(["weather", "look up", ""])
_CALLS = st.lists(st.builds(_call, _NAMES, _GIVEN, _GIVEN), min_size=1, max_size=4)
_STATUSES = st.sampled_from(
    ["complete"] * 12 + ["interrupted", "failed", "streaming", "superseded", "redacted"]
)
_ROLES: list[list[Role]] = [
    ["user", "assistant"],
    ["user", "assistant", "tool"],
    ["system"],
    ["tool"],
    ["assistant"],
]


def plain(*texts: str) -> list[Message]:
    """A conversation of nothing but texts."""
    return [
        Message(
            id=f"msg-{seq}",
            conversation_id="conv-A",
            seq=seq,
            role="system",
            content=text,
            timestamp="2026-02-14T09:00:00.000Z",
            turn_number=1,
        )
        for seq, text in enumerate(texts, 1)
    ]


@st.composite
def stored(draw: st.DrawFn, *, most: int = 14) -> list[Message]:
    """The messages of a conversation, as the index has them."""
    roles = draw(st.sampled_from(_ROLES))
    turn = 0
    messages: list[Message] = []
    for seq in range(1, 1 + draw(st.integers(0, most))):
        role = draw(st.sampled_from(roles))
        turn += role == "user" or not turn
        messages.append(draw(_message(seq, role, turn)))
    return messages


@st.composite
def _message(draw: st.DrawFn, seq: int, role: Role, turn: int) -> Message:
    status = draw(_STATUSES)
    hidden = status in ("superseded", "streaming")
    content = "" if status == "redacted" else UNSEEN if hidden else draw(TEXTS)
    calls = draw(st.one_of(st.none(), _CALLS)) if role == "assistant" and not hidden else None
    stranger = role == "user" and draw(st.integers(0, 5)) == 0
    return Message(
        id=f"msg-{seq}",
        conversation_id="conv-A",
        seq=seq,
        role=role,
        content=content,
        timestamp="2026-02-14T09:00:00.000Z",
        turn_number=turn,
        author=Author(kind="participant") if stranger else None,
        sender="Eve\nThe user" if stranger else None,
        tool_calls=None if status == "redacted" else calls,
        status=status,  # pyright: ignore[reportArgumentType]
    )


def cost(messages: list[Json]) -> int:
    """What messages cost, counted again by somebody else."""
    return sum(count_message(COUNTER, message) for message in messages)


def broken(
    blocks: list[Block],
    window: Window,
    budget: int,
    *,
    gap: bool = False,
    keep_first: bool = True,
) -> str:
    """The first promise that a window breaks, or nothing."""
    shown = window.messages
    names = [block.ids for block in window.blocks]
    recent = [block.ids for block in window.recent]
    whole = [block.ids for block in blocks]
    checks: dict[str, Any] = {
        "the budget is kept": cost(shown) <= max(budget, 0),
        "the cost is told": window.tokens == cost(shown),
        "nothing is shown twice": len(set(names)) == len(names),
        "the newest are shown, without a gap": recent == whole[len(whole) - len(recent) :],
        "calls have results": _calls_have_results(shown),
        "nothing hidden is shown": UNSEEN not in str(shown),
        "one marker at most": shown.count(MARKER) <= 1,
    }
    if budget >= AMPLE:
        missing = gap or len(names) < len(whole)
        checks |= {
            "the newest is shown": not whole or whole[-1] in names,
            "the first is shown": not keep_first or not whole or whole[0] in names,
            "a marker stands where something is missing": (MARKER in shown) == missing,
        }
    return next((name for name, held in checks.items() if not held), "")


def _calls_have_results(messages: list[Json]) -> bool:
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if not waiting or message["tool_call_id"] != waiting.pop(0):
                return False
        elif waiting:
            return False
        waiting += [call["id"] for call in calls_of(message)]
    return not waiting
