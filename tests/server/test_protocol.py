"""What is no proper request: refused with a problem, cut off in time, not read without end."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from unittest.mock import Mock

import httpx
import pytest

from palaver.server import protocol
from tests.server.site import Site

SOON = 20.0
PROTECTED = [
    b"cache-control: no-store",
    b"x-content-type-options: nosniff",
    b"content-security-policy: default-src 'none'",
]


@contextmanager
def line_to(site: Site) -> Generator[socket.socket]:
    with socket.create_connection((site.address.host, site.address.port), SOON) as connection:
        yield connection


def wait_until_nobody_is_connected(site: Site) -> None:
    _, server = site.running.result()
    deadline = time.monotonic() + SOON
    while server.server_state.connections:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def head(site: Site, line: str, *headers: str) -> bytes:
    host = f"Host: {site.address.host}:{site.address.port}"
    return "\r\n".join([f"{line} HTTP/1.1", host, *headers, "", ""]).encode()


def answers(connection: socket.socket) -> list[tuple[int, Any]]:
    """Every answer until the server closes: its status, and its body as JSON. Each is private."""
    data = bytearray()
    while piece := connection.recv(65536):
        data += piece
    found: list[tuple[int, Any]] = []
    for one in bytes(data).split(b"HTTP/1.1 ")[1:]:
        top, _, body = one.partition(b"\r\n\r\n")
        assert all(line in top.lower() for line in PROTECTED), top
        found.append((int(top[:3]), json.loads(body) if body else None))
    return found


def refused(connection: socket.socket) -> tuple[int, str]:
    ((status, problem),) = answers(connection)
    return status, problem["code"]


# -- framing -----------------------------------------------------------------------------------

CHUNKED = "Transfer-Encoding: chunked"
AMBIGUOUS = {
    "both lengths": ("POST", ["Content-Length: 4", CHUNKED], b"0\r\n\r\n"),
    "both the other way": ("POST", [CHUNKED, "Content-Length: 4"], b"0\r\n\r\n"),
    "two lengths": ("POST", ["Content-Length: 4", "Content-Length: 5"], b"abcde"),
    "a negative length": ("POST", ["Content-Length: -1"], b""),
    "a signed length": ("POST", ["Content-Length: +4"], b"abcd"),
    "twice in pieces": ("POST", [CHUNKED, CHUNKED], b"0\r\n\r\n"),
    "another coding": ("POST", ["Transfer-Encoding: gzip, chunked"], b"0\r\n\r\n"),
    "a coding in disguise": ("POST", ["Transfer-Encoding: xchunked"], b"0\r\n\r\n"),
    "a space before the colon": ("POST", ["Content-Length : 4"], b"abcd"),
    "a carriage return": ("GET", ["X: a\rContent-Length: 4"], b""),
    "a NUL": ("GET", ["X: a\0b"], b""),
    "a bad piece": ("POST", [CHUNKED], b"zz\r\nab\r\n0\r\n\r\n"),
    "a piece too long": ("POST", [CHUNKED], b"2\r\nabcd\r\n0\r\n\r\n"),
}


@pytest.mark.parametrize("case", AMBIGUOUS)
def test_what_could_be_read_in_two_ways_is_refused_and_the_line_closed(site: Site, case: str):
    method, headers, body = AMBIGUOUS[case]
    hidden = head(site, "GET /healthz")
    with line_to(site) as connection:
        connection.sendall(head(site, f"{method} /api/login", *headers) + body + hidden)
        assert refused(connection) == (400, "bad_request")


def test_pieces_are_not_for_old_clients(site: Site):
    with line_to(site) as connection:
        asked = head(site, "POST /api/login", CHUNKED).replace(b"HTTP/1.1", b"HTTP/1.0")
        connection.sendall(asked + b"0\r\n\r\n")
        assert refused(connection) == (400, "bad_request")


def test_a_folded_header_is_one_header(site: Site):
    with line_to(site) as connection:
        connection.sendall(head(site, "GET /api/me", "X-A: b\r\n Host: evil", "Connection: close"))
        assert refused(connection) == (401, "sign_in_required")


@pytest.mark.parametrize("wish", ["close", "Close", "keep-alive, close"])
def test_whoever_wants_to_close_is_let_go(site: Site, wish: str):
    with line_to(site) as connection:
        connection.sendall(head(site, "GET /healthz", f"Connection: {wish}"))
        assert [status for status, _ in answers(connection)] == [200]


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "CONNECT", "PROPFIND"])
@pytest.mark.parametrize("path", ["/api/me", "/healthz", "/"])
def test_other_methods_are_refused_and_nothing_is_echoed(
    stranger: httpx.Client, method: str, path: str
):
    answer = stranger.request(method, path, headers={"X-Secret": "xylophone"})
    assert answer.status_code == 405
    assert "GET" in answer.headers["allow"]
    assert "xylophone" not in answer.text
    assert not any(name.startswith("access-control") for name in answer.headers)


# -- too much ----------------------------------------------------------------------------------

MANY = b"a:b\r\n" * 300_000


def test_too_many_headers_are_refused_before_they_are_read(site: Site):
    few = [f"X-{n}: {n}" for n in range(protocol.MAX_FIELDS - 10)]
    with line_to(site) as connection:
        connection.sendall(head(site, "GET /healthz", *few, "Connection: close"))
        assert [status for status, _ in answers(connection)] == [200]
    with line_to(site) as connection:
        connection.sendall(head(site, "GET /healthz")[:-2] + MANY)
        assert refused(connection) == (400, "bad_request")


@pytest.mark.parametrize("before", ["a body in pieces", "an answer"])
def test_what_follows_a_request_is_not_read_without_end(
    site: Site, before: str, monkeypatch: pytest.MonkeyPatch
):
    """Neither behind the last piece of a body, nor as a request ahead of the answer."""
    longest: list[int] = []
    take = protocol.Protocol._take  # pyright: ignore[reportPrivateUsage]

    def noted(line: protocol.Protocol, data: bytes) -> None:
        take(line, data)
        longest.append(len(line.conn.trailing_data[0]))

    monkeypatch.setattr(protocol.Protocol, "_take", noted)
    monkeypatch.setattr(protocol, "_LINGER_SECONDS", 0.2)
    first = head(site, "POST /api/login", CHUNKED, "Content-Type: application/json") + b"0\r\n"
    with line_to(site) as connection:
        connection.sendall(first if before == "a body in pieces" else first + b"\r\nGET / HTTP/1.1")
        with suppress(ConnectionError):
            for _ in range(1000):
                connection.sendall(MANY)
    assert max(longest) < 2 * 64 * 1024


# -- too slow ----------------------------------------------------------------------------------


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "PATIENCE", 0.3)


def drip(connection: socket.socket, data: bytes) -> None:
    """Sends a byte at a time, until an answer comes."""
    connection.settimeout(0.02)
    for byte in data:
        connection.sendall(bytes([byte]))
        try:
            connection.recv(1, socket.MSG_PEEK)
        except TimeoutError:
            continue
        break
    connection.settimeout(SOON)


@pytest.mark.usefixtures("hurried")
def test_a_head_that_comes_byte_by_byte_is_cut_off(site: Site):
    with line_to(site) as connection:
        drip(connection, b"GET /" + b"a" * 2000)
        assert refused(connection) == (408, "too_slow")


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("framing", ["Content-Length: 60000", CHUNKED])
def test_a_body_that_comes_byte_by_byte_is_cut_off(site: Site, framing: str):
    token = f"Authorization: Bearer {site.accounts.create_token('local').secret}"
    before = site.stored()
    with line_to(site) as connection:
        json_ = "Content-Type: application/json"
        connection.sendall(head(site, "POST /api/chat", framing, token, json_))
        drip(connection, b"1\r\n \r\n" * 400)
        assert refused(connection) == (408, "too_slow")
    assert site.stored() == before


@pytest.mark.usefixtures("hurried")
def test_whoever_says_nothing_is_let_go(site: Site):
    with line_to(site) as connection:
        assert connection.recv(1) == b""


@pytest.mark.usefixtures("hurried")
def test_a_body_that_nobody_wants_is_not_waited_for(site: Site, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(protocol, "_LINGER_SECONDS", 0.2)
    with line_to(site) as connection:
        connection.sendall(head(site, "POST /api/chat", "Content-Length: 1000") + b"{")
        assert refused(connection) == (401, "sign_in_required")


@pytest.mark.usefixtures("hurried")
def test_an_answer_that_nobody_reads_is_given_up(site: Site, api: httpx.Client):
    conversation = api.post("/api/conversations", json={}).json()["id"]
    path = f"/api/conversations/{conversation}"
    for _ in range(4):
        api.post(f"{path}/messages", json={"role": "user", "content": "x" * 1_000_000})
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect((site.address.host, site.address.port))
        connection.sendall(head(site, f"GET {path}/export", f"Authorization: {_bearer(api)}"))
        _, server = site.running.result()
        api.close()
        deadline = time.monotonic() + SOON
        while server.server_state.connections:
            assert time.monotonic() < deadline
            time.sleep(0.02)


def _bearer(api: httpx.Client) -> str:
    return api.headers["authorization"]


# -- too many ----------------------------------------------------------------------------------


def test_too_many_connections_are_told_so(site: Site, monkeypatch: pytest.MonkeyPatch):
    _, server = site.running.result()
    monkeypatch.setattr(protocol, "MOST", len(server.server_state.connections) + 2)
    with ExitStack() as stack:
        good = [stack.enter_context(line_to(site)) for _ in range(2)]
        for connection in good:
            connection.sendall(head(site, "GET /healthz"))
            assert connection.recv(12) == b"HTTP/1.1 200"
        with line_to(site) as connection:
            connection.sendall(head(site, "GET /healthz"))
            assert refused(connection) == (503, "too_many_connections")
        good[0].sendall(head(site, "GET /healthz"))
        assert good[0].recv(1)


def test_of_far_too_many_connections_no_files_are_taken(
    site: Site, monkeypatch: pytest.MonkeyPatch
):
    """Whoever waits for the answer to be taken has a connection meanwhile, too."""
    wait_until_nobody_is_connected(site)
    monkeypatch.setattr(protocol, "MOST", 0)
    monkeypatch.setattr(protocol, "_TOLD", 2)
    with ExitStack() as stack:
        told = [stack.enter_context(line_to(site)) for _ in range(2)]
        for connection in told:
            assert connection.recv(12) == b"HTTP/1.1 503"
        with line_to(site) as connection, suppress(ConnectionError):
            assert connection.recv(1) == b""
    wait_until_nobody_is_connected(site)


def test_there_is_room_for_as_many_as_the_system_allows(monkeypatch: pytest.MonkeyPatch):
    for files, most in ((1024, 824), (1_000_000, protocol.MOST), (-1, protocol.MOST)):
        monkeypatch.setattr("resource.getrlimit", Mock(return_value=(files, files)))
        assert protocol.room() == most
