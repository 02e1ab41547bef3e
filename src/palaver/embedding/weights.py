"""The files of the embedding model: where they lie, and whether they are what they should be.

They are used only if their SHA-256 is right, and what was checked is what is used: the bytes are
read once.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from palaver.embedding.facts import MODEL, PACKAGE, SHA256
from palaver.errors import ModelDamaged, ModelMissing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The checked content of the files, and the folder they lie in."""

    folder: Path
    weights: bytes
    tokenizer: bytes


def own_folder(models: Path) -> Path:
    """Where the model lies among the models of a home."""
    return models / MODEL


def places(models: Path) -> Iterator[Path]:
    """The folders that may hold the model: that of the home first, then the installed package."""
    yield own_folder(models)
    package = find_spec(PACKAGE.replace("-", "_"))
    for folder in (package and package.submodule_search_locations) or ():
        yield Path(folder) / "model"


def read_model(models: Path) -> ModelFiles:
    """The first sound copy of the model. Raises ModelMissing or ModelDamaged."""
    damaged: ModelDamaged | None = None
    for folder in places(models):
        try:
            return ModelFiles(folder, *(read_checked(folder / name) for name in SHA256))
        except FileNotFoundError:
            continue
        except ModelDamaged as error:
            damaged = damaged or error
    raise damaged or ModelMissing


def read_checked(path: Path) -> bytes:
    """The content of one file of the model. Raises ModelDamaged, or FileNotFoundError."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ModelDamaged(f"{path} cannot be read: {reason}.") from None
    check(path.name, content, path)
    return content


def check(name: str, content: bytes, path: Path) -> None:
    """Raises ModelDamaged unless `content` is that of the file `name` of the model."""
    if hashlib.sha256(content).hexdigest() != SHA256[name]:
        raise ModelDamaged(f"{path} is not the file it should be: its SHA-256 is wrong.")


def tensors(weights: bytes) -> dict[str, NDArray[np.float32]]:
    """The float tensors of a safetensors file that was checked."""
    import numpy as np

    (size,) = struct.unpack_from("<Q", weights)
    start = 8 + size
    header: dict[str, dict[str, Any]] = json.loads(weights[8:start])
    found: dict[str, NDArray[np.float32]] = {}
    for name, about in header.items():
        if about.get("dtype") == "F32":
            begin, end = about["data_offsets"]
            block = memoryview(weights)[start + begin : start + end]
            found[name] = np.frombuffer(block, "<f4").reshape(about["shape"])
    return found
