"""Positions: where an id can stand in what somebody sends, read off the server's own schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, cast

from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from palaver.server.routes import ROUTERS
from palaver.server.routing import SCOPE

Json = dict[str, Any]
Kind = Literal[
    "conversation",
    "message",
    "day",
    "memory",
    "external",
    "draft",
    "channel",
    "token",
    "job",
    "cursor",
    "key",
    "tag",
]
Place = Literal["path", "query", "header", "body"]

KINDS: Mapping[str, Kind] = {
    "conversationId": "conversation",
    "conversation": "conversation",
    "messageId": "message",
    "before": "message",
    "after": "message",
    "around": "message",
    "replyTo": "message",
    "fromMessageId": "message",
    "toMessageId": "message",
    "beforeMessageId": "message",
    "afterMessageId": "message",
    "daySegmentId": "day",
    "memoryId": "memory",
    "memoryIds": "memory",
    "externalId": "external",
    "draftId": "draft",
    "channelName": "channel",
    "sourceConversationId": "conversation",
    "sourceMessageId": "message",
    "tokenId": "token",
    "jobId": "job",
    "cursor": "cursor",
    "key": "key",
    "idempotencyKey": "key",
    "Idempotency-Key": "key",
    "If-Match": "tag",
    "If-None-Match": "tag",
}
"""Every name that stands for something of somebody, wherever it is sent."""
MANY = ("memoryIds",)
"""Of these a list is taken."""
PLAIN = frozenset(
    {
        *("about", "accept", "actionName", "archived", "category", "channel", "code", "confidence"),
        *(
            "content",
            "context",
            "cost",
            "decision",
            "dryRun",
            "everywhere",
            "state",
            "superseded",
            "validFrom",
        ),
        *(
            "customPayload",
            "date",
            "dateRange",
            "day",
            "debounced",
            "expires",
            "explain",
            "format",
            "from",
        ),
        *("ignoreTimePhrases", "intent", "jobRefs", "kind", "lang", "limit", "message", "metadata"),
        *("minScore", "decision", "policy", "scope", "seen", "summaryMarkdown", "trust"),
        *("mode", "model", "name", "parts", "password", "pinned", "preview", "q", "query", "quote"),
        *("recencyDays", "requestId", "role", "scopes", "sender", "sources", "suggestedActions"),
        *("suggestedValues", "text", "thinkingText", "timestamp", "timezone", "title", "to"),
        *("toolCalls", "turn", "turnRange", "type", "usage"),
    }
)
"""Every name that stands for nothing of anybody: words, numbers, dates and choices."""
SAMPLES: Mapping[str, Json] = {
    "POST /api/chat": {"message": "hello"},
    "POST /api/continuous/messages": {"message": "hello"},
    "PUT /api/continuous/days/{date}/summary": {"summaryMarkdown": "mine"},
    "POST /api/conversations": {"title": "mine"},
    "PATCH /api/conversations/{conversationId}": {"title": "mine"},
    "PUT /api/conversations/{conversationId}": {"title": "mine"},
    "POST /api/conversations/{conversationId}/messages": {"role": "user", "content": "hello"},
    "PUT /api/conversations/{conversationId}/messages/{messageId}": {"content": "Thanks!"},
    "POST /api/conversations/{conversationId}/messages/{messageId}/regenerate": {},
    "POST /api/memories": {"content": "mine"},
    "PATCH /api/memories/{memoryId}": {"pinned": True},
    "PUT /api/memories/{memoryId}": {"pinned": True},
    "POST /api/memories/extract": {},
    "POST /api/memories/audit": {"kind": "stale", "memoryIds": []},
    "PATCH /api/external/{externalId}": {"seen": True},
    "POST /api/external/{externalId}/messages": {"text": "mine"},
    "POST /api/external/{externalId}/drafts/{draftId}": {"decision": "approve"},
    "PATCH /api/me": {"timezone": "Europe/Paris"},
    "POST /api/tokens": {"name": "mine"},
    "POST /api/models/test": {"name": "offline"},
    "POST /api/login": {"code": "nothing"},
}
"""What a body needs beside ids."""
QUERIES: Mapping[str, Mapping[str, str]] = {
    "GET /api/search": {"q": "hello"},
    "GET /api/continuous/search": {"query": "hello"},
}


class Unprobed(AssertionError):
    """Something can be sent that nobody has looked at."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where one id stands; `path` leads to it through objects and lists (`[]`)."""

    place: Place
    path: tuple[str, ...]

    @property
    def kind(self) -> Kind:
        return KINDS[self.path[-1]]


@dataclass(frozen=True, slots=True)
class Route:
    """A route, and every id that it takes."""

    method: str
    path: str
    scope: str
    positions: tuple[Position, ...]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    def choices(self) -> Iterator[tuple[Position, ...]]:
        """Which of them are somebody else's: each alone, two together, and all; and none where
        that can be."""
        if not any(one.place == "path" for one in self.positions):
            yield ()
        every = range(1, len(self.positions) + 1)
        for size in every if len(self.positions) <= 3 else (1, 2, len(self.positions)):
            yield from filter(_names_something, combinations(self.positions, size))


def _names_something(chosen: tuple[Position, ...]) -> bool:
    """A tag alone names nothing: it tells which version of what is named was seen."""
    return any(one.kind != "tag" for one in chosen)


def routes(description: Json) -> list[Route]:
    """Every route of the API, as it is described. Raises Unprobed for one that is not."""
    found: list[Route] = []
    for method, path, scope in _served():
        described = description["paths"].get(path, {}).get(method.lower())
        if described is None:
            raise Unprobed(f"{method} {path} is served and not described.")
        found.append(Route(method, path, scope, tuple(_of_route(described, description))))
    for route in found:
        if "requestBody" in description["paths"][route.path][route.method.lower()]:
            _known(str(route) in SAMPLES, f"the body of {route}")
    return found


def _served() -> Iterator[tuple[str, str, str]]:
    every: list[BaseRoute] = [route for router in ROUTERS for route in router.routes]
    for route in cast("list[APIRoute]", every):
        for method in sorted(route.methods or ()):
            yield method, route.path, (route.openapi_extra or {})[SCOPE]


def _of_route(described: Json, description: Json) -> Iterator[Position]:
    for parameter in described.get("parameters", []):
        name = parameter["name"]
        if is_id(name):
            yield Position(parameter["in"], (name,))
    for content in described.get("requestBody", {}).get("content", {}).values():
        for path in ids_in(content["schema"], description):
            yield Position("body", path)


def ids_in(schema: Json, whole: Json) -> Iterator[tuple[str, ...]]:
    """Where ids stand in what a schema describes. Raises Unprobed."""
    if "$ref" in schema:
        found = whole
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        yield from ids_in(found, whole)
    for way in ("anyOf", "oneOf", "allOf"):
        for one in schema.get(way, []):
            yield from ids_in(one, whole)
    if isinstance(schema.get("items"), dict):
        yield from (("[]", *rest) for rest in ids_in(schema["items"], whole))
    for name, inner in schema.get("properties", {}).items():
        if is_id(name):
            yield (name,)
        yield from ((name, *rest) for rest in ids_in(inner, whole))


def is_id(name: str) -> bool:
    _known(name in KINDS or name in PLAIN, f"the field {name}")
    return name in KINDS


def _known(known: object, what: str) -> None:
    if not known:
        raise Unprobed(f"Nobody has looked at {what}: name it in {__name__}.")


def put(value: Json, path: tuple[str, ...], given: str) -> None:
    """Sets what stands at a path."""
    name, *rest = path
    match rest:
        case []:
            value[name] = [given] if name in MANY else given
        case ["[]", *inner]:
            (first,) = value.setdefault(name, [{}])
            put(first, tuple(inner), given)
        case _:
            put(value.setdefault(name, {}), tuple(rest), given)
