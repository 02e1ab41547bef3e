"""The files of cues: every language has what extraction needs."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from palaver.digest.state.cues import LANGUAGES
from palaver.memory.cues import cues_of, tongues
from palaver.text import words


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_every_language_can_be_read(code: str) -> None:
    cues = cues_of(code)
    alone = cues.alone[0] if cues.alone else cues
    assert alone.frames
    assert alone.standing
    assert alone.plain
    assert alone.remember
    assert alone.own
    assert alone.ask
    assert alone.loose
    types = {frame.type for frame in [*alone.frames, *alone.plain, *alone.standing]}
    assert types == {"fact", "preference", "entity", "project", "decision"}


@pytest.mark.parametrize("code", [*sorted(LANGUAGES), "pasted", "sensitive"])
def test_no_heading_stands_twice(code: str) -> None:
    """Of two sections of one name only the last would be read."""
    text = (files("palaver.memory.cues") / f"{code}.txt").read_text(encoding="utf-8")
    headings = re.findall(r"^\[(\w+)\]$", text, re.MULTILINE)
    assert len(headings) == len(set(headings))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("I live in Ghent", "en"),
        ("Ich wohne in Köln", "de"),
        ("Trabajo de camarero en Cádiz", "es"),
        ("Estamos reformando la cocina", "es"),
        ("Moro em Braga com a minha irmã", "pt"),
    ],
)
def test_a_short_text_is_tried_in_every_language_it_may_be_in(text: str, code: str) -> None:
    assert code in tongues(words(text))
