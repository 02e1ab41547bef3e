"""Everything as one download."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC
from pathlib import Path
from typing import Any

import httpx
import pytest

from palaver.app import Change, Palaver
from palaver.conversation.records import ConversationPage
from palaver.portability import (
    FORMATS,
    SUFFIXES,
    Format,
    all_conversations,
    export_everything,
)
from palaver.settings import Settings
from tests.server.person import Person
from tests.server.site import Site, running_site


@pytest.fixture(params=["home", "postgres"])
def url(request: pytest.FixtureRequest) -> str | None:
    return request.getfixturevalue("database_url") if request.param == "postgres" else None


@pytest.fixture
def site(tmp_path: Path, url: str | None) -> Iterator[Site]:
    with running_site(tmp_path / "home", database_url=url) as site:
        yield site


@pytest.fixture
def conversations(ann: Person) -> list[str]:
    """Three in the order in which they began; the second one is archived."""
    made = [ann.start(f"Number {number}") for number in range(3)]
    for one in reversed(made):
        ann.tell(one, f"This is in {one}.")
    ann.change(made[1], archived=True)
    return made


def test_lines_are_those_of_each_conversation(ann: Person, conversations: list[str]):
    answer = ann.http.get("/api/export")
    alone = [ann.http.get(f"/api/conversations/{one}/export").content for one in conversations]
    assert all(alone)
    assert answer.content == b"".join(alone)
    assert answer.headers["content-type"] == "application/jsonl"


@pytest.mark.parametrize("url", [None])
def test_lines_are_those_that_are_stored(site: Site, ann: Person, conversations: list[str]):
    stored = site.stored()
    whole = b"".join(stored[f"{one}.jsonl"] for one in conversations)
    assert ann.http.get("/api/export").content == whole


@pytest.mark.parametrize("form", FORMATS)
def test_it_is_a_file_with_everything_in_it(ann: Person, conversations: list[str], form: Format):
    answer = ann.http.get("/api/export", params={"format": form})
    name = f'attachment; filename="palaver{SUFFIXES[form]}"'
    assert answer.headers["content-disposition"] == name
    places = [answer.text.index(f"This is in {one}.") for one in conversations]
    assert places == sorted(places)


def test_nothing_said_is_a_file_too(ann: Person):
    assert ann.http.get("/api/export").content == b""
    assert "<html" in ann.http.get("/api/export", params={"format": "html"}).text


def test_others_get_nothing_of_it(site: Site, ann: Person, conversations: list[str]):
    bea_id = site.accounts.add_user("bea").id
    with site.program(user=bea_id) as bea:
        assert bea.get("/api/export").content == b""


def test_it_needs_the_scope_to_read(site: Site, stranger: httpx.Client):
    assert stranger.get("/api/export").status_code == 401
    with site.program(["chat", "write"]) as writer:
        assert writer.get("/api/export").status_code == 403


def test_an_unknown_format_is_refused(ann: Person):
    refused = ann.http.get("/api/export", params={"format": "pdf"})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_value")


def test_it_ends_with_the_credentials(site: Site, ann: Person):
    """What has been sent before stays; that something is missing shows."""
    for _ in range(2):
        conversation = ann.start()
        for _ in range(10):
            ann.tell(conversation, "x" * 1_000_000)
    here = f"{site.address.host}:{site.address.port}"
    with socket.create_connection((site.address.host, site.address.port), 10) as slow:
        lines = ["GET /api/export HTTP/1.1", f"Host: {here}"]
        lines += [f"{name}: {value}" for name, value in ann.headers.items()]
        slow.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        assert slow.recv(15) == b"HTTP/1.1 200 OK"
        site.accounts.revoke_token("local", ann.token)
        rest = bytearray()
        with suppress(ConnectionError), site.program(["admin"]) as admin:
            while "palaver_open 0.0" not in admin.get("/metrics").text:
                pass
            while piece := slow.recv(1 << 20):
                rest += piece
    assert not rest.endswith(b"0\r\n\r\n")
    assert len(rest) < 20_000_000


@pytest.mark.parametrize("form", FORMATS)
async def test_what_is_erased_meanwhile_is_left_out(tmp_path: Path, url: str | None, form: Format):
    settings = Settings.load(tmp_path / "home", database__url=url)
    async with Palaver.open(settings=settings, index_vectors=False) as palaver:
        first, second, third = [(await palaver.start()).id for _ in range(3)]
        for one in (first, second, third):
            await palaver.append(one, "user", f"{one}: " + "a" * 70_000)
        blocks = export_everything(palaver, form, UTC)
        begun = await anext(blocks)
        await palaver.delete(second)
        whole = begun + b"".join([block async for block in blocks])
    assert f"{first}: ".encode() in whole
    assert f"{second}: ".encode() not in whole
    assert f"{third}: ".encode() in whole
    if form == "jsonl":
        assert [json.loads(line)["type"] for line in whole.splitlines()].count("meta") == 2


async def test_what_moves_while_it_is_listed_is_there_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """After the first page, the last one goes to the top and the first one into the archive."""
    monkeypatch.setattr("palaver.portability.everything._LISTED_AT_ONCE", 1)
    async with Palaver.open(tmp_path / "home", index_vectors=False) as palaver:
        made = [(await palaver.start()).id for _ in range(3)]
        for one in made:
            await palaver.append(one, "user", "Something.")
        list_page, pages = palaver.conversations, list[ConversationPage]()

        async def moving(**wanted: Any) -> ConversationPage:
            pages.append(await list_page(**wanted))
            if len(pages) == 1:
                await palaver.append(made[0], "user", "Something else.")
                await palaver.update(made[2], Change(archived=True))
            return pages[-1]

        monkeypatch.setattr(palaver, "conversations", moving)
        found = [one.id for one in await all_conversations(palaver)]
    assert [one.id for one in pages[0].conversations] == made[2:]
    assert found == made
