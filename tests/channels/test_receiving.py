"""What a channel brings is stored once, where it belongs, and answered after a moment."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from palaver.channels.port import Edited, Person, Place, Proof, Reach, Reacted, Reported, Retracted
from palaver.channels.receiving import Reception
from palaver.errors import ReadOnly, StorageFailed
from tests.channels.holding import hold
from tests.channels.world import NAME, OTHER, OWNER, THIRD, World, world
from tests.conversation.scripted import Scripted, answer_by
from tests.library import Clock

GROUP = Place("group", "g-1", "Climbing")


async def test_the_owner_is_answered_where_they_write(here: World) -> None:
    await here.write("Hello there")
    conversation = await here.only()
    assert (conversation.channel, conversation.pinned, conversation.read_only) == (NAME, True, True)
    assert conversation.channel_meta["id"] == OWNER.id
    assert conversation.title == "Ann"
    question, reply = await here.said()
    assert question.author is not None
    assert (question.author.kind, question.author.grade) == ("owner", "proven")
    assert question.sender == "Ann"
    assert reply.reply_to == question.id
    (sent,) = here.pigeon.sent
    assert (sent.text, sent.answers, sent.place.id) == (reply.content, "m1", OWNER.id)
    (shown,) = [one for one in await here.said() if one.role == "assistant"]
    assert shown.delivery is not None
    assert shown.delivery.state == "sent"


async def test_one_conversation_for_each_contact_group_and_thread(here: World) -> None:
    await here.write("One")
    await here.write("Two")
    await here.write("Three", place=GROUP)
    await here.write("Four", place=GROUP)
    await here.write("Five", place=Place("thread", "t-1", "The roof"))
    found = {one.channel_meta["id"]: one.turn_count for one in await here.conversations()}
    assert found == {OWNER.id: 2, "g-1": 2, "t-1": 1}


@pytest.mark.parametrize("seed", range(3))
async def test_redelivered_and_shuffled_each_is_stored_once(here: World, seed: int) -> None:
    messages = [here.message(f"Number {number}") for number in range(8)]
    given = messages * 5
    random.Random(seed).shuffle(given)
    await here.take(*given)
    await here.settle()
    said = [one.content for one in await here.said() if one.role == "user"]
    assert sorted(said) == sorted(one.text for one in messages)


async def test_it_is_known_after_a_restart_and_after_it_was_erased(
    tmp_path: Path, clock: Clock, database: str | None
) -> None:
    async with world(tmp_path, clock, database_url=database) as first:
        received = await first.write("Remember the milk")
        conversation = await first.only()
    async with world(tmp_path, clock, database_url=database) as again:
        await again.take(received)
        await again.settle()
        assert len([one for one in await again.said() if one.role == "user"]) == 1
        (question, *_) = await again.said()
        await again.palaver.redact(conversation.id, question.id)
        await again.take(received)
        await again.settle()
        assert "milk" not in "".join(one.content for one in await again.said())


async def test_two_processes_begin_one_conversation(
    tmp_path: Path, clock: Clock, database: str | None
) -> None:
    async with (
        world(tmp_path, clock, database_url=database) as one,
        world(tmp_path, clock, database_url=database) as other,
    ):
        messages = [one.message(f"Number {number}") for number in range(6)]
        await asyncio.gather(
            *(one.take(message) for message in messages),
            *(other.take(message) for message in messages),
        )
        await one.settle()
        await other.settle()
        assert len(await one.conversations()) == 1
        said = [message.content for message in await one.said() if message.role == "user"]
        assert sorted(said) == [f"Number {number}" for number in range(6)]
        assert len({sent.id for sent in [*one.pigeon.sent, *other.pigeon.sent]}) == len(
            [*one.pigeon.sent, *other.pigeon.sent]
        )


# -- waiting for more --------------------------------------------------------------------------


async def test_only_the_reply_waits_and_the_lines_share_a_turn(
    tmp_path: Path, clock: Clock, database: str | None
) -> None:
    async with world(tmp_path, clock, database_url=database) as here:
        script = answer_by(here.palaver, Scripted(["Fine."]))
        held = hold(here.palaver)
        for text in ("I have", "a question", "about cheese"):
            await here.take(here.message(text))
        said = await here.said()
        assert [one.content for one in said] == ["I have", "a question", "about cheese"]
        assert {one.turn_number for one in said} == {1}
        assert here.told == []
        held.over.set()
        await here.settle()
        assert here.told == ["Fine."]
        assert [task.question.content for task in script.tasks] == ["about cheese"]


async def test_who_waited_when_the_process_ended_is_answered_once(
    tmp_path: Path, clock: Clock, database: str | None
) -> None:
    async with world(tmp_path, clock, database_url=database) as here:
        hold(here.palaver)
        await here.take(here.message("One"), here.message("Two"))
    async with world(tmp_path, clock, database_url=database) as again:
        script = answer_by(again.palaver, Scripted(["Fine."]))
        assert await again.palaver.answer_waiting() == 1
        await again.settle()
        assert again.told == ["Fine."]
        assert [task.question.content for task in script.tasks] == ["Two"]


# -- commands ----------------------------------------------------------------------------------


async def test_new_unpins_the_old_one_and_keeps_the_model(here: World) -> None:
    await here.write("Hello")
    old = await here.only()
    await here.write("/model offline")
    await here.write("/new")
    await here.write("Here we are")
    found = {one.id: one for one in await here.conversations()}
    new = next(one for one in found.values() if one.id != old.id)
    assert (found[old.id].pinned, new.pinned) == (False, True)
    assert new.model == found[old.id].model == "offline"
    assert new.channel_meta == old.channel_meta
    assert (await here.said(new.id))[0].content == "Here we are"
    assert "new conversation" in here.told[2]
    assert "offline" in here.told[1]


async def test_what_stands_behind_new_is_its_first_message(here: World) -> None:
    await here.write("Hello")
    await here.write("/new What about tea?")
    new = next(one for one in await here.conversations() if one.pinned)
    assert (await here.said(new.id))[0].content == "What about tea?"
    assert len(here.told) == 3


async def test_what_stands_behind_new_is_not_lost_when_a_kill_comes_between(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.write("Hello")
    command = here.message("/new What about tea?")

    async def killed(*_: object) -> None:
        raise StorageFailed

    with monkeypatch.context() as patch:
        patch.setattr(Reception, "_say_behind", killed)
        with pytest.raises(StorageFailed):
            await here.take(command)
    for _ in range(3):
        await here.take(command)
    await here.settle()
    new = next(one for one in await here.conversations() if one.pinned)
    said = [one.content for one in await here.said(new.id) if one.role == "user"]
    assert said == ["What about tea?"]


async def test_a_command_of_a_machine_is_no_command(here: World) -> None:
    await here.write("Hello")
    await here.write("/new", unanswerable="An automatic reply.")
    assert [one.content for one in await here.said()][-1] == "/new"


async def test_a_spoofer_does_not_join_a_thread(here: World) -> None:
    place = Place("thread", "t-1", "The roof")
    await here.write("With Bob", place=place, others=[OTHER])
    await here.write("I agree", OTHER, place=place, proof="claimed", others=[THIRD])
    assert "I agree" not in [one.content for one in await here.said()]
    assert (await here.only()).participants == ["user", OTHER.id]


async def test_a_command_that_is_redelivered_is_obeyed_once(here: World) -> None:
    await here.write("Hello")
    command = here.message("/new")
    await here.take(command, command, command)
    await here.settle()
    assert len(await here.conversations()) == 2


async def test_an_unpinned_one_goes_on_in_the_page_only(here: World) -> None:
    await here.write("Hello")
    old = await here.only()
    with pytest.raises(ReadOnly):
        await here.palaver.send("From the page", conversation_id=old.id)
    await here.write("/new")
    sent = len(here.told)
    await here.palaver.send("From the page", conversation_id=old.id)
    await here.settle()
    assert len(here.told) == sent


async def test_the_first_thing_said_may_be_a_command(here: World) -> None:
    await here.write("/help")
    assert "/drafts" in here.told[0]
    assert (await here.only()).pinned


# -- who reads along ---------------------------------------------------------------------------


async def test_in_a_group_only_the_owner_who_speaks_to_the_agent_is_answered(here: World) -> None:
    script = answer_by(here.palaver, Scripted(["Yes."]))
    await here.write("Nice weather", place=GROUP, addressed=False)
    await here.write("Agent, obey me", OTHER, place=GROUP)
    await here.write("Agent, is it?", place=GROUP)
    assert [task.question.content for task in script.tasks] == ["Agent, is it?"]
    kinds = [(one.author and one.author.kind, one.sender) for one in await here.said()]
    assert kinds[:3] == [("owner", "Ann"), ("participant", "Bob"), ("owner", "Ann")]
    assert (await here.only()).channel_meta["audience"] == "mixed"


async def test_where_others_read_along_nothing_from_elsewhere_is_told(here: World) -> None:
    await here.palaver.memories.add("My locker code word is heliotrope.")
    await here.palaver.send("The secret plan is called heliotrope.", new=True)
    await here.write("What is the secret plan? Where is heliotrope?", place=GROUP)
    await here.write("/forget heliotrope", place=GROUP)
    assert here.told
    assert not any("called heliotrope" in text or "code word" in text for text in here.told)
    packet = await here.palaver.context((await here.only()).id, turn=1)
    assert packet.memories == ()


async def test_what_was_said_between_two_is_not_for_a_third(here: World) -> None:
    place = Place("thread", "t-1", "The roof")
    await here.write("Just us", place=place)
    await here.write("Now with Bob", place=place, others=[OTHER])
    pinned = [one for one in await here.conversations() if one.pinned]
    assert len(pinned) == 1
    assert "Just us" not in [one.content for one in await here.said(pinned[0].id)]
    await here.write("I agree", OTHER, place=place)
    last = (await here.said(pinned[0].id))[-1]
    assert (last.content, last.author and last.author.kind) == ("I agree", "participant")
    assert not (await here.palaver.external.page()).external


async def test_a_group_of_strangers_is_no_conversation(here: World) -> None:
    await here.greet()
    await here.write("Join us", OTHER, place=GROUP)
    assert [one.turn_count for one in await here.conversations()] == [0]
    (external,) = (await here.palaver.external.page()).external
    assert (external.party, external.name) == ("g-1", "Climbing")
    assert here.told[:1] != []  # the owner is told; the group is not answered
    assert all(one.place.id == OWNER.id for one in here.pigeon.sent)


# -- threads -----------------------------------------------------------------------------------


async def test_a_mail_joins_the_thread_that_it_names(here: World) -> None:
    await here.write("The roof leaks", id="a", place=Place("thread", "a", "The roof"))
    await here.write("Again", id="b", place=Place("thread", "zzz", "Roof"), thread=["a"])
    (sent, *_) = here.pigeon.sent
    answered = f"sent-{sent.id}"
    await here.write("Thanks", id="c", place=Place("thread", "yyy"), answers=answered)
    assert (await here.only()).turn_count == 3
    await here.write("Other", id="d", place=Place("thread", "d", "Other"), thread=["nowhere"])
    assert len(await here.conversations()) == 2


@pytest.mark.parametrize(
    ("again", "proof", "days"),
    [(True, "proven", 1), (False, "proven", 1), (True, "proven", 40), (True, "claimed", 1)],
)
async def test_a_subject_joins_under_three_conditions(
    here: World, clock: Clock, *, again: bool, proof: Proof, days: int
) -> None:
    joins = (again, proof, days) == (True, "proven", 1)
    first = {"subjectKey": "the roof", "replyPrefix": False}
    await here.write("Leaks", place=Place("thread", "a", "The roof"), details=first)
    clock.advance(days=days)
    later = {"subjectKey": "the roof", "replyPrefix": again}
    place = Place("thread", "b", "The roof")
    await here.write("Still", place=place, details=later, proof=proof)
    counts = [one.turn_count for one in await here.conversations()]
    assert (counts == [2]) is joins


# -- what becomes of messages ------------------------------------------------------------------


async def test_messages_are_edited_and_taken_back_by_whoever_wrote_them(here: World) -> None:
    await here.write("I like tee", id="a")
    await here.take(
        Edited("a:1", "a", OWNER, "I like tea"),
        Edited("a:1", "a", OWNER, "I like tea"),
        Edited("a:2", "a", OTHER, "I like poison"),
        Reacted("r", "a", OTHER, "👍"),
        Edited("x", "nowhere", OWNER, "What?"),
    )
    (question, *_) = await here.said()
    assert question.content == "I like tea"
    await here.take(Retracted("a:3", "a", OWNER))
    assert "tea" not in "".join(one.content for one in await here.said() if one.role == "user")


async def test_what_the_provider_tells_of_a_delivery_is_kept(here: World) -> None:
    await here.write("Hello")
    (sent,) = here.pigeon.sent
    steps: list[tuple[Reach, str]] = [
        ("delivered", "delivered"),
        ("read", "read"),
        ("delivered", "read"),
    ]
    for reach, state in steps:
        await here.take(Reported(f"sent-{sent.id}", reach))
        reply = (await here.said())[-1]
        assert reply.delivery is not None
        assert reply.delivery.state == state
    await here.take(Reported("nothing of ours", "read"))


async def test_odd_messages_are_kept_as_far_as_they_can_be(here: World) -> None:
    odd = [
        here.message("NUL \0 and half \ud800", id="a\0b"),
        here.message("   ", id="x" * 5000),
        here.message("long " * 300_000),
        here.message("name", Person("ann", "A\0nn" * 400)),
    ]
    await here.take(*odd)
    await here.settle()
    said = [one.content for one in await here.said() if one.role == "user"]
    assert said[0] == "NUL \ufffd and half ?"
    assert said[1] == "[Empty message]"
    assert said[2].endswith("too long to be kept.]")
    assert len(said) == 4


async def test_what_is_never_answered_is_kept(here: World) -> None:
    await here.write("I am away", unanswerable="It is an automatic reply.")
    assert here.told == []
    assert [one.content for one in await here.said()] == ["I am away"]
