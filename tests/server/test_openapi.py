"""The description: every route, each with a summary, a scope and its problems."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

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
    "POST /api/chat",
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


def test_every_reference_leads_somewhere(description: dict[str, Any]):
    schemas = description["components"]["schemas"]
    found = set(_references(description))
    assert {name for name in found if name not in schemas} == set()
    assert "HTTPValidationError" not in schemas
    assert {"ConversationMeta", "Message", "Receipt", "Reply", "SearchPage"} <= found


def test_json_is_camel_case(description: dict[str, Any]):
    for name, schema in description["components"]["schemas"].items():
        assert [field for field in schema.get("properties", ()) if "_" in field] == [], name


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
    assert paths["/api/login"]["post"]["x-max-body"] == 4096


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
