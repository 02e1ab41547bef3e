"""The keeper: what is done in the background, and that nobody has to wait for it."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from palaver.embedding import Embedder
from palaver.errors import ModelMissing
from palaver.index import attendant
from palaver.index.fulltext.shelf import Shelf
from palaver.index.meaning import meaning
from palaver.index.meaning.meaning import Meanings
from palaver.index.sqlite import keeper
from palaver.index.sqlite.keeper import Keeper
from palaver.ledger.lines import meta, turn
from tests.index.handling import keys, learned, marks, open_with, take, vectors, waiting
from tests.index.worlds import USER, A, B, FileWorld, open_files
from tests.library import BagOfWords

_PATIENCE = 20


def nothing(*_: object) -> None:
    """A planted fault."""


# -- words ---------------------------------------------------------------------------------------


async def test_when_many_wait_they_are_taken(home: FileWorld) -> None:
    said = [turn(A, "user", f"tea {number}") for number in range(keeper.MOST_WAITING)]
    await home.write(meta(A, user=USER), *said[:-1])
    await home.index.settle()
    assert waiting(home) == keeper.MOST_WAITING - 1
    await home.write(said[-1])
    await home.index.settle()
    assert (waiting(home), len(marks(home))) == (0, 1)
    assert (await home.evidence("tea")).matches == keeper.MOST_WAITING
    assert await home.index.verify() == []


async def test_long_messages_are_taken_sooner(home: FileWorld) -> None:
    said = "tea and cake " * 8192  # about 100 kB
    await home.begin(A, *[said] * 8)
    await home.index.settle()
    assert waiting(home) == 8
    await home.write(*(turn(A, "user", said) for _ in range(3)))
    await home.index.settle()
    assert (waiting(home), len(marks(home))) == (0, 1)


async def test_segments_are_merged(home: FileWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "MOST_WAITING", 5)
    await home.begin(A)
    for number in range(100):
        await home.write(turn(A, "user", f"tea {number}"))
        if number % 5 == 4:
            await home.index.settle()
    assert len(marks(home)) < 8
    assert (await home.evidence("tea")).matches == 100
    assert await home.index.verify() == []


async def test_a_rebuild_takes_everything_into_segments(home: FileWorld) -> None:
    await home.write(meta(A, user=USER), *(turn(A, "user", f"tea {n}") for n in range(50)))
    await home.index.rebuild()
    assert (waiting(home), len(marks(home))) == (0, 1)
    assert (await home.evidence("tea")).matches == 50


async def test_a_damaged_index_does_not_keep_it_busy(home: FileWorld) -> None:
    await home.begin(A, "tea")
    take(home)
    home.home.index.write_bytes(b"no database")
    home.index._keeper.settle()  # pyright: ignore[reportPrivateUsage]
    await home.index.settle()
    assert await home.found("tea") == ["tea"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_nobody_waits_for_a_keeper_that_failed(
    home: FileWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> bool:
        raise SystemExit

    monkeypatch.setattr(Keeper, "_step", fails)
    await home.begin(A, "tea")
    await home.index.settle()
    await home.index.settle()
    assert await home.found("tea") == ["tea"]


# -- vectors -------------------------------------------------------------------------------------


async def test_what_is_said_is_found_by_its_meaning(tmp_path: Path) -> None:
    model = BagOfWords()
    world = await open_with(tmp_path, model)
    await world.begin(A, "the cat sat on the mat", "yes it did")
    await world.begin(B, "quarterly revenue figures")
    await world.index.settle()
    evidence = await world.evidence(text="cat mat")
    assert evidence.cosine.argmax() == 0
    expected = model.embed(["the cat sat on the mat"]) @ model.embed(["cat mat"]).T
    assert evidence.cosine[0] == pytest.approx(float(expected[0, 0]), abs=1e-3)
    assert not np.isnan(evidence.cosine).any()
    assert evidence.matches == 0
    only = await world.evidence(text="cat mat", conversation_id=B)
    assert set(only.conversations.values()) == {B}
    await world.close()


async def test_the_nearness_of_many_is_exact(tmp_path: Path) -> None:
    model = BagOfWords()
    world = await open_with(tmp_path, model)
    said = [f"tea {number}" for number in range(300)]
    await world.write(meta(A, user=USER), *(turn(A, "user", text) for text in said))
    await world.index.settle()
    evidence = await world.evidence(text="tea 7")
    assert len(evidence.turn) > 2 * 60
    expected = model.embed(said) @ model.embed(["tea 7"])[0]
    assert evidence.cosine == pytest.approx(expected[evidence.turn - 1], abs=5e-3)
    await world.close()


async def test_echoes_have_no_meaning_of_their_own(tmp_path: Path) -> None:
    model = BagOfWords()
    world = await open_with(tmp_path, model)
    await world.begin(A, "tea", "yes")
    await world.say(A, "assistant", "You said: tea", model="offline")
    await world.say(A, "tool", "output")
    await world.index.settle()
    assert learned(world) == keys("tea", "yes", "output")
    evidence = await world.evidence("tea", text="tea")
    assert (evidence.cosine == 0).tolist() == [False, False, True, False]
    await world.close()


async def test_a_text_that_is_said_often_crowds_nobody_out(tmp_path: Path) -> None:
    world = await open_with(tmp_path, BagOfWords())
    await world.begin(B, "a kettle of tea")
    await world.write(meta(A, user=USER), *(turn(A, "user", "tea") for _ in range(3000)))
    await world.index.settle()
    evidence = await world.evidence(text="tea")
    assert set(evidence.conversations.values()) == {A, B}
    assert len(evidence.turn) < 50
    assert 3000 in evidence.turn
    await world.close()


async def test_the_vectors_of_erased_texts_go(tmp_path: Path) -> None:
    world = await open_with(tmp_path, BagOfWords())
    lines = await world.begin(A, "erased", "kept", "retracted", "edited", "superseded")
    await world.begin(B, "deleted")
    await world.index.settle()
    assert len(learned(world)) == 6
    await world.erase(lines={A: [1]}, streams=[B])
    assert learned(world) == keys("kept", "retracted", "edited", "superseded")
    await world.happen(A, "retracted", messageId=lines[3].id)
    await world.happen(A, "edited", messageId=lines[4].id, content="other")
    await world.happen(A, "superseded", messageId=lines[5].id)
    await world.index.settle()
    assert learned(world) == keys("kept", "other")
    await world.close()


async def test_a_text_said_twice_keeps_its_vector_until_both_are_gone(tmp_path: Path) -> None:
    world = await open_with(tmp_path, BagOfWords())
    await world.begin(A, "same words", "yes")
    take(world)
    await world.begin(B, "same words")
    await world.index.settle()
    await world.erase(lines={A: [1]})
    assert learned(world) == keys("same words", "yes")
    await world.erase(streams=[B])
    assert learned(world) == keys("yes")
    await world.close()


class Slow(BagOfWords):
    """Waits in the middle of its work."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.gate = threading.Event(), threading.Event()

    def embed(self, texts: Any) -> Any:
        self.begun.set()
        assert self.gate.wait(_PATIENCE)
        return super().embed(texts)


async def test_what_is_erased_while_its_vector_is_made_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Keeper, "_sweep", nothing)  # that would find it, too, but only once
    model = Slow()
    world = await open_with(tmp_path, model)
    await world.begin(A, "secret", "kept")
    assert model.begun.wait(_PATIENCE)
    await world.erase(lines={A: [1]})
    model.gate.set()
    await world.index.settle()
    assert "secret" in model.embedded
    assert learned(world) == keys("kept")
    await world.close()


async def test_a_vector_that_comes_too_late_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Keeper, "forget", nothing)
    with pytest.raises(AssertionError):
        await test_what_is_erased_while_its_vector_is_made_has_none(tmp_path, monkeypatch)


class Telling(BagOfWords):
    """Tells when it was asked for something."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = threading.Event()

    def embed(self, texts: Any) -> Any:
        self.asked.set()
        return super().embed(texts)


async def test_what_another_process_stored_is_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attendant, "LOOK", 0.0)
    model = Telling()
    world = await open_with(tmp_path, model)
    await world.begin(A)
    await world.index.settle()
    other = await open_files(tmp_path)
    await other.say(A, "user", "tea")
    assert await asyncio.to_thread(model.asked.wait, _PATIENCE)
    await other.close()
    await world.index.settle()
    assert learned(world) == keys("tea")
    await world.close()


async def test_what_another_process_stored_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attendant, "LOOK", 0.0)
    monkeypatch.setattr(keeper, "MOST_WAITING", 5)
    taken, relieve = threading.Event(), Shelf.relieve

    def tells(self: Shelf, *given: Any) -> bool:
        if found := relieve(self, *given):
            taken.set()
        return found

    world = await open_files(tmp_path)
    await world.begin(A)
    await world.index.settle()
    monkeypatch.setattr(Shelf, "relieve", tells)
    other = await open_files(tmp_path)
    await asyncio.to_thread(other.index._keeper.stop)  # pyright: ignore[reportPrivateUsage]
    await other.write(*(turn(A, "user", f"tea {number}") for number in range(5)))
    assert await asyncio.to_thread(taken.wait, _PATIENCE)
    assert waiting(world) == 0
    await other.close()
    await world.close()


async def test_it_stops_while_it_is_busy(tmp_path: Path) -> None:
    model = Slow()
    world = await open_with(tmp_path, model)
    await world.write(meta(A, user=USER), *(turn(A, "user", f"tea {n}") for n in range(100)))
    assert model.begun.wait(_PATIENCE)
    threading.Timer(0.05, model.gate.set).start()
    await world.close()
    assert len(model.embedded) < 100
    again = BagOfWords()
    world = await open_with(tmp_path, again)
    await world.index.settle()
    assert len(learned(world)) == len(model.embedded) + len(again.embedded) == 100
    await world.close()


async def test_vectors_that_a_crash_left_behind_are_swept(tmp_path: Path) -> None:
    world = await open_with(tmp_path, BagOfWords())
    await world.begin(A, "erased", "kept")
    await world.index.settle()
    vars(world.index._writer)["_forget"] = lambda *_: None  # pyright: ignore
    await world.erase(lines={A: [1]})
    assert learned(world) == keys("erased", "kept")
    await world.close()
    world = await open_with(tmp_path, BagOfWords())
    await world.index.settle()
    assert learned(world) == keys("kept")
    await world.close()


async def test_a_vector_that_could_not_be_erased_is_erased_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await open_with(tmp_path, BagOfWords())
    await world.begin(A, "erased", "kept")
    await world.index.settle()
    forget: Any = vars(Meanings)["forget"]
    failed: list[bool] = []

    def fails_once(self: Meanings, given: Any) -> None:
        if not failed:
            failed.append(True)
            raise meaning.Failed("The disk is full.", "Free some space.")
        forget(self, given)

    monkeypatch.setattr(Meanings, "forget", fails_once)
    await world.erase(lines={A: [1]})
    await world.index.settle()
    assert failed
    assert learned(world) == keys("kept")
    await world.close()


async def test_without_a_model_vectors_are_erased_all_the_same(tmp_path: Path) -> None:
    world = await open_with(tmp_path, BagOfWords())
    await world.begin(A, "erased", "kept")
    await world.index.settle()
    await world.close()
    world = await open_files(tmp_path)
    await world.erase(lines={A: [1]})
    assert learned(world) == keys("kept")
    await world.close()


# -- rebuilding ----------------------------------------------------------------------------------


async def test_a_rebuild_embeds_nothing_again(tmp_path: Path) -> None:
    model = BagOfWords()
    world = await open_with(tmp_path, model)
    await world.begin(A, *(f"tea {number}" for number in range(50)))
    await world.index.settle()
    assert len(model.embedded) == 50
    await world.index.rebuild()
    await world.index.settle()
    world.home.index.unlink()
    await world.index.settle()
    assert (await world.evidence("tea")).matches == 50
    await world.close()
    world.home.index.unlink()
    world = await open_with(tmp_path, model)
    await world.index.settle()
    assert len(model.embedded) == 50
    assert len(learned(world)) == 50
    await world.close()


async def test_what_is_erased_while_there_is_no_index_loses_its_vector(tmp_path: Path) -> None:
    world = await open_with(tmp_path, BagOfWords())
    await world.begin(A, "erased", "kept")
    await world.index.settle()
    world.home.index.unlink()
    vars(world.index)["apply"] = lambda *_: None  # pyright: ignore
    await world.erase(lines={A: [1]})
    await world.index.settle()
    assert learned(world) == keys("kept")
    await world.close()


@pytest.mark.parametrize("damage", ["deleted", "damaged", "half"])
async def test_a_damaged_file_of_vectors_is_made_again(tmp_path: Path, damage: str) -> None:
    model = BagOfWords()
    world = await open_with(tmp_path, model)
    await world.begin(A, *(f"tea {number}" for number in range(40)))
    await world.index.settle()
    path = vectors(world)
    if damage == "deleted":
        path.unlink()
    else:
        path.write_bytes(b"x" * 5000 if damage == "damaged" else path.read_bytes()[:4096])
    found = await world.evidence("tea", text="tea 7")
    assert found.matches == 40
    await world.index.settle()
    found = await world.evidence("tea", text="tea 7")
    assert not np.isnan(found.cosine).any()
    assert len(learned(world)) == 40
    assert world.index.health().status == "ok"
    await world.close()


# -- models --------------------------------------------------------------------------------------


async def test_a_model_comes_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models: list[Embedder] = []

    def load() -> Embedder:
        if not models:
            raise ModelMissing
        return models[0]

    world = await open_files(tmp_path, load)
    await world.begin(A, "tea", "cake")
    take(world)
    await world.index.settle()
    health = world.index.health()
    assert health.status == "degraded"
    assert health.detail.startswith("Only words are found, not meaning.")
    assert await world.found("tea", text="tea") == ["tea"]
    assert await world.index.verify() == []
    models.append(BagOfWords())
    monkeypatch.setattr(meaning, "_TRY_AGAIN", -1.0)
    await world.index.settle()
    assert world.index.health().status == "ok"
    assert learned(world) == keys("tea", "cake")
    await world.close()


class Other(BagOfWords):
    identity = "another-model"


async def test_another_model_has_vectors_of_its_own(tmp_path: Path) -> None:
    world = await open_with(tmp_path, BagOfWords())
    await world.begin(A, "erased", "kept")
    await world.index.settle()
    await world.close()
    other = Other()
    world = await open_with(tmp_path, other)
    await world.index.settle()
    assert sorted(other.embedded) == ["erased", "kept"]
    await world.erase(lines={A: [1]})
    assert learned(world) == keys("kept")
    await world.close()


class Halves(BagOfWords):
    """Reads three words at a time."""

    def reads(self, text: str) -> bool:
        return True

    def split(self, text: str) -> list[str]:
        words = text.split()
        return [" ".join(words[at : at + 3]) for at in range(0, len(words), 3)] or [text]


async def test_a_text_that_is_too_long_for_the_model_is_read_in_parts(tmp_path: Path) -> None:
    model = Halves()
    world = await open_with(tmp_path, model)
    await world.begin(A, "one two three four five", "six")
    await world.index.settle()
    assert set(model.embedded) == {"one two three", "four five", "six"}
    evidence = await world.evidence(text="one two three four five")
    assert evidence.cosine[0] == pytest.approx(1, abs=1e-3)
    await world.close()


async def test_the_real_model(tmp_path: Path) -> None:
    from palaver.embedding import load_embedder

    world = await open_files(tmp_path, lambda: load_embedder(tmp_path / "models"))
    await world.begin(A, "My dog needs to see a vet about his paw.")
    await world.begin(B, "The invoice was paid on Tuesday.")
    await world.index.settle()
    evidence = await world.evidence(text="pet health")
    assert world.index.health().status == "ok"
    best = int(evidence.conversation[int(evidence.cosine.argmax())])
    assert evidence.conversations[best] == A
    await world.close()
