"""Lines of JSON: every field of a record, and of an error no word."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from palaver.telemetry.logs import formatter

CANARY = "zeppelin-4711"


class Lines:
    """A log of its own, and what comes out of it."""

    def __init__(self) -> None:
        self.log = logging.getLogger("palaver.some")
        self.stream = io.StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(formatter())

    def told(self) -> dict[str, Any]:
        text = self.stream.getvalue()
        assert text.count("\n") == 1
        return json.loads(text)


@pytest.fixture
def lines() -> Iterator[Lines]:
    lines = Lines()
    lines.log.addHandler(lines.handler)
    lines.log.setLevel(logging.INFO)
    yield lines
    lines.log.setLevel(logging.NOTSET)
    lines.log.removeHandler(lines.handler)


def test_a_record_is_one_line_with_its_fields(lines: Lines):
    lines.log.info("turn_ended", extra={"outcome": "complete", "tokens": {"history": 3}})
    told = lines.told()
    assert told.pop("timestamp").endswith("Z")
    assert told == {
        "event": "turn_ended",
        "level": "info",
        "logger": "palaver.some",
        "outcome": "complete",
        "tokens": {"history": 3},
    }


def test_of_an_error_its_kind_and_its_places_are_told(lines: Lines):
    try:
        raise ValueError(CANARY)
    except ValueError:
        lines.log.exception("Something\nfailed in %s.", "two lines")
    told = lines.told()
    assert told["event"] == "Something\nfailed in two lines."
    assert told["error"] == "ValueError"
    assert told["places"][0].startswith("test_logs.py:")
    assert CANARY not in lines.stream.getvalue()
