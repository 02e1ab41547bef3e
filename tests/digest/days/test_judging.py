"""Why the summary of a day is refused, and what is added to one that lacks something."""

from __future__ import annotations

from palaver.digest.days.judging import carried_lines, completed, faults, scale_of, unfounded
from palaver.digest.days.making import made
from palaver.digest.days.port import MOST_TOKENS, DayPoint, DaySummary
from tests.digest.days.stories import DAY, count, day, loop, point, told

DECIDED = "We decided to take the blue tiles from Krause, order 4711-B."
PAY = "I still need to pay the invoice of Dr. Okafor."
THIN = [point("Summary", "The kitchen goes on.", "msg-1")]


def texts(points: list[DayPoint]) -> set[str]:
    return {one.text for one in points}


def test_what_is_made_offline_holds() -> None:
    story = day(*DAY)
    assert faults(made(story, count).points, scale_of(story, (), 0.0, count)) == []


def test_an_empty_one_is_refused() -> None:
    assert faults([], scale_of(day(*DAY), (), 0.0, count)) == ["It is empty."]


def test_what_is_missing_is_named_and_then_added_word_for_word() -> None:
    scale = scale_of(day(*DAY), (), 0.0, count)
    reasons = faults(THIN, scale)
    assert sum("Something open is missing" in reason for reason in reasons) == 2
    assert "A name or number of a decision is missing: turn 2." in reasons
    whole = completed(THIN, scale)
    assert faults(whole, scale) == []
    assert {DECIDED, "Remind me to call the electrician on Friday."} <= texts(whole)
    assert whole[0] == THIN[0]


def test_what_was_closed_of_an_earlier_day_must_be_told() -> None:
    closed = [loop(1, PAY, closed_by=3)]
    scale = scale_of(day(*DAY, closed=closed, carried={"old-1": "2026-02-03"}), (), 0.0, count)
    assert "Something closed is missing: turn 0." in faults(THIN, scale)
    assert f"Closed: {PAY} (done, since 3 February)" in texts(completed(THIN, scale))


def test_a_decision_may_be_told_in_other_words_with_its_numbers() -> None:
    scale = scale_of(day(*DAY[:4]), (), 0.0, count)
    reworded = [point("Decisions", "Blue tiles, order 4711-B.", "msg-3", kind="decision")]
    assert faults(reworded, scale) == []
    assert completed(reworded, scale) == reworded


def test_an_open_loop_may_be_told_in_other_words_on_its_message() -> None:
    story = day("Hello there.", "Hi.", open=[loop(1, PAY)])
    scale = scale_of(story, (), 0.0, count)
    other = point("Open loops", "Pay Dr. Okafor.", "old-1", quote=PAY, kind="open")
    assert faults([other], scale) == []
    elsewhere = point("Open loops", "Pay Dr. Okafor.", "msg-1", quote="Hello there.")
    assert faults([elsewhere], scale)


def test_it_keeps_what_the_one_before_told() -> None:
    before = [point("Summary", f"Heron {n} was seen.", "msg-1") for n in range(10)]
    story = day("The herons came back to the pond.", "Fine.")
    kept = scale_of(story, before, 1.0, count)
    assert kept.least == 8
    other = [point("Summary", "Fine.", "msg-2")]
    assert "Of 10 lines of the one before it tells only 0." in faults(other, kept)
    carried = completed(other, kept, carried_lines(kept))
    assert faults(carried, kept) == []
    assert scale_of(story, before, 0.1, count).least == 1


def test_what_was_open_and_is_closed_need_not_be_kept() -> None:
    before = [point("Open loops", PAY, "old-1", quote=PAY, kind="open")]
    still = scale_of(day(*DAY, open=[loop(1, PAY)]), before, 1.0, count)
    over = scale_of(day(*DAY, closed=[loop(1, PAY, closed_by=3)], open=[]), before, 1.0, count)
    assert (still.least, over.least) == (1, 0)


def test_what_is_not_said_any_more_need_not_be_kept() -> None:
    before = [point("Summary", "The cat ran away.", "msg-1", quote="The cat ran away.")]
    assert scale_of(day(*DAY), before, 1.0, count).least == 0


def test_what_stands_on_nothing_is_refused() -> None:
    scale = scale_of(day(*DAY), (), 0.0, count)
    bare = DayPoint(section="Summary", text="It rained.", sources=[])
    foreign = point("Summary", "It rained.", "msg-99")
    invented = point("Summary", "It rained.", "msg-1", quote="It rained.")
    assert unfounded([bare, foreign, invented], scale) == [
        "Line 1 stands on no message.",
        "Line 2 stands on a message that it was not made from.",
        "Line 3 quotes what was not said.",
    ]


def test_one_that_is_too_long_loses_what_is_worth_least() -> None:
    idle = [point("Summary", f"{n} {'words and ' * 20}", "msg-1") for n in range(40)]
    scale = scale_of(day(*DAY), (), 0.0, count)
    assert any("tokens, and may have" in reason for reason in faults(idle, scale))
    whole = completed(idle, scale)
    assert count(DaySummary(whole).text) <= MOST_TOKENS
    assert DECIDED in texts(whole)
    assert faults(whole, scale) == []


def test_beside_lines_that_stay_nothing_of_them_is_wanted_again() -> None:
    """What the owner has taken out does not come back."""
    before = [point("Decisions", "Berth B-12.", "old-3", quote="Berth B-12.", kind="decision")]
    stays = scale_of(day(*DAY[4:6], before=before, stays=True), (), 0.0, count)
    assert stays.decisions == []
    carried = scale_of(day(*DAY[4:6], before=before), (), 0.0, count)
    assert [note.text for note in carried.decisions] == ["Berth B-12."]


def test_the_summaries_of_a_day_that_goes_on_are_each_as_good_as_the_one_before() -> None:
    before: list[DayPoint] = []
    for turns in range(1, len(DAY) // 2 + 1):
        story = day(*DAY[: 2 * turns])
        scale = scale_of(story, before, (turns - 1) / turns, count)
        before = list(told(*DAY[: 2 * turns]).points)
        assert faults(before, scale) == []
