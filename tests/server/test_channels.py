"""Channels by REST: how they fare, whether one works, and what could not be sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import pytest

from palaver.accounts import SCOPES
from palaver.errors import ChannelRefused, ChannelUnreachable
from palaver.ledger.lines import new_id
from tests.channels.world import OWNER
from tests.server.dove import Carrier, Dove, bring, connected
from tests.server.exchange import Exchange, exchanged
from tests.server.site import Site, running_site

CHANNELS = "/api/channels"
BEA = "usr-bea"
SOON = 20.0
Json = dict[str, Any]


@pytest.fixture
def dove() -> Dove:
    return Dove()


@pytest.fixture
def broken() -> Carrier:
    return Carrier("stork", trouble=[ChannelRefused("The password is wrong.")])


@pytest.fixture(params=["home", "database"])
def site(
    request: pytest.FixtureRequest, tmp_path: Path, dove: Dove, broken: Carrier
) -> Iterator[Site]:
    url = request.getfixturevalue("database_url") if request.param == "database" else None
    policy = {"known": "answer", "untrusted": "draft", "scope": "The opening hours."}
    shared = {OWNER.id: "", "bea": BEA}
    channels = [
        connected(dove, policy=policy, owner_identities=shared),
        connected(broken, role="personal"),
        connected(Carrier("crow"), user=BEA, owner_identities={}),
    ]
    with running_site(tmp_path / "home", database_url=url, channels=channels) as site:
        yield site


@pytest.fixture
def admin(site: Site) -> Iterator[httpx.Client]:
    with site.program(SCOPES) as client:
        yield client


def listed(client: httpx.Client) -> dict[str, Json]:
    return {one["name"]: one for one in client.get(CHANNELS).json()["channels"]}


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


# -- how they fare -----------------------------------------------------------------------------


def begun(client: httpx.Client) -> dict[str, Json]:
    """All channels, when each of them has begun, or failed to."""
    end, found = monotonic() + SOON, listed(client)
    while any(one["state"] == "waiting" for one in found.values()):
        assert monotonic() < end, found
        found = listed(client)
    return found


def test_how_each_fares(api: httpx.Client) -> None:
    channels = begun(api)
    assert list(channels) == ["dove", "stork"]
    dove, stork = channels.values()
    assert (dove["state"], dove["why"], dove["webhook"]) == ("connected", None, "/channels/dove")
    assert dove["since"].endswith("Z")
    assert (dove["role"], dove["policy"]) == (
        "dedicated",
        {"known": "answer", "untrusted": "draft", "scope": "The opening hours."},
    )
    assert (stork["state"], stork["webhook"], stork["role"]) == ("failing", None, "personal")
    assert stork["why"].startswith("The password is wrong. ")


def test_a_channel_that_fails_makes_nothing_else_fail(api: httpx.Client) -> None:
    assert api.get("/api/health").json()["status"] == "ok"
    assert api.get("/readyz").status_code == 200


def test_everybody_sees_those_they_take_part_in(site: Site) -> None:
    with site.program(user=BEA) as bea:
        channels = listed(bea)
    assert list(channels) == ["dove", "crow"]
    assert channels["dove"]["policy"] is None  # it is for those who write to somebody else
    assert channels["crow"]["policy"]["known"] == "answer"
    with site.program(user=site.accounts.add_user("cem").id) as cem:
        assert listed(cem) == {}


# -- trying one out ----------------------------------------------------------------------------


def test_trying_a_channel_out(admin: httpx.Client, dove: Dove) -> None:
    assert admin.post(f"{CHANNELS}/dove/test").json() == {
        "name": "dove",
        "ok": True,
        "message": "It flies.",
        "remedy": None,
    }
    dove.trouble.append(ChannelUnreachable())
    failed = admin.post(f"{CHANNELS}/dove/test")
    assert (failed.status_code, failed.json()["ok"]) == (200, False)
    assert failed.json()["message"] == str(ChannelUnreachable())
    assert failed.json()["remedy"] == ChannelUnreachable.remedy


def test_what_is_somebody_elses_cannot_be_tried_out(admin: httpx.Client, api: httpx.Client) -> None:
    foreign, absent = (admin.post(f"{CHANNELS}/{name}/test") for name in ("crow", "wren"))
    assert refused(foreign) == (404, "not_found")
    assert foreign.text.replace("crow", "wren") == absent.text
    assert refused(api.post(f"{CHANNELS}/dove/test")) == (403, "forbidden")


# -- what could not be sent --------------------------------------------------------------------


def delivery(client: httpx.Client, exchange: Exchange, message: str) -> Json:
    found = client.get(f"/api/external/{exchange.id}").json()["messages"]
    return next(one["delivery"] for one in found if one["id"] == message)


def test_what_could_not_be_delivered_is_sent_again(
    site: Site, api: httpx.Client, dove: Dove
) -> None:
    exchange = site.within(lambda palaver: exchanged(palaver, "Figs"))
    failed = delivery(api, exchange, exchange.failed)
    assert (failed["state"], failed["code"]) == ("failed", "channel_refused")
    answer = api.post(f"/api/deliveries/{exchange.failed}")
    assert answer.status_code == 200
    told = answer.json()
    assert (told["messageId"], told["channel"]) == (exchange.failed, "dove")
    assert told["conversationId"] == exchange.id
    site.within(lambda palaver: palaver.correspondence.deliver())
    assert [one.text for one in dove.sent] == ["No Figs."]
    assert delivery(api, exchange, exchange.failed)["state"] == "sent"
    assert refused(api.post(f"/api/deliveries/{exchange.failed}")) == (409, "conflict")


def test_what_is_not_sent_by_a_channel_is_not_sent_again(
    site: Site, api: httpx.Client, stranger: httpx.Client
) -> None:
    exchange = site.within(lambda palaver: exchanged(palaver, "Figs"))
    for name in (exchange.asked, new_id("msg")):
        assert refused(api.post(f"/api/deliveries/{name}")) == (404, "not_found")
    assert refused(api.post("/api/deliveries/figs")) == (400, "bad_id")
    with site.program(user=BEA) as bea:
        assert refused(bea.post(f"/api/deliveries/{exchange.failed}")) == (404, "not_found")


def test_each_owner_of_a_shared_channel_has_their_own_conversation(
    site: Site, api: httpx.Client, stranger: httpx.Client
) -> None:
    assert bring(stranger, ("m1", "bea", "Mine"), ("m2", OWNER.id, "Yours")).status_code == 200
    with site.program(user=BEA) as bea:
        for client, text in ((bea, "Mine"), (api, "Yours")):
            (one,) = client.get("/api/conversations", params={"channel": "dove"}).json()[
                "conversations"
            ]
            page = client.get(f"/api/conversations/{one['id']}/messages").json()
            assert page["messages"][0]["content"] == text
