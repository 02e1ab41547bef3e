"""Whatever a provider signs is read or said to be unreadable; nothing else ever comes of it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver.channels.port import Channel, Edited, Reacted, Received, Reported, Update
from palaver.channels.telegram import TelegramChannel
from palaver.channels.telegram.channel import HEADER
from palaver.channels.whatsapp import WhatsAppChannel
from palaver.errors import BadJson
from palaver.ledger.strict import check_value
from palaver.settings.channels import TelegramSettings, WhatsAppSettings
from tests.channels.contract import hook
from tests.channels.telegram.provider import SECRET, TOKEN
from tests.channels.whatsapp import provider as whatsapp

FOLDER = Path(__file__).parent
SIGNED = {"appSecret": whatsapp.SECRET, "phoneNumberId": whatsapp.NUMBER_ID}
CALLED = {"token": TOKEN, "secretToken": SECRET, "mode": "webhook"}


def _pairs(value: Any) -> list[tuple[Any, Any]]:
    """What an object or a list holds, with where it is."""
    if isinstance(value, dict):
        return list(cast("dict[Any, Any]", value).items())
    return list(enumerate(cast("list[Any]", value))) if isinstance(value, list) else []


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for name, one in _pairs(value):
        yield (*path, name)
        yield from _paths(one, (*path, name))


def _payloads(name: str) -> list[Any]:
    return [json.loads(one.read_text()) for one in sorted((FOLDER / name / "payloads").iterdir())]


PAYLOADS = {name: _payloads(name) for name in ("whatsapp", "telegram")}
NAMES = sorted({str(path[-1]) for several in PAYLOADS.values() for path in _paths(several)})
TEXTS = st.one_of(
    st.text(st.characters(codec=None, exclude_categories=()), max_size=8),
    st.sampled_from(
        [
            *(
                "",
                " ",
                "\0",
                "a\0b",
                "\ud800",
                "\udc00x",
                "\u200d",
                "9" * 40,
                "9" * 17,
                "-9",
                "1e9",
            ),
            *("١٢٣", "@g.us", "0", "-0", "00", "x" * 500, "a b", "\n", "\u2028", "/", "/new@", "@"),
            *("text", "image", "edit", "revoke", "reaction", "private", "supergroup", "channel"),
            *(whatsapp.NUMBER_ID, "messages", "US.1", "failed", "mention", "text_mention"),
        ]
    ),
)
NUMBERS = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0, -1, 10**12, 10**17, -(10**17), 10**18, 10**400, 2**63, 1e308, -0.0]),
)
ATOMS: st.SearchStrategy[Any] = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
VALUES = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=4), inner, max_size=5)
    ),
    max_leaves=25,
)


@st.composite
def changed(draw: st.DrawFn, name: str) -> Any:
    """What the provider might tell, with something else in a few places: mostly of the same kind,
    so that it is read on."""
    told = copy.deepcopy(draw(st.sampled_from(PAYLOADS[name])))
    for _ in range(draw(st.integers(1, 3))):
        paths = list(_paths(told)) or [("object",)]
        deep = [path for path in paths if len(path) >= 2 and len(path) >= len(paths[-1]) - 1]
        *way, last = draw(st.sampled_from(deep if deep and draw(st.integers(0, 7)) else paths))
        place = told
        for step in way:
            place = place[step]
        known = dict(_pairs(place)).get(last, "")
        same = TEXTS if isinstance(known, str) else NUMBERS
        place[last] = draw(same if draw(st.integers(0, 3)) else VALUES)
    return told


def _whatsapp() -> tuple[Channel, Callable[[bytes], dict[str, str]]]:
    return WhatsAppChannel(WhatsAppSettings.model_validate(SIGNED)), whatsapp.signed


def _telegram() -> tuple[Channel, Callable[[bytes], dict[str, str]]]:
    return TelegramChannel(TelegramSettings.model_validate(CALLED)), lambda _: {HEADER: SECRET}


MAKERS = {"whatsapp": _whatsapp, "telegram": _telegram}


def read(name: str, body: bytes) -> list[Update]:
    """All that comes of a signed call; what comes of it can be kept."""
    channel, claim = MAKERS[name]()
    try:
        found = list(hook(channel).read(body, claim(body)))
    except BadJson:
        return []
    for update in found:
        _check(channel, update)
    assert list(hook(channel).read(body, claim(body))) == found
    return found


def _check(channel: Channel, update: Update) -> None:
    if isinstance(update, Reported):
        check_value([update.message, update.why])
        assert update.message
        return
    check_value([update.id, update.sender.id, update.sender.name])
    assert 0 < len(update.id) <= 240
    assert channel.person(update.sender.id) == update.sender.id
    if isinstance(update, Received | Edited):
        check_value(update.text)
        assert update.text.strip()
    if isinstance(update, Received):
        check_value([*update.parts, update.details, update.place.id, update.place.name])
        assert update.place.id
        assert len(json.dumps(update.details)) <= 16 << 10
    if isinstance(update, Reacted):
        check_value(update.emoji)


@pytest.mark.parametrize("name", MAKERS)
def test_any_json_is_read_or_refused(name: str) -> None:
    @given(VALUES)
    def fuzz(value: Any) -> None:
        read(name, json.dumps(value).encode())

    fuzz()


@pytest.mark.parametrize("name", MAKERS)
def test_any_payload_with_a_few_changes_is_read_or_refused(name: str) -> None:
    @given(changed(name))
    @settings(max_examples=500)
    def fuzz(value: Any) -> None:
        read(name, json.dumps(value).encode())

    fuzz()


@pytest.mark.parametrize("name", MAKERS)
def test_any_bytes_are_read_or_refused(name: str) -> None:
    @given(st.binary(max_size=200))
    def fuzz(body: bytes) -> None:
        read(name, body)

    fuzz()


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize(
    "body",
    [
        b'{"entry":' + b"[" * 30 + b"]" * 30 + b"}",
        b'{"object":"whatsapp_business_account","entry":[' + b"{}," * 300_000 + b"{}]}",
        b'{"message":{"message_id":1,"text":"' + b"/" * 1_000_000 + b'"}}',
        b'{"a":"' + b"\\ud83d" * 300_000 + b'"}',
        b'{"n":' + b"1" * 4000 + b"}",
    ],
    ids=["deep", "wide", "long", "halves", "number"],
)
def test_what_is_large_takes_no_time(name: str, body: bytes) -> None:
    assert read(name, body) == []
