"""Jobs by REST: what is due, and what is said about ids that name nothing."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from palaver.index.sqlite.index import SqliteIndex
from tests.jobs.brought import Chores, bring
from tests.server.site import Site, running_site


def test_nothing_is_due(api: httpx.Client) -> None:
    assert api.get("/api/jobs").json() == {"jobs": []}


@pytest.mark.parametrize("what", ["retry", "cancel"])
def test_ids_that_name_nothing(api: httpx.Client, what: str) -> None:
    missing = api.post(f"/api/jobs/rebuild:local/{what}")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    assert "palaver jobs list" in missing.json()["remedy"]
    bad = api.post(f"/api/jobs/Rebuild/{what}")
    assert (bad.status_code, bad.json()["code"]) == (400, "bad_id")


def test_a_reader_may_look_and_not_decide(site: Site) -> None:
    with site.program(["read"]) as reader:
        assert reader.get("/api/jobs").status_code == 200
        assert reader.post("/api/jobs/rebuild:local/retry").status_code == 403


def test_what_failed_is_shown_and_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_site(tmp_path) as site, site.program() as api:
        # Nothing is asked for: what follows a reply would look at the index, and so mend it.
        conversation = api.post("/api/conversations", json={}).json()["id"]
        said = {"role": "user", "content": "Tea at nine"}
        api.post(f"/api/conversations/{conversation}/messages", json=said)
        with monkeypatch.context() as broken:
            broken.setattr("palaver.index.stored.rebuild.Rebuild.run", _fails)
            broken.setattr("palaver.index.stored.rebuild.Rebuild.at_once", _fails)
            assert api.post("/api/rebuild").status_code == 503
        (job,) = api.get("/api/jobs").json()["jobs"]
        assert (job["id"], job["state"], job["attempts"]) == ("rebuild:local", "failed", 1)
        assert job["error"]["code"] == "index_degraded"
        assert "no room" in job["error"]["message"]
        assert api.get("/api/health").json()["status"] == "degraded"
        retried = api.post("/api/jobs/rebuild:local/retry")
        assert retried.status_code == 200
        assert retried.json()["kind"] == "rebuild"
        assert api.post("/api/rebuild").status_code == 200
        assert api.get("/api/jobs").json() == {"jobs": []}


def test_what_others_bring_is_shown_cancelled_and_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chores = Chores("conv-1")
    chores.gate.clear()
    bring(chores, monkeypatch)
    with running_site(tmp_path) as site, site.program() as api:
        while (job := api.get("/api/jobs").json()["jobs"][0])["state"] != "running":
            pass
        assert (job["id"], job["key"]) == ("chore:local:conv-1", "conv-1")
        assert api.post(f"/api/jobs/{job['id']}/cancel").status_code == 200
        while api.get("/api/jobs").json()["jobs"][0]["state"] != "cancelled":
            pass
        chores.gate.set()
        assert api.post(f"/api/jobs/{job['id']}/retry").status_code == 200
        while api.get("/api/jobs").json()["jobs"]:
            pass
        assert chores.done == ["conv-1"]


def _fails(self: SqliteIndex, *given: object, **named: object) -> None:
    raise RuntimeError("no room")
