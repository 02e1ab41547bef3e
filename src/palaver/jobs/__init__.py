"""Jobs: when work happens in the background, and what became of it.

What is due is found by looking at what there is, and never remembered. The queue only runs it: when
it is lost, attempts are lost and no work. A job is a plain function that may be run any number of
times. In a home it is run by threads of the process, on PostgreSQL by `procrastinate`.
"""

from palaver.jobs.port import DIGEST, Job, JobProblem, Jobs, Progress, check_job_id, key_of

__all__ = ["DIGEST", "Job", "JobProblem", "Jobs", "Progress", "check_job_id", "key_of"]
