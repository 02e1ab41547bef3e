"""When the newest day is told again."""

from __future__ import annotations

from palaver.digest.days.due import DayDue
from tests.digest.days.conftest import Diary, Telling
from tests.digest.days.stories import count

SATURDAY = "2026-02-14"
LONG = "A long tale of herons. " * 60


def due(diary: Diary) -> DayDue:
    return DayDue(diary.desk.index, diary.palaver.user, count=count, every=10, window=1000)


async def test_many_messages_or_many_tokens(diary: Diary, telling: Telling) -> None:
    look = due(diary)
    assert await look.of(diary.name) is None
    await diary.live(SATURDAY, "One.", "Two.")
    assert await look.of(diary.name) is None
    await diary.say(LONG, LONG)
    assert await look.of(diary.name) is None
    await diary.say(LONG, "Good.")
    assert await look.of(diary.name) == (SATURDAY, "tokens")
    await telling().make(diary.name, SATURDAY, "tokens")
    assert await look.of(diary.name) is None
    await diary.say(*["Word."] * 9)
    assert await look.of(diary.name) is None
    await diary.say("Word.")
    assert await look.of(diary.name) == (SATURDAY, "messages")


async def test_another_conversation_has_no_days(diary: Diary) -> None:
    other = (await diary.palaver.start()).id
    assert await due(diary).of(other) is None
