"""What every request passes: its host, its origin, the headers of every response."""

from __future__ import annotations

import socket

import httpx
import pytest
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.protocols.utils import ClientDisconnected

from palaver.portability import MEDIA_TYPES
from palaver.server import Address
from palaver.server.guard import Guard
from palaver.telemetry.metrics import Metrics
from tests.server.site import Site

EVERYWHERE = [
    *("/healthz", "/readyz", "/", "/login", "/page/icon.svg"),
    *("/api/me", "/channels/whatsapp", "/nowhere"),
]


@pytest.mark.parametrize("path", EVERYWHERE)
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost.evil.example:{port}",
        "127.0.0.1:{port}@evil.example",
        "127.0.0.1.evil.example:{port}",
        "1.2.3.4.5:{port}",
        "[fe80::1%25eth0]:{port}",
        "[::1:{port}",
        "8.8.8.8",
        "",
    ],
)
def test_a_foreign_host_is_refused_everywhere(site: Site, path: str, host: str):
    with site.program() as client:
        named = host.replace("{port}", str(site.address.port))
        answer = client.get(path, headers={"Host": named})
    assert (answer.status_code, answer.json()["code"]) == (421, "bad_host")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_every_name_of_this_machine_is_answered(site: Site, stranger: httpx.Client, host: str):
    answer = stranger.get("/healthz", headers={"Host": f"{host}:{site.address.port}"})
    assert answer.status_code == 200


@pytest.mark.parametrize("host", ["192.168.1.5", "8.8.8.8", "[fe80::1]", "[2001:DB8::7]"])
def test_an_address_in_figures_is_answered_and_is_its_own_origin(site: Site, host: str):
    named = f"{host}:{site.address.port}"
    with site.client(Host=named) as client:
        client.headers["Cookie"] = f"{site.cookie}={site.accounts.sign_in('local')}"
        own = client.post("/api/logout", headers={"Origin": f"http://{named}"})
        assert own.status_code == 204
        foreign = client.get("/api/me", headers={"Origin": site.url})
        assert foreign.status_code == 403


@pytest.mark.parametrize("second", ["Host: evil.example\r\n", ""])
def test_two_hosts_or_none_are_refused(site: Site, second: str):
    first = f"Host: 127.0.0.1:{site.address.port}\r\n" if second else ""
    with socket.create_connection(("127.0.0.1", site.address.port), timeout=10) as connection:
        connection.sendall(f"GET /healthz HTTP/1.1\r\n{first}{second}\r\n".encode())
        assert connection.makefile("rb").readline().split()[1] in {b"400", b"421"}


def test_an_old_client_without_a_host_is_refused(site: Site):
    with socket.create_connection(("127.0.0.1", site.address.port), timeout=10) as connection:
        connection.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert connection.makefile("rb").readline().split()[1] == b"421"


def test_the_port_may_be_left_out_only_where_browsers_do():
    assert "localhost" in Address("127.0.0.1", 80).origins
    assert "localhost" not in Address("127.0.0.1", 8420).origins


FOREIGN = ["https://evil.example", "http://evil.example", "null", "http://127.0.0.1:1", ""]


@pytest.mark.parametrize("origin", FOREIGN)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_page_of_another_site_is_refused(site: Site, origin: str, method: str):
    before = site.stored()
    with site.browser() as client:
        body = {"json": {"message": "hello"}} if method == "POST" else {}
        path = "/api/chat" if method == "POST" else "/api/conversations"
        answer = client.request(method, path, headers={"Origin": origin}, **body)  # pyright: ignore[reportArgumentType]
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert site.stored() == before


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/api/chat"), ("POST", "/api/rebuild"), ("DELETE", "/api/conversations/conv-1")],
)
def test_a_cookie_changes_nothing_without_an_origin(
    site: Site, browser: httpx.Client, method: str, path: str
):
    del browser.headers["origin"]
    before = site.stored()
    answer = browser.request(method, path, json={"message": "hello"})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert site.stored() == before


@pytest.mark.parametrize("place", ["cross-site", "same-site", "", "nonsense"])
def test_a_cookie_opens_nothing_for_another_site(browser: httpx.Client, place: str):
    answer = browser.get("/api/me", headers={"Sec-Fetch-Site": place})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize("place", ["same-origin", "none"])
def test_a_cookie_opens_for_the_page_and_for_the_user(browser: httpx.Client, place: str):
    assert browser.get("/api/me", headers={"Sec-Fetch-Site": place}).status_code == 200


def test_two_origins_are_refused(site: Site, api: httpx.Client):
    twice = [("Origin", site.url), ("Origin", site.url)]
    assert api.get("/api/me", headers=twice[:1]).status_code == 200
    assert api.get("/api/me", headers=twice).status_code == 403


def test_a_cookie_takes_no_form(site: Site, browser: httpx.Client):
    before = site.stored()
    answer = browser.post(
        "/api/chat", content=b'{"message": "a"}', headers={"Content-Type": "text/plain"}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_json")
    assert site.stored() == before


def test_signing_in_from_another_site_is_refused(site: Site, stranger: httpx.Client):
    code = site.accounts.create_link("local")
    answer = stranger.post(
        "/api/login", json={"code": code}, headers={"Origin": "http://evil.example"}
    )
    assert answer.status_code == 403
    assert site.accounts.sign_in_by_link(code) is not None


@pytest.mark.parametrize("place", ["cross-site", "same-site", "", "nonsense"])
@pytest.mark.parametrize("way", ["link", "password"])
def test_no_page_of_another_site_signs_anybody_in(
    site: Site, stranger: httpx.Client, place: str, way: str
):
    """Not even one whose browser names no origin: they would write into the account of another."""
    code = site.accounts.create_link("local")
    body = {"code": code} if way == "link" else {"name": "local", "password": "guess guess"}
    answer = stranger.post("/api/login", json=body, headers={"Sec-Fetch-Site": place})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert "set-cookie" not in answer.headers
    assert site.accounts.sign_in_by_link(code) is not None


@pytest.mark.parametrize("path", [*EVERYWHERE, "/docs", "/openapi.json", "/api/conversations"])
def test_every_response_carries_the_security_headers(browser: httpx.Client, path: str):
    headers = browser.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "server" not in headers


def test_the_page_may_run_only_its_own_files(browser: httpx.Client):
    policy = browser.get("/").headers["content-security-policy"]
    assert "script-src 'self'; style-src 'self'" in policy
    assert "connect-src 'self'" in policy
    assert "require-trusted-types-for 'script'" in policy


def test_private_answers_are_not_cached(browser: httpx.Client, conversation: str):
    own = f"/api/conversations/{conversation}"
    exports = [f"{own}/export?format={kind}" for kind in MEDIA_TYPES]
    for path in ("/api/me", own, "/openapi.json", "/metrics", "/api/nothing", *exports):
        assert browser.get(path).headers["cache-control"] == "no-store", path


WORDS = "the words of a message"


async def broken(scope: Scope, receive: Receive, send: Send) -> None:
    raise RuntimeError(WORDS)


async def broken_at_a_route(scope: Scope, receive: Receive, send: Send) -> None:
    scope["route"] = Route("/api/{name}", reading)
    raise RuntimeError(WORDS)


async def reading(scope: Scope, receive: Receive, send: Send) -> None:
    await Request(scope, receive).body()


async def broken_halfway(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    raise RuntimeError(WORDS)


def guarded(app: ASGIApp) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(Guard(app, frozenset({"localhost"}), Metrics()))
    return httpx.AsyncClient(transport=transport, base_url="http://localhost")


async def test_a_mistake_of_ours_is_a_problem_and_its_report_holds_no_words(
    caplog: pytest.LogCaptureFixture,
):
    async with guarded(broken) as client:
        answer = await client.get("/")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "RuntimeError" in caplog.text
    assert "in broken" in caplog.text
    assert WORDS not in caplog.text + answer.text


async def test_a_report_names_the_route_and_not_the_address(caplog: pytest.LogCaptureFixture):
    async with guarded(broken_at_a_route) as client:
        await client.get("/api/something")
    assert "internal_error GET /api/{name} RuntimeError" in caplog.text
    assert "something" not in caplog.text


async def test_somebody_who_leaves_halfway_is_let_go(caplog: pytest.LogCaptureFixture):
    messages: list[Message] = [
        {"type": "http.request", "body": b"half", "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Message:
        return messages.pop(0)

    async def send(message: Message) -> None:
        raise AssertionError(message)

    scope: Scope = {"type": "http", "method": "POST", "path": "/", "query_string": b""}
    scope["headers"] = [(b"host", b"localhost")]
    await Guard(reading, frozenset({"localhost"}), Metrics())(scope, receive, send)
    assert caplog.text == ""


async def test_a_tab_that_is_closed_while_it_connects_is_no_mistake(
    caplog: pytest.LogCaptureFixture,
):
    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        raise ClientDisconnected  # as uvicorn does

    async def accepting(scope: Scope, receive: Receive, send: Send) -> None:
        await WebSocket(scope, receive, send).accept()

    scope: Scope = {"type": "websocket", "path": "/ws", "query_string": b""}
    scope["headers"] = [(b"host", b"localhost")]
    await Guard(accepting, frozenset({"localhost"}), Metrics())(scope, receive, send)
    assert caplog.text == ""


async def test_an_answer_that_breaks_off_is_not_taken_for_whole():
    async with guarded(broken_halfway) as client:
        with pytest.raises(ConnectionAbortedError) as broken_off:
            await client.get("/")
    assert broken_off.value.__suppress_context__
