"""Every route of the API."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace

import httpx

from palaver.server.routing import OPEN, SIGNED_IN
from tests.proofs.report import Report
from tests.server.matrix.judging import REFUSED, Answer, Judge
from tests.server.matrix.people import CANARY, OTHERS, Ids, Person, headers
from tests.server.matrix.positions import QUERIES, SAMPLES, Json, Position, Route, put
from tests.server.site import Site

_SEARCHES = {
    "GET /api/search": "q",
    "GET /api/conversations": "q",
    "GET /api/continuous/search": "query",
    "GET /api/memories": "q",
    "GET /api/external": "q",
}
_NOT_ALONE = ("sourceConversationId",)
"""What says something only beside another id."""
_STREAMED = ("POST /api/chat", "POST /api/continuous/messages")
STREAM = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Probe:
    """Somebody asks a route for what is not theirs, at some positions."""

    route: Route
    chosen: tuple[Position, ...]
    who: str
    which: int
    """Which of the things that are not theirs."""
    streaming: bool = False
    outside: bool = False
    """Whether it searches what others wrote."""

    @property
    def uses_key(self) -> bool:
        return self.who == "other" and any(one.kind == "key" for one in self.chosen)

    def __str__(self) -> str:
        where = ", ".join("/".join(one.path) for one in self.chosen) or "nothing"
        return f"{self.route} ({self.who}; {where}; {self.which})"


def probes(routes: list[Route], count: int) -> Iterator[Probe]:
    for route in routes:
        for who in OTHERS:
            if who == "wrong scope" and route.scope in (OPEN, SIGNED_IN):
                continue
            for chosen in route.choices():
                for which in range(count if chosen else 1):
                    yield Probe(route, chosen, who, which)
                    if str(route) in _STREAMED:
                        yield Probe(route, chosen, who, which, streaming=True)
                    if str(route) == "GET /api/search" and not chosen:
                        yield Probe(route, chosen, who, which, outside=True)


class Asking:
    """Asks the routes of a site."""

    def __init__(
        self,
        site: Site,
        judge: Judge,
        victim: list[Ids],
        other: Person,
        *,
        client: httpx.Client,
        keys: list[str],
    ) -> None:
        """`keys` were used by the victim, and by nobody else yet."""
        self._site = site
        self._judge = judge
        self._theirs = victim
        self._keys = iter(keys)
        self._other = other
        self._theirs_to_read = other.has("mine")
        self._client = client

    def probe(self, probe: Probe) -> None:
        theirs = self._theirs[probe.which]
        if probe.uses_key:
            theirs = replace(theirs, key=next(self._keys))
        got = self._ask(probe, theirs)
        if probe.chosen:
            absent = self._ask(probe, theirs.absent)
            sent = [theirs.at(probe.route.path, one.kind) for one in probe.chosen]
            self._judge.same(str(probe), got, absent, theirs, sent)
        else:
            self._judge.report.tried += 1
            named = [theirs.channel] if "{name}" in probe.route.path else []
            self._judge.silent(str(probe), f"{got.headers} {got.body}", named)
        self._is_refused(probe, got)

    def _is_refused(self, probe: Probe, got: Answer) -> None:
        """Who has no business here is told so, and nothing that is not theirs is there."""
        if probe.route.scope != OPEN:
            wanted = (REFUSED | {"wrong scope": 403}).get(probe.who, got.status)
            self._judge.refused(str(probe), got.status, wanted)
        named = {one.kind for one in probe.chosen} & {
            "conversation",
            "day",
            "memory",
            "external",
            "draft",
            "channel",
            "token",
            "job",
        }
        alone = len(probe.chosen) == 1 and probe.chosen[0].path[-1] not in _NOT_ALONE
        known = {404} if alone else {400, 404, 422}
        if probe.who == "other" and named and got.status not in known:
            self._judge.report.fail(f"{probe}: is answered with {got.status}")

    def _ask(self, probe: Probe, ids: Ids) -> Answer:
        own = self._own(probe)
        path, query = probe.route.path, dict(QUERIES.get(str(probe.route), {}))
        path = path.replace("{date}", ids.date).replace("{name}", ids.channel)
        if str(probe.route) in _SEARCHES and not probe.chosen:
            query[_SEARCHES[str(probe.route)]] = CANARY
        query |= {"kind": "external"} if probe.outside else {}
        body: Json = deepcopy(dict(SAMPLES.get(str(probe.route), {})))
        shown = headers(self._site, self._other.user, probe.who, probe.route.scope)
        shown |= {"Accept": STREAM} if probe.streaming else {}
        for one in probe.route.positions:
            from_ = ids if one in probe.chosen else own
            value = from_.at(path, one.kind)
            if one.place == "path":
                path = path.replace(f"{{{one.path[0]}}}", value)
            elif one in probe.chosen:
                _set(one, value, query, shown, body)
        sent = self._client.request(
            probe.route.method, path, params=query, headers=shown, json=body or None
        )
        return _answer(sent)

    def _own(self, probe: Probe) -> Ids:
        """Something of whoever asks, for the places where they name what is theirs."""
        rest = [one for one in probe.route.positions if one not in probe.chosen]
        mixed = probe.who == "other" and any(one.place == "path" for one in rest)
        if not mixed:
            return self._theirs[probe.which].absent
        return self._theirs_to_read if probe.route.method == "GET" else self._other.has("mine")


def _set(
    one: Position, value: str, query: dict[str, str], shown: dict[str, str], body: Json
) -> None:
    if one.place == "query":
        query[one.path[0]] = value
    elif one.place == "header":
        shown[one.path[0]] = value
    else:
        put(body, one.path, value)


def _answer(sent: httpx.Response) -> Answer:
    return Answer(sent.status_code, tuple(sent.headers.multi_items()), sent.text)


def owner_reaches(route: Route, owner: Person, ids: Ids) -> int:
    """What the owner of everything is told, at every position of a path at once."""
    path = route.path.replace("{date}", ids.date).replace("{name}", ids.channel)
    for one in route.positions:
        if one.place == "path":
            path = path.replace(f"{{{one.path[0]}}}", ids.at(path, one.kind))
    body = deepcopy(dict(SAMPLES.get(str(route), {}))) or None
    query = dict(QUERIES.get(str(route), {}))
    return owner.client.request(route.method, path, params=query, json=body).status_code


def seen_by(newcomer: Person, routes: list[Route]) -> dict[str, Answer]:
    """What somebody sees who has nothing, wherever nothing has to be named."""
    asked = [one for one in routes if one.method == "GET" and not one.path.count("{")]
    found: dict[str, Answer] = {}
    for _ in range(2):  # at first, something may have to be made for them
        found = {
            str(one): _answer(newcomer.client.get(one.path, params=QUERIES.get(str(one))))
            for one in asked
        }
    return found


def compare_seen(before: dict[str, Answer], after: dict[str, Answer], report: Report) -> None:
    """How much somebody else has must not be told, either."""
    for route, answer in before.items():
        report.tried += 1
        if answer.shown != after[route].shown:
            report.fail(f"{route}: {after[route].shown} was {answer.shown}")
