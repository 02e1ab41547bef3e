"""A few made-up questions in the shape of LongMemEval."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

Json = dict[str, Any]

HISTORY: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "orchard": (
        "2023/05/02 (Tue) 09:30",
        [
            ("user", "I planted a fig tree named Bertram behind the shed."),
            ("assistant", "A fig tree likes a sunny wall."),
            ("user", "Thank you, good night."),
            ("assistant", "Good night!"),
        ],
    ),
    "boat": (
        "2023/05/09 (Tue) 18:00",
        [
            ("user", "Our sailing boat needs new varnish."),
            ("assistant", "Sand the planks first."),
        ],
    ),
    "kitchen": (
        "2023/05/16 (Tue) 07:15",
        [
            ("assistant", "Good morning! What shall we cook?"),
            ("user", "A pie with leeks."),
            ("assistant", ""),
        ],
    ),
}


def question(text: str, *answers: tuple[str, int], kind: str = "single-session-user") -> Json:
    """A record; `answers` are conversations and the number of the message that answers."""
    return {
        "question_id": "q1",
        "question_type": kind,
        "question": text,
        "question_date": "2023/06/01 (Thu) 12:00",
        "answer": "Bertram",
        "answer_session_ids": sorted({name for name, _ in answers}),
        "haystack_dates": [date for date, _ in HISTORY.values()],
        "haystack_session_ids": list(HISTORY),
        "haystack_sessions": [
            [
                {"role": role, "content": content, "has_answer": (name, number) in answers}
                for number, (role, content) in enumerate(said)
            ]
            for name, (_, said) in HISTORY.items()
        ],
    }


QUESTIONS = [
    question("What is my fig tree named?", ("orchard", 0)),
    question("Which pie shall we cook?", ("kitchen", 1), ("orchard", 2), kind="multi-session"),
]


def written(path: Path, records: object = QUESTIONS) -> Path:
    """The records in a file, packed when its name says so."""
    text = json.dumps(records).encode()
    path.write_bytes(lzma.compress(text) if path.suffix == ".xz" else text)
    return path
