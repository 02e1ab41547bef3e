"""The owner answers outsiders in words of their own, with a model or without."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from palaver.channels.external.deciding import ExternalCommands
from palaver.channels.external.records import External, ExternalView
from palaver.channels.port import Person, Retracted
from palaver.errors import Conflict, EmptyMessage, Erased, KeyReused, NotFound
from tests.channels.obedient import connect, to
from tests.channels.test_external import holding
from tests.channels.world import OTHER, OWNER, Pigeon, World, world
from tests.library import Clock


async def exchange(here: World) -> ExternalView:
    (one,) = (await here.palaver.external.page()).external
    return await here.palaver.external.view(one.id)


async def test_the_owners_words_are_sent_and_close_the_escalation(here: World) -> None:
    await here.write("May I come?", OTHER)
    view = await exchange(here)
    assert (view.external.escalated, view.unreachable) == (True, None)
    said = await here.palaver.external.reply(view.external.id, "Yes, at **five**.")
    assert said.author is not None
    assert said.delivery is not None
    assert (said.author.kind, said.reply_to) == ("owner", view.messages[0].id)
    assert said.delivery.state == "waiting"
    await here.settle()
    assert to(here, OTHER.id)[-1] == "Yes, at **five**."
    assert (here.pigeon.sent[-1].answers, here.pigeon.sent[-1].by_hand) == ("m1", True)
    assert not here.pigeon.sent[0].by_hand
    view = await exchange(here)
    assert not view.external.escalated
    assert view.messages[-1].delivery is not None
    assert view.messages[-1].delivery.state == "sent"


async def test_a_key_is_answered_once_whatever_came_between(here: World) -> None:
    await here.write("One", OTHER)
    name, room = (await exchange(here)).external.id, here.palaver.external
    first = await room.reply(name, "Yes.", "k")
    await here.write("Two", OTHER)
    assert (await room.reply(name, "Yes.", "k")).id == first.id
    assert (await exchange(here)).external.escalated, "what came later was not seen"
    with pytest.raises(KeyReused):
        await room.reply(name, "No.", "k")
    await here.palaver.send("Hello", key="l")
    with pytest.raises(KeyReused):
        await room.reply(name, "Hello", "l")
    await asyncio.gather(*(room.reply(name, "Later.", "m") for _ in range(3)))
    await here.settle()
    assert to(here, OTHER.id)[1:] == ["Yes.", "Later."]


async def test_only_what_is_proven_is_answered(here: World) -> None:
    await here.greet()
    await here.write("It is me", OTHER, proof="claimed")
    view = await exchange(here)
    room, name = here.palaver.external, view.external.id
    assert view.unreachable
    assert "proven" in view.unreachable
    (notice,) = to(here, OWNER.id)
    assert "/answer" not in notice
    with pytest.raises(Conflict, match="proven"):
        await room.reply(name, "Who?")
    await here.write("Really me", OTHER, id="true")
    await here.write("Oops", OTHER, id="oops")
    await here.take(Retracted("gone", "oops", OTHER))
    await here.write("Me again", OTHER, proof="claimed")
    await room.reply(name, "Hello.")
    await here.settle()
    assert here.pigeon.sent[-1].answers == "true"


async def test_nobody_is_answered_where_the_channel_is_off(
    tmp_path: Path, clock: Clock, database: str | None
) -> None:
    given: dict[str, Any] = {"database_url": database}
    async with world(tmp_path, clock, **given) as here:
        await here.write("Hello", OTHER)
        name = (await exchange(here)).external.id
        with pytest.raises(EmptyMessage):
            await here.palaver.external.reply(name, " ")
        with pytest.raises(NotFound):
            await here.palaver.external.reply(f"ext-{0:026d}", "Hello")
        await here.palaver.external.reply(name, "Hello", "k")
    async with world(tmp_path, clock, pigeon=Pigeon("crow"), **given) as there:
        view = await there.palaver.external.view(name)
        assert view.unreachable
        assert "is off" in view.unreachable
        with pytest.raises(Conflict, match="is off") as refused:
            await there.palaver.external.reply(name, "Anybody?")
        assert "`channels.pigeon` on in config.yaml" in (refused.value.remedy or "")
        assert (await there.palaver.external.reply(name, "Hello", "k")).content == "Hello"


async def test_the_owner_answers_from_a_personal_channel_and_who_is_ignored(
    tmp_path: Path, clock: Clock, database: str | None
) -> None:
    given: dict[str, Any] = {"role": "personal", "policy": {"untrusted": "ignore"}}
    async with world(tmp_path, clock, database_url=database, **given) as here:
        await here.write("Hello", OTHER)
        assert here.told == []
        await here.palaver.external.reply((await exchange(here)).external.id, "Good day.")
        await here.settle()
        assert here.told == ["Good day."]


@pytest.mark.parametrize("policy", ["answer", "draft"])
async def test_no_model_answers_what_the_owner_has_answered(
    tmp_path: Path, clock: Clock, database: str | None, policy: str
) -> None:
    given: dict[str, Any] = {"trust": {"bob": "known"}, "policy": {"known": policy}}
    async with world(tmp_path, clock, database_url=database, **given) as here:
        model = connect(here.palaver)
        model.gate = asyncio.Event()
        await here.take(here.message("When?", OTHER))
        await model.asked.wait()
        await here.palaver.external.reply((await exchange(here)).external.id, "At five.")
        model.gate.set()
        await here.settle()
        assert here.told == ["At five."]
        assert (await exchange(here)).drafts == []
        assert await here.palaver.correspondence.recover() == 0
        await here.write("Where?", OTHER)
        assert "At five." in str(model.requests[-1].packet.messages)


@pytest.mark.parametrize("where", ["channel", "page"])
async def test_somebody_is_answered_by_command(here: World, where: str) -> None:
    await here.greet()
    await here.write("May I come?", OTHER)
    code = (await exchange(here)).external.code
    assert f"`/answer {code} " in to(here, OWNER.id)[-1]
    answers: list[str] = []
    for text in (
        "/answer",
        "/answer zzz Yes",
        f"/answer {code}",
        f"/answer {code.upper()} Yes,\nsix",
    ):
        if where == "page":
            answers.append((await here.palaver.send(text)).reply.content)
            await here.settle()
        else:
            await here.write(text)
            answers.append(to(here, OWNER.id)[-1])
    assert "Say which exchange" in answers[0]
    assert f"`{code}` is [Bob](/external/" in answers[0]
    assert "There is no exchange" in answers[1]
    assert "The message is empty" in answers[2]
    assert "Your answer to Bob is being sent" in answers[3]
    assert to(here, OTHER.id)[1:] == ["Yes,\nsix"]


async def test_a_command_that_is_repeated_sends_once(here: World) -> None:
    """A process dies between the answer that it sends and the one that it gives."""
    await here.write("May I come?", OTHER)
    code = (await exchange(here)).external.code
    commands = ExternalCommands(here.palaver.external)
    for _ in range(2):
        told = await commands.answer("answer", f"{code} Yes", "pigeon:m9")
        assert "is being sent" in told.answer
    await here.settle()
    assert to(here, OTHER.id)[1:] == ["Yes"]


@pytest.mark.parametrize("where", ["channel", "page"])
async def test_what_commands_told_goes_with_the_exchange(
    tmp_path: Path, clock: Clock, database: str | None, where: str
) -> None:
    given: dict[str, Any] = {"policy": {"untrusted": "draft"}}
    async with world(tmp_path, clock, database_url=database, **given) as here:
        connect(here.palaver)
        await here.greet()
        await here.write("Have you a xylophone?", Person("bob", "Balthazar"))
        view = await exchange(here)
        draft = view.drafts[0].text.splitlines()[0]
        told: list[str] = []
        for text in ("/answer", "/drafts", f"/answer {view.external.code} Maybe a kazoo"):
            if where == "page":
                told.append((await here.palaver.send(text)).reply.content)
            else:
                await here.write(text)
                told.append(to(here, OWNER.id)[-1])
        assert "xylophone" not in told[0]
        assert draft in told[1]
        preview = await here.palaver.external.delete(view.external.id, preview=True)
        assert len(preview.dependents) == 3
        receipt = await here.palaver.external.delete(view.external.id)
        assert receipt.erased == preview.erased
        assert "3 answers to commands" in receipt.erased[1]
        for word in ("xylophone", draft, "Balthazar", "kazoo"):
            assert not holding(tmp_path, word.encode())
        assert (await here.palaver.send("/drafts")).reply.content == "No reply waits for your word."


async def test_an_answer_to_a_command_does_not_outlive_what_it_tells_of(
    here: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exchange is erased between the reading and the storing."""
    await here.write("May I come?", Person("bob", "Balthazar"))
    room = here.palaver.external
    unanswered = room.unanswered

    async def and_erase() -> list[External]:
        found = await unanswered()
        await room.delete(found[0].id)
        return found

    monkeypatch.setattr(room, "unanswered", and_erase)
    with pytest.raises(Erased):
        await here.palaver.send("/answer")
    assert not holding(tmp_path, b"Balthazar")


async def test_a_command_tells_that_the_exchange_is_gone(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.write("May I come?", OTHER)
    room = here.palaver.external
    code, called = (await exchange(here)).external.code, room.called

    async def and_erase(named: str) -> list[External]:
        found = await called(named)
        await room.delete(found[0].id)
        return found

    monkeypatch.setattr(room, "called", and_erase)
    told = await here.palaver.send(f"/answer {code} Yes")
    assert "There is no" in told.reply.content
