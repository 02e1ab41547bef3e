"""What the index and recall ask of an embedding model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into vectors of unit length; near in meaning is near in cosine."""

    @property
    def identity(self) -> str:
        """Names the model and its arithmetic: vectors of two identities cannot be compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row per text, of unit length. Blocks; may be called from several threads."""
        ...

    def reads(self, text: str) -> bool:
        """Whether the model knows most of what stands in a text. One of signs it does not know is
        near to any other such text, whatever they mean."""
        ...

    def split(self, text: str) -> list[str]:
        """The text in parts the model reads in full; they join to the text. Usually one."""
        ...
