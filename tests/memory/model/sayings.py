"""Messages of an owner, and what a good model finds in them."""

from __future__ import annotations

import json
from typing import Any

from palaver.context.tokens import EstimatedTokens
from palaver.memory.model.transcript import Transcript
from palaver.memory.port import Saying

count = EstimatedTokens().count

HOME = "We moved on the 3rd: I live in Leeds now, with my sister Marta and 2 cats. Any good vet?"
TEA = "Please remember that I don’t drink\ncoffee, only tea."
ENGINEER = "structural engineer, mostly bridges"
ASKED = "I guess you work for Siemens. What do you do for a living?"


def saying(text: str, number: int = 1, asked: str = "") -> Saying:
    return Saying(f"msg-{number}", "conv-1", text, "2026-02-14T09:00:00.000Z", asked)


SAYINGS = (saying(HOME), saying(TEA, 2), saying(ENGINEER, 3, ASKED))


def transcript(*sayings: Saying, room: int = 6000) -> Transcript:
    return Transcript(sayings or SAYINGS, room, count)


def memory(**changes: Any) -> dict[str, Any]:
    """Where the owner lives, as a model tells it, but for what is changed."""
    return {
        "message": 1,
        "type": "fact",
        "content": "I live in Leeds.",
        "quote": "I live in Leeds now",
        "category": "home",
        "confidence": 0.9,
        "explicit": False,
        "sensitive": "none",
        "slot": "home",
        "ends": "",
        **changes,
    }


def found(*memories: dict[str, Any]) -> str:
    """The answer of a model."""
    return json.dumps({"memories": memories})


TEA_MEMORY = memory(
    message=2,
    type="preference",
    content="I don't drink coffee, only tea.",
    quote="I don't drink coffee, only tea",
    category="food",
    confidence=1,
    explicit=True,
    slot="",
)
JOB_MEMORY = memory(
    message=3,
    content="I do structural engineer for a living, mostly bridges.",
    quote="structural engineer, mostly bridges",
    category="work",
    slot="job",
)
GOOD = found(JOB_MEMORY, memory(), TEA_MEMORY)
