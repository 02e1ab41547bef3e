"""What holds for the jobs of every engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from palaver.errors import BadId, NotFound
from tests.jobs.homes import job, opened, say, state_of
from tests.jobs.models import Fickle


@pytest.fixture(params=["files", "database"])
def url(request: pytest.FixtureRequest) -> str | None:
    """Where it is kept: in files of the home when it is None."""
    return request.getfixturevalue("database_url") if request.param == "database" else None


async def test_what_is_done_is_no_job(tmp_path: Path, url: str | None) -> None:
    async with opened(tmp_path, url, Fickle()) as palaver:
        assert await palaver.jobs() == []
        await say(palaver, "Tea at nine")
        await palaver.settle()
        assert await palaver.jobs() == []
        assert palaver.health().status == "ok"


async def test_a_job_runs_and_is_shown(tmp_path: Path, url: str | None) -> None:
    model = Fickle(shut=True)
    async with opened(tmp_path, url, model) as palaver:
        await say(palaver, "Tea at nine")
        running = await state_of(palaver, "embedding", "running")
        assert running
        assert (running.id, running.user, running.key) == ("embedding:local", "local", None)
        assert (running.attempts, running.after, running.error) == (0, None, None)
        model.gate.set()
        await palaver.settle()
        assert await palaver.jobs() == []


async def test_a_failure_is_shown_tried_again_and_mended(tmp_path: Path, url: str | None) -> None:
    model = Fickle(broken=True)
    async with opened(tmp_path, url, model) as palaver:
        await say(palaver, "Tea at nine")
        failed = await state_of(palaver, "embedding", "failed")
        assert failed
        assert failed.error
        assert failed.error.code == "model_missing"
        assert "not installed" in failed.error.message
        assert "palaver model install" in failed.error.remedy
        assert failed.attempts >= 1
        assert failed.after
        assert palaver.health().status == "degraded"
        assert "not installed" in palaver.health().detail
        await palaver.settle()  # does not wait for what cannot be done
        model.broken = False
        await palaver.retry_job(failed.id)
        await state_of(palaver, "embedding", None)
        await palaver.settle()
        assert palaver.health().status == "ok"


async def test_what_is_cancelled_rests_until_there_is_more(tmp_path: Path, url: str | None) -> None:
    model = Fickle(shut=True)
    async with opened(tmp_path, url, model) as palaver:
        conversation = await say(palaver, "Tea at nine")
        await state_of(palaver, "embedding", "running")
        await palaver.cancel_job("embedding:local")
        model.gate.set()
        # What was under way may have been all there was.
        left = await job(palaver, "embedding")
        assert left is None or left.state in ("cancelled", "running")
        await palaver.append(conversation, "user", "Coffee at ten")
        await palaver.settle()
        assert await palaver.jobs() == []
        assert "Coffee at ten" in model.embedded


async def test_a_cancelled_failure_is_left_alone_until_it_is_retried(
    tmp_path: Path, url: str | None
) -> None:
    model = Fickle(broken=True)
    async with opened(tmp_path, url, model) as palaver:
        await say(palaver, "Tea at nine")
        await state_of(palaver, "embedding", "failed")
        cancelled = await palaver.cancel_job("embedding:local")
        assert (cancelled.state, cancelled.after) == ("cancelled", None)
        model.broken = False
        await palaver.settle()
        assert model.embedded == []
        await palaver.retry_job("embedding:local")
        await state_of(palaver, "embedding", None)
        assert "Tea at nine" in model.embedded


async def test_ids_that_name_nothing(tmp_path: Path, url: str | None) -> None:
    async with opened(tmp_path, url, Fickle()) as palaver:
        for decide in (palaver.retry_job, palaver.cancel_job):
            with pytest.raises(NotFound):
                await decide("embedding:local")
            with pytest.raises(NotFound):
                await decide("embedding:usr-ann")
            with pytest.raises(BadId):
                await decide("embedding")
