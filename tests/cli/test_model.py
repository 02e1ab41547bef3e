"""`palaver model`: the embedding model, seen and installed."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.embedding import weights
from palaver.embedding.facts import DIMENSIONS, IDENTITY, SHA256, WEIGHTS
from palaver.embedding.weights import own_folder
from palaver.index.vectors import VectorStore
from tests.cli.commandline import CommandLine


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package that carries the model is not installed."""
    monkeypatch.setattr(weights, "PACKAGE", "no-such-package")


@pytest.fixture
def package() -> Path:
    """Where the installed package keeps the model."""
    return list(weights.places(Path("nowhere")))[1]


def test_the_model_is_there(palaver: CommandLine, package: Path) -> None:
    done = palaver("model", "status")
    assert done.status == 0
    assert done.out == f"ok    all-MiniLM-L6-v2: {package}\n      Texts with a vector: 0.\n"
    assert palaver("model", "status", "--json").json == {
        "model": "all-MiniLM-L6-v2",
        "state": "ok",
        "folder": str(package),
        "dimensions": 384,
        "maxTokens": 256,
        "arithmetic": "int8",
        "vectors": 0,
        "waiting": None,
    }


def test_it_is_told_how_many_texts_have_a_vector(palaver: CommandLine) -> None:
    async def say(library: Palaver) -> None:
        started = await library.start()
        for text in ("Figs ripen late.", "Quinces later.", "Figs ripen late."):
            await library.append(started.id, "user", text)
        await library.settle()

    palaver.library(say)
    assert palaver("model", "status").out.endswith("      Texts with a vector: 2.\n")
    assert palaver("model", "status", "--json").json["waiting"] == 0
    forget_vectors(palaver.home / "vectors.db")
    out = palaver("model", "status").out
    assert out.endswith("      Texts with a vector: 0. Texts that wait for one: 2.\n")
    assert palaver("model", "status", "--json").json["waiting"] == 2
    (palaver.home / "vectors.db").write_bytes(b"no database")
    assert "cannot be read now" in palaver("model", "status").out
    assert palaver("model", "status", "--json").json["vectors"] is None


def forget_vectors(path: Path) -> None:
    with closing(VectorStore(path, IDENTITY, DIMENSIONS)) as store:
        store.delete(store.keys())


@pytest.mark.usefixtures("no_package")
def test_the_model_is_missing(nowhere: CommandLine) -> None:
    done = nowhere("model", "status")
    assert done.status == 1
    assert done.out.startswith("fail  all-MiniLM-L6-v2: The embedding model is not installed")
    assert "`palaver model install`" in done.out
    told = nowhere("model", "status", "--json")
    assert (told.status, told.json["state"], told.json["folder"]) == (1, "missing", None)
    assert "`palaver model install`" in told.json["remedy"]
    assert not nowhere.home.exists()


@pytest.mark.usefixtures("no_package")
def test_the_model_is_damaged(palaver: CommandLine) -> None:
    own_folder(palaver.home / "models").mkdir(parents=True)
    (own_folder(palaver.home / "models") / WEIGHTS).write_bytes(b"not weights")
    told = palaver("model", "status", "--json")
    assert (told.status, told.json["state"]) == (1, "damaged")
    assert str(own_folder(palaver.home / "models") / WEIGHTS) in told.json["message"]


def test_install_makes_the_home(nowhere: CommandLine, package: Path) -> None:
    folder = own_folder(nowhere.home / "models")
    done = nowhere("model", "install", "--from", str(package))
    assert (done.status, done.out, done.err) == (0, f"The model is in {folder}.\n", "")
    assert {path.name for path in folder.iterdir()} == set(SHA256)
    assert nowhere("model", "status", "--json").json["folder"] == str(folder)
    again = nowhere("model", "install", "--from", str(package), "--json")
    assert again.json == {"folder": str(folder)}


@pytest.mark.parametrize(("made", "status"), [("nothing", 2), ("folder", 2), ("file", 3)])
def test_install_from_what_is_not_the_model(
    made: str, status: int, palaver: CommandLine, tmp_path: Path
) -> None:
    source = tmp_path / made
    if made == "folder":
        source.mkdir()
    elif made == "file":
        source.write_text("not a wheel")
    done = palaver("model", "install", "--from", str(source))
    assert (done.status, done.out) == (status, "")
    assert str(source) in done.err


def test_the_download_fails(palaver: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    told = palaver("model", "install", "--json")
    assert (told.status, told.json["error"]["code"]) == (3, "model_missing")
    assert "--from" in told.json["error"]["remedy"]
