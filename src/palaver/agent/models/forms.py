"""Forms: an answer in a given shape, all at once, for whoever reads it by machine.

The provider's own means are used: a JSON schema where it knows them, else a tool that has to be
called. A server that refuses both is asked in words; the prompt tells the shape anyway.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress

from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelContextWindowExceededError,
    ModelHTTPError,
)
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings as Wishes
from pydantic_ai.tools import ToolDefinition

from palaver.agent.language import Spent
from palaver.agent.models.failures import broken_off, translated, whole
from palaver.agent.models.listening import heard
from palaver.agent.models.patience import Patience
from palaver.agent.models.prices import Price, bill
from palaver.digest.model.asking import Written
from palaver.errors import ModelTimeout
from palaver.index.records import Json
from palaver.text.fitting import fit

_NAME = "answer"
_ABOUT = "Takes the answer."
_UNKNOWN_MEANS = {400, 422, 501}
"""How servers refuse a request that has something in it which they do not know."""


class _Refused(Exception):
    """The server does not know the means."""


class Form:
    """A model that fills in forms."""

    def __init__(
        self, model: Model, wishes: Wishes, patience: Patience, price: Price, *, secret: str
    ) -> None:
        self._model = model
        self._wishes = wishes
        self._patience = patience
        self._price = price
        self._secret = secret
        self._in_words = False
        """Whether it was found to refuse the means for it."""

    async def fill(self, system: str, text: str, schema: Json) -> Written:
        """One answer, which is to be JSON as `schema` has it. Raises ModelError."""
        asked = ModelRequest(parts=[SystemPromptPart(system), UserPromptPart(text)])
        if not self._in_words:
            with suppress(_Refused):
                return await self._answer(asked, self._means(schema))
        written = await self._answer(asked, ModelRequestParameters())
        self._in_words = True
        return written

    async def _answer(self, asked: ModelRequest, parameters: ModelRequestParameters) -> Written:
        try:
            async with asyncio.timeout(self._patience.whole):
                response = whole(await self._heard(asked, parameters), self._secret)
        except TimeoutError:
            raise ModelTimeout from None
        except AgentRunError as error:
            if parameters.output_mode != "text" and _is_unknown(error):
                raise _Refused from None
            raise translated(error, self._secret) from None
        spent = bill(Spent(), response, self._price)
        return Written(_said(response), spent.usage.input, spent.usage.output, spent.cost)

    def _means(self, schema: Json) -> ModelRequestParameters:
        if self._model.profile.get("supports_json_schema_output", False):
            shape = OutputObjectDefinition(json_schema=schema, name=_NAME)
            return ModelRequestParameters(output_mode="native", output_object=shape)
        tool = ToolDefinition(
            name=_NAME, description=_ABOUT, parameters_json_schema=schema, kind="output"
        )
        return ModelRequestParameters(
            output_mode="tool", output_tools=[tool], allow_text_output=False
        )

    async def _heard(
        self, asked: ModelRequest, parameters: ModelRequestParameters
    ) -> ModelResponse:
        asking = model_request_stream(
            self._model,
            self._model.prepare_messages([asked], parameters),
            model_settings=self._wishes,
            model_request_parameters=parameters,
            instrument=False,
        )
        async with aclosing(heard(asking, self._patience)) as pieces:
            async for piece in pieces:
                if isinstance(piece, ModelResponse):
                    return piece
        raise broken_off()


def _is_unknown(error: AgentRunError) -> bool:
    """Whether it may be the form that the server does not know."""
    if isinstance(error, ModelContextWindowExceededError):
        return False
    return isinstance(error, ModelHTTPError) and error.status_code in _UNKNOWN_MEANS


def _said(response: ModelResponse) -> str:
    """The arguments of the tool if it was called, else the text."""
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    if calls:
        return fit(calls[0].args_as_json_str())
    return fit("".join(part.content for part in response.parts if isinstance(part, TextPart)))
