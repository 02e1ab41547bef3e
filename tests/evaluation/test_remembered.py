"""The model that homes share: every text is read once, in this run and in the next."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from palaver.errors import BadValue
from palaver.evaluation import Remembered
from tests.library import BagOfWords


def test_a_text_is_read_once() -> None:
    model = BagOfWords()
    remembered = Remembered(model)
    first = remembered.embed(["figs", "quinces", "figs"])
    again = remembered.embed(["quinces", "pears"])
    assert model.embedded == ["figs", "quinces", "pears"]
    assert np.array_equal(first, BagOfWords().embed(["figs", "quinces", "figs"]))
    assert np.array_equal(first[1], again[0])
    assert remembered.embed([]).shape == (0, model.dimensions)
    assert remembered.identity == model.identity
    assert remembered.split("figs") == ["figs"]


def test_the_next_run_reads_nothing_again(tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    first, model = Remembered(BagOfWords()), BagOfWords()
    first.read(path)
    given = first.embed(["figs", "quinces"])
    first.write(path)
    second = Remembered(model)
    second.read(path)
    assert np.array_equal(second.embed(["figs", "quinces"]), given)
    assert model.embedded == []
    assert [one.name for one in tmp_path.iterdir()] == ["vectors"]


def test_nothing_remembered_is_fine(tmp_path: Path) -> None:
    Remembered(BagOfWords()).write(tmp_path / "vectors")
    Remembered(BagOfWords()).read(tmp_path / "vectors")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"words", b"\x93NUMPY"])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "vectors"
    path.write_bytes(content)
    with pytest.raises(BadValue, match="holds no vectors"):
        Remembered(BagOfWords()).read(path)


def test_vectors_of_another_model_are_refused(tmp_path: Path) -> None:
    class Other(BagOfWords):
        identity = "other"

    Remembered(Other()).write(tmp_path / "vectors")
    with pytest.raises(BadValue, match="of another model"):
        Remembered(BagOfWords()).read(tmp_path / "vectors")
