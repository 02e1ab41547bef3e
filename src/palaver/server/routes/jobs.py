"""Jobs: what is still to be done in the background. Each sees their own."""

from __future__ import annotations

from palaver.errors import BadId, NotFound
from palaver.jobs import Job
from palaver.server.doors import JobId
from palaver.server.entry import CurrentPalaver
from palaver.server.routing import api_router, needs
from palaver.server.views import JobList

router = api_router("jobs")


@router.get(
    "/api/jobs",
    summary="List background jobs",
    description="What is due: what waits, what runs and how far it is, what failed, why, and when "
    "it is tried again. What is done is not in the list. Those of other users are listed on the "
    "command line alone.",
    **needs("read"),
)
async def list_jobs(palaver: CurrentPalaver) -> JobList:
    return JobList(jobs=await palaver.jobs())


@router.post(
    "/api/jobs/{jobId}/retry",
    summary="Do a job now",
    description="Whatever became of it before. One that runs goes on.",
    **needs("write", BadId, NotFound),
)
async def retry_job(palaver: CurrentPalaver, job_id: JobId) -> Job:
    return await palaver.retry_job(job_id)


@router.post(
    "/api/jobs/{jobId}/cancel",
    summary="Leave a job undone",
    description="Until there is more to do, or somebody retries it. One that runs ends after its "
    "step.",
    **needs("write", BadId, NotFound),
)
async def cancel_job(palaver: CurrentPalaver, job_id: JobId) -> Job:
    return await palaver.cancel_job(job_id)
