"""A talk with a connected model: one reply in the making, and all that has been said in it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, aclosing

from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.messages import ModelRequest, ModelResponse
from pydantic_ai.models import Model, StreamedResponse
from pydantic_ai.settings import ModelSettings as Wishes

from palaver.agent.language import Piece, Request, Said, Spent, Thought, ToolResult, Usage
from palaver.agent.models.calls import calls_of, results_of
from palaver.agent.models.failures import broken_off, declined, pause_after, translated
from palaver.agent.models.history import opening, parameters
from palaver.agent.models.listening import heard
from palaver.agent.models.patience import Patience
from palaver.agent.models.prices import Price
from palaver.errors import ModelMalformed

_MOST_MISTAKES = 3
"""So often in a row a model may call tools with arguments that cannot be read."""


class Talk:
    """One reply in the making: `Exchange` of `palaver.agent.language`."""

    def __init__(
        self,
        model: Model,
        request: Request,
        wishes: Wishes,
        patience: Patience,
        price: Price,
        *,
        secret: str,
    ) -> None:
        self._model = model
        self._wishes = wishes
        self._patience = patience
        self._price = price
        self._secret = secret
        self._parameters = parameters(request)
        self._history = opening(request)

    async def step(self, results: Sequence[ToolResult] = ()) -> AsyncGenerator[Piece]:
        spent = Spent()
        for _ in range(_MOST_MISTAKES):
            self._answer(results)
            async with aclosing(self._ask()) as pieces:
                async for piece in pieces:
                    yield piece
            response = self._last_reply()
            calls, spent = calls_of(response), self._add(spent, response)
            if calls.made or spent.cut or not calls.mistaken:
                break
        else:
            raise ModelMalformed("The model called tools with arguments that cannot be read.")
        for call in calls.made:
            yield call
        yield spent

    def _answer(self, results: Sequence[ToolResult]) -> None:
        """Tells the model what came of all its calls."""
        last = self._history[-1]
        if isinstance(last, ModelResponse) and (parts := results_of(last, results)):
            self._history.append(ModelRequest(parts=parts))

    def _last_reply(self) -> ModelResponse:
        last = self._history[-1]
        if isinstance(last, ModelResponse):
            return last
        raise broken_off()

    async def _ask(self) -> AsyncGenerator[Said | Thought]:
        """Asks, and once more after a pause if that may help and nothing has been said yet."""
        attempt, begun, pause = 0, False, None
        while True:
            attempt += 1
            try:
                async with aclosing(heard(self._request(), self._patience)) as pieces:
                    async for piece in pieces:
                        if isinstance(piece, ModelResponse):
                            self._keep(piece)
                            return
                        begun = True
                        yield piece
            except AgentRunError as error:
                pause = None if begun else pause_after(error, attempt, self._patience)
                if pause is None:
                    raise translated(error, self._secret) from None
            await self._patience.sleep(pause or 0)

    def _request(self) -> AbstractAsyncContextManager[StreamedResponse]:
        return model_request_stream(
            self._model,
            self._model.prepare_messages(self._history, self._parameters),
            model_settings=self._wishes,
            model_request_parameters=self._parameters,
            instrument=False,
        )

    def _keep(self, response: ModelResponse) -> None:
        """Raises ModelDeclined, ModelUnreachable."""
        details = response.provider_details or {}
        if response.finish_reason == "content_filter":
            raise declined(details.get("refusal"), self._secret)
        if not details.get("finish_reason"):
            raise broken_off()
        self._history.append(response)

    def _add(self, before: Spent, response: ModelResponse) -> Spent:
        """What the step has cost by now."""
        usage, cost = response.usage, self._price(response.usage)
        return Spent(
            Usage(
                before.usage.input + usage.input_tokens,
                before.usage.output + usage.output_tokens,
                before.usage.cache_read + usage.cache_read_tokens,
                before.usage.cache_write + usage.cache_write_tokens,
            ),
            None if cost is None else cost + (before.cost or 0),
            cut=response.finish_reason == "length",
        )
