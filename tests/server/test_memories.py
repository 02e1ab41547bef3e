"""Memories over REST: listed, added, changed, learned, approved, forgotten, examined."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from palaver.app import Palaver
from palaver.ledger.lines import USER_STREAM, Draft, event, new_id
from tests.postgres.databases import Databases
from tests.server.site import Site, running_site
from tests.server.sockets import listening

MEMORIES = "/api/memories"
ABSENT = "mem-01HQXK5J7G8M3N4P5R6S7T8V9W"
SECRET = "My password is hunter2-XQ91-zz."
Json = dict[str, Any]


class Owner:
    """Somebody new, in files or in a database."""

    def __init__(self, site: Site, user: str, database_url: str | None) -> None:
        self.site = site
        self.user = user
        self.database_url = database_url
        self.api = site.program(user=user)

    def add(self, content: str, **given: Any) -> Json:
        answer = self.api.post(MEMORIES, json={"content": content, **given})
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def listed(self, **query: Any) -> list[str]:
        answer = self.api.get(MEMORIES, params=query)
        assert answer.status_code == 200, answer.text
        return [one["content"] for one in answer.json()["memories"]]

    def said(self, *words: str) -> tuple[str, list[Json]]:
        conversation = self.api.post("/api/conversations", json={}).json()["id"]
        path = f"/api/conversations/{conversation}/messages"
        return conversation, [
            self.api.post(path, json={"role": "user", "content": one}).json() for one in words
        ]

    def append(self, *drafts: Draft) -> None:
        """Stores lines as another process would."""

        async def write() -> None:
            opened = Palaver.open(
                self.site.home.root,
                user=self.user,
                index_vectors=False,
                database_url=self.database_url,
            )
            async with opened as palaver:
                await palaver._ledger.append(drafts)  # pyright: ignore[reportPrivateUsage]

        with ThreadPoolExecutor(1) as another:
            another.submit(lambda: asyncio.run(write())).result()

    def waiting(self, content: str) -> str:
        """The id of a memory that waits for approval; something is remembered already."""
        name = new_id("mem")
        told = {"type": "fact", "content": content, "state": "waiting", "confidence": 0.5}
        self.append(event(USER_STREAM, "memory_candidate", memoryId=name, memory=told))
        return name


@pytest.fixture(scope="module", params=["home", "database"])
def place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, postgres: Databases
) -> Iterator[tuple[Site, str | None]]:
    url = postgres.create() if request.param == "database" else None
    with running_site(tmp_path_factory.mktemp("home"), database_url=url) as site:
        yield site, url
    if url:
        postgres.drop(url)


@pytest.fixture
def owner(place: tuple[Site, str | None]) -> Iterator[Owner]:
    site, url = place
    name = new_id("o").lower().replace("-", "")
    owner = Owner(site, site.accounts.add_user(name).id, url)
    yield owner
    owner.api.close()


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


# -- finding -----------------------------------------------------------------------------------


def test_before_anything_is_remembered(owner: Owner) -> None:
    assert owner.api.get(MEMORIES).json() == {"memories": [], "nextCursor": None}
    assert owner.listed(q="figs") == []


def test_the_list_leaves_out_what_is_put_away(owner: Owner) -> None:
    tea = owner.add("I drink green tea.", type="preference", category="food", pinned=True)
    lake = owner.add("We bought a boat at the lake.", type="entity")
    owner.waiting("The neighbour has a dog.")
    assert owner.listed() == [lake["content"], tea["content"]]
    assert owner.listed(type="preference") == owner.listed(category="food") == [tea["content"]]
    assert owner.listed(pinned="true") == [tea["content"]]
    assert owner.listed(pinned="false") == [lake["content"]]
    assert owner.listed(state="waiting") == ["The neighbour has a dog."]
    owner.api.patch(f"{MEMORIES}/{lake['id']}", json={"archived": True})
    assert owner.listed() == [tea["content"]]
    assert owner.listed(archived="true") == [lake["content"]]
    assert owner.listed(superseded="true") == []


def test_what_another_has_replaced_is_shown_apart(owner: Owner) -> None:
    old, new = owner.add("I live in Berlin."), owner.add("The flat is on the fourth floor.")
    told = {"type": "fact", "content": old["content"], "supersededBy": new["id"]}
    owner.append(event(USER_STREAM, "memory_superseded", memoryId=old["id"], memory=told))
    assert owner.listed() == [new["content"]]
    assert owner.listed(superseded="true") == [old["content"]]
    history = owner.api.get(f"{MEMORIES}/{new['id']}/history").json()
    assert [one["id"] for one in history["before"]] == [old["id"]]
    assert (history["after"], history["memory"]["id"]) == ([], new["id"])
    assert [one["event"] for one in history["changes"]] == ["added"]
    earlier = owner.api.get(f"{MEMORIES}/{old['id']}/history").json()
    assert [one["id"] for one in earlier["after"]] == [new["id"]]
    restored = owner.api.post(f"{MEMORIES}/{old['id']}/restore").json()
    assert (restored["supersededBy"], restored["beside"]) == (None, [new["id"]])
    assert set(owner.listed()) == {old["content"], new["content"]}


def test_a_list_goes_on(owner: Owner) -> None:
    said = ["Anna plays the harp.", "The car is a red Volvo.", "Our router stands in the hall."]
    for content in said:
        owner.add(content)
    first = owner.api.get(MEMORIES, params={"limit": 2}).json()
    rest = owner.api.get(MEMORIES, params={"limit": 2, "cursor": first["nextCursor"]}).json()
    found = [one["content"] for page in (first, rest) for one in page["memories"]]
    assert (found, rest["nextCursor"]) == (said[::-1], None)
    assert refused(owner.api.get(MEMORIES, params={"cursor": "?"})) == (400, "bad_cursor")


def test_a_search_gives_the_most_relevant_first(owner: Owner) -> None:
    owner.add("Anna plays the harp.", category="people")
    owner.add("The harp of Anna is by Lyon, and Anna loves the harp.")
    assert owner.listed(q="harp")[-1:] != []
    assert owner.listed(q="harp", category="people") == ["Anna plays the harp."]
    assert len(owner.listed(q="harp", limit=1)) == 1
    assert owner.listed(q="zeppelin") == []


@pytest.mark.parametrize(
    "query", [{"type": "facts"}, {"state": "kept?"}, {"limit": 0}, {"pinned": "maybe"}, {"x": 1}]
)
def test_what_cannot_be_asked_for_is_told(owner: Owner, query: Json) -> None:
    assert refused(owner.api.get(MEMORIES, params=query)) == (422, "bad_value")


# -- adding and changing -----------------------------------------------------------------------


def test_a_memory_has_its_shape(owner: Owner) -> None:
    conversation, (message,) = owner.said("By the way: I am allergic to nothing. Thanks.")
    answer = owner.api.post(
        MEMORIES,
        json={
            "content": "  Has no   allergies. ",
            "type": "preference",
            "category": "food",
            "pinned": True,
            "validFrom": "2026-02-14T10:00:00+01:00",
            "sourceConversationId": conversation,
            "sourceMessageId": message["id"],
            "quote": "I am allergic to nothing.",
        },
    )
    assert answer.status_code == 201, answer.text
    memory = answer.json()
    assert memory["content"] == "Has no allergies."
    assert memory["validFrom"] == "2026-02-14T09:00:00.000Z"
    assert (memory["pinned"], memory["by"], memory["state"]) == (True, "user", "kept")
    assert (memory["accessCount"], memory["supersededBy"]) == (0, None)
    assert memory["sourceMessageId"] == message["id"]
    assert owner.api.get(f"{MEMORIES}/{memory['id']}").json() == memory
    assert "slot" not in memory


def test_what_is_known_is_not_doubled(owner: Owner) -> None:
    first = owner.api.post(MEMORIES, json={"content": "The sofa is green."})
    again = owner.api.post(MEMORIES, json={"content": "The sofa is green."})
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["id"] == again.json()["id"]
    assert len(owner.listed()) == 1


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"content": SECRET}, 422, "secret_refused"),
        ({"content": " "}, 422, "bad_value"),
        ({"content": "\x1c"}, 422, "bad_value"),
        ({"content": "x" * 2001}, 422, "bad_value"),
        ({"content": "x", "type": "opinion"}, 422, "bad_value"),
        ({"content": "x", "pinned": "yes"}, 422, "bad_value"),
        ({"content": "x", "id": ABSENT}, 422, "bad_value"),
        ({"content": "x", "validFrom": "soon"}, 422, "bad_value"),
        ({"content": "x", "validFrom": ""}, 422, "bad_value"),
        ({"content": "x", "quote": "x"}, 422, "bad_value"),
        ({"content": "x", "sourceMessageId": "msg-../x"}, 400, "bad_id"),
        ({"content": "x", "sourceMessageId": ABSENT.replace("mem", "msg")}, 404, "not_found"),
    ],
)
def test_what_cannot_be_remembered_is_told(
    owner: Owner, body: Json, status: int, code: str
) -> None:
    assert refused(owner.api.post(MEMORIES, json=body)) == (status, code)
    assert owner.listed() == []


def test_a_quotation_must_stand_there(owner: Owner) -> None:
    _, (message,) = owner.said("The sofa is green.")
    body = {"content": "x", "sourceMessageId": message["id"], "quote": "The sofa is red."}
    assert refused(owner.api.post(MEMORIES, json=body)) == (422, "bad_value")


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_a_memory_is_changed(owner: Owner, method: str) -> None:
    memory = owner.add("The sofa is green.", category="home")
    path = f"{MEMORIES}/{memory['id']}"
    changed = owner.api.request(method, path, json={"content": "The sofa is blue."}).json()
    assert (changed["content"], changed["edited"]) == ("The sofa is blue.", True)
    assert (changed["category"], changed["created"]) == ("home", memory["created"])
    body = {"category": None, "pinned": True, "confidence": 1, "type": "entity"}
    changed = owner.api.request(method, path, json=body).json()
    assert {name: changed[name] for name in body} == body
    assert owner.api.request(method, path, json={}).json() == changed
    for body, code in (
        ({"content": SECRET}, "secret_refused"),
        ({"content": None}, "bad_value"),
        ({"pinned": None}, "bad_value"),
        ({"confidence": 2}, "bad_value"),
        ({"state": "kept"}, "bad_value"),
        ({"validFrom": ""}, "bad_value"),
    ):
        assert refused(owner.api.request(method, path, json=body)) == (422, code)
    assert owner.api.get(path).json() == changed


# -- learning and approving ----------------------------------------------------------------------


def test_a_conversation_is_read(owner: Owner) -> None:
    conversation, _ = owner.said("Please remember that my sister is called Greta.")
    body = {"conversationId": conversation, "dryRun": True}
    dry = owner.api.post(f"{MEMORIES}/extract", json=body).json()
    assert owner.listed() == []
    stored = owner.api.post(f"{MEMORIES}/extract", json={"conversationId": conversation}).json()
    assert [one["content"] for one in stored["added"]] == [one["content"] for one in dry["added"]]
    assert owner.listed() == [one["content"] for one in stored["added"]]
    (memory,) = stored["added"]
    assert "Greta" in memory["content"]
    assert memory["sourceConversationId"] == conversation
    again = owner.api.post(f"{MEMORIES}/extract", json={"conversationId": conversation}).json()
    assert (again["added"], len(owner.listed())) == ([], 1)


def test_what_waits_is_kept_or_not(owner: Owner) -> None:
    owner.add("Something else.")
    kept, gone = owner.waiting("The dog is called Rex."), owner.waiting("The cat is called Mia.")
    approved = owner.api.post(f"{MEMORIES}/{kept}/approve").json()
    assert (approved["id"], approved["state"]) == (kept, "kept")
    assert owner.api.post(f"{MEMORIES}/{kept}/approve").json()["state"] == "kept"
    assert refused(owner.api.post(f"{MEMORIES}/{kept}/reject")) == (409, "conflict")
    receipt = owner.api.post(f"{MEMORIES}/{gone}/reject").json()
    assert [one["id"] for one in receipt["memories"]] == [gone]
    assert owner.listed(state="waiting") == []
    assert refused(owner.api.get(f"{MEMORIES}/{gone}")) == (404, "not_found")


# -- forgetting --------------------------------------------------------------------------------


def test_a_memory_is_forgotten(owner: Owner) -> None:
    memory = owner.add("The sofa is green.")
    path = f"{MEMORIES}/{memory['id']}"
    shown = owner.api.delete(path, params={"preview": "true"}).json()
    assert (shown["preview"], len(shown["memories"])) == (True, 1)
    assert owner.listed() == ["The sofa is green."]
    assert owner.api.delete(path).json() == shown | {"preview": False}
    assert owner.listed() == []
    assert refused(owner.api.delete(path)) == (404, "not_found")


def test_all_of_a_conversation_or_about_a_word_is_forgotten(owner: Owner) -> None:
    conversation, (message, _) = owner.said("My sister is called Greta.", "Thanks.")
    owner.add("My sister is called Greta.", sourceMessageId=message["id"])
    owner.add("Greta likes figs.")
    owner.add("The sofa is green.")
    query = {"conversationId": conversation, "preview": "true"}
    shown = owner.api.delete(MEMORIES, params=query).json()
    assert len(shown["memories"]) == 1
    assert len(owner.listed()) == 3
    receipt = owner.api.delete(MEMORIES, params={"conversationId": conversation}).json()
    assert receipt["memories"] == shown["memories"]
    receipt = owner.api.delete(MEMORIES, params={"about": "greta"}).json()
    assert "Greta likes figs." in [one["content"] for one in receipt["memories"]]
    assert owner.listed() == ["The sofa is green."]
    for query in ({}, {"about": "x", "conversationId": conversation}, {"about": "*"}):
        assert refused(owner.api.delete(MEMORIES, params=query)) == (422, "bad_value")


def test_to_forget_everywhere_one_must_be_allowed_to_write(owner: Owner) -> None:
    conversation, (message,) = owner.said("My sister is called Greta.")
    memory = owner.add(
        "My sister is called Greta.",
        sourceConversationId=conversation,
        sourceMessageId=message["id"],
    )
    path = f"{MEMORIES}/{memory['id']}"
    with owner.site.program(["memory:write", "memory:read"], owner.user) as modest:
        for place, more in ((path, {}), (MEMORIES, {"about": "greta"})):
            answer = modest.delete(place, params={"everywhere": "true", **more})
            assert refused(answer) == (403, "forbidden")
    receipt = owner.api.delete(path, params={"everywhere": "true"}).json()
    assert receipt["messages"] == 1
    (left,) = owner.api.get(f"/api/conversations/{conversation}/messages").json()["messages"]
    assert (left["status"], left["content"]) == ("redacted", "")


# -- who may, and what is not there --------------------------------------------------------------

ONE = {
    "GET": ("", "/history"),
    "PUT": ("",),
    "PATCH": ("",),
    "DELETE": ("",),
    "POST": ("/approve", "/reject"),
}


@pytest.mark.parametrize("method", ONE)
def test_what_is_not_there_and_what_is_no_id(owner: Owner, method: str) -> None:
    body = {"pinned": True} if method in ("PUT", "PATCH") else None
    for name, expected in (
        (ABSENT, (404, "not_found")),
        ("mem-!", (400, "bad_id")),
        ("conv-01HQXK5J7G8M3N4P5R6S7T8V9W", (400, "bad_id")),
    ):
        for rest in ONE[method]:
            answer = owner.api.request(method, f"{MEMORIES}/{name}{rest}", json=body)
            assert refused(answer) == expected
    if method == "POST":
        for name, expected in (
            ("conv-!", (400, "bad_id")),
            (f"conv-{ABSENT[4:]}", (404, "not_found")),
        ):
            answer = owner.api.post(f"{MEMORIES}/extract", json={"conversationId": name})
            assert refused(answer) == expected


def test_scopes_are_kept_to(owner: Owner) -> None:
    memory = owner.add("The sofa is green.")
    path = f"{MEMORIES}/{memory['id']}"
    with owner.site.program(["memory:read"], owner.user) as reader:
        assert reader.get(path).status_code == reader.get(MEMORIES).status_code == 200
        for method, place in (("PUT", path), ("DELETE", path), ("POST", MEMORIES)):
            assert refused(reader.request(method, place)) == (403, "forbidden")
    with owner.site.program(["read", "write", "recall"], owner.user) as stranger:
        assert refused(stranger.get(MEMORIES)) == (403, "forbidden")


# -- the audit -----------------------------------------------------------------------------------


def test_an_audit_tells_the_shares_and_mends(owner: Owner) -> None:
    owner.add("The sofa is green.")
    name = new_id("mem")
    told = {"type": "fact", "content": "The lamp is red.", "created": "2020-01-01T00:00:00.000Z"}
    old = event(USER_STREAM, "memory_added", memoryId=name, memory=told)
    owner.append(old)
    report = owner.api.get(f"{MEMORIES}/audit").json()
    assert report["total"] == 2
    kinds = ["junk", "duplicate", "unsupported", "contradictory", "stale"]
    assert list(report["shares"]) == kinds
    for finding in report["findings"]:
        assert finding["kind"] in kinds
        assert [one["id"] for one in finding["memories"]] == finding["memoryIds"]
    body = {"kind": "stale", "memoryIds": [name]}
    mended = owner.api.post(f"{MEMORIES}/audit", json=body).json()
    assert sorted(mended) == ["changed", "fixed"]
    assert refused(owner.api.post(f"{MEMORIES}/audit", json=body | {"memoryIds": [ABSENT]})) == (
        404,
        "not_found",
    )
    assert refused(owner.api.post(f"{MEMORIES}/audit", json=body | {"kind": "dull"})) == (
        422,
        "bad_value",
    )


def test_what_an_audit_finds_is_mended(owner: Owner) -> None:
    conversation, (message,) = owner.said("My sister is called Greta.")
    name = new_id("mem")
    told = {"type": "fact", "content": "The sister is called Greta.", "by": "offline"}
    source = {"conversationId": conversation, "messageId": message["id"], "quote": "called Grete"}
    owner.add("The sofa is green.")
    owner.append(event(USER_STREAM, "memory_added", memoryId=name, memory=told, sources=[source]))
    report = owner.api.get(f"{MEMORIES}/audit").json()
    (found,) = [one for one in report["findings"] if one["kind"] == "unsupported"]
    assert (found["memoryIds"], found["fix"]) == ([name], "forget")
    assert report["shares"]["unsupported"] == 0.5
    body = {"kind": "unsupported", "memoryIds": [name]}
    mended = owner.api.post(f"{MEMORIES}/audit", json=body).json()
    assert (mended["changed"], mended["fixed"]) == ([], [found])
    assert owner.listed() == ["The sofa is green."]


# -- what every tab hears ------------------------------------------------------------------------


async def test_every_tab_hears_of_a_memory(owner: Owner) -> None:
    headers = {"Authorization": owner.api.headers["authorization"]}
    url = owner.site.url
    async with listening(url, headers) as one, listening(url, headers) as other:
        memory = await asyncio.to_thread(owner.add, "The sofa is green.")
        for tab in (one, other):
            heard = await tab.until("memory_changed")
            assert (heard["memoryId"], heard["memoryIds"]) == (memory["id"], [memory["id"]])
            assert isinstance(heard["eventId"], int)
        path = f"{MEMORIES}/{memory['id']}"
        await asyncio.to_thread(owner.api.patch, path, json={"pinned": True})
        await one.until("memory_changed", memoryId=memory["id"])
        waiting = await asyncio.to_thread(owner.waiting, "The dog is called Rex.")
        await one.until("memory_changed", memoryId=waiting)
        await asyncio.to_thread(owner.add, "The sofa was dear.")
        gone = await asyncio.to_thread(owner.api.delete, MEMORIES, params={"about": "sofa"})
        names = sorted(one["id"] for one in gone.json()["memories"])
        await one.until("memory_changed", memoryId=None, memoryIds=names)
        await one.until("memory_changed", memoryIds=[])
        assert await asyncio.to_thread(owner.listed) == []
        await other.until("memory_changed", memoryId=None, memoryIds=names)
