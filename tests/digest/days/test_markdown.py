"""A day summary that its owner edited: every line stays, word for word and in its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.digest.days.markdown import carried_on, day_points, is_new
from palaver.digest.days.port import SECTIONS, DayPoint, DaySummary, Section
from palaver.index.records import SummarySource
from tests.digest.days.stories import DAY, point, stored, told

EDITED = """## Summary
A fine day, in my own words.

# My notes
* Anna laughed.

## Decisions
- We take the blue tiles!

## Open loops
1. Photos"""


def test_what_was_written_is_read_again() -> None:
    summary = told(*DAY)
    again = day_points(stored(summary.text, summary.written.sources))
    assert [(one.section, one.text) for one in again] == [
        (one.section, one.text) for section in SECTIONS for one in summary.of(section)
    ]
    assert DaySummary(again).written == summary.written


def test_what_stands_under_other_headings_belongs_to_the_first() -> None:
    points = day_points(stored(EDITED))
    assert [(one.section, one.text) for one in points] == [
        ("Summary", "A fine day, in my own words."),
        ("Summary", "Anna laughed."),
        ("Decisions", "We take the blue tiles!"),
        ("Open loops", "Photos"),
    ]


def test_lines_are_added_at_the_end_of_their_sections() -> None:
    added = [
        point("Decisions", "We decided on order 4711-B.", "msg-3"),
        point("Next steps", "Call the electrician.", "msg-9"),
        point("Goals", "Finish before Easter.", "msg-1"),
    ]
    text = carried_on(stored(EDITED), added).text
    assert (
        text
        == """## Summary
A fine day, in my own words.

# My notes
* Anna laughed.

## Goals
- Finish before Easter.

## Decisions
- We take the blue tiles!
- We decided on order 4711-B.

## Open loops
1. Photos

## Next steps
- Call the electrician."""
    )


def test_each_source_keeps_its_line() -> None:
    source = SummarySource(message_id="msg-3", point=7)
    later = SummarySource(message_id="msg-7", point=10)
    made = carried_on(stored(EDITED, [source, later]), [point("Summary", "It rained.", "msg-11")])
    shown = made.text.split("\n")
    assert {one.message_id: shown[one.point or 0] for one in made.sources} == {
        "msg-3": "- We take the blue tiles!",
        "msg-7": "1. Photos",
        "msg-11": "It rained.",
    }


def test_with_nothing_to_add_it_stays_as_it_is() -> None:
    assert carried_on(stored(EDITED), []).text == EDITED


def test_what_stands_there_is_not_new() -> None:
    assert not is_new(point("Decisions", "we take the  blue tiles!", "msg-3"), stored(EDITED))
    assert is_new(point("Decisions", "We take the green tiles!", "msg-3"), stored(EDITED))


LINE = st.text(st.sampled_from("ab #-*\n"), max_size=12)


@given(st.lists(LINE, max_size=8).map("\n".join), st.lists(st.sampled_from(SECTIONS), max_size=6))
def test_every_line_of_the_owner_stays_in_its_place(text: str, sections: list[Section]) -> None:
    added = [point(section, f"New {n}.", f"msg-{n}") for n, section in enumerate(sections)]
    lines = text.split("\n")
    own = [SummarySource(message_id=f"own-{n}", point=n) for n in range(len(lines))]
    made = carried_on(stored(text, own), added)
    shown = made.text.split("\n")
    kept = {one.message_id: shown[one.point or 0] for one in made.sources}
    assert [kept[one.message_id] for one in own] == lines
    places = [one.point for one in made.sources if one.message_id.startswith("own-")]
    assert places == sorted(places, key=lambda place: place or 0)
    for one in added:
        assert kept[one.sources[0].message_id] == one.line


@pytest.mark.parametrize("text", ["", "\n", "Only words.", "## Next steps\n- Sleep."])
def test_any_text_can_be_carried_on(text: str) -> None:
    made = carried_on(stored(text), [point("Summary", "It rained.", "msg-1")])
    assert "## Summary\nIt rained." in made.text
    section: Section = "Summary"
    rained = DayPoint(section=section, text="It rained.", sources=[])
    assert rained.text in [one.text for one in day_points(stored(made.text))]
