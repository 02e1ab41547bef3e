"""External communications by REST: listed, read, decided, erased."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from palaver.ledger.lines import new_id
from tests.postgres.databases import Databases
from tests.server.dove import Dove, connected
from tests.server.exchange import Exchange, exchanged
from tests.server.site import Site, running_site
from tests.server.sockets import listening

EXTERNAL = "/api/external"
ABSENT = "01HQXK5J7G8M3N4P5R6S7T8V9W"
Json = dict[str, Any]


@pytest.fixture(scope="module", params=["home", "database"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, postgres: Databases
) -> Iterator[Site]:
    url = postgres.create() if request.param == "database" else None
    home = tmp_path_factory.mktemp("home")
    with running_site(home, database_url=url) as site:
        yield site
    if url:
        postgres.drop(url)


class Owner:
    """Somebody new, with a channel."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.user = site.accounts.add_user(new_id("o").lower().replace("-", "")).id
        self.dove = Dove(f"dove-{self.user[-10:].lower()}")
        site.channels.add(connected(self.dove, user=self.user))
        self.api = site.program(user=self.user)

    def has(self, words: str, channel: str | None = None) -> Exchange:
        given = channel or self.dove.name
        return self.site.within(lambda palaver: exchanged(palaver, words, channel=given), self.user)

    def listed(self, **query: Any) -> list[str]:
        answer = self.api.get(EXTERNAL, params=query)
        assert answer.status_code == 200, answer.text
        return [one["name"] for one in answer.json()["external"]]

    def view(self, exchange: Exchange, **query: Any) -> Json:
        answer = self.api.get(f"{EXTERNAL}/{exchange.id}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def change(self, exchange: Exchange, **change: Any) -> httpx.Response:
        return self.api.patch(f"{EXTERNAL}/{exchange.id}", json=change)

    def answer(self, exchange: Exchange, **body: Any) -> httpx.Response:
        return self.api.post(f"{EXTERNAL}/{exchange.id}/messages", json=body)

    def decide(self, exchange: Exchange, **decision: Any) -> httpx.Response:
        path = f"{EXTERNAL}/{exchange.id}/drafts/{exchange.draft}"
        return self.api.post(path, json=decision)

    def sent(self) -> list[str]:
        self.site.within(lambda palaver: palaver.correspondence.deliver(), self.user)
        return [one.text for one in self.dove.sent]


@pytest.fixture
def owner(site: Site) -> Iterator[Owner]:
    owner = Owner(site)
    yield owner
    owner.api.close()


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


# -- reading -----------------------------------------------------------------------------------


def test_before_anybody_wrote(owner: Owner) -> None:
    assert owner.api.get(EXTERNAL).json() == {"external": [], "nextCursor": None}


def test_the_latest_comes_first_and_some_can_be_chosen(owner: Owner) -> None:
    figs, _, dates = owner.has("Figs"), owner.has("Plums", "crow"), owner.has("Dates")
    assert owner.listed() == ["Dates", "Plums", "Figs"]
    assert owner.listed(channel="crow") == ["Plums"]
    assert owner.listed(q="fig") == ["Figs"]
    assert owner.change(figs, trust="known").status_code == 200
    assert owner.change(dates, trust="untrusted").status_code == 200
    assert owner.listed(trust="known") == ["Figs"]
    assert owner.listed(trust="untrusted") == ["Dates"]


def test_a_list_goes_on(owner: Owner) -> None:
    for words in ("Figs", "Plums", "Dates"):
        owner.has(words)
    first = owner.api.get(EXTERNAL, params={"limit": 2}).json()
    rest = owner.api.get(EXTERNAL, params={"limit": 2, "cursor": first["nextCursor"]}).json()
    assert [one["name"] for one in first["external"]] == ["Dates", "Plums"]
    assert [one["name"] for one in rest["external"]] == ["Figs"]
    assert rest["nextCursor"] is None
    assert refused(owner.api.get(EXTERNAL, params={"cursor": "figs"})) == (400, "bad_cursor")
    for bad in ({"trust": "some"}, {"channel": "0.5"}, {"limit": "0"}, {"colour": "red"}):
        assert refused(owner.api.get(EXTERNAL, params=bad)) == (422, "bad_value")


def test_an_exchange_is_read_back_from_its_end(owner: Owner) -> None:
    figs = owner.has("Figs")
    view = owner.view(figs)
    assert [one["content"] for one in view["messages"]] == ["Figs", "No Figs."]
    assert view["messages"][0]["author"]["kind"] == "participant"
    assert view["messages"][1]["delivery"]["state"] == "failed"
    assert (view["external"]["trust"], view["external"]["policy"]) == ("untrusted", "acknowledge")
    (draft,) = view["drafts"]
    assert (draft["id"], draft["text"], draft["messageId"]) == (
        figs.draft,
        "Yes, Figs.",
        figs.asked,
    )
    last = owner.view(figs, limit=1)
    assert ([one["id"] for one in last["messages"]], last["hasMore"]) == ([figs.failed], True)
    earlier = owner.view(figs, limit=1, before=figs.failed)
    assert ([one["id"] for one in earlier["messages"]], earlier["hasMore"]) == ([figs.asked], False)


def test_what_is_not_there(owner: Owner) -> None:
    figs = owner.has("Figs")
    for path, error in (
        (f"{EXTERNAL}/ext-{ABSENT}", (404, "not_found")),
        (f"{EXTERNAL}/conv-{ABSENT}", (400, "bad_id")),
        (f"{EXTERNAL}/{figs.id}?before=msg-{ABSENT}", (404, "not_found")),
        (f"{EXTERNAL}/{figs.id}?before=figs", (400, "bad_id")),
    ):
        assert refused(owner.api.get(path)) == error
    assert refused(owner.api.get(f"/api/conversations/{figs.id}")) == (400, "bad_id")


def test_nothing_of_it_is_found_elsewhere(owner: Owner) -> None:
    owner.has("heliotrope")
    assert owner.api.get("/api/conversations").json()["conversations"] == []
    found = owner.api.get("/api/search", params={"q": "heliotrope"})
    assert found.json()["results"] == []


# -- deciding how somebody is treated ----------------------------------------------------------


def test_what_holds_is_decided_and_taken_back(owner: Owner) -> None:
    figs = owner.has("Figs")
    decided = owner.change(figs, trust="known", policy="answer", scope="The price.").json()
    assert (decided["trust"], decided["policy"], decided["scope"]) == (
        "known",
        "answer",
        "The price.",
    )
    assert decided["decided"] == ["trust", "policy", "scope"]
    back = owner.change(figs, trust=None, policy=None, scope=None).json()
    assert (back["trust"], back["policy"], back["decided"]) == ("untrusted", "acknowledge", [])


@pytest.mark.parametrize(
    "change",
    [
        {"trust": "some"},
        {"policy": "answer"},
        {"policy": "shout"},
        {"scope": "x" * 4001},
        {"seen": None},
        {"seen": 1},
        {"name": "Grete"},
    ],
)
def test_what_cannot_be_decided(owner: Owner, change: Json) -> None:
    figs = owner.has("Figs")
    before = owner.view(figs)
    assert refused(owner.change(figs, **change)) == (422, "bad_value")
    assert owner.view(figs) == before


# -- the owner's own words ---------------------------------------------------------------------


def test_the_owner_answers_in_their_own_words_once(owner: Owner) -> None:
    figs = owner.has("Figs")
    body = {"text": "Come on Monday.", "key": "monday"}
    first, again = owner.answer(figs, **body), owner.answer(figs, **body)
    assert (first.status_code, again.json()["id"]) == (201, first.json()["id"])
    told = first.json()
    assert (told["author"]["kind"], told["key"], told["replyTo"]) == ("owner", "monday", figs.asked)
    assert told["delivery"]["state"] == "waiting"
    assert owner.sent() == ["Come on Monday."]
    assert refused(owner.answer(figs, text="On Tuesday.", key="monday")) == (409, "key_reused")
    plums = owner.has("Plums", "crow")
    assert refused(owner.answer(plums, text="Hello")) == (409, "conflict")
    assert "crow is off" in owner.view(plums)["unreachable"]
    assert owner.view(figs)["unreachable"] is None


@pytest.mark.parametrize("body", [{}, {"text": 1}, {"text": "Hi", "key": ""}, {"content": "Hi"}])
def test_what_is_no_answer(owner: Owner, body: Json) -> None:
    assert refused(owner.answer(owner.has("Figs"), **body)) == (422, "bad_value")
    assert owner.sent() == []


# -- drafts ------------------------------------------------------------------------------------


def test_a_draft_is_approved_and_sent_once(owner: Owner) -> None:
    figs = owner.has("Figs")
    answer = owner.decide(figs, decision="approve")
    assert answer.status_code == 200
    decided = answer.json()
    assert (decided["draftId"], decided["decision"]) == (figs.draft, "approved")
    assert decided["message"]["content"] == "Yes, Figs."
    assert owner.sent() == ["Yes, Figs."]
    view = owner.view(figs)
    assert (view["drafts"], view["external"]["drafts"]) == ([], 0)
    assert view["messages"][-1]["delivery"]["state"] == "sent"
    assert refused(owner.decide(figs, decision="reject")) == (409, "conflict")
    assert owner.sent() == ["Yes, Figs."]


def test_other_words_are_sent_instead_or_none(owner: Owner) -> None:
    edited, rejected = owner.has("Figs"), owner.has("Plums")
    assert owner.decide(edited, decision="edit", text="Later.").json()["decision"] == "edited"
    nothing = owner.decide(rejected, decision="reject").json()
    assert (nothing["decision"], nothing["message"]) == ("rejected", None)
    assert owner.sent() == ["Later."]


@pytest.mark.parametrize(
    "decision",
    [
        {},
        {"decision": "burn"},
        {"decision": "edit"},
        {"decision": "edit", "text": ""},
        {"decision": "edit", "text": " "},
        {"decision": "approve", "text": "Later."},
        {"decision": "approve", "key": "k"},
    ],
)
def test_what_is_no_decision(owner: Owner, decision: Json) -> None:
    figs = owner.has("Figs")
    assert refused(owner.decide(figs, **decision)) == (422, "bad_value")
    assert len(owner.view(figs)["drafts"]) == 1
    assert owner.sent() == []


def test_a_draft_belongs_to_one_exchange(owner: Owner) -> None:
    figs, plums = owner.has("Figs"), owner.has("Plums")
    body = {"decision": "approve"}
    for exchange, draft, error in (
        (figs.id, plums.draft, (404, "not_found")),
        (f"ext-{ABSENT}", figs.draft, (404, "not_found")),
        (figs.id, f"draft-{ABSENT}", (404, "not_found")),
        (figs.id, "figs", (400, "bad_id")),
    ):
        answer = owner.api.post(f"{EXTERNAL}/{exchange}/drafts/{draft}", json=body)
        assert refused(answer) == error
    assert owner.sent() == []


# -- erasing -----------------------------------------------------------------------------------


def test_an_exchange_is_erased_for_good(owner: Owner) -> None:
    figs, _ = owner.has("Figs"), owner.has("Plums")
    path = f"{EXTERNAL}/{figs.id}"
    preview = owner.api.delete(path, params={"preview": "true"}).json()
    assert (preview["preview"], preview["messages"]) == (True, 2)
    assert owner.listed() == ["Plums", "Figs"]
    receipt = owner.api.delete(path).json()
    assert receipt == preview | {"preview": False}
    assert owner.listed() == ["Plums"]
    assert refused(owner.api.get(path)) == (404, "not_found")
    assert refused(owner.api.delete(path)) == (404, "not_found")
    assert refused(owner.api.post(f"/api/deliveries/{figs.failed}")) == (404, "not_found")
    assert owner.sent() == []


# -- what every tab hears ----------------------------------------------------------------------


async def test_every_tab_hears_of_it(owner: Owner) -> None:
    headers = {"Authorization": owner.api.headers["authorization"]}
    async with listening(owner.site.url, headers) as one, listening(owner.site.url, headers) as two:
        figs = await asyncio.to_thread(owner.has, "Figs")
        for tab in (one, two):
            await tab.until("external_updated", externalId=figs.id)
        await asyncio.to_thread(lambda: owner.decide(figs, decision="reject"))
        await one.until("external_updated", externalId=figs.id)


def test_what_they_wrote_is_found_when_it_is_asked_for(owner: Owner):
    made = owner.has("a quokka to rent")
    other = Owner(owner.site)
    other.has("another quokka")
    page = owner.api.get("/api/search", params={"q": "quokka", "kind": "external"}).json()
    shown = {one["messageIds"][0]: one for one in page["results"]}
    assert shown.keys() == {made.asked, made.failed}
    theirs = shown[made.asked]
    assert (theirs["kind"], theirs["conversationId"]) == ("external", made.id)
    assert (theirs["title"], theirs["channel"]) == ("a quokka to rent", owner.dove.name)
    assert theirs["external"] == {
        "by": "outsider",
        "party": made.id[-8:].lower(),
        "name": "a quokka to rent",
        "sender": None,
        "trust": "untrusted",
        "claimed": False,
    }
    assert shown[made.failed]["external"]["by"] == "assistant"
    within = {"q": "quokka", "kind": "external", "conversationId": made.id}
    assert len(owner.api.get("/api/search", params=within).json()["results"]) == 2
    assert other.api.get("/api/search", params=within).status_code == 404
    assert owner.api.get("/api/search", params=within | {"kind": "message"}).status_code == 404
    for kind in ("conversation", "message"):
        found = owner.api.get("/api/search", params={"q": "quokka", "kind": kind}).json()
        assert found["results"] == []
    assert owner.api.delete(f"{EXTERNAL}/{made.id}").json()["fullText"] == 2
    page = owner.api.get("/api/search", params={"q": "quokka", "kind": "external"}).json()
    assert page["results"] == []
    other.api.close()


def test_whoever_may_not_read_exchanges_does_not_find_them(owner: Owner):
    with owner.site.program(user=owner.user, scopes=["recall"]) as api:
        assert api.get("/api/search", params={"q": "quokka"}).status_code == 200
        answer = api.get("/api/search", params={"q": "quokka", "kind": "external"})
        assert refused(answer) == (403, "forbidden")
