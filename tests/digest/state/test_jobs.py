"""The names of jobs: what is one, how it is spelled, and when it is over."""

import pytest

from palaver.digest.state import fold_all
from palaver.digest.state.names import same_job
from tests.digest.state.scoring import spoken


def refs(text: str) -> list[str | None]:
    return [item.ref for item in fold_all(spoken(text)).active_job_refs]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("Where is JOB-123?", ["JOB-123"]),
        ("#4711 is slow", ["#4711"]),
        ("job 17 and build 882", ["job 17", "build 882"]),
        ("see ticket ABC-12 and PAY-1182", ["ABC-12", "PAY-1182"]),
        ("PRs 4 and 5 wait", ["pr 4", "pr 5"]),
        ("stop `job_77a` now", ["job_77a"]),
        (
            "status of 3f2b9c1e-77aa-4c0e-9d1b-5a8e0c2f6d11",
            ["3f2b9c1e-77aa-4c0e-9d1b-5a8e0c2f6d11"],
        ),
        ("Running as etl-2024-03.", ["etl-2024-03"]),
        ("INC0042817 is open", ["inc0042817"]),
    ],
)
def test_jobs_are_named_in_many_ways(said: str, names: list[str]):
    assert [ref and ref.lower() for ref in refs(f"U: {said}")] == [name.lower() for name in names]


@pytest.mark.parametrize(
    "said",
    [
        "ISO-9001 and COVID-19 in mid-2024",
        "I run 5 miles and build 3 houses",
        "room #12, chapter 3, page 7",
        "the Canon EOS-90 is fine",
        "a colour like #334455",
        'she asked "is JOB-12 done?"',
    ],
)
def test_other_numbers_are_no_jobs(said: str):
    assert refs(f"U: {said}") == []


def test_one_job_may_have_several_names():
    assert same_job("task 17", "#17")
    assert same_job("PR 5", "pull request 5")
    assert same_job("job 17", "JOB-17")
    assert not same_job("PR 5", "job 5")


def test_a_job_is_over_by_its_kind_alone_and_goes_on_when_it_is_reopened():
    said = "U: Why is build 882 red?\nA: A test fails.\nU: ok\nA: The build is done, all green."
    assert refs(said) == []
    assert refs(f"{said}\nU: failing again\nA: I restarted build 882.") == ["build 882"]


def test_a_job_that_is_only_named_beside_another_is_not_over():
    assert refs("A: Bug 1193 is closed as a duplicate of bug 1190.") == ["bug 1190"]
