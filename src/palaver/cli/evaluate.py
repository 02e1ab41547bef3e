"""`palaver eval`: how well recall finds what is known to be there."""

from __future__ import annotations

from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from palaver.cli.common import Common, takes_common
from palaver.cli.output import note, one_line, say, say_json
from palaver.cli.waiting import progress
from palaver.errors import BadSetting, IndexUnavailable

if TYPE_CHECKING:
    from palaver.evaluation import Evaluation, ModeReport, Remembered, Summary
    from palaver.settings import Settings

app = typer.Typer(help="Measure how well recall finds things.", rich_markup_mode=None)
_HEADINGS = {"fullText": "By words", "hybrid": "By words and by meaning"}
_CONVERSATIONS = ("any@5", "all@5", "all@10")
_ROUNDS = ("all@5", "all@10", "mrr")


class Engine(Enum):
    """What the histories are kept in."""

    SQLITE = "sqlite"
    POSTGRES = "postgres"


@app.command("longmemeval")
@takes_common
def longmemeval(
    common: Common,
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="The data: a .json or .json.xz file.")
    ],
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Only the first N questions.")
    ] = None,
    engine: Annotated[Engine, typer.Option(help="What the histories are kept in.")] = Engine.SQLITE,
    vectors: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the vectors in FILE: the next run is faster."),
    ] = None,
) -> None:
    """Ask the questions of LongMemEval, each of a home made for it, and score what is found.

    With --engine postgres, each is asked of a user of the database, who is removed afterwards.
    """
    import asyncio

    from palaver.evaluation import Evaluation, read_questions

    settings = _settings(common, engine)
    questions = read_questions(path, limit)
    embedder, missing = _model(settings)
    if embedder and vectors:
        embedder.read(vectors)
    evaluation = Evaluation(settings, embedder)
    try:
        with progress("Asking") as advance:
            asyncio.run(evaluation.run(questions, advance))
    finally:
        if embedder and vectors:
            embedder.write(vectors)
    if common.json:
        say_json({"modes": _as_json(evaluation), "withoutMeaning": missing})
        return
    _say(evaluation)
    if missing:
        note(f"Nothing was looked for by meaning: {missing}")


def _settings(common: Common, engine: Engine) -> Settings:
    """Those of the engine that was asked for. Raises BadSetting."""
    from palaver.settings import DatabaseSettings

    settings = common.settings(user__timezone="UTC")
    if engine is Engine.SQLITE:
        return settings.model_copy(update={"database": DatabaseSettings()})
    if settings.database.url is None:
        raise BadSetting(
            "--engine postgres needs a database.",
            remedy="Name it with PALAVER_DATABASE_URL or --database-url.",
        )
    return settings


def _model(settings: Settings) -> tuple[Remembered | None, str | None]:
    """The embedding model, shared by all homes, or why there is none."""
    from palaver.embedding import load_embedder
    from palaver.evaluation import Remembered
    from palaver.ledger.files import Home

    try:
        return Remembered(load_embedder(Home(settings.home).models)), None
    except IndexUnavailable as error:
        return None, f"{error.message} {error.remedy}"


def _say(evaluation: Evaluation) -> None:
    for mode, report in evaluation.reports.items():
        say((_HEADINGS[mode], "bold"))
        for line in _table(report):
            say(f"  {line}")
        fast, slow = report.latency(0.5), report.latency(0.95)
        say(f"  A search took {fast:.1f} ms (p50), {slow:.1f} ms (p95).")
        say("")


def _table(report: ModeReport) -> list[str]:
    """Figures in per cent, for each type of question and for all of them."""
    summaries = {**report.by_type(), "all": report.overall()}
    names = [one_line(name) for name in ("question type", *summaries)]
    cells = [["number", *_CONVERSATIONS, *_ROUNDS], *map(_cells, summaries.values())]
    wide = max(len(name) for name in names)
    above = f"{'':{wide}} {'':>7} {'conversations':>23} {'rounds':>23}"
    return [above, *(_line(name, wide, row) for name, row in zip(names, cells, strict=True))]


def _line(name: str, wide: int, cells: list[str]) -> str:
    return f"{name:{wide}} " + " ".join(f"{cell:>7}" for cell in cells)


def _cells(summary: Summary) -> list[str]:
    figures = [summary.conversations.get(name) for name in _CONVERSATIONS]
    figures += [summary.rounds.get(name) for name in _ROUNDS]
    return [str(summary.questions), *("-" if one is None else f"{one:.1%}" for one in figures)]


def _as_json(evaluation: Evaluation) -> dict[str, Any]:
    return {
        mode: {
            **asdict(report.overall()),
            "byType": {name: asdict(one) for name, one in report.by_type().items()},
            "latencyMs": {"p50": report.latency(0.5), "p95": report.latency(0.95)},
        }
        for mode, report in evaluation.reports.items()
    }
