"""Every route of the API."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace

import httpx

from palaver.server.routing import OPEN, SIGNED_IN
from tests.server.matrix.judging import Answer, Judge
from tests.server.matrix.people import CANARY, OTHERS, Ids, Person, headers
from tests.server.matrix.positions import QUERIES, SAMPLES, Json, Position, Route, put
from tests.server.site import Site

_SEARCHES = ("GET /api/search", "GET /api/conversations")
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
                    if route.path == "/api/chat":
                        yield Probe(route, chosen, who, which, streaming=True)


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
            self._judge.same(str(probe), got, absent, theirs)
        else:
            self._judge.report.tried += 1
            self._judge.silent(str(probe), f"{got.headers} {got.body}")
        self._is_refused(probe, got)

    def _is_refused(self, probe: Probe, got: Answer) -> None:
        """Who has no business here is told so, and nothing that is not theirs is there."""
        refused = {"nobody": 401, "revoked": 401, "expired": 401, "wrong scope": 403}
        status = refused.get(probe.who, got.status)
        if probe.route.scope != OPEN and got.status != status:
            self._judge.report.fail(f"{probe}: is answered with {got.status}")
        named = {one.kind for one in probe.chosen} & {"conversation", "token", "job"}
        wanted = {404} if len(probe.chosen) == 1 else {400, 404, 422}
        if probe.who == "other" and named and got.status not in wanted:
            self._judge.report.fail(f"{probe}: is answered with {got.status}")

    def _ask(self, probe: Probe, ids: Ids) -> Answer:
        own = self._own(probe)
        path, query = probe.route.path, dict(QUERIES.get(str(probe.route), {}))
        if str(probe.route) in _SEARCHES and not probe.chosen:
            query["q"] = CANARY
        body: Json = deepcopy(dict(SAMPLES.get(str(probe.route), {})))
        shown = headers(self._site, probe.who, probe.route.scope)
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
    path = route.path
    for one in route.positions:
        if one.place == "path":
            path = path.replace(f"{{{one.path[0]}}}", ids.at(path, one.kind))
    body = deepcopy(dict(SAMPLES.get(str(route), {}))) or None
    query = dict(QUERIES.get(str(route), {}))
    return owner.client.request(route.method, path, params=query, json=body).status_code
