"""Conversations that a channel goes on in are called after it."""

from __future__ import annotations

import pytest

from palaver.digest.recording import _with_place  # pyright: ignore[reportPrivateUsage]
from palaver.index.records import ConversationMeta, Json
from palaver.index.values import EPOCH


@pytest.mark.parametrize(
    ("place", "title"),
    [
        ({}, "Server Check"),
        ({"kind": "contact", "id": "1", "name": None}, "Server Check"),
        ({"kind": "contact", "id": "1", "name": "Hanan"}, "Hanan — Server Check"),
        ({"kind": "group", "id": "g", "name": "Climbing"}, "Climbing — Server Check"),
        ({"kind": "thread", "id": "t", "name": "The roof"}, "The roof"),
    ],
)
def test_a_title_names_the_place(place: Json, title: str) -> None:
    meta = ConversationMeta(id="conv-1", created=EPOCH, updated=EPOCH, channel_meta=place)
    assert _with_place(meta, "Server Check") == title


def test_a_title_is_not_too_long() -> None:
    place = {"kind": "contact", "id": "1", "name": "x" * 300}
    meta = ConversationMeta(id="conv-1", created=EPOCH, updated=EPOCH, channel_meta=place)
    assert len(_with_place(meta, "Server Check")) == 80
