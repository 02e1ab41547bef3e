"""Failures: what went wrong at a provider, in our words."""

from __future__ import annotations

import json
import re
from typing import cast

from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestTimeout,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
)
from pydantic_ai.messages import ModelResponse

from palaver.agent.models.patience import Patience
from palaver.errors import (
    ModelBusy,
    ModelDeclined,
    ModelError,
    ModelKeyRefused,
    ModelMalformed,
    ModelOverfull,
    ModelTimeout,
    ModelUnknown,
    ModelUnreachable,
)

_LONGEST = 200
_LIKE_A_KEY = re.compile(r"\b(?:sk|pk|key|api|bearer)[-_ ][\w*.-]{4,}", re.IGNORECASE)
_OVERFULL = ("exceed_context_size_error", "request_too_large")
_DECLINED = ("content_policy_violation", "content_filter", "invalid_prompt")
_BROKEN = "The connection to the model broke before its reply was done."


_PLAIN: tuple[tuple[type[AgentRunError], type[ModelError]], ...] = (
    (ModelAuthenticationError, ModelKeyRefused),
    (ModelContextWindowExceededError, ModelOverfull),
    (ModelRateLimitError, ModelBusy),
    (ModelUnavailableError, ModelBusy),
    (ModelRequestTimeout, ModelTimeout),
)


def translated(error: AgentRunError, secret: str) -> ModelError:
    """The error that a user is told; `secret` is in it under no circumstances."""
    for theirs, ours in _PLAIN:
        if isinstance(error, theirs):
            return ours()
    match error:
        case ModelNotFoundError():
            return ModelUnknown(
                f"The provider has no model named {error.model_name!r}.",
                remedy="Check `model` in `agent.models`, and the provider's `baseUrl`.",
            )
        case ModelQuotaExceededError():
            return ModelError(
                "The account at the model's provider has no credit left.",
                remedy="Look at the account's balance and limits at the provider.",
            )
        case ModelConnectionError():
            silent = isinstance(error, ModelTimeoutError) and error.phase != "connect"
            return ModelTimeout() if silent else ModelUnreachable()
        case ModelAPIError():
            return _of_the_api(error, secret)
        case _:
            return ModelMalformed()


def _of_the_api(error: ModelAPIError, secret: str) -> ModelError:
    kinds = {error.provider_error_code, error.provider_error_type}
    said = sentence(error.body, secret)
    if kinds.intersection(_OVERFULL):
        return ModelOverfull()
    if kinds.intersection(_DECLINED):
        return ModelDeclined(_with("The model's provider declined to answer", said))
    if isinstance(error.__cause__, json.JSONDecodeError | UnicodeDecodeError):
        return ModelMalformed()
    if isinstance(error, ModelHTTPError) or error.in_stream:
        return ModelError(_with(_what(error), said))
    return broken_off()


def _what(error: ModelAPIError) -> str:
    if not isinstance(error, ModelHTTPError):
        return "The model's provider broke the reply off"
    fault = isinstance(error, ModelServerError)
    what = "had a fault of its own" if fault else "refused the request"
    return f"The model's provider {what} ({error.status_code})"


def broken_off() -> ModelError:
    """The stream ended, and nobody said that the reply was done."""
    return ModelUnreachable(_BROKEN)


def declined(reason: object, secret: str) -> ModelError:
    """The model or its provider declined, in the middle or at once."""
    return ModelDeclined(_with("The model declined to answer", _short(reason, secret)))


def whole(response: ModelResponse, secret: str) -> ModelResponse:
    """A stream that ends without a reason was cut off: taking it for a whole reply would be a
    guess. Raises ModelDeclined, ModelUnreachable."""
    details = response.provider_details or {}
    if response.finish_reason == "content_filter":
        raise declined(details.get("refusal"), secret)
    if not details.get("finish_reason"):
        raise broken_off()
    return response


def pause_after(error: AgentRunError, attempt: int, patience: Patience) -> float | None:
    """How long to wait before the same request may succeed; None if it will not."""
    passing = (ModelRateLimitError, ModelUnavailableError, ModelServerError, ModelConnectionError)
    if not isinstance(error, passing) or isinstance(error, ModelTimeoutError):
        return None
    return patience.pause(attempt, error.retry_after)


def sentence(body: object, secret: str) -> str:
    """What the provider says about it, if it is short and holds nothing like a key."""
    inner = _field(body, "error")
    return _short(_field(body if inner is None else inner, "message"), secret)


def _field(body: object, name: str) -> object:
    return cast("dict[object, object]", body).get(name) if isinstance(body, dict) else None


def _short(text: object, secret: str) -> str:
    if not isinstance(text, str) or secret in text or _LIKE_A_KEY.search(text):
        return ""
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= _LONGEST and line.isprintable() else ""


def _with(what: str, said: str) -> str:
    return f"{what}: {said}." if said else f"{what}."
