"""The continuous conversation over HTTP: what it refuses, like any program that writes to it."""

from __future__ import annotations

import pytest

from palaver.ledger.lines import meta, new_id
from tests.server.site import Site


@pytest.fixture
def begun(site: Site) -> str:
    """The id of a continuous conversation."""
    conversation = new_id("conv")
    site.append(meta(conversation, user="local", channel="web", mode="continuous"))
    return conversation


def test_what_was_said_at_another_time_is_refused(site: Site, begun: str) -> None:
    with site.program() as client:
        url = f"/api/conversations/{begun}/messages"
        said = {"role": "user", "content": "x", "timestamp": "2020-01-01T00:00:00Z"}
        answer = client.post(url, json=said)
        assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
        assert "history in as a conversation of its own" in answer.text
        assert client.post(url, json={"role": "user", "content": "x"}).status_code == 201


@pytest.mark.parametrize("change", [{"title": "Days"}, {"archived": True}])
def test_it_has_no_title_and_is_not_archived(
    site: Site, begun: str, change: dict[str, object]
) -> None:
    with site.program() as client:
        answer = client.patch(f"/api/conversations/{begun}", json=change)
        assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
