"""Every bad input of the API: the right status, a code, a remedy, and nothing has changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from palaver.recall.cursor import encode
from palaver.server.bodies import LIMIT
from tests.server.site import Site

ABSENT = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
JSON = {"Content-Type": "application/json"}
MIB = 1024 * 1024


@dataclass(frozen=True)
class Bad:
    """A request; `{id}` and `{message}` stand for a conversation and a message in it."""

    name: str
    method: str
    path: str
    status: int
    code: str
    body: Any = None
    raw: bytes | None = None
    headers: dict[str, str] = field(default_factory=lambda: dict(JSON))
    says: str = ""
    """Stands in the detail."""


def chat(name: str, status: int, code: str, message: Any, says: str = "") -> Bad:
    return Bad(name, "POST", "/api/chat", status, code, body={"message": message}, says=says)


def raw(name: str, code: str, content: bytes, status: int = 400, says: str = "") -> Bad:
    return Bad(name, "POST", "/api/chat", status, code, raw=content, says=says)


def get(name: str, path: str, status: int, code: str, says: str = "") -> Bad:
    return Bad(name, "GET", path, status, code, says=says)


def keep(name: str, status: int, code: str, **body: Any) -> Bad:
    return Bad(name, "POST", MESSAGES, status, code, body=body)


def change(name: str, status: int, code: str, **body: Any) -> Bad:
    return Bad(name, "PATCH", "/api/conversations/{id}", status, code, body=body)


A_CURSOR = encode(["2026-02-14T09:00:00.000Z", ABSENT])
ODD_CURSOR = encode(["2026-02-14", ABSENT])
MESSAGES = "/api/conversations/{id}/messages"
CASES = [
    chat("empty message", 422, "empty_message", ""),
    chat("white space", 422, "empty_message", " \n\t\u2003 "),
    chat("too large", 413, "too_large", "x" * (MIB + 1)),
    chat("too large in UTF-8", 413, "too_large", "é" * (MIB // 2 + 1)),
    chat("NUL", 422, "bad_text", "a\0b", says="NUL"),
    chat("number for text", 422, "bad_value", 7, says="message"),
    chat("null for text", 422, "bad_value", None, says="message"),
    chat("list for text", 422, "bad_value", ["hello"], says="message"),
    Bad("no message", "POST", "/api/chat", 422, "bad_value", body={}, says="message is missing"),
    Bad(
        "misspelt field", "POST", "/api/chat", 422, "bad_value",
        body={"message": "hello", "conversationID": ABSENT}, says="conversationID",
    ),
    Bad(
        "id of another kind in the body", "POST", "/api/chat", 400, "bad_id",
        body={"message": "hello", "conversationId": "../x"},
    ),
    Bad(
        "the user's own stream as a conversation", "POST", "/api/chat", 400, "bad_id",
        body={"message": "hello", "conversationId": "user"},
    ),
    Bad(
        "unknown conversation in the body", "POST", "/api/chat", 404, "not_found",
        body={"message": "hello", "conversationId": ABSENT},
    ),
    Bad(
        "two different keys", "POST", "/api/chat", 422, "bad_value",
        body={"message": "hello", "key": "a"}, headers={**JSON, "Idempotency-Key": "b"},
    ),
    Bad("empty key", "POST", "/api/chat", 422, "bad_value", body={"message": "hi", "key": ""}),
    Bad(
        "long key", "POST", "/api/chat", 422, "bad_value", body={"message": "hi", "key": "k" * 600}
    ),
    raw("lone surrogate", "bad_text", b'{"message": "a\\ud800b"}', 422, says="surrogate"),
    raw("invalid UTF-8", "bad_json", b'{"message": "a\xffb"}', says="UTF-8"),
    raw("surrogate in UTF-8", "bad_json", b'{"message": "a\xed\xa0\x80b"}', says="UTF-8"),
    raw("duplicate keys", "bad_json", b'{"message": "a", "message": "b"}', says="twice"),
    raw("NaN", "bad_json", b'{"message": NaN}', says="NaN"),
    raw("half a body", "bad_json", b'{"message": "a'),
    raw("no body", "bad_json", b""),
    raw("two values", "bad_json", b'{"message": "a"}{}'),
    raw("a list", "bad_value", b'["hello"]', 422),
    raw("a huge number", "bad_value", b'{"message": ' + b"9" * 5000 + b"}", 422),
    raw("very deep", "bad_json", b'{"message": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"),
    raw("rather deep", "bad_value", b'{"message": ' + b"[" * 40 + b"]" * 40 + b"}", 422),
    raw("body over the limit", "too_large", b'{"message": "' + b"x" * LIMIT + b'"}', 413),
    Bad("not JSON", "POST", "/api/chat", 400, "bad_json", raw=b'{"message": "a"}', headers={}),
    Bad(
        "a form", "POST", "/api/chat", 400, "bad_json", raw=b"message=a",
        headers={"Content-Type": "application/x-www-form-urlencoded"}, says="JSON",
    ),
    get("unknown conversation", f"/api/conversations/{ABSENT}", 404, "not_found"),
    get("unknown messages", f"/api/conversations/{ABSENT}/messages", 404, "not_found"),
    get("unknown export", f"/api/conversations/{ABSENT}/export", 404, "not_found"),
    get("unknown html", f"/api/conversations/{ABSENT}/export?format=html", 404, "not_found"),
    get("path as id", "/api/conversations/%2e%2e%2fx", 400, "bad_id"),
    get("path as id, below", "/api/conversations/%2e%2e%2fx/messages", 400, "bad_id"),
    get("dots as id", "/api/conversations/..%2f..%2fuser/export", 400, "bad_id"),
    get("the user's stream", "/api/conversations/user", 400, "bad_id"),
    get("another stream", "/api/conversations/ext-01HQXK5J7G8M3N4P5R6S7T8V9W", 400, "bad_id"),
    get("NUL as id", "/api/conversations/conv-%00", 400, "bad_id"),
    get("no id", "/api/conversations/", 400, "bad_id"),
    get("bad message id", MESSAGES + "?before=../x", 400, "bad_id"),
    get("unknown message", MESSAGES + "?around=msg-01HQXK5J7G8M3N4P5R6S7T8V9W", 404, "not_found"),
    get("two positions", MESSAGES + "?before={message}&after={message}", 422, "bad_value"),
    get("limit 0", MESSAGES + "?limit=0", 422, "bad_value", says="limit"),
    get("limit 201", "/api/conversations?limit=201", 422, "bad_value", says="limit"),
    get("limit in words", "/api/search?q=a&limit=ten", 422, "bad_value", says="limit"),
    get("bad cursor", "/api/conversations?cursor=abc", 400, "bad_cursor"),
    get("cursor of dots", "/api/conversations?cursor=../../x", 400, "bad_cursor"),
    get("bad search cursor", "/api/search?q=login&cursor=abc", 400, "bad_cursor"),
    get("bad mode", "/api/conversations?mode=other", 422, "bad_value", says="mode"),
    get("bad flag", "/api/conversations?archived=perhaps", 422, "bad_value", says="archived"),
    get("bad format", "/api/conversations/{id}/export?format=pdf", 422, "bad_value"),
    get("bad day", "/api/search?q=login&day=someday", 422, "bad_value"),
    get("bad time", "/api/search?q=login&from=noon", 422, "bad_value"),
    get("no query", "/api/search", 422, "bad_value", says="q is missing"),
    get("NUL in the query", "/api/search?q=a%00b", 422, "bad_text"),
    get("bad id in a search", "/api/search?q=a&conversationId=../x", 400, "bad_id"),
    get("unknown id in a search", f"/api/search?q=a&conversationId={ABSENT}", 404, "not_found"),
    get("empty query", "/api/search?q=", 422, "bad_value", says="no word"),
    get("a query of signs", "/api/search?q=%22*%20(", 422, "bad_value", says="no word"),
    get("bad channel in a search", "/api/search?q=a&channel=../x", 422, "bad_value"),
    get("reversed days", "/api/search?q=a&from=2026-02-02&to=2026-02-01", 422, "bad_value"),
    get("a day and a time", "/api/search?q=a&day=2026-02-02&to=2026-02-01", 422, "bad_value"),
    get("negative days back", "/api/search?q=a&recencyDays=-1", 422, "bad_value", "recencyDays"),
    get("too many days back", "/api/search?q=a&recencyDays=36501", 422, "bad_value"),
    get("kind that is none", "/api/search?q=a&kind=thread", 422, "bad_value", says="kind"),
    get("search limit 0", "/api/search?q=a&limit=0", 422, "bad_value", says="limit"),
    get("search limit 10,000", "/api/search?q=a&limit=10000", 422, "bad_value", says="limit"),
    get("a cursor of a list", f"/api/search?q=a&cursor={A_CURSOR}", 400, "bad_cursor"),
    get("unknown route", "/api/nothing", 404, "not_found"),
    get("unknown file of the page", "/page/..%2fapplication.py", 404, "not_found"),
    Bad("wrong method", "DELETE", "/api/chat", 405, "bad_method"),
    Bad("wrong method on an id", "POST", "/api/conversations/{id}", 405, "bad_method"),
    keep("a role that is none", 422, "bad_value", role="boss", content="x"),
    keep("no content", 422, "bad_value", role="user"),
    keep("empty content", 422, "empty_message", role="user", content=" "),
    keep("a field the ledger writes", 422, "bad_value", role="user", content="x", seq=1),
    keep("bad timestamp", 422, "bad_value", role="user", content="x", timestamp="noon"),
    *(
        keep(f"long {name}", 422, "bad_value", role="user", content="x", **{name: "x" * 256})
        for name in ("model", "intent", "actionName", "sender", "lang")
    ),
    keep("Python's spelling", 422, "bad_value", role="user", content="x", thinking_text="y"),
    Bad(
        "Python's spelling inside", "POST", MESSAGES, 422, "bad_value", says="sources.0",
        body={"role": "user", "content": "x", "sources": [{"message_id": "msg-1"}]},
    ),
    Bad(
        "long model", "POST", "/api/chat", 422, "bad_value",
        body={"message": "hello", "model": "x" * 256}, says="model",
    ),
    Bad(
        "long channel", "POST", "/api/chat", 422, "bad_value",
        body={"message": "hello", "channel": "x" * 256}, says="channel",
    ),
    change("long model of a conversation", 422, "bad_value", model="x" * 256),
    change("a large change", 413, "too_large", metadata={"a": "x" * 64 * 1024}),
    Bad(
        "a large beginning", "POST", "/api/conversations", 413, "too_large",
        body={"metadata": {"a": "x" * 64 * 1024}}, says="64 KiB",
    ),
    get("unknown parameter", "/api/search?q=a&recentDays=5", 422, "bad_value", "'recentDays'"),
    get("parameter where there are none", "/api/me?full=true", 422, "bad_value", "'full'"),
    get("repeated parameter", "/api/conversations?limit=1&limit=2", 422, "bad_value", "2 times"),
    get("query that is not UTF-8", "/api/search?q=%FF", 422, "bad_text", "UTF-8"),
    get("name that is not UTF-8", "/api/conversations?%FF=1", 422, "bad_text", "UTF-8"),
    get("cursor with noise", f"/api/conversations?cursor={A_CURSOR[:9]}!!{A_CURSOR[9:]}",
        400, "bad_cursor"),
    get("cursor with a time of its own", f"/api/conversations?cursor={ODD_CURSOR}",
        400, "bad_cursor"),
    Bad("erase with a preview misspelt", "DELETE", "/api/conversations/{id}?dryRun=true",
        422, "bad_value", says="There is no parameter 'dryRun'."),
    Bad("erase what is not there", "DELETE", f"/api/conversations/{ABSENT}", 404, "not_found"),
    Bad("erase a path", "DELETE", "/api/conversations/%2e%2e%2fuser", 400, "bad_id"),
    Bad(
        "erase an unknown message", "DELETE", MESSAGES + "/msg-01HQXK5J7G8M3N4P5R6S7T8V9W",
        404, "not_found",
    ),
    Bad("erase a bad message id", "DELETE", MESSAGES + "/..%2fx", 400, "bad_id"),
    change("title as number", 422, "bad_value", title=1),
    change("unknown change", 422, "bad_value", titel="x"),
    change("archive in words", 422, "bad_value", archived="yes"),
    change("pin on the web", 409, "conflict", pinned=True),
    Bad(
        "change what is not there", "PATCH", f"/api/conversations/{ABSENT}", 404, "not_found",
        body={"title": "x"},
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def there(site: Site) -> dict[str, str]:
    """A conversation with one turn, and its first message."""
    with site.program() as api:
        answer = api.post("/api/chat", json={"message": "The login bug is in the parser."})
        found = answer.json()["conversationId"]
        messages = api.get(f"/api/conversations/{found}/messages").json()["messages"]
    return {"id": found, "message": messages[0]["id"]}


@pytest.mark.parametrize("bad", CASES, ids=lambda bad: bad.name)
def test_bad_input_is_refused_and_changes_nothing(
    bad: Bad, site: Site, api: httpx.Client, there: dict[str, str]
):
    before = site.stored()
    path = bad.path.replace("{id}", there["id"]).replace("{message}", there["message"])
    body: dict[str, Any] = {"content": bad.raw} if bad.raw is not None else {"json": bad.body}
    if bad.raw is None and bad.body is None:
        body = {}
    answer = api.request(bad.method, path, headers=bad.headers, **body)
    assert (answer.status_code, answer.headers["content-type"]) == (
        bad.status,
        "application/problem+json",
    ), answer.text
    problem = answer.json()
    assert set(problem) == {"type", "title", "status", "detail", "code", "remedy"}
    assert (problem["code"], problem["status"]) == (bad.code, bad.status)
    assert problem["type"] == f"urn:palaver:problem:{bad.code}"
    assert problem["detail"].endswith((".", "?"))
    assert problem["remedy"]
    assert bad.says in problem["detail"]
    assert site.stored() == before


def test_a_key_with_another_message_is_refused(site: Site, api: httpx.Client):
    first = api.post("/api/chat", json={"message": "Buy apples.", "key": "fruit"})
    before = site.stored()
    other = api.post("/api/chat", json={"message": "Buy pears.", "idempotencyKey": "fruit"})
    assert (other.status_code, other.json()["code"]) == (409, "key_reused")
    assert site.stored() == before
    again = api.post(
        "/api/chat", json={"message": "Buy apples."}, headers={"Idempotency-Key": "fruit"}
    )
    assert again.json() == first.json()
    assert site.stored() == before


@pytest.mark.parametrize(
    ("query", "remedy"),
    [
        ("/api/conversations?limti=5", "Did you mean limit?"),
        ("/api/conversations/conv-1/export?form=html", "Did you mean format?"),
        ("/api/me?full=true", "Leave it out; none is taken here."),
    ],
)
def test_the_nearest_parameter_is_named(api: httpx.Client, query: str, remedy: str):
    assert api.get(query).json()["remedy"] == remedy


def test_a_key_with_another_payload_is_refused(
    site: Site, api: httpx.Client, there: dict[str, str]
):
    body: dict[str, Any] = {"role": "user", "content": "Same.", "key": "payload"}
    address = f"/api/conversations/{there['id']}/messages"
    first = api.post(address, json={**body, "customPayload": {"a": 1}})
    assert first.json()["key"] == "payload"
    before = site.stored()
    other = api.post(address, json={**body, "customPayload": {"a": 2}})
    assert (other.status_code, other.json()["code"]) == (409, "key_reused")
    assert api.post(address, json={**body, "customPayload": {"a": 1}}).json() == first.json()
    assert site.stored() == before


@pytest.mark.parametrize(
    "text", ["\u202eabc\u202c", "a\u200bb", "👩\u200d🚀", "a\u2028b", "\u0007bell"]
)
def test_odd_characters_are_kept(api: httpx.Client, text: str):
    reply = api.post("/api/chat", json={"message": text}).json()
    kept = api.get(f"/api/conversations/{reply['conversationId']}/messages").json()
    assert kept["messages"][0]["content"] == text


def test_a_message_of_one_mebibyte_is_taken_however_it_is_escaped(api: httpx.Client):
    escaped = b'{"message": "' + b"\\u0041" * MIB + b'"}'
    reply = api.post("/api/chat", content=escaped, headers=JSON)
    assert reply.status_code == 200, reply.text
    kept = api.get(f"/api/conversations/{reply.json()['conversationId']}/messages").json()
    assert kept["messages"][0]["content"] == "A" * MIB
