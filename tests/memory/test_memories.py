"""Memories as a library: added, found, changed, learned from what was said, and told apart."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from palaver.app import Palaver
from palaver.errors import BadCursor, BadId, BadValue, InputError, NotFound, SecretRefused
from palaver.index.port import EVERY_MEMORY, MemoryFilter
from palaver.index.records import Memory, Message
from palaver.memory.gate import Offer
from palaver.memory.port import Candidate
from palaver.memory.records import NewMemory
from palaver.settings import Settings
from tests.library import BagOfWords, Clock

ONE, TWO = "usr-01J00000000000000000000001", "usr-01J00000000000000000000002"
NOBODY = "mem-01J00000000000000000000000"


@pytest.fixture
async def palaver(kept: Settings, clock: Clock) -> AsyncIterator[Palaver]:
    async with opened(kept, clock) as palaver:
        yield palaver


def opened(settings: Settings, clock: Clock) -> Palaver:
    return Palaver.open(settings=settings, clock=clock, embedder=BagOfWords(), digests=False)


async def said(palaver: Palaver, *texts: str) -> list[Message]:
    """The owner says some things in a conversation of its own, and is answered."""
    conversation = await palaver.start()
    found: list[Message] = []
    for text in texts:
        found.append(await palaver.append(conversation.id, "user", text))
        await palaver.append(conversation.id, "assistant", "I see.")
    return found


async def contents(palaver: Palaver, **wanted: Any) -> list[str]:
    return [one.content for one in await palaver.memories.list(**wanted)]


async def test_what_ends_takes_the_place_of_what_it_ends(palaver: Palaver) -> None:
    (message, *_) = await said(palaver, "I work at Siemens.", "I live in Oslo.")
    await palaver.memories.extract(message.conversation_id)
    await palaver.settle()
    gate = palaver.memories._gate  # pyright: ignore[reportPrivateUsage]
    now = "2030-01-01T10:00:00.000Z"

    async def decided(content: str) -> list[str]:
        candidate = Candidate("fact", content, message.id, content, ends="employer")
        outcome = await gate.decide([Offer(candidate, None, now, "a-model")], now)
        return [outcome.memories[one.memory_id].content for one in outcome.superseded]

    assert await decided("I was made redundant.") == ["I work at Siemens."]
    assert await decided("My years at Siemens are over.") == ["I work at Siemens."]
    assert await decided("My years at Bosch are over.") == []


# -- by hand -------------------------------------------------------------------------------------


async def test_what_is_added_is_there(palaver: Palaver) -> None:
    memories = palaver.memories
    tea = await memories.add("  I like\n green tea. ", "preference", category="food", pinned=True)
    assert (tea.content, tea.type, tea.category) == ("I like green tea.", "preference", "food")
    assert (tea.pinned, tea.by, tea.state, tea.confidence) == (True, "user", "kept", 1)
    assert await memories.get(tea.id) == tea
    assert await memories.list() == [tea]
    assert await memories.list(pinned=False) == []
    assert [one.id for one in await memories.search("green tea")] == [tea.id]


async def test_what_is_known_is_not_added_twice(palaver: Palaver) -> None:
    memories = palaver.memories
    first = await memories.add("I like green tea.")
    again, new = await memories.put(NewMemory(content="i like GREEN tea", pinned=True))
    assert (again.id, new) == (first.id, False)
    assert again.pinned
    assert await contents(palaver) == ["I like green tea."]
    await memories.edit(first.id, archived=True)
    back, new = await memories.put(NewMemory(content="I like green tea."))
    assert (back.id, back.archived, new) == (first.id, False, False)


@pytest.mark.parametrize("content", ["", " \n", "x" * 2001])
async def test_what_cannot_be_remembered_is_refused(palaver: Palaver, content: str) -> None:
    with pytest.raises(BadValue):
        await palaver.memories.add(content)
    with pytest.raises(InputError):
        await palaver.memories.add("lone \ud800 half")
    assert await palaver.memories.every() == []


async def test_secrets_are_refused_wherever_they_stand(palaver: Palaver) -> None:
    memories = palaver.memories
    secret = "My password is hunter2secret!"
    tea = await memories.add("I like tea.")
    with pytest.raises(SecretRefused):
        await memories.add(secret)
    with pytest.raises(SecretRefused):
        await memories.edit(tea.id, content=secret)
    (message,) = await said(palaver, secret)
    with pytest.raises(SecretRefused):
        await memories.put(NewMemory(content="How I sign in", source_message_id=message.id))
    await memories.extract(message.conversation_id)
    assert await contents(palaver, state=None) == ["I like tea."]


async def test_a_quotation_has_to_stand_in_its_message(palaver: Palaver) -> None:
    memories = palaver.memories
    (message,) = await said(palaver, "By the way, I like green tea a lot.")
    given: dict[str, Any] = {"content": "Likes tea", "source_message_id": message.id}
    for quote in ("I like coffee", "", " "):
        with pytest.raises(BadValue):
            await memories.put(NewMemory(**given, quote=quote))
    wrongs: list[dict[str, Any]] = [
        {"quote": "tea"},
        {"source_conversation_id": message.conversation_id},
    ]
    for wrong in wrongs:
        with pytest.raises(BadValue):
            await memories.put(NewMemory(content="Likes tea", **wrong))
    elsewhere = await palaver.start()
    with pytest.raises(NotFound):
        await memories.put(NewMemory(**given, source_conversation_id=elsewhere.id))
    found, _ = await memories.put(NewMemory(**given, quote="I like green tea"))
    assert found.quote == "I like green tea"
    assert found.source_conversation_id == message.conversation_id
    assert found.valid_from == message.timestamp
    await palaver.redact(message.conversation_id, message.id)
    with pytest.raises(NotFound):
        await memories.put(NewMemory(**given))


async def test_sources_of_other_users_are_refused(database_url: str, tmp_path: Path) -> None:
    settings = Settings.load(tmp_path, database__url=database_url)
    async with (
        Palaver.open(settings=settings, clock=Clock(), index_vectors=False, user=ONE) as one,
        Palaver.open(settings=settings, clock=Clock(), index_vectors=False, user=TWO) as two,
    ):
        (message,) = await said(one, "I like green tea.")
        memory = await one.memories.add("I like green tea.")
        with pytest.raises(NotFound):
            await two.memories.put(NewMemory(content="tea", source_message_id=message.id))
        for ask in (two.memories.get, two.memories.forget, two.memories.approve):
            with pytest.raises(NotFound):
                await ask(memory.id)
        with pytest.raises(NotFound):
            await two.memories.extract(message.conversation_id)
        with pytest.raises(NotFound):
            await two.memories.forget(conversation_id=message.conversation_id)
        assert (await two.memories.fix("junk", [memory.id])).fixed == []
        assert await two.memories.every() == []
        assert await two.memories.search("green tea") == []
        await two.memories.forget(about="tea")
        assert await one.memories.get(memory.id) == memory


async def test_memories_are_listed_in_pages(palaver: Palaver) -> None:
    memories = palaver.memories
    for number in range(5):
        await memories.add(f"I own boat number {number} of {'abcde'[number] * 5}.")
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = await memories.page(EVERY_MEMORY, limit=2, cursor=cursor)
        seen += [one.content for one in page.memories]
        if (cursor := page.next_cursor) is None:
            break
    assert len(seen) == len(set(seen)) == 5
    assert seen[0].startswith("I own boat number 4")
    with pytest.raises(BadCursor):
        await memories.page(EVERY_MEMORY, cursor="nonsense")
    with pytest.raises(BadValue):
        await memories.list(limit=0)
    assert len(await memories.every()) == 5


async def test_a_memory_is_changed_and_tells_how(palaver: Palaver) -> None:
    memories = palaver.memories
    tea = await memories.add("I like tea.", category="food")
    changed = await memories.edit(tea.id, content="I like  coffee.", confidence=0.0, category=None)
    assert (changed.content, changed.confidence, changed.category) == ("I like coffee.", 0, None)
    assert changed.edited
    assert (changed.created, changed.valid_from) == (tea.created, tea.valid_from)
    assert changed.updated > tea.updated
    assert await memories.edit(tea.id, content="I like coffee.") == changed  # nothing to write
    for wrong in ({"content": " "}, {"type": "idea"}, {"confidence": 2}, {"colour": "red"}):
        with pytest.raises(BadValue):
            await memories.edit(tea.id, **wrong)
    with pytest.raises(BadId):
        await memories.edit("tea", pinned=True)
    with pytest.raises(NotFound):
        await memories.edit(NOBODY, pinned=True)
    pinned = await memories.edit(tea.id, pinned=True, content=None)
    assert (pinned.pinned, pinned.content) == (True, "I like coffee.")
    history = await memories.history(tea.id)
    assert [(one.event, one.content) for one in history.changes] == [
        ("added", "I like tea."),
        ("edited", "I like coffee."),
        ("edited", "I like coffee."),
    ]
    assert history.memory == pinned
    assert [one.id for one in await memories.search("coffee")] == [tea.id]
    assert await memories.search("xylophone") == []


async def test_one_memory_takes_the_place_of_another(palaver: Palaver) -> None:
    memories = palaver.memories
    texts = ("My bed is white.", "We sleep on a sofa from Oslo.", "Nights are spent in a hammock.")
    berlin, oslo, rome = [await memories.add(one) for one in texts]
    await memories.supersede(berlin.id, oslo.id)
    await memories.supersede(oslo.id, rome.id)
    history = await memories.history(oslo.id)
    assert [one.id for one in history.before] == [berlin.id]
    assert [one.id for one in history.after] == [rome.id]
    assert [one.event for one in history.changes] == ["added", "superseded"]
    assert [one.id for one in await memories.list()] == [rome.id]
    assert {one.id for one in await memories.list(superseded=True)} == {berlin.id, oslo.id}
    for wrong in (rome.id, berlin.id, oslo.id):
        with pytest.raises(BadValue):
            await memories.supersede(rome.id, wrong)
    whole = await memories.history(rome.id)
    assert [one.id for one in whole.before] == [berlin.id, oslo.id]


# -- learned -------------------------------------------------------------------------------------


async def test_what_was_said_is_learned_with_its_evidence(palaver: Palaver) -> None:
    message, _ = await said(palaver, "Hi! I live in Berlin. What is the weather?", "Thanks!")
    found = await palaver.memories.extract(message.conversation_id)
    (memory,) = found.added
    assert memory == await palaver.memories.get(memory.id)
    assert memory.source_message_id == message.id
    assert memory.source_conversation_id == message.conversation_id
    assert memory.quote is not None
    assert memory.quote in message.content
    assert (memory.by, memory.valid_from) == ("offline", message.timestamp)
    with pytest.raises(NotFound):
        await palaver.memories.extract("conv-01J00000000000000000000000")
    with pytest.raises(BadId):
        await palaver.memories.extract("../user")


async def test_a_dry_run_stores_nothing(palaver: Palaver) -> None:
    (message,) = await said(palaver, "I live in Berlin.")
    before = await palaver.position()
    found = await palaver.memories.extract(message.conversation_id, dry_run=True)
    assert len(found.added) == 1
    assert await palaver.memories.every() == []
    assert await palaver.position() == before


async def test_what_was_read_twice_is_learned_once(palaver: Palaver) -> None:
    (message, *_) = await said(
        palaver, "I live in Berlin.", "My cat is called Tom.", "Remember that I like tea."
    )
    first = await palaver.memories.extract(message.conversation_id)
    there = await palaver.memories.every()
    assert len(there) == len(first.added) + len(first.waiting) >= 2
    again = await palaver.memories.extract(message.conversation_id)
    assert (again.added, again.waiting, again.superseded) == ([], [], [])
    assert len(again.merged) == len(there)
    assert await palaver.memories.every() == there


async def test_only_the_owner_is_learned_from(palaver: Palaver) -> None:
    conversation = await palaver.start()
    await palaver.append(conversation.id, "assistant", "I live in Berlin. You live in Rome.")
    await palaver.append(conversation.id, "system", "I live in Oslo.")
    await palaver.append(conversation.id, "user", "Mum wrote:\n> I live in Madrid.")
    found = await palaver.memories.extract(conversation.id)
    assert (found.added, found.waiting) == ([], [])


async def test_what_is_true_later_takes_the_place_of_what_was(palaver: Palaver) -> None:
    (first, second) = await said(palaver, "I live in Berlin.", "I live in Oslo.")
    found = await palaver.memories.extract(first.conversation_id)
    assert len(found.added) == 2
    (now,) = await palaver.memories.list()
    assert "Oslo" in now.content
    assert now.valid_from == second.timestamp
    history = await palaver.memories.history(now.id)
    assert ["Berlin" in one.content for one in history.before] == [True]
    (replaced,) = found.superseded
    assert (replaced.memory_id, replaced.by) == (history.before[0].id, now.id)


async def test_what_was_true_before_is_not_put_over_what_is(palaver: Palaver) -> None:
    """Somebody reads an old conversation after a new one."""
    (old,) = await said(palaver, "I live in Berlin.")
    (new,) = await said(palaver, "I live in Oslo.")
    await palaver.memories.extract(new.conversation_id)
    await palaver.memories.extract(old.conversation_id)
    (now,) = await palaver.memories.list()
    assert "Oslo" in now.content
    assert len(await palaver.memories.list(superseded=True)) == 1


@pytest.mark.parametrize("approval", ["all", "none", "low-confidence"])
async def test_who_wants_to_approve_is_asked(kept: Settings, clock: Clock, approval: str) -> None:
    memory = kept.memory.model_copy(update={"approval": approval})
    async with opened(kept.model_copy(update={"memory": memory}), clock) as palaver:
        memories = palaver.memories
        (message, *_) = await said(palaver, "I live in Berlin.", "Remember that I like tea.")
        found = await memories.extract(message.conversation_id)
        assert any("tea" in one.content for one in found.added)  # it was asked for
        assert [one.state for one in found.waiting] == ["waiting"] * (approval == "all")
        if approval != "all":
            return
        (berlin,) = found.waiting
        assert berlin.id not in {one.id for one in await memories.list()}
        assert await memories.list(state="waiting") == [berlin]
        approved = await memories.approve(berlin.id)
        assert approved.state == "kept"
        assert await memories.approve(berlin.id) == approved
        (later,) = await said(palaver, "I live in Oslo.")
        (oslo,) = (await memories.extract(later.conversation_id)).waiting
        assert (await memories.get(berlin.id)).superseded_by is None  # nobody has agreed yet
        receipt = await memories.reject(oslo.id)
        assert [one.id for one in receipt.memories] == [oslo.id]
        again = await memories.extract(later.conversation_id)
        assert (again.added, again.waiting) == ([], [])
        assert [one.reason for one in again.skipped] == ["forgotten"]
        (moved,) = await said(palaver, "I live in Rome.")
        (rome,) = (await memories.extract(moved.conversation_id)).waiting
        await memories.approve(rome.id)
        assert (await memories.get(berlin.id)).superseded_by == rome.id


async def test_what_waits_is_kept_when_it_is_asked_for(kept: Settings, clock: Clock) -> None:
    memory = kept.memory.model_copy(update={"approval": "all"})
    async with opened(kept.model_copy(update={"memory": memory}), clock) as palaver:
        (message,) = await said(palaver, "I live in Berlin.")
        (waiting,) = (await palaver.memories.extract(message.conversation_id)).waiting
        kept_now = await palaver.memories.add(waiting.content)
        assert (kept_now.id, kept_now.state) == (waiting.id, "kept")


async def test_sensitive_things_are_only_kept_when_asked_for(palaver: Palaver) -> None:
    (message,) = await said(palaver, "I have diabetes.")
    await palaver.memories.extract(message.conversation_id)
    assert await palaver.memories.every() == []
    (message,) = await said(palaver, "Remember that I have diabetes.")
    await palaver.memories.extract(message.conversation_id)
    assert len(await palaver.memories.list()) == 1


# -- at once -------------------------------------------------------------------------------------


async def test_who_reads_at_once_learns_once(kept: Settings, clock: Clock) -> None:
    async with opened(kept, clock) as here, opened(kept, clock) as there:
        texts = ["I live in Berlin.", "My cat is called Tom.", "I work as a baker."]
        (message, *_) = await said(here, *texts)
        (other, *_) = await said(there, *texts)
        await asyncio.gather(
            *(
                one.memories.extract(where)
                for one in (here, there)
                for where in (message.conversation_id, other.conversation_id)
            )
        )
        found = [one.content for one in await here.memories.every()]
        assert len(found) == len(set(found)) >= 2
        assert {one.id for one in await there.memories.every()} == {
            one.id for one in await here.memories.every()
        }


async def test_what_is_forgotten_meanwhile_does_not_come_back(kept: Settings, clock: Clock) -> None:
    async with opened(kept, clock) as here, opened(kept, clock) as there:
        tea = await here.memories.add("I like tea.")
        changes = [there.memories.edit(tea.id, content=f"I like tea {n}.") for n in range(5)]
        outcomes = await asyncio.gather(
            here.memories.forget(tea.id), *changes, return_exceptions=True
        )
        assert not any(isinstance(one, BaseException) for one in outcomes[:1])
        assert await here.memories.every() == []
        assert all(isinstance(one, Memory | NotFound) for one in outcomes[1:])


def _read(home: str, conversation_id: str, ready: Any, begin: Any) -> None:
    async def extract() -> None:
        settings = Settings.load(Path(home), user__timezone="UTC")
        palaver = Palaver.open(settings=settings, index_vectors=False, digests=False)
        async with palaver:
            ready.release()
            await asyncio.to_thread(begin.wait)
            await palaver.memories.extract(conversation_id)

    asyncio.run(extract())


async def test_processes_that_read_at_once_learn_once(tmp_path: Path) -> None:
    settings = Settings.load(tmp_path, user__timezone="UTC")
    async with Palaver.open(settings=settings, index_vectors=False, digests=False) as palaver:
        texts = [f"My {pet} is called Tom{pet}." for pet in ("cat", "dog", "horse", "snake")]
        (message, *_) = await said(palaver, *texts)
        context = multiprocessing.get_context("spawn")
        ready, begin = context.Semaphore(0), context.Event()
        given = (str(tmp_path), message.conversation_id, ready, begin)
        others = [context.Process(target=_read, args=given) for _ in range(3)]
        for one in others:
            one.start()
        for _ in others:
            assert await asyncio.to_thread(ready.acquire, True, 40)
        begin.set()
        for one in others:
            await asyncio.to_thread(one.join, 40)
        assert [one.exitcode for one in others] == [os.EX_OK] * 3
        found = [one.content for one in await palaver.memories.every()]
        assert len(found) == len(set(found)) == len(texts)


# -- the audit -----------------------------------------------------------------------------------


async def findings(palaver: Palaver) -> dict[str, list[list[str]]]:
    report = await palaver.memories.audit()
    found: dict[str, list[list[str]]] = {}
    for one in report.findings:
        found.setdefault(one.kind, []).append([memory.content for memory in one.memories])
        assert [memory.id for memory in one.memories] == one.memory_ids
    return found


async def test_a_sound_store_has_no_findings(palaver: Palaver) -> None:
    (message, *_) = await said(palaver, "I live in Berlin.", "My cat is called Tom.")
    await palaver.memories.extract(message.conversation_id)
    await palaver.memories.add("I like green tea.")
    report = await palaver.memories.audit()
    assert (report.findings, report.total) == ([], 3)
    assert set(report.shares.to_json().values()) == {0.0}


async def learned(palaver: Palaver, content: str, source: Message | None, **fields: Any) -> Memory:
    """A memory that an extractor should not have made."""
    from palaver.memory.keeping import ADDED, told  # as it writes them

    keeping = palaver.memories._keeping  # pyright: ignore[reportPrivateUsage]
    now = "2026-02-14T09:00:00.000Z"
    given: dict[str, Any] = {"by": "offline", "created": now, "updated": now, "type": "fact"}
    if source is not None:
        given |= {"source_message_id": source.id, "quote": content}
        given |= {"source_conversation_id": source.conversation_id}
    name = f"mem-01J{len(await palaver.memories.every()):023}"
    memory = Memory(id=name, content=content, **given | fields)
    await keeping.write([told(ADDED, memory, memory.by)])
    return await palaver.memories.get(name)


async def test_junk_is_found_and_put_away(palaver: Palaver) -> None:
    texts = [
        "Good morning!",
        "What time is it in Oslo?",
        "I am tired today.",
        "If I were rich I would live in Rome.",
        "She is a teacher.",
        "ok",
    ]
    sources = await said(palaver, *texts)
    for source in sources:
        await learned(palaver, source.content, source)
    (good,) = await said(palaver, "I live in Berlin.")
    await palaver.memories.extract(good.conversation_id)
    pinned = await learned(palaver, "Hello there!", sources[0], pinned=True)
    report = await palaver.memories.audit()
    junk = [one for one in report.findings if one.kind == "junk"]
    assert {one.memories[0].content for one in junk} == set(texts)
    assert {one.fix for one in junk} == {"archive"}
    assert report.shares.junk == pytest.approx(len(texts) / report.total)
    fixed = await palaver.memories.fix("junk", [one.memory_ids[0] for one in junk] + [pinned.id])
    assert len(fixed.fixed) == len(texts)
    assert "junk" not in await findings(palaver)
    assert len(await palaver.memories.list(archived=True)) == len(texts)
    assert not (await palaver.memories.get(pinned.id)).archived


async def test_duplicates_are_found_and_merged(palaver: Palaver) -> None:
    (message,) = await said(palaver, "I live in Berlin.")
    first = await learned(palaver, "I live in Berlin.", message)
    second = await learned(palaver, "I LIVE in berlin", None, by="model")
    third = await learned(palaver, "i live, in Berlin", None, by="model", pinned=True)
    old = await learned(palaver, "I live in Rome.", None, superseded_by=second.id)
    report = await palaver.memories.audit()
    (finding,) = [one for one in report.findings if one.kind == "duplicate"]
    assert (finding.fix, finding.memory_ids[0]) == ("merge", third.id)
    assert set(finding.memory_ids) == {first.id, second.id, third.id}
    assert report.shares.duplicate == pytest.approx(2 / 3)
    await palaver.memories.fix("duplicate", finding.memory_ids)
    assert [one.id for one in await palaver.memories.list()] == [third.id]
    assert (await palaver.memories.get(old.id)).superseded_by == third.id
    assert "duplicate" not in await findings(palaver)
    again = await palaver.memories.extract(message.conversation_id)
    assert (again.added, len(again.merged)) == ([], 1)


async def test_what_lost_its_evidence_is_found(palaver: Palaver) -> None:
    (message,) = await said(palaver, "I live in Berlin.")
    gone = await learned(palaver, "I live in Rome.", message)
    held = await learned(palaver, "I own a boat.", message, pinned=True)
    report = await palaver.memories.audit()
    found = {one.memory_ids[0]: one.fix for one in report.findings if one.kind == "unsupported"}
    assert found == {gone.id: "forget", held.id: "keep"}
    await palaver.memories.fix("unsupported", [gone.id, held.id])
    (left,) = await palaver.memories.every()
    assert (left.id, left.source_message_id, left.quote) == (held.id, None, None)
    assert "unsupported" not in await findings(palaver)


async def test_contradictions_are_found_and_the_later_one_holds(palaver: Palaver) -> None:
    old = await learned(
        palaver, "I live in Berlin.", None, slot="home", valid_from="2024-01-01T00:00:00.000Z"
    )
    new = await learned(
        palaver, "I live in Oslo.", None, slot="home", valid_from="2025-01-01T00:00:00.000Z"
    )
    report = await palaver.memories.audit()
    (finding,) = [one for one in report.findings if one.kind == "contradictory"]
    assert (finding.memory_ids, finding.fix) == ([old.id, new.id], "supersede")
    assert report.shares.contradictory == 0.5
    await palaver.memories.fix("contradictory", finding.memory_ids)
    assert (await palaver.memories.get(old.id)).superseded_by == new.id
    assert await findings(palaver) == {}


# -- brought back --------------------------------------------------------------------------------


async def test_what_was_replaced_wrongly_is_brought_back_for_good(palaver: Palaver) -> None:
    (message,) = await said(palaver, "I live in Oslo now.")
    berlin = await learned(palaver, "I live in Berlin.", None, slot="home")
    await palaver.memories.extract(message.conversation_id)
    oslo = await palaver.memories.get((await palaver.memories.get(berlin.id)).superseded_by or "")
    restored = await palaver.memories.restore(berlin.id)
    assert (restored.superseded_by, restored.beside) == (None, [oslo.id])
    assert await palaver.memories.restore(berlin.id) == restored
    assert {one.id for one in await palaver.memories.list()} == {berlin.id, oslo.id}
    assert await findings(palaver) == {}, "an audit does not put it in order again"
    await palaver.memories.extract(message.conversation_id)
    await palaver.memories.edit(oslo.id, content="My summer house is by the fjord.")
    await palaver.memories.extract(message.conversation_id)
    await palaver.memories.edit(oslo.id, content="I live in Oslo now.")
    await palaver.memories.add("I live in Oslo with my brother Tom.")
    await palaver.rebuild()
    assert await palaver.memories.get(berlin.id) == restored
    changes = (await palaver.memories.history(berlin.id)).changes
    told = [(one.event, one.by) for one in changes]
    assert told == [("added", "offline"), ("superseded", "offline"), ("restored", "user")]
    rome = await palaver.memories.add("Since last week our new home is Rome, where I live.")
    assert (await palaver.memories.get(berlin.id)).superseded_by == rome.id, "not by the other one"


async def test_who_replaces_it_by_hand_is_obeyed(palaver: Palaver) -> None:
    berlin, oslo = [await learned(palaver, f"I live in {one}.", None) for one in ("Bonn", "Oslo")]
    await palaver.memories.supersede(berlin.id, by=oslo.id)
    await palaver.memories.restore(berlin.id)
    replaced = await palaver.memories.supersede(berlin.id, by=oslo.id)
    assert (replaced.superseded_by, replaced.beside) == (oslo.id, [])


async def test_who_changed_a_memory_is_told(palaver: Palaver) -> None:
    tea = await learned(palaver, "I like tea.", None)
    assert tea.by == "offline"
    await palaver.memories.edit(tea.id, content="I like green tea.")
    changes = (await palaver.memories.history(tea.id)).changes
    assert [(one.event, one.by) for one in changes] == [("added", "offline"), ("edited", "user")]


async def test_what_the_owner_has_put_right_is_not_learned_again(palaver: Palaver) -> None:
    (message,) = await said(palaver, "I work as a carpenter.")
    (job,) = (await palaver.memories.extract(message.conversation_id)).added
    await palaver.memories.edit(job.id, content="I work as a joiner in a shipyard.")
    found = await palaver.memories.extract(message.conversation_id)
    assert (found.added, found.superseded) == ([], [])
    (there,) = await palaver.memories.every()
    assert (there.content, there.superseded_by) == ("I work as a joiner in a shipyard.", None)


async def test_what_nobody_uses_is_stale(palaver: Palaver, clock: Clock) -> None:
    tea = await palaver.memories.add("I like green tea.")
    cat = await palaver.memories.add("I own one black cat.", pinned=True)
    boat = await palaver.memories.add("My boat sails to Rome.")
    clock.advance(days=170)
    conversation = await palaver.start()
    await palaver.append(conversation.id, "user", "Where does it sail?")
    await _reply_with(palaver, conversation.id, boat)
    assert await findings(palaver) == {}
    clock.advance(days=20)
    report = await palaver.memories.audit()
    (finding,) = report.findings
    assert (finding.kind, finding.memory_ids, finding.fix) == ("stale", [tea.id], "archive")
    fixed = await palaver.memories.fix("stale", [tea.id, cat.id, boat.id])
    assert [one.memory_ids for one in fixed.fixed] == [[tea.id]]
    assert {one.id for one in await palaver.memories.list()} == {cat.id, boat.id}
    with pytest.raises(BadValue):
        await palaver.memories.fix("mess", [tea.id])  # pyright: ignore[reportArgumentType]
    assert MemoryFilter().state == "kept"


async def _reply_with(palaver: Palaver, conversation_id: str, memory: Memory) -> None:
    from palaver.ledger.lines import turn

    packet = {"sections": [{"name": "memories", "memories": [memory.id]}]}
    ledger = palaver._ledger  # pyright: ignore[reportPrivateUsage]
    await ledger.append([turn(conversation_id, "assistant", "To Rome.", packet=packet)])
