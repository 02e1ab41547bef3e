"""Every tool of the Model Context Protocol, at `/mcp`."""

from __future__ import annotations

import json

import httpx

from palaver.agent.tools.schemas import schema_of
from palaver.agent.tools.table import TOOLS, RecallTool
from tests.server.matrix.judging import REFUSED, Answer, Judge
from tests.server.matrix.people import CANARY, OTHERS, Ids, Person, headers
from tests.server.matrix.positions import KINDS, Json, Unprobed, ids_in, put
from tests.server.site import Site

SAMPLES: dict[str, Json] = {
    "search_conversations": {"query": CANARY},
    "fetch_context": {},
    "conversation_search": {"query": CANARY},
    "conversation_get": {},
    "memory_search": {"query": CANARY},
    "memory_add": {"content": "This is mine.", "type": "fact"},
}
"""What a tool needs beside ids."""
WAYS: dict[str, list[tuple[str, ...]]] = {
    "search_conversations": [()],
    "fetch_context": [("conversationId",)],
    "conversation_search": [(), ("cursor",)],
    "conversation_get": [
        ("messageId",),
        ("daySegmentId",),
        ("daySegmentId", "fromMessageId", "toMessageId"),
        ("beforeMessageId",),
        ("afterMessageId",),
    ],
    "memory_search": [()],
    "memory_add": [()],
}
"""Which ids a tool takes together."""
_NOT_THERE = ("not_found", "bad_cursor")
Way = list[tuple[str, ...]]
_ACCEPTED = ("application/json", "text/event-stream")


def paths(tool: RecallTool) -> list[tuple[str, ...]]:
    """Every id that a tool takes. Raises Unprobed."""
    if tool.name not in SAMPLES:
        raise Unprobed(f"Nobody has looked at the tool {tool.name}.")
    schema = schema_of(tool.takes)
    found = list(dict.fromkeys(ids_in(schema, schema)))
    if {name for way in WAYS[tool.name] for name in way} != {path[-1] for path in found}:
        raise Unprobed(f"Nobody has looked at all ids that {tool.name} takes.")
    return found


def ways(tool: RecallTool) -> list[list[tuple[str, ...]]]:
    """The ids that a tool takes together, as often as there are such ways."""
    known = paths(tool)
    return [[path for path in known if path[-1] in way] for way in WAYS[tool.name]]


class Calling:
    """Calls the tools of a site."""

    def __init__(
        self, site: Site, judge: Judge, victim: list[Ids], other: Person, *, client: httpx.Client
    ) -> None:
        self._site = site
        self._judge = judge
        self._theirs = victim
        self._other = other
        self._client = client

    def every(self) -> None:
        for tool in TOOLS:
            if tool.effect == "write":  # what it writes is known from now on, whoever asks
                _called(self._other.client, tool, [], self._theirs[0], {"Accept": _ACCEPTED[0]})
            for who in OTHERS:
                shown = headers(self._site, self._other.user, who, tool.scope)
                for accepted in _ACCEPTED:
                    for way in ways(tool):
                        for ids in self._theirs:
                            self._compare(tool, way, who, shown | {"Accept": accepted}, ids)

    def _compare(
        self, tool: RecallTool, way: Way, who: str, shown: dict[str, str], ids: Ids
    ) -> None:
        what = f"{tool.name} ({who}; {shown['Accept']}; {way})"
        got, absent = [_called(self._client, tool, way, one, shown) for one in (ids, ids.absent)]
        sent = [ids.at(tool.name, KINDS[path[-1]]) for path in way]
        self._judge.same(what, got, absent, ids, sent)
        self._judge.refused(what, got.status, REFUSED.get(who, 200))
        if who == "wrong scope" and "forbidden" not in got.body:
            self._judge.report.fail(f"{what}: does not need its scope")
        if who == "other" and sent and not any(one in got.body for one in _NOT_THERE):
            self._judge.report.fail(f"{what}: is answered with {got.body}")

    def as_owner(self, owner: Person) -> None:
        """Who owns something finds it, and reads it."""
        ids = owner.has(f"mine {CANARY}")
        for tool in TOOLS:
            got = _called(owner.client, tool, ways(tool)[0], ids, {"Accept": _ACCEPTED[0]})
            self._judge.report.tried += 1
            reached = (ids.conversation, ids.spoken, ids.memory)
            is_there = tool.effect == "write" or any(one in got.body for one in reached)
            if not got.is_let_in or not is_there:
                self._judge.report.fail(f"{tool.name}: the owner does not reach it")


def _called(
    client: httpx.Client, tool: RecallTool, way: Way, ids: Ids, shown: dict[str, str]
) -> Answer:
    given = dict(SAMPLES[tool.name])
    for path in way:
        put(given, path, ids.at(tool.name, KINDS[path[-1]]))
    params = {"name": tool.name, "arguments": given}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = client.post("/mcp", content=json.dumps(asked), headers=shown | _JSON)
    return Answer(answer.status_code, tuple(answer.headers.multi_items()), answer.text)


_JSON = {"Content-Type": "application/json"}
