"""The model and the vectors fail in every way: words are found, and all is made up for later."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from palaver.embedding import Embedder
from palaver.errors import ModelMissing
from palaver.index.faults import Failed
from palaver.index.meaning import meaning
from palaver.index.meaning.meaning import Meanings
from palaver.index.port import Question
from palaver.index.sqlite import keeper
from palaver.index.sqlite.keeper import Keeper
from palaver.index.vectors import VectorStore
from palaver.ledger.lines import meta, turn
from tests.index.handling import database, keys, learned, open_with, vectors
from tests.index.worlds import USER, A, B, FileWorld, open_files
from tests.library import BagOfWords

_PATIENCE = 20


class Flaky(BagOfWords):
    """Fails when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.fails = False
        self.asked = 0
        self.worked = threading.Event()

    def embed(self, texts: Sequence[str]) -> Any:
        self.asked += 1
        if self.fails:
            raise RuntimeError("it timed out")
        self.worked.set()
        return super().embed(texts)


class Other(BagOfWords):
    identity = "another-model"


def lose(world: FileWorld) -> None:
    for side in ("", "-wal", "-shm"):
        vectors(world).with_name(f"vectors.db{side}").unlink(missing_ok=True)


async def rest(world: FileWorld) -> None:
    """Waits until the keeper has nothing to do, without telling it to look."""
    signal: Any = vars(keeper_of(world))["_signal"]

    def waits() -> bool:
        with signal:
            return signal.wait_for(lambda: not busy(world), _PATIENCE)

    assert await asyncio.to_thread(waits)


def busy(world: FileWorld) -> bool:
    state = vars(keeper_of(world))
    return state["_awake"] or state["_busy"]


def keeper_of(world: FileWorld) -> Keeper:
    return vars(world.index)["_keeper"]


def forget_failure(world: FileWorld) -> None:
    """As if it were time to try again."""
    vars(vars(world.index)["_meanings"])["_failed_at"] = None


# -- a model that fails --------------------------------------------------------------------------


async def test_a_model_fails_for_a_while(tmp_path: Path) -> None:
    model = Flaky()
    world = await open_with(tmp_path, model)
    await world.begin(A, "first words")
    await world.index.settle()
    model.fails = True
    await world.say(A, "user", "second words")
    await world.index.settle()
    health = world.index.health()
    assert health.status == "degraded"
    assert "RuntimeError: it timed out" in health.detail
    assert len(await world.found("words", text="words")) == 2
    assert world.index.health().status == "degraded"
    model.fails = False
    await world.say(A, "user", "third words")
    await world.index.settle()
    assert world.index.health().status == "ok"
    assert learned(world) == keys("first words", "second words", "third words")
    await world.close()


async def test_a_model_that_fails_is_tried_again_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning, "_TRY_AGAIN", 0.0)
    model = Flaky()
    model.fails = True
    world = await open_with(tmp_path, model)
    await world.begin(A, "words")
    await world.index.settle()
    assert not model.worked.is_set()
    model.fails = False
    assert await asyncio.to_thread(model.worked.wait, _PATIENCE)
    await rest(world)
    assert learned(world) == keys("words")
    await world.close()


async def test_nothing_more_is_asked_of_a_model_that_has_just_failed(tmp_path: Path) -> None:
    model = Flaky()
    model.fails = True
    world = await open_with(tmp_path, model)
    await world.write(meta(A, user=USER), *(turn(A, "user", f"tea {n}") for n in range(100)))
    await world.index.settle()
    before = model.asked
    await world.index.settle()
    assert model.asked == before + 1
    await world.close()


class Long(BagOfWords):
    """Gives vectors of any length; one text means nothing to it."""

    def embed(self, texts: Sequence[str]) -> Any:
        given = super().embed(texts) * 3
        given[[text == "nothing" for text in texts]] = 0
        return given


async def test_vectors_of_any_length_are_taken(tmp_path: Path) -> None:
    world = await open_with(tmp_path, Long())
    await world.begin(A, "the cat sat", "nothing")
    await world.index.settle()
    assert world.index.health().status == "ok"
    evidence = await world.evidence(text="cat")
    expected = BagOfWords().embed(["the cat sat"]) @ BagOfWords().embed(["cat"]).T
    assert evidence.cosine[0] == pytest.approx(float(expected[0, 0]), abs=1e-3)
    assert learned(world) == keys("the cat sat", "nothing")
    await world.close()


@pytest.mark.parametrize("made", [np.zeros((1, 3)), np.full((1, 64), np.nan), "no vectors"])
async def test_something_else_than_vectors_is_no_answer(tmp_path: Path, made: Any) -> None:
    model = BagOfWords()
    model.embed = lambda texts: made  # pyright: ignore
    world = await open_with(tmp_path, model)
    await world.begin(A, "tea")
    await world.index.settle()
    assert await world.found("tea", text="tea") == ["tea"]
    assert world.index.health().status == "degraded"
    await world.close()


async def test_a_model_that_cannot_be_loaded_for_any_reason(tmp_path: Path) -> None:
    def load() -> Embedder:
        raise OSError("a library is missing")

    world = await open_files(tmp_path, load)
    await world.begin(A, "tea")
    assert await world.found("tea", text="tea") == ["tea"]
    await world.index.settle()
    assert "a library is missing" in world.index.health().detail
    await world.close()


async def test_the_keeper_survives_whatever_happens(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> bool:
        raise RuntimeError("out of luck")

    await home.begin(A, "tea")
    with monkeypatch.context() as patched:
        patched.setattr(Keeper, "_step", fails)
        await home.index.settle()
        health = home.index.health()
        assert (health.status, "out of luck" in health.detail) == ("degraded", True)
        assert await home.found("tea") == ["tea"]
    await home.index.settle()
    assert home.index.health().status == "ok"
    assert not vars(keeper_of(home))["_stopped"]


# -- a model, or a file, that comes back ---------------------------------------------------------


@pytest.mark.parametrize("who", ["a search", "the keeper"])
async def test_a_model_comes_later_and_nothing_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    models: list[Embedder] = []

    def load() -> Embedder:
        if not models:
            raise ModelMissing
        return models[0]

    if who == "the keeper":
        monkeypatch.setattr(meaning, "_TRY_AGAIN", 0.0)
    world = await open_files(tmp_path, load)
    await world.begin(A, "tea", "cake")
    await world.index.settle()
    assert world.index.health().status == "degraded"
    model = Flaky()
    models.append(model)
    if who == "a search":
        forget_failure(world)
        await world.evidence(text="tea")
    assert await asyncio.to_thread(model.worked.wait, _PATIENCE)
    await rest(world)
    assert learned(world) == keys("tea", "cake")
    assert world.index.health().status == "ok"
    await world.close()


@pytest.mark.parametrize("by", ["us", "another process"])
async def test_a_file_that_is_made_again_is_filled_again(tmp_path: Path, by: str) -> None:
    world = await open_with(tmp_path, BagOfWords())
    await world.begin(A, "tea", "cake")
    await world.index.settle()
    lose(world)
    if by == "another process":
        VectorStore(vectors(world), BagOfWords.identity, 64).open()
    assert (await world.evidence("tea", text="tea")).matches == 1
    await rest(world)
    assert learned(world) == keys("tea", "cake")
    assert world.index.health().status == "ok"
    await world.close()


async def test_another_process_makes_the_file_again_and_something_is_said(tmp_path: Path) -> None:
    world = await open_with(tmp_path, BagOfWords())
    await world.begin(A, "tea", "cake")
    await world.index.settle()
    lose(world)
    VectorStore(vectors(world), BagOfWords.identity, 64).open()
    await world.say(A, "user", "more")
    await rest(world)
    assert learned(world) == keys("tea", "cake", "more")
    await world.close()


# -- vectors that belong to nothing --------------------------------------------------------------


async def leave_orphan(folder: Path) -> Path:
    """As if a process had died between erasing words and erasing what they mean; gives the file of
    vectors."""
    world = await open_with(folder, BagOfWords())
    await world.begin(A, "erased", "kept")
    await world.index.settle()
    vars(world.index._writer)["_forget"] = lambda *_: None  # pyright: ignore
    await world.erase(lines={A: [1]})
    assert learned(world) == keys("erased", "kept")
    await world.close()
    return vectors(world)


def missing() -> Embedder:
    raise ModelMissing


@pytest.mark.parametrize("load", [Other, missing, None], ids=["another", "missing", "none"])
async def test_orphans_are_swept_whatever_the_model(tmp_path: Path, load: Any) -> None:
    await leave_orphan(tmp_path)
    world = await open_files(tmp_path, load)
    await world.index.settle()
    assert learned(world) == keys("kept")
    await world.close()


async def test_a_damaged_file_does_not_keep_orphans(tmp_path: Path) -> None:
    path = await leave_orphan(tmp_path)
    path.write_bytes(path.read_bytes()[:4096])
    world = await open_files(tmp_path)
    await world.index.settle()
    assert learned(world) == set()
    assert world.index.health().status == "ok"
    await world.close()


async def test_a_sweep_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = await open_with(tmp_path, BagOfWords())
    await world.begin(A, *(f"tea {number}" for number in range(10)))
    await world.index.settle()
    await world.close()
    world = await open_files(tmp_path)
    vars(world.index._writer)["_forget"] = lambda *_: None  # pyright: ignore
    await world.erase(lines={A: list(range(1, 11))})
    forget: Any = vars(Meanings)["forget"]
    stopped = threading.Event()

    def stops(self: Meanings, given: Any) -> None:
        forget(self, given)
        vars(keeper_of(world))["_stopped"] = True
        stopped.set()

    monkeypatch.setattr(keeper, "_FORGOTTEN_AT_ONCE", 3)
    monkeypatch.setattr(Meanings, "forget", stops)
    keeper_of(world).wake()
    assert await asyncio.to_thread(stopped.wait, _PATIENCE)
    await world.close()
    assert len(learned(world)) == 7


async def test_a_sweep_that_fails_does_not_keep_the_keeper_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await leave_orphan(tmp_path)
    failed: list[bool] = []

    def fails(*_: object) -> None:
        failed.append(True)
        raise Failed("The disk is full.", "Free some space.")

    with monkeypatch.context() as patched:
        patched.setattr(Meanings, "forget", fails)
        world = await open_with(tmp_path, BagOfWords())
        await world.index.settle()
        await rest(world)
        assert len(failed) <= 2
    await world.index.settle()
    assert learned(world) == keys("kept")
    await world.close()


async def test_a_text_is_said_again_while_its_vector_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await leave_orphan(tmp_path)
    forget: Any = vars(Meanings)["forget"]
    with monkeypatch.context() as patched:
        patched.setattr(Keeper, "_sweep", lambda *_: False)  # pyright: ignore
        world = await open_with(tmp_path, BagOfWords())
        await world.index.settle()
    loop = asyncio.get_running_loop()
    said: list[bool] = []

    async def say() -> None:
        await world.begin(B, "erased")
        await rest(world)

    def says(self: Meanings, given: Any) -> None:
        if not said:
            said.append(True)
            asyncio.run_coroutine_threadsafe(say(), loop).result(_PATIENCE)
        forget(self, given)

    monkeypatch.setattr(Meanings, "forget", says)
    monkeypatch.setattr(Keeper, "_sweep", lambda *_: False)  # pyright: ignore

    def erase() -> None:
        with database(world) as other:
            keeper_of(world).forget(other, keys("erased"))

    thread = threading.Thread(target=erase)
    thread.start()
    await asyncio.to_thread(thread.join)
    assert said
    await rest(world)
    assert learned(world) == keys("erased", "kept")
    await world.close()


class Illiterate(BagOfWords):
    """Cannot even say whether it knows a text, or knows none."""

    def __init__(self, *, fails: bool) -> None:
        super().__init__()
        self.fails = fails

    def reads(self, text: str) -> bool:
        if self.fails:
            raise RuntimeError("no tokenizer")
        return False


@pytest.mark.parametrize("fails", [True, False])
async def test_what_a_model_cannot_read_has_no_meaning(tmp_path: Path, fails: bool) -> None:
    world = await open_with(tmp_path, model := Illiterate(fails=fails))
    asked = len(model.embedded)
    assert not len((await world.evidence(text="\U0001f436")).cosine)
    assert len(model.embedded) == asked  # it is not read for nothing
    assert (world.index.health().status == "degraded") == fails
    await world.close()


async def test_more_questions_at_once_than_threads(tmp_path: Path) -> None:
    world = await open_with(tmp_path, BagOfWords())
    await world.begin(A, "tea", "cake")
    await world.index.settle()
    asked = (world.evidence(text="tea") for _ in range(20))
    async with asyncio.timeout(_PATIENCE):
        found = await asyncio.gather(*asked)
    assert all(one.cosine[0] == pytest.approx(1, abs=1e-3) for one in found)
    await world.close()


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # it has threads: that is it
async def test_a_process_that_was_forked_has_threads_of_its_own(tmp_path: Path) -> None:
    world = await open_with(tmp_path, BagOfWords())
    meanings: Meanings = vars(world.index)["_meanings"]
    assert await asyncio.wrap_future(meanings.start(os.getpid)) == os.getpid()
    child = os.fork()
    if not child:
        try:
            os._exit(meanings.start(os.getpid).result(_PATIENCE) != os.getpid())
        finally:
            os._exit(2)
    _, status = await asyncio.to_thread(os.waitpid, child, 0)
    await world.close()
    assert os.waitstatus_to_exitcode(status) == 0


async def test_a_question_after_the_end_starts_nothing(tmp_path: Path) -> None:
    world = await open_with(tmp_path, model := Flaky())
    await world.begin(A, "tea")
    await world.index.settle()
    meanings: Meanings = vars(world.index)["_meanings"]
    late = meanings.ask(Question([], "tea"))
    await world.close()
    forget_failure(world)
    asked = model.asked
    assert late is not None
    late.begin(1, None)  # the question was put before the end, and is followed up after it
    keys, _ = late.nearest()
    assert not len(keys)
    assert not len((await world.evidence(text="tea")).cosine)
    assert model.asked == asked
    assert meanings.attempt(lambda store: store.stamp()) is None
    assert not [one for one in threading.enumerate() if one.name.startswith("meaning")]
