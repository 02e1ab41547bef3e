"""The run: histories are brought in with their dates, asked, scored and removed again."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from palaver import Health, IndexDegraded
from palaver.app import Palaver
from palaver.embedding import load_embedder
from palaver.evaluation import Evaluation, Question
from palaver.evaluation.run import bring_in
from palaver.settings import Settings
from tests.evaluation.questions import QUESTIONS, question
from tests.library import Clock, library


def parsed() -> list[Question]:
    return [Question.model_validate(record) for record in QUESTIONS]


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def ignore(_done: int, _total: int) -> None: ...


async def test_a_history_keeps_its_dates_and_its_answers(tmp_path: Path) -> None:
    async with library(tmp_path / "home", Clock()) as palaver:
        history = await bring_in(palaver, parsed()[1])
        (found,) = await palaver.search("varnish")
        assert history.names[found.conversation_id] == "boat"
        assert found.timestamp == "2023-05-09T18:00:00.000Z"
        assert sorted(history.names.values()) == ["boat", "kitchen", "orchard"]
        turns = dict(history.answers)
        assert turns["orchard"] == 2
        kitchen = next(one for one, name in history.names.items() if name == "kitchen")
        said = await palaver.fetch(kitchen)
    assert [one.content for one in said if one.turn_number == turns["kitchen"]][-1:] == [
        "A pie with leeks."
    ]


async def test_questions_are_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    evaluation = Evaluation(Settings.load(tmp_path / "nowhere"), None)
    told: list[tuple[int, int]] = []
    await evaluation.run(parsed(), lambda done, total: told.append((done, total)))
    report = evaluation.reports["fullText"]
    first, second = report.asked
    assert first.conversations == {"any@5": 1, "all@5": 1, "all@10": 1}
    assert first.rounds == {"all@5": 1, "all@10": 1, "mrr": 1}
    assert second.conversations
    assert second.conversations["any@5"] == 1
    assert list(report.by_type()) == ["multi-session", "single-session-user"]
    assert report.overall().questions == 2
    assert report.latency(0.5) > 0
    assert told[:2] == [(0, 2), (1, 2)]
    assert names_in(tmp_path) == []


async def test_it_is_asked_at_the_time_of_the_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said about the past (yesterday) is read on that day, not on ours."""
    times: list[datetime] = []
    opened = Palaver.open

    def noting(*args: Any, **named: Any) -> Palaver:
        times.append(named["clock"]())
        return opened(*args, **named)

    monkeypatch.setattr(Palaver, "open", noting)
    await Evaluation(Settings.load(tmp_path), None).run(parsed()[:1], ignore)
    assert set(times) == {datetime(2023, 6, 1, 12, tzinfo=UTC)}


async def test_a_question_without_an_answer_is_not_counted(tmp_path: Path) -> None:
    unanswered = Question.model_validate(question("What is my fig tree named?"))
    evaluation = Evaluation(Settings.load(tmp_path), None)
    await evaluation.run([unanswered, parsed()[0]], ignore)
    overall = evaluation.reports["fullText"].overall()
    assert overall.questions == 2
    assert overall.conversations["all@5"] == overall.rounds["mrr"] == 1


async def test_meaning_is_measured_with_a_model(tmp_path: Path) -> None:
    evaluation = Evaluation(Settings.load(tmp_path), load_embedder(tmp_path))
    asked = question("Which boat do I own?", ("boat", 0))
    await evaluation.run([Question.model_validate(asked)] * 2, ignore)
    assert list(evaluation.reports) == ["fullText", "hybrid"]
    for report in evaluation.reports.values():
        assert [one.conversations and one.conversations["any@5"] for one in report.asked] == [1, 1]


async def test_figures_that_would_mean_nothing_are_not_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def degraded(_: Palaver) -> Health:
        return Health(status="degraded", detail="The vectors cannot be read.")

    monkeypatch.setattr(Palaver, "health", degraded)
    with pytest.raises(IndexDegraded, match=r"The vectors cannot be read\."):
        await Evaluation(Settings.load(tmp_path), None).run(parsed(), ignore)
