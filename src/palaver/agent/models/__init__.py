"""Connected models: which there are, how they are reached, and what their providers say.

This is the only room that knows providers. Their libraries are slow to import, so `wire`, `talk`
and what they use are imported when a model is first asked, and never for the offline assistant.
"""

from palaver.agent.models.catalogue import Catalogue
from palaver.agent.models.connections import Connections
from palaver.agent.models.patience import UNWATCHED, Patience
from palaver.agent.models.registry import ModelRegistry
from palaver.agent.models.trying import ModelProblem, ModelTest, try_out

__all__ = [
    "UNWATCHED",
    "Catalogue",
    "Connections",
    "ModelProblem",
    "ModelRegistry",
    "ModelTest",
    "Patience",
    "try_out",
]
