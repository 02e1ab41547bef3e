"""The description: every route, each with a summary, a scope and its problems."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import Any

import httpx
import jsonschema_rs
import orjson
import pytest
import schemathesis

from palaver.server.examples import PLACES
from palaver.server.links import GIVES
from tests.proofs.fuzzing import closed
from tests.server.dove import Dove, connected
from tests.server.exchange import exchanged
from tests.server.site import Site

PROMISED = {
    "GET /api/conversations",
    "POST /api/conversations",
    "GET /api/conversations/current",
    "GET /api/conversations/{conversationId}",
    "PATCH /api/conversations/{conversationId}",
    "PUT /api/conversations/{conversationId}",
    "DELETE /api/conversations/{conversationId}",
    "GET /api/conversations/{conversationId}/messages",
    "POST /api/conversations/{conversationId}/messages",
    "PUT /api/conversations/{conversationId}/messages/{messageId}",
    "DELETE /api/conversations/{conversationId}/messages/{messageId}",
    "POST /api/conversations/{conversationId}/messages/{messageId}/regenerate",
    "POST /api/conversations/{conversationId}/stop",
    "GET /api/conversations/{conversationId}/context",
    "GET /api/conversations/{conversationId}/state",
    "GET /api/conversations/{conversationId}/digest",
    "GET /api/conversations/{conversationId}/checkpoint",
    "GET /api/conversations/{conversationId}/export",
    "GET /api/export",
    "POST /api/chat",
    "GET /api/continuous",
    "GET /api/continuous/days",
    "GET /api/continuous/days/{date}",
    "PUT /api/continuous/days/{date}/summary",
    "POST /api/continuous/days/{date}/summary",
    "POST /api/continuous/messages",
    "GET /api/continuous/messages",
    "GET /api/continuous/search",
    "GET /api/memories",
    "POST /api/memories",
    "DELETE /api/memories",
    "POST /api/memories/extract",
    "GET /api/memories/audit",
    "POST /api/memories/audit",
    "GET /api/memories/{memoryId}",
    "PATCH /api/memories/{memoryId}",
    "PUT /api/memories/{memoryId}",
    "DELETE /api/memories/{memoryId}",
    "POST /api/memories/{memoryId}/approve",
    "POST /api/memories/{memoryId}/reject",
    "POST /api/memories/{memoryId}/restore",
    "GET /api/memories/{memoryId}/history",
    "GET /api/external",
    "GET /api/external/{externalId}",
    "PATCH /api/external/{externalId}",
    "DELETE /api/external/{externalId}",
    "POST /api/external/{externalId}/drafts/{draftId}",
    "POST /api/external/{externalId}/messages",
    "POST /api/deliveries/{messageId}",
    "GET /api/channels",
    "POST /api/channels/{channelName}/test",
    "GET /channels/{name}",
    "POST /channels/{name}",
    "GET /api/search",
    "GET /api/health",
    "POST /api/rebuild",
    "GET /api/jobs",
    "POST /api/jobs/{jobId}/retry",
    "POST /api/jobs/{jobId}/cancel",
    "GET /api/models",
    "POST /api/models/test",
    "GET /api/tokens",
    "POST /api/tokens",
    "DELETE /api/tokens/{tokenId}",
    "POST /api/login",
    "POST /api/logout",
    "GET /api/me",
    "PATCH /api/me",
    "GET /api/insights",
    "GET /healthz",
    "GET /readyz",
    "GET /metrics",
    "GET /openapi.json",
}


@pytest.fixture
def description(api: httpx.Client) -> dict[str, Any]:
    return api.get("/openapi.json").json()


@pytest.fixture
def operations(description: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path}": operation
        for path, operations in description["paths"].items()
        for method, operation in operations.items()
    }


def test_it_lists_exactly_what_is_promised(operations: dict[str, dict[str, Any]]):
    assert set(operations) == PROMISED


def test_every_operation_explains_itself(operations: dict[str, dict[str, Any]]):
    for name, operation in operations.items():
        assert operation["summary"], name
        assert operation["tags"], name
        assert operation["x-scope"], name
    ids = [operation["operationId"] for operation in operations.values()]
    assert len(set(ids)) == len(ids)


def test_every_problem_is_a_problem_document(operations: dict[str, dict[str, Any]]):
    reference = {"$ref": "#/components/schemas/Problem"}
    for name, operation in operations.items():
        problems = {
            status: found for status, found in operation["responses"].items() if status >= "4"
        }
        assert "421" in problems, name
        assert operation["x-scope"] == "open" or {"401", "403"} <= set(problems), name
        for found in problems.values():
            assert found["content"] == {"application/problem+json": {"schema": reference}}, name
            assert found["description"], name
            assert found["x-codes"], name


def test_it_can_be_read_as_openapi(description: dict[str, Any]):
    schemathesis.openapi.from_dict(description).validate()
    assert description["info"]["version"] == version("palaver")


def test_it_says_where_the_server_is_and_how_to_sign_in(site: Site, description: dict[str, Any]):
    assert [server["url"] for server in description["servers"]] == [site.url]
    schemes = description["components"]["securitySchemes"]
    assert {name for one in description["security"] for name in one} == set(schemes)
    assert all(scheme["description"] for scheme in schemes.values())


def test_operations_are_named_as_functions_are(operations: dict[str, dict[str, Any]]):
    for name, operation in operations.items():
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", operation["operationId"]), name


def test_every_tag_is_described(description: dict[str, Any], operations: dict[str, dict[str, Any]]):
    described = {tag["name"] for tag in description["tags"] if tag["description"]}
    assert described == {tag for operation in operations.values() for tag in operation["tags"]}


def test_everything_is_described(
    description: dict[str, Any], operations: dict[str, dict[str, Any]]
):
    said: dict[str, str | None] = {}
    for name, operation in operations.items():
        for parameter in operation.get("parameters", ()):
            said[f"{name} {parameter['name']}"] = parameter.get("description")
        for status, answer in operation["responses"].items():
            said[f"{name} {status}"] = answer["description"].replace("Successful Response", "")
    for name, schema in description["components"]["schemas"].items():
        said[name] = schema.get("description")
        for field, about in schema.get("properties", {}).items():
            said[f"{name}.{field}"] = about.get("description")
    assert [place for place, words in said.items() if not words] == []


def test_every_link_can_be_followed(operations: dict[str, dict[str, Any]]):
    known = {operation["operationId"]: operation for operation in operations.values()}
    assert set(GIVES) <= set(known)
    followed: set[str] = set()
    for operation in operations.values():
        for answer in operation["responses"].values():
            for link in answer.get("links", {}).values():
                taken = {one["name"] for one in known[link["operationId"]].get("parameters", ())}
                assert set(link["parameters"]) <= taken
                followed |= set(link["parameters"])
    assert followed == set(PLACES)


def test_streams_are_described(description: dict[str, Any], api: httpx.Client):
    contents = description["paths"]["/api/chat"]["post"]["responses"]["200"]["content"]
    events = contents["text/event-stream"]["x-events"]
    told = _streamed(api, "The tiles are blue.")
    assert {"message_accepted", "reply_started", "reply_delta", "reply_finished"} <= set(told)
    for name, data in told.items():
        _check(description, events[name], data)


def test_every_answer_has_an_example_that_is_true(
    description: dict[str, Any], operations: dict[str, dict[str, Any]]
):
    named = {
        reference
        for operation in operations.values()
        for answer in operation["responses"].values()
        for content in answer.get("content", {}).values()
        for reference in _references(content.get("schema"))
    }
    for name in sorted(named):
        examples = description["components"]["schemas"][name].get("examples")
        assert examples, name
        for example in examples:
            _check(description, {"$ref": f"#/components/schemas/{name}"}, example)


def test_every_request_has_examples_that_are_taken(
    site: Site, description: dict[str, Any], operations: dict[str, dict[str, Any]]
):
    site.channels.add(connected(Dove()))
    with site.browser() as browser:
        for name, operation in operations.items():
            for reference in _references(operation.get("requestBody")):
                examples = description["components"]["schemas"][reference].get("examples")
                assert examples, name
                for example in examples:
                    _send(site, browser, name, reference, example)


def _send(
    site: Site, browser: httpx.Client, name: str, shape: str, example: dict[str, Any]
) -> None:
    """Sends an example, to a conversation that has something to say it about."""
    said = browser.post("/api/chat", json={"message": "The tiles are blue."}).json()
    path = f"/api/conversations/{said['conversationId']}"
    first = browser.get(f"{path}/messages").json()["messages"][0]
    browser.post("/api/continuous/messages", json={"message": "The tiles are blue."})
    today = browser.get("/api/continuous").json()["day"]
    memory = browser.post("/api/memories", json={"content": "The tiles are blue."}).json()
    exchange = site.within(lambda palaver: exchanged(palaver, "The tiles are blue."))
    ids = {
        "externalId": exchange.id,
        "draftId": exchange.draft,
        "conversationId": said["conversationId"],
        "messageId": first["id"],
        "date": today,
        "memoryId": memory["id"],
        "memoryIds": [memory["id"]],
    }
    method, _, address = name.partition(" ")
    body = {field: ids.get(field, value) for field, value in example.items()}
    answer = browser.request(method, address.format_map(ids), json=body)
    # Whether there is such a code or password, only the server knows.
    expected = {401} if shape in ("LinkSignIn", "PasswordSignIn") else {200, 201}
    assert answer.status_code in expected, (name, example, answer.text)


def _streamed(api: httpx.Client, message: str) -> dict[str, Any]:
    """Event → its data, of the last of each kind."""
    found: dict[str, Any] = {}
    headers = {"Accept": "text/event-stream"}
    answer = api.post("/api/chat", json={"message": message}, headers=headers)
    for part in filter(None, answer.text.split("\n\n")):
        event, data = part.split("\n")
        found[event.removeprefix("event: ")] = orjson.loads(data.removeprefix("data: "))
    return found


def _check(description: dict[str, Any], schema: dict[str, Any], value: object) -> None:
    """Raises unless `value` fits, without a field that is not described."""
    whole = {**schema, "components": closed(description)["components"]}
    jsonschema_rs.validator_for(whole, validate_formats=True).validate(value)


def test_every_reference_leads_somewhere(description: dict[str, Any]):
    schemas = description["components"]["schemas"]
    found = set(_references(description))
    assert {name for name in found if name not in schemas} == set()
    assert "HTTPValidationError" not in schemas
    assert {"ConversationMeta", "Message", "Receipt", "Reply", "SearchPage"} <= found


def test_json_is_camel_case(description: dict[str, Any]):
    for name, schema in description["components"]["schemas"].items():
        assert [field for field in schema.get("properties", ()) if "_" in field] == [], name


def test_an_address_that_is_spelt_out_is_nobodys_id(api: httpx.Client):
    for method in ("PUT", "PATCH", "DELETE", "POST"):
        answer = api.request(method, "/api/conversations/current", json={})
        assert (answer.status_code, answer.json()["code"]) == (405, "bad_method")
        assert answer.headers["allow"] == "GET, HEAD"


def test_a_job_and_a_request_fail_in_different_shapes(description: dict[str, Any]):
    schemas = description["components"]["schemas"]
    assert set(_references(schemas["Job"])) == {"JobProblem", "Progress"}
    assert set(schemas["Problem"]["required"]) == set(schemas["Problem"]["properties"])


def test_ids_and_choices_are_described(description: dict[str, Any]):
    paths, schemas = description["paths"], description["components"]["schemas"]
    for path, of in (
        ("/api/conversations/{conversationId}", "conv"),
        ("/api/tokens/{tokenId}", "tok"),
    ):
        (parameter,) = paths[path]["delete"]["parameters"][:1]
        assert parameter["schema"]["pattern"].startswith(f"^{of}-")
    fields = schemas["NewMessageBody"]["properties"]
    assert fields["role"]["enum"] == ["user", "assistant", "system", "tool"]
    assert fields["model"]["anyOf"][0]["maxLength"] == 255
    assert "admin" in schemas["NewTokenBody"]["properties"]["scopes"]["items"]["enum"]
    assert paths["/api/login"]["post"]["x-max-body"] == 16384


def _references(value: object) -> list[str]:
    match value:
        case {"$ref": str() as target}:
            return [target.removeprefix("#/components/schemas/")]
        case dict():
            return [found for item in value.values() for found in _references(item)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case list():
            return [found for item in value for found in _references(item)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case _:
            return []
