"""Bodies are read no further than their limit, whether or not they say how long they are."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import httpx

from palaver.server.bodies import LIMIT
from tests.server.site import Site

CHUNK = b"x" * 65536


def test_an_endless_body_is_refused_long_before_its_end(site: Site, api: httpx.Client):
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        yield b'{"message": "'
        while sent < 20 * LIMIT:
            sent += len(CHUNK)
            yield CHUNK

    before = site.stored()
    answer = api.post("/api/chat", content=endless(), headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert sent < 4 * LIMIT
    assert site.stored() == before


def test_a_stated_length_is_refused_before_any_of_it_is_read(site: Site, api: httpx.Client):
    head = [
        "POST /api/chat HTTP/1.1",
        f"Host: 127.0.0.1:{site.address.port}",
        f"Authorization: {api.headers['authorization']}",
        "Content-Type: application/json",
        f"Content-Length: {LIMIT + 1}",
    ]
    with socket.create_connection(("127.0.0.1", site.address.port), timeout=10) as connection:
        connection.sendall("\r\n".join([*head, "", ""]).encode())
        answer = connection.makefile("rb").readline()
    assert b" 413 " in answer


def test_a_stranger_can_make_it_read_little(stranger: httpx.Client):
    answer = stranger.post("/api/login", json={"code": "x" * 20_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert answer.json()["detail"] == "The body is larger than 16 KiB."


def test_a_chunked_body_is_read_whole(api: httpx.Client):
    def pieces() -> Iterator[bytes]:
        yield b'{"mess'
        yield b'age": "caf\xc3'
        yield b'\xa9"}'

    answer = api.post("/api/chat", content=pieces(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 200


def test_after_a_refusal_the_server_goes_on(site: Site, api: httpx.Client):
    for _ in range(3):
        refused = api.post(
            "/api/chat",
            content=b" " * (LIMIT + 1),
            headers={"Content-Type": "application/json"},
        )
        assert refused.status_code == 413
    assert api.get("/api/me").status_code == 200
