"""Models: which can be chosen, and whether one answers."""

from __future__ import annotations

from palaver.agent.models import ModelTest
from palaver.errors import ModelUnknown
from palaver.server.entry import CurrentPalaver
from palaver.server.routing import BODY, INDEX, api_router, needs
from palaver.server.shapes import ModelName
from palaver.server.views import ModelList

router = api_router("models")


@router.get(
    "/api/models",
    summary="List models",
    description="Those that can be chosen with `/model`, the usual one first. `connected` says "
    "whether its provider is set up; none of them is asked anything. A name may also be "
    "`provider:model`. Prices are US dollars for a million tokens.",
    **needs("read", *INDEX),
)
async def list_models(palaver: CurrentPalaver) -> ModelList:
    await palaver.me()  # which of them is the usual one may have been chosen elsewhere
    found = palaver.models()
    return ModelList(models=found, usual=found[0].name)


@router.post(
    "/api/models/test",
    summary="Try a model out",
    description="Asks it for one word, which costs a few tokens. `latencyMs` is how long it took, "
    "or `problem` says why it did not answer.",
    **needs("chat", ModelUnknown, *BODY, spends="messages"),
)
async def test_model(palaver: CurrentPalaver, body: ModelName) -> ModelTest:
    return await palaver.test_model(body.name)
