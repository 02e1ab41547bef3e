"""The registry: all models behind the port, the offline assistant among them."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.agent.language import LanguageModel, ModelInfo
from palaver.agent.models.catalogue import Catalogue
from palaver.agent.models.connections import Connections
from palaver.index.values import OFFLINE


class ModelRegistry:
    """The models there are: `Models` of `palaver.agent.language`."""

    def __init__(
        self, catalogue: Catalogue, connections: Connections, offline: LanguageModel
    ) -> None:
        self._catalogue = catalogue
        self._connections = connections
        self._offline = offline

    def choose(self, name: str | None) -> LanguageModel:
        name = name or self._catalogue.usual
        return self._offline if name == OFFLINE else self._connections.model(name)

    def info(self, name: str | None) -> ModelInfo:
        return self._catalogue.info(name)

    def list(self) -> Sequence[ModelInfo]:
        return self._catalogue.list()
