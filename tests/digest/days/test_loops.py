"""What is left open at the end of a day, since when, and what was closed on it."""

from __future__ import annotations

from palaver.digest.days.loops import loop_points, spoken_date, tells
from palaver.digest.days.making import made
from palaver.digest.days.port import DayStory
from palaver.digest.state import fold_all
from tests.digest.days.stories import DAY, LABEL, count, day, lines, loop, said

PAY = "I still need to pay the invoice of Dr. Okafor."


def test_what_is_carried_over_says_since_when() -> None:
    story = day(*DAY, open=[loop(1, PAY)], carried={"old-1": "2026-02-03"})
    (point,) = made(story, count).of("Open loops")
    assert point.text == f"{PAY} (since 3 February)"
    (source,) = point.sources
    assert (source.kind, source.message_id, source.quote) == ("open", "old-1", PAY)


def test_the_year_is_told_when_it_is_another_one() -> None:
    assert spoken_date("2026-02-03", LABEL) == "3 February"
    assert spoken_date("2025-12-31", LABEL) == "31 December 2025"


def test_a_reminder_of_an_earlier_day_is_no_next_step_any_more() -> None:
    reminder = loop(1, "Remind me to call Anna.", kind="reminder")
    fresh = DayStory(LABEL, said("Hello there.", "Hi."), open=[reminder])
    assert lines(made(fresh, count), "Next steps") == ["Remind me to call Anna."]
    carried = DayStory(LABEL, fresh.messages, open=[reminder], carried={"old-1": "2026-02-13"})
    assert lines(made(carried, count), "Next steps") == []
    assert lines(made(carried, count), "Open loops") == [
        "Remind me to call Anna. (since 13 February)"
    ]


def test_what_was_closed_names_both_messages() -> None:
    messages = said(PAY, "Noted.", *DAY[:4], "I paid the invoice of Dr. Okafor.", "Good.")
    state = fold_all(messages)
    (item,) = state.closed
    story = DayStory(LABEL, messages[2:], closed=state.closed, carried={"msg-1": "2026-02-03"})
    (point,) = made(story, count).of("Open loops")
    assert point.text == f"Closed: {PAY} (done, since 3 February)"
    assert [(one.kind, one.message_id) for one in point.sources] == [
        ("closed", "msg-1"),
        ("closing", "msg-7"),
    ]
    assert item.closed


def test_what_was_left_open_and_closed_on_the_same_day_is_told_where_there_is_room() -> None:
    story = day(PAY, "Noted.", "I paid the invoice of Dr. Okafor.", "Good.")
    assert lines(made(story, count), "Open loops") == [f"Closed: {PAY} (done)"]
    full = [f"We decided on {'the very best ' * 6} offer number AB-{n}." for n in range(20)]
    crowded = made(day(PAY, "Noted.", "I paid the invoice of Dr. Okafor.", *full), count)
    assert len(crowded.of("Decisions")) > 5


def test_who_has_to_do_it_is_told_when_it_is_not_the_user() -> None:
    promise = loop(1, "I'll look into it tomorrow.", kind="promise", said_by="assistant")
    (point,) = loop_points(DayStory(LABEL, [], open=[promise]), count)
    assert point.text == "Assistant: I'll look into it tomorrow."


def test_many_are_told_by_how_they_begin_and_none_of_this_day_is_left_out() -> None:
    old = [loop(n, f"I still need to sort box {n}, {'and more, ' * 15}soon.") for n in range(30)]
    new = [loop(100 + n, f"I still need to write to guest {n}.") for n in range(4)]
    carried = {item.message_id: "2026-02-03" for item in old}
    points = loop_points(DayStory(LABEL, [], open=[*old, *new], carried=carried), count)
    shown = [point.text for point in points]
    assert {item.text for item in new} <= set(shown)
    assert all(len(text) < 120 for text in shown)
    assert "box 29" in " ".join(shown)
    assert "box 0," not in " ".join(shown)  # the oldest is told on its own day
    for point in points:
        quote = point.sources[0].quote or ""
        assert any(item.text.startswith(quote) for item in (*old, *new))


def test_a_line_in_other_words_tells_of_the_same_loop() -> None:
    story = DayStory(LABEL, [], open=[loop(1, PAY), loop(2, "I still need to sleep.")])
    first, second = loop_points(story, count)
    reworded = first.model_copy(update={"text": "Pay Dr. Okafor."})
    assert tells(reworded, first)
    assert not tells(reworded, second)
