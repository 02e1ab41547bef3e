"""Reading the data set: every file that is not one is named."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from palaver.errors import BadValue
from palaver.evaluation import read_questions
from tests.evaluation.questions import QUESTIONS, written


@pytest.mark.parametrize("name", ["data.json", "data.json.xz"])
def test_a_file_is_read_packed_or_not(tmp_path: Path, name: str) -> None:
    first, second = read_questions(written(tmp_path / name))
    assert first.text == "What is my fig tree named?"
    assert first.date == datetime(2023, 6, 1, 12, tzinfo=UTC)
    assert first.dates[0] == datetime(2023, 5, 2, 9, 30, tzinfo=UTC)
    assert [said.has_answer for said in first.history[0]] == [True, False, False, False]
    assert second.answers == ["kitchen", "orchard"]


def test_only_the_first_questions(tmp_path: Path) -> None:
    assert len(read_questions(written(tmp_path / "data.json"), 1)) == 1


def test_messages_may_leave_out_whether_they_answer(tmp_path: Path) -> None:
    record = QUESTIONS[0] | {"haystack_sessions": [[{"role": "user", "content": "x"}]] * 3}
    (question,) = read_questions(written(tmp_path / "data.json", [record]))
    assert question.history[0][0].has_answer is False


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"question": None}, "Question 1 of {} is not valid: question."),
        ({"question_date": "yesterday"}, "Question 1 of {} is not valid: question_date."),
        ({"question_date": 3}, "Question 1 of {} is not valid: question_date."),
        ({"haystack_sessions": [[3]]}, "Question 1 of {} is not valid: haystack_sessions.0.0."),
        ({"haystack_dates": []}, "Question 'q1' of {} has a history without its dates."),
    ],
)
def test_a_bad_record_is_named(tmp_path: Path, change: dict[str, Any], named: str) -> None:
    path = written(tmp_path / "data.json", [QUESTIONS[0] | change])
    with pytest.raises(BadValue) as refused:
        read_questions(path)
    assert refused.value.message == named.format(path)


@pytest.mark.parametrize(
    ("name", "content", "named"),
    [
        ("data.json", b"{", "{} is not JSON."),
        ("data.json", b'["\xff"]', "{} is not JSON."),
        ("data.json", b"[]", "{} holds no list of questions."),
        ("data.json", b'{"data": []}', "{} holds no list of questions."),
        ("data.json", b"[3]", "Question 1 of {} is not valid: the record."),
        ("data.json.xz", b"[]", "{} is not an xz file, or is cut short."),
    ],
)
def test_another_file_is_refused(tmp_path: Path, name: str, content: bytes, named: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadValue) as refused:
        read_questions(path)
    assert refused.value.message == named.format(path)
    assert "LongMemEval" in refused.value.remedy


def test_a_packed_file_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "data.json.xz")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(BadValue, match="cut short"):
        read_questions(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match=r"cannot be read: no such file or directory\."):
        read_questions(tmp_path / "data.json")
    with pytest.raises(BadValue, match=r"cannot be read: is a directory\."):
        read_questions(tmp_path)
