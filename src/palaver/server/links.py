"""Links: what an answer holds that other routes take, as the description tells it."""

from __future__ import annotations

from typing import Any

GIVES = {
    "start_conversation": {"conversationId": "/id"},
    "current_conversation": {"conversationId": "/id"},
    "list_conversations": {"conversationId": "/conversations/0/id"},
    "list_messages": {
        "conversationId": "/messages/0/conversationId",
        "messageId": "/messages/0/id",
    },
    "keep_message": {"conversationId": "/conversationId", "messageId": "/id"},
    "chat": {"conversationId": "/conversationId", "messageId": "/reply/id"},
    "search": {
        "conversationId": "/results/0/conversationId",
        "messageId": "/results/0/messageIds/0",
    },
    "show_today": {"date": "/day"},
    "list_days": {"date": "/days/0/dayLabel"},
    "add_memory": {"memoryId": "/id"},
    "list_memories": {"memoryId": "/memories/0/id"},
    "list_external": {"externalId": "/external/0/id"},
    "show_external": {"externalId": "/external/id", "draftId": "/drafts/0/id"},
    "list_channels": {"channelName": "/channels/0/name"},
    "list_jobs": {"jobId": "/jobs/0/id"},
    "create_token": {"tokenId": "/id"},
}
"""Operation → id in a path → where in the answer it stands."""
Json = dict[str, Any]


def link(description: Json) -> None:
    """Tells for each answer that holds ids which routes take them all."""
    takers = {
        operation["operationId"]: _ids(operation)
        for methods in description["paths"].values()
        for operation in methods.values()
    }
    for methods in description["paths"].values():
        for operation in methods.values():
            if given := GIVES.get(operation["operationId"]):
                _success(operation)["links"] = _links(given, takers)


def _links(given: dict[str, str], takers: dict[str, set[str]]) -> Json:
    return {
        taker: {
            "operationId": taker,
            "parameters": {name: f"$response.body#{given[name]}" for name in sorted(taken)},
        }
        for taker, taken in takers.items()
        if taken == given.keys()
    }


def _ids(operation: Json) -> set[str]:
    return {one["name"] for one in operation.get("parameters", ()) if one["in"] == "path"}


def _success(operation: Json) -> Json:
    return next(answer for status, answer in operation["responses"].items() if status < "3")
