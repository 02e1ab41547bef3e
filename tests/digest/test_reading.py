"""What a conversation is called and what it is about, as everybody is told."""

from __future__ import annotations

from palaver.app import Change, Palaver
from palaver.index.records import Message
from palaver.ledger.lines import Draft, event
from tests.digest.dialogue import talk, turns

DECIDED = "We decided to take the blue tiles, order 4711-B."


async def write(palaver: Palaver, *drafts: Draft) -> None:
    await palaver._ledger.append(drafts)  # pyright: ignore[reportPrivateUsage]


async def conversation(palaver: Palaver) -> tuple[str, list[Message]]:
    name = await talk(palaver, DECIDED, "Noted.", "The grout is grey.", "Good.")
    return name, (await palaver.messages(name)).messages


def source(message: Message, point: int | None = None) -> dict[str, object]:
    given: dict[str, object] = {"messageId": message.id, "quote": message.content}
    given |= {"turn": message.turn_number, "kind": "said", "by": message.role}
    return given if point is None else {**given, "point": point}


def abbreviation(name: str, said: list[Message]) -> Draft:
    return event(
        name,
        "abbreviation",
        text="- Blue tiles, order 4711-B.\n- Grey grout.",
        through=2,
        covers=said[-1].seq,
        by="haiku",
        sources=[source(said[0], 0), source(said[2], 1), source(said[3], 1)],
    )


def title(name: str, said: list[Message], text: str = "Tiles and Grout") -> Draft:
    return event(
        name,
        "title_assigned",
        title=text,
        topics=["tiles"],
        by="offline",
        turn=2,
        sources=[source(said[0])],
    )


async def test_nothing_is_known_of_a_conversation_that_has_just_begun(palaver: Palaver) -> None:
    name, _ = await conversation(palaver)
    digest = await palaver.digest(name)
    assert (digest.title, digest.titled_by, digest.topics, digest.title_sources) == (
        None,
        None,
        [],
        [],
    )
    assert digest.abbreviation is None
    assert digest.rolling_summary is None


async def test_every_point_has_its_sources(palaver: Palaver) -> None:
    name, said = await conversation(palaver)
    await write(palaver, abbreviation(name, said))
    found = (await palaver.digest(name)).abbreviation
    assert found is not None
    assert (found.by, found.through) == ("haiku", 2)
    assert [(one.text, [of.message_id for of in one.sources]) for one in found.points] == [
        ("Blue tiles, order 4711-B.", [said[0].id]),
        ("Grey grout.", [said[2].id, said[3].id]),
    ]


async def test_one_of_another_program_has_lines_and_no_sources(palaver: Palaver) -> None:
    name, _ = await conversation(palaver)
    await write(palaver, event(name, "abbreviation", text="- They tile the bathroom."))
    found = (await palaver.digest(name)).abbreviation
    assert found is not None
    assert [(one.text, one.sources) for one in found.points] == [("They tile the bathroom.", [])]


async def test_who_named_it_and_why(palaver: Palaver) -> None:
    name, said = await conversation(palaver)
    await write(palaver, title(name, said))
    digest = await palaver.digest(name)
    assert (digest.title, digest.titled_by, digest.topics) == (
        "Tiles and Grout",
        "offline",
        ["tiles"],
    )
    assert [(one.message_id, one.quote) for one in digest.title_sources] == [(said[0].id, DECIDED)]
    await palaver.update(name, Change(title="My bathroom"))
    digest = await palaver.digest(name)
    assert (digest.title, digest.titled_by, digest.title_sources) == ("My bathroom", "user", [])
    await write(palaver, title(name, said, "Tiles Again"))  # too late: the user has named it
    assert (await palaver.digest(name)).titled_by == "user"


async def test_what_was_changed_or_erased_is_quoted_nowhere(palaver: Palaver) -> None:
    name, said = await conversation(palaver)
    await write(palaver, abbreviation(name, said), title(name, said))
    await write(palaver, event(name, "edited", messageId=said[0].id, content="Red ones."))
    assert DECIDED not in (await palaver.digest(name)).model_dump_json()
    other, said = await conversation(palaver)
    await write(palaver, abbreviation(other, said), title(other, said))
    await palaver.redact(other, said[0].id)
    digest = (await palaver.digest(other)).model_dump_json()
    assert "4711-B" not in digest


async def test_the_summary_of_older_turns_is_told_line_by_line(palaver: Palaver) -> None:
    name = await talk(palaver, DECIDED, "Noted.", *turns(11))
    await palaver._context.rolling.run_if_due(name)  # pyright: ignore[reportPrivateUsage]
    found = (await palaver.digest(name)).rolling_summary
    assert found is not None
    assert (found.by, found.through) == ("offline", 9)
    first = found.points[0]
    assert first.text == f"Turn 1: {DECIDED}"
    assert [one.quote for one in first.sources] == [DECIDED]
    assert all(len(point.sources) == 1 for point in found.points)
