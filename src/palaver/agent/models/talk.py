"""A talk with a connected model: one reply in the making, and all that has been said in it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, aclosing

from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.messages import ModelRequest, ModelResponse
from pydantic_ai.models import Model, StreamedResponse
from pydantic_ai.settings import ModelSettings as Wishes

from palaver.agent.language import Piece, Request, Said, Spent, Thought, ToolResult
from palaver.agent.models.calls import Calls, calls_of, results_of
from palaver.agent.models.failures import pause_after, translated, whole
from palaver.agent.models.history import opening, parameters
from palaver.agent.models.listening import heard
from palaver.agent.models.patience import Patience
from palaver.agent.models.prices import Price, bill
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
        self._unanswered: ModelResponse | None = None
        self._calls = Calls()
        self._taken: set[str] = set()
        """The ids of all calls."""

    async def step(self, results: Sequence[ToolResult] = ()) -> AsyncGenerator[Piece]:
        spent = Spent()
        for _ in range(_MOST_MISTAKES):
            self._answer(results)
            async with aclosing(self._ask()) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ModelResponse):
                        spent = bill(spent, self._kept(piece), self._price)
                    else:
                        yield piece
            if self._calls.made or spent.cut or not self._calls.mistakes:
                break
        else:
            raise ModelMalformed("The model called tools with arguments that cannot be read.")
        for call in self._calls.made:
            yield call
        yield spent

    def _answer(self, results: Sequence[ToolResult]) -> None:
        """Tells the model, once, what came of all its calls."""
        reply, self._unanswered = self._unanswered, None
        if reply is not None and (parts := results_of(reply, self._calls, results)):
            self._history.append(ModelRequest(parts=parts))

    async def _ask(self) -> AsyncGenerator[Said | Thought | ModelResponse]:
        """Asks, and again after a pause if that may help and nothing has been said yet."""
        attempt, begun = 1, False
        while True:
            try:
                async with aclosing(heard(self._request(), self._patience)) as pieces:
                    async for piece in pieces:
                        begun = True
                        yield piece
            except AgentRunError as error:
                pause = None if begun else pause_after(error, attempt, self._patience)
                if pause is None:
                    raise translated(error, self._secret) from None
            else:
                return
            await self._patience.sleep(pause)
            attempt += 1

    def _request(self) -> AbstractAsyncContextManager[StreamedResponse]:
        return model_request_stream(
            self._model,
            self._model.prepare_messages(self._history, self._parameters),
            model_settings=self._wishes,
            model_request_parameters=self._parameters,
            instrument=False,
        )

    def _kept(self, response: ModelResponse) -> ModelResponse:
        """Raises ModelDeclined, ModelUnreachable."""
        whole(response, self._secret)
        self._unanswered, self._calls = response, calls_of(response, self._taken)
        self._history.append(response)
        return response
