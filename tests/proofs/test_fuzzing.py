"""The faults that the fuzzing of the API must catch, planted one by one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import APIRouter
from starlette.responses import JSONResponse, PlainTextResponse, Response

from palaver.app import Palaver
from palaver.errors import Erased
from palaver.server import application
from palaver.server.problems import problem_response
from palaver.server.routes import ROUTERS
from palaver.server.routing import api_router, needs
from palaver.server.views import Alive
from tests.proofs import fuzzing
from tests.proofs.report import Report
from tests.server.site import running_site

_NAME = "planted"


async def right() -> Response:
    return JSONResponse({"status": "ok"})


async def raises() -> Response:
    raise RuntimeError


async def other_shape() -> Response:
    return JSONResponse({"status": "fine"})


async def more_fields() -> Response:
    return JSONResponse({"status": "ok", "more": 1})


async def other_type() -> Response:
    return PlainTextResponse("ok")


async def other_status() -> Response:
    return JSONResponse({"status": "ok"}, status_code=202)


async def other_code() -> Response:
    answer = problem_response(Erased())
    answer.status_code = 422
    return answer


def routed(endpoint: Callable[[], Awaitable[Response]]) -> APIRouter:
    router = api_router("health")
    router.add_api_route(
        "/api/planted", endpoint, name=_NAME, response_model=Alive, **needs("read")
    )
    return router


def judged(root: Path, names: set[str], phase: str, examples: int) -> Report:
    """What is found at the operations of these names."""
    report = Report("planted", "requests")
    with running_site(root) as site:
        description = fuzzing.description_of(site)
        _keep(description, names)
        how = fuzzing.config(site.url, examples, fuzzing.program(site), {}, phases=[phase])
        fuzzing.judge(report, description, how, "program")
    return report


def _keep(description: dict[str, Any], names: set[str]) -> None:
    """Takes all other operations away, and the links to them."""
    for methods in description["paths"].values():
        for method, operation in list(methods.items()):
            if operation["operationId"] not in names:
                del methods[method]
            for answer in operation["responses"].values():
                for name in set(answer.get("links", ())) - names:
                    del answer["links"][name]


@pytest.mark.parametrize(
    ("planted", "said"),
    [
        (raises, "Server error"),
        (other_shape, "Response violates schema"),
        (more_fields, "Response violates schema"),
        (other_type, "Undocumented Content-Type"),
        (other_status, "Undocumented status code"),
        (other_code, "is not described"),
    ],
)
def test_a_wrong_answer_is_caught(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    planted: Callable[[], Awaitable[Response]],
    said: str,
) -> None:
    monkeypatch.setattr(application, "ROUTERS", (*ROUTERS, routed(planted)))
    report = judged(tmp_path, {_NAME}, "fuzzing", 1)
    assert not report.held
    assert said in str(report)


def test_a_right_answer_is_let_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "ROUTERS", (*ROUTERS, routed(right)))
    assert judged(tmp_path, {_NAME}, "fuzzing", 1).held


def test_what_is_still_there_after_it_was_erased_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    erase = Palaver.delete

    async def only_say_so(self: Palaver, conversation_id: str, **_: object) -> object:
        return await erase(self, conversation_id, preview=True)

    monkeypatch.setattr(Palaver, "delete", only_say_so)

    names = {"start_conversation", "show_conversation", "erase_conversation"}
    report = judged(tmp_path, names, "stateful", 20)
    assert "Deleted resource still available" in str(report)
