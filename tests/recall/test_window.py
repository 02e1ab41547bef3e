"""Days and points in time, in the user's zone."""

from datetime import UTC, date, datetime
from typing import TypedDict, Unpack
from zoneinfo import ZoneInfo

import pytest

from palaver.errors import BadValue
from palaver.recall.window import TimeWindow, time_window

BERLIN = ZoneInfo("Europe/Berlin")


class Given(TypedDict, total=False):
    from_: str | date
    to: str | date
    day: str | date


def window(**given: Unpack[Given]) -> tuple[str | None, str | None]:
    found = time_window(BERLIN, **given)
    assert found is not None
    return found.from_, found.to


def test_no_argument_means_all_time():
    assert time_window(UTC) is None


def test_a_day_is_a_day_of_the_user():
    assert window(day="2026-02-14") == ("2026-02-13T23:00:00.000Z", "2026-02-14T23:00:00.000Z")


def test_the_day_on_which_clocks_change_has_23_hours():
    assert window(day="2026-03-29") == ("2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z")


def test_from_and_to_days_are_both_included():
    assert window(from_="2026-02-01", to="2026-02-02") == (
        "2026-01-31T23:00:00.000Z",
        "2026-02-02T23:00:00.000Z",
    )


def test_a_point_in_time_without_an_offset_is_the_users():
    assert window(from_="2026-02-14T09:00") == ("2026-02-14T08:00:00.000Z", None)
    assert window(to="2026-02-14T09:00:00Z") == (None, "2026-02-14T09:00:00.000Z")


def test_dates_and_datetimes_do_as_well_as_text():
    assert window(day=date(2026, 2, 14)) == window(day="2026-02-14")
    assert window(from_=datetime(2026, 2, 14, 9, tzinfo=UTC)) == ("2026-02-14T09:00:00.000Z", None)


def recent(
    days: int, *, from_: str | None = None, to: str | None = None, day: str | None = None
) -> tuple[str | None, str | None]:
    now = datetime(2026, 3, 30, 9, tzinfo=UTC)
    found = time_window(BERLIN, from_=from_, to=to, day=day, recency_days=days, clock=lambda: now)
    return (found.from_, found.to) if found else (None, None)


def test_recency_counts_back_from_now_and_0_sets_no_limit():
    assert recent(2) == ("2026-03-28T09:00:00.000Z", None)
    assert recent(0) == (None, None)


def test_a_time_that_is_named_overrides_recency():
    assert recent(1, day="2026-02-14") == window(day="2026-02-14")
    assert recent(1, from_="2026-02-14") == window(from_="2026-02-14")
    assert recent(1, to="2026-02-14") == window(to="2026-02-14")


@pytest.mark.parametrize("days", [-1, 36_501, 10**30])
def test_an_absurd_recency_is_refused(days: int):
    with pytest.raises(BadValue, match="days back"):
        recent(days)


def test_the_window_reads_from_and_to_outside():
    found = time_window(UTC, day="2026-02-14")
    assert isinstance(found, TimeWindow)
    assert found.to_json() == {
        "from": "2026-02-14T00:00:00.000Z",
        "to": "2026-02-15T00:00:00.000Z",
    }
    assert TimeWindow.model_validate(found.to_json()) == found


@pytest.mark.parametrize(
    "given",
    [
        {"day": "yesterday"},
        {"day": "2026-02-30"},
        {"day": ""},
        {"from_": "2026-13-01"},
        {"to": "14.02.2026 09:00"},
        {"from_": "2026-02-14", "to": "2026-02-13"},
        {"day": "2026-02-14", "to": "2026-02-15"},
        {"day": "9999-12-31"},
        {"day": "0001-01-01"},
        {"from_": "0001-01-01T00:00:00+14:00"},
    ],
)
def test_bad_dates_are_refused(given: Given):
    with pytest.raises(BadValue):
        time_window(BERLIN, **given)


def test_a_window_in_which_nothing_can_lie_is_refused():
    with pytest.raises(BadValue, match="from and to are the same moment"):
        time_window(BERLIN, from_="2026-02-14T09:00Z", to="2026-02-14T10:00+01:00")
    with pytest.raises(BadValue, match="ends before it begins"):
        time_window(BERLIN, from_="2026-02-14T09:01Z", to="2026-02-14T09:00Z")


def test_a_day_may_be_given_as_a_moment_of_it():
    day = datetime(2026, 2, 14, 23, 30, tzinfo=UTC)
    assert time_window(BERLIN, day=day) == time_window(BERLIN, day="2026-02-15")
