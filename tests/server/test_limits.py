"""How much one user may do: by the clock of the test, and over HTTP with little to spend."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.errors import LimitReached
from palaver.server.limits import Kind, Limits
from palaver.server.routing import SPENDS
from palaver.settings import LimitSettings
from tests.server.site import Site, running_site
from tests.server.test_access import routes

JSON = "application/json"
FEW = LimitSettings(messages=3, searches=2, sockets=2, megabytes=1)


class Seconds:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def taken(limits: Limits, user: str, kind: Kind, amount: float = 1) -> bool:
    try:
        limits.spend(user, kind, amount)
    except LimitReached:
        return False
    return True


@given(
    most=st.integers(1, 50),
    steps=st.lists(st.tuples(st.floats(0, 30), st.integers(1, 5)), max_size=200),
)
def test_no_minute_holds_more_than_two_of_them(most: int, steps: list[tuple[float, int]]):
    """A minute's worth at once, and what comes back in the minute."""
    clock = Seconds()
    limits = Limits(LimitSettings(messages=most), clock)
    done: deque[float] = deque()
    for wait, times in steps:
        clock.now += wait
        for _ in range(times):
            if taken(limits, "ann", "messages"):
                done.append(clock.now)
        while done and done[0] <= clock.now - 60:
            done.popleft()
        assert len(done) <= 2 * most


def wait_for(limits: Limits, amount: float) -> float:
    """How long somebody is told to wait; 0 who has spent it."""
    try:
        limits.spend("ann", "searches", amount)
    except LimitReached as reached:
        return reached.retry_after
    return 0.0


@given(most=st.integers(1, 1000), amounts=st.lists(st.floats(0, 2000), max_size=50))
def test_whoever_waits_as_long_as_told_is_let_through(most: int, amounts: list[float]):
    clock = Seconds()
    limits = Limits(LimitSettings(searches=most), clock)
    for amount in amounts:
        if seconds := wait_for(limits, amount):
            clock.now += seconds + 0.001
            assert wait_for(limits, amount) == 0


def test_what_was_refused_was_not_spent():
    clock = Seconds()
    limits = Limits(FEW, clock)
    assert [taken(limits, "ann", "messages") for _ in range(9)] == [True] * 3 + [False] * 6
    clock.now += 20
    assert [taken(limits, "ann", "messages") for _ in range(2)] == [True, False]


def test_everybody_has_their_own_of_each_kind():
    limits = Limits(FEW, Seconds())
    for user in ("ann", "bob"):
        assert [taken(limits, user, "searches") for _ in range(3)] == [True, True, False]
        assert taken(limits, user, "messages")


def test_those_who_have_spent_nothing_for_a_minute_are_forgotten():
    clock = Seconds()
    limits = Limits(FEW, clock)
    for n in range(50_000):
        limits.spend(f"usr-{n}", "messages")
        clock.now += 0.01
    assert len(limits._spent) <= 10_001  # pyright: ignore[reportPrivateUsage]


def test_who_leaves_makes_room():
    limits = Limits(FEW, Seconds())
    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(limits.open("ann"))
        with pytest.raises(LimitReached), limits.open("ann"):
            pass
        with limits.open("bob"):
            pass
    with limits.open("ann"):
        pass
    assert not limits._open  # pyright: ignore[reportPrivateUsage]


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("home"), limits=FEW) as site:
        yield site


def refused(answer: httpx.Response) -> bool:
    if answer.status_code != 429:
        return False
    assert answer.json()["code"] == "limit_reached"
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    return True


def test_too_many_messages_are_refused_whatever_the_way(site: Site, api: httpx.Client):
    conversation = api.post("/api/conversations", json={}).json()["id"]
    path = f"/api/conversations/{conversation}/messages"
    before = [api.post(path, json={"role": "user", "content": "a"}) for _ in range(3)]
    assert [answer.status_code for answer in before] == [201] * 3
    stored = site.stored()
    assert refused(api.post(path, json={"role": "user", "content": "a"}))
    assert refused(api.post("/api/chat", json={"message": "a"}))
    with site.program() as other:  # another token of the same user
        assert refused(other.post("/api/chat", json={"message": "a"}))
    assert site.stored() == stored
    assert api.get("/api/search", params={"q": "a"}).status_code == 200


def test_too_many_searches_are_refused(api: httpx.Client):
    answers = [api.get("/api/search", params={"q": "a"}) for _ in range(3)]
    assert [refused(answer) for answer in answers] == [False, False, True]
    assert api.get("/api/conversations").status_code == 200


@pytest.mark.parametrize("chunked", [False, True])
def test_too_many_bytes_are_refused(site: Site, api: httpx.Client, chunked: bool):
    body = b'{"role": "user", "content": "%s"}' % (b"a" * 400_000)

    def pieces() -> Iterator[bytes]:
        for start in range(0, len(body), 10_000):
            yield body[start : start + 10_000]

    conversation = api.post("/api/conversations", json={}).json()["id"]
    path, headers = f"/api/conversations/{conversation}/messages", {"Content-Type": JSON}
    answers = [
        api.post(path, content=pieces() if chunked else body, headers=headers) for _ in range(3)
    ]
    assert [refused(answer) for answer in answers] == [False, False, True]


def test_too_many_streams_are_refused(site: Site, api: httpx.Client):
    conversation = api.post("/api/conversations", json={}).json()["id"]
    path = f"/api/conversations/{conversation}/export"
    assert [api.get(path).status_code for _ in range(5)] == [200] * 5  # one after the other


def test_what_is_refused_is_counted(site: Site, api: httpx.Client):
    for _ in range(4):
        api.get("/api/search", params={"q": "a"})
    with site.program(["admin"]) as admin:
        shown = admin.get("/metrics").text
    assert 'palaver_limits_reached_total{kind="searches"} 2.0' in shown
    assert "palaver_open 0.0" in shown


def test_whatever_spends_says_that_it_can_be_refused():
    spending = [route for route in routes() if SPENDS in (route.openapi_extra or {})]
    assert {"/api/chat", "/api/search"} <= {route.path for route in spending}
    assert all(LimitReached.status in route.responses for route in spending)
