"""Problems: what a client is told, and when it may try again."""

from __future__ import annotations

import pytest

from palaver import errors
from palaver.server.problems import problem_response


@pytest.mark.parametrize(
    "kind",
    [
        errors.StorageFailed,
        errors.StorageBusy,
        errors.StorageUnreachable,
        errors.StorageUncertain,
    ],
)
def test_what_may_pass_says_when_to_try_again(kind: type[errors.PalaverError]) -> None:
    answer = problem_response(kind())
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")


@pytest.mark.parametrize(
    "kind", [errors.StorageFull, errors.IndexDegraded, errors.NotFound, errors.DatabaseUnusable]
)
def test_what_does_not_pass_by_itself_does_not(kind: type[errors.PalaverError]) -> None:
    assert "retry-after" not in problem_response(kind()).headers
