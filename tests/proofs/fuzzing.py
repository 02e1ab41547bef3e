"""Whatever is sent to the API, by whomever: it answers as its description says, and never fails.

schemathesis makes the requests from the served description: examples, boundaries, random values
that fit and that do not, and sequences in which one answer gives the ids of the next request.
"""

from __future__ import annotations

import copy
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import orjson
import schemathesis
from schemathesis import Case, HookContext, Response
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.engine import events, from_schema
from schemathesis.engine.recorder import ScenarioRecorder
from schemathesis.openapi.checks import RejectedPositiveData, UseAfterFree

from palaver.errors import Outdated
from palaver.server.problems import CODES
from tests.postgres.databases import databases
from tests.proofs.report import Report
from tests.server.exchange import exchanged
from tests.server.site import Site, running_site

PHASES = ("examples", "coverage", "fuzzing", "stateful")
_NO_LIMITS = "server: {limits: {messages: 1000000, searches: 1000000, megabytes: 1000000}}\n"
BEYOND: dict[str, Sequence[str]] = {
    "bad_cursor": [""],
    "bad_text": [""],
    "empty_message": [""],
    "erased": [""],
    "model_unknown": [""],
    "outdated": [""],
    "secret_refused": [""],
    "bad_value": [
        "Give either ",
        "Only one of ",
        "The request carries two different keys",
        "The time window ends before it begins",
        "There is no word in that search",
        "A title has ",
        "A number does not fit",
        "The source ",
        "The token would have ended already",
        "There is no time zone ",
        "The first day, ",
        "That is more than 366 days",
        "If-Match and If-None-Match hold tags",
        "fromMessageId and toMessageId go together",
        "Nothing is named that could be read",
        "There is no word in that summary",
        "There is no word in that memory",
        "Say which message it comes from",
        "Say what is to be forgotten",
        "The quotation does not stand in that message",
        "What is to be sent instead is missing",
        "Only an edited draft has a text",
        "Who is not known is not answered by a model alone",
    ],
}
"""Why a request is refused that fits the description: code → how the sentence begins. No schema can
say which cursors and time zones there are, which fields exclude each other, how a list of tags is
spelt, or what has been erased."""
_EXCHANGES = 20
"""So many people who are not the owner have written."""
_YES = ("true", "1", "on", "yes", "t", "y")
Json = dict[str, Any]


def browser(site: Site) -> dict[str, str]:
    """Somebody who may do everything."""
    return {"Cookie": f"{site.cookie}={site.accounts.sign_in('local')}", "Origin": site.url}


def program(site: Site) -> dict[str, str]:
    """A token with the scopes that tokens have."""
    return {"Authorization": f"Bearer {site.accounts.create_token('local').secret}"}


def reader(site: Site) -> dict[str, str]:
    made = site.accounts.create_token("local", scopes=["read"])
    return {"Authorization": f"Bearer {made.secret}"}


def stranger(site: Site) -> dict[str, str]:
    return {}


PRINCIPALS = (browser, program, reader, stranger)


def prove(
    examples: int,
    *,
    principals: Sequence[Callable[[Site], dict[str, str]]] = PRINCIPALS,
    phases: Sequence[str] = PHASES,
    seconds: int | None = None,
    database_url: str | None = None,
) -> Report:
    """Each of the `principals` sends what schemathesis makes up, once through all phases; or again
    and again, for so many `seconds` each. In files, or in a database."""
    report = Report(f"fuzzing of the API, {'PostgreSQL' if database_url else 'files'}", "requests")
    with ExitStack() as stack:
        root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="palaver-fuzzing-")))
        (root / "config.yaml").write_text(_NO_LIMITS)
        site = stack.enter_context(running_site(root, database_url=database_url))
        for number in range(_EXCHANGES):
            site.within(lambda palaver, words=f"Figs {number}": exchanged(palaver, words))
        for who in principals:
            how = config(site.url, examples, who(site), who(site), phases=phases, seconds=seconds)
            judge(report, description_of(site), how, who.__name__)
    return report


def prove_in_a_database(examples: int, *, seconds: int | None = None) -> Report:
    with databases() as made:
        return prove(examples, seconds=seconds, database_url=made.create())


def judge(report: Report, description: Json, how: SchemathesisConfig, who: str) -> None:
    """Sends the requests, and reports every answer that the description does not allow."""
    schema = schemathesis.openapi.from_dict(closed(description), config=how)
    _excuse(schema)
    statuses: Counter[int] = Counter()
    for event in from_schema(schema).execute():
        match event:
            case events.ScenarioFinished():
                statuses.update(_statuses(event.recorder))
                for failure in (*_failures(event.recorder), *_codes(event.recorder)):
                    report.fail(f"{who}: {failure}")
            case events.NonFatalError():
                report.fail(f"{who}: {event.label}: {event.value!r}")
            case events.FatalError():
                raise event.exception
            case _:
                pass
    report.tried += statuses.total()
    told = ", ".join(f"{number} × {status}" for status, number in sorted(statuses.items()))
    report.notes.append(f"{who}: {told}")


def config(
    url: str,
    examples: int,
    headers: dict[str, str],
    leaving: dict[str, str],
    *,
    phases: Sequence[str] = PHASES,
    seconds: int | None = None,
) -> SchemathesisConfig:
    """How to send: with `headers`, and with others for signing out, so that the rest goes on."""
    elsewhere = {"include-operation-id": "sign_out", "headers": leaving}
    made: Json = {
        "base-url": url,
        "seed": 1,
        "continue-on-failure": True,
        "request-timeout": 30,
        "headers": headers,
        "operations": [elsewhere] if leaving else [],
        "output": {"sanitization": {"enabled": False}},
        "generation": {
            "max-examples": examples,
            "database": "none",
            "no-shrink": True,
            "with-security-parameters": False,
        },
        "phases": {phase: {"enabled": phase in phases} for phase in PHASES},
        "warnings": False,
    }
    if seconds is not None:
        made["max-time"] = seconds
    return cast("Any", SchemathesisConfig).from_dict(made)


def _excuse(schema: Any) -> None:
    """Has schemathesis pass over what it takes for a mistake, and cannot know better."""
    previews: set[str] = set()

    def after_call(context: HookContext, case: Case[Any], response: Response) -> None:
        if str((case.query or {}).get("preview", "")).lower() in _YES:
            previews.add(case.id)

    def filter_failure(
        context: HookContext, failure: Failure, case: Case[Any], response: Response
    ) -> bool:
        """Whether it is a mistake all the same."""
        match failure:
            case UseAfterFree():
                return failure.deleted_case_id not in previews
            case AcceptedNegativeData():
                return response.status_code != Outdated.status  # it was refused, for its tag
            case RejectedPositiveData():
                return not _beyond(**_problem(response))
            case _:
                return True

    schema.hook(after_call)
    schema.hook(filter_failure)


def _beyond(code: str = "", detail: str = "", **_: object) -> bool:
    return any(detail.startswith(words) for words in BEYOND.get(code, ()))


def description_of(site: Site) -> Json:
    with site.program() as client:
        return client.get("/openapi.json").json()


def closed(description: Json) -> Json:
    """The description without room for fields that it does not name."""
    found = copy.deepcopy(description)
    for schema in found["components"]["schemas"].values():
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    return found


def _statuses(recorder: ScenarioRecorder) -> Iterator[int]:
    for interaction in recorder.interactions.values():
        if interaction.response is not None:
            yield interaction.response.status_code


def _failures(recorder: ScenarioRecorder) -> Iterator[str]:
    for checks in recorder.checks.values():
        for check in checks:
            if (found := check.failure_info) is not None:
                told = found.failure
                yield f"{told.operation}: {told.title}: {told.message}: {found.code_sample}"


def _codes(recorder: ScenarioRecorder) -> Iterator[str]:
    """Problems whose code the description does not name."""
    for case_id, interaction in recorder.interactions.items():
        operation: Any = cast("Any", recorder.cases[case_id]).value.operation
        if (response := interaction.response) is None or response.status_code == 405:
            continue
        if (code := _problem(response).get("code")) is not None:
            stated = operation.definition.raw["responses"].get(str(response.status_code), {})
            if code not in stated.get(CODES, ()):
                yield f"{operation.label}: {response.status_code} {code} is not described"


def _problem(response: Response) -> Json:
    if "application/problem+json" not in response.headers.get("content-type", ()):
        return {}
    return cast("Json", orjson.loads(response.content))
