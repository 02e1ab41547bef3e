"""The line to WhatsApp: what is asked of the provider by pywa, and what its refusals mean."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from palaver.channels.calls import one_line
from palaver.channels.trying import unreachable
from palaver.errors import ChannelError, ChannelRefused, ChannelUncertain, ChannelUnreachable

if TYPE_CHECKING:
    import httpx
    from pywa.errors import WhatsAppError
    from pywa_async.client import WhatsApp

_TOKEN_CODES = frozenset({0, 3, 10, 190, *range(200, 300), 131005})
_WINDOW_CODE = 131047
_LATER_CODES = frozenset({1, 2, 4, 80007, 130429, 131000, 131016, 131048, 131056, 131057, 133016})
_UNKNOWN_STATUSES = (408, 504)
"""Somebody on the way did not wait for the answer."""
_RENEW = "Make a token that does not expire, and set `channels.whatsapp.accessToken`."
_WINDOW = (
    "Wait until they write again: WhatsApp lets free text through for 24 hours after that. Until "
    "then, only a template that WhatsApp has approved can be sent."
)
_MISSING = "Install it: `pip install 'palaver[whatsapp]'`."


@dataclass(frozen=True, slots=True)
class Number:
    """The provider's record of a number of ours."""

    display: str
    name: str | None


class Line:
    """Speaks for one number."""

    def __init__(self, number_id: str, token: str, api_base: str | None, seconds: float) -> None:
        """Raises ChannelRefused without pywa."""
        try:
            import httpx
            from pywa_async.client import WhatsApp
        except ImportError:
            raise ChannelRefused("WhatsApp needs the package pywa.", remedy=_MISSING) from None
        self._session = httpx.AsyncClient(timeout=seconds)
        self._client: WhatsApp = WhatsApp(phone_id=number_id, token=token, session=self._session)
        if api_base:
            version = self._session.base_url.path.strip("/").split("/")[0]
            self._session.base_url = f"{api_base.rstrip('/')}/{version}"

    async def number(self) -> Number:
        """Raises ChannelError."""
        with _translated(is_sending=False):
            found = await self._client.get_business_phone_number()
            return Number(found.display_phone_number or found.id, found.verified_name)

    async def send(self, to: str, text: str, answers: str | None) -> str:
        """Raises ChannelError."""
        with _translated(is_sending=True):
            sent = await self._client.send_message(
                to, text, preview_url=False, reply_to_message_id=answers
            )
            return sent.id

    async def close(self) -> None:
        await self._session.aclose()


@contextmanager
def _translated(*, is_sending: bool) -> Generator[None]:
    import httpx
    from pywa.errors import WhatsAppError

    try:
        yield
    except WhatsAppError as error:
        raise _refusal(error, is_sending=is_sending) from None
    except httpx.RequestError as error:
        raise _failure(error, is_sending=is_sending) from None
    except (LookupError, TypeError, ValueError, AttributeError):
        # pywa takes the shape of an answer for granted.
        raise _unknown("WhatsApp answered what cannot be read.", is_sending=is_sending) from None


def _refusal(error: WhatsAppError, *, is_sending: bool) -> ChannelError:
    status, code = error.status_code or 0, error.code
    said = one_line(error.details or error.message).rstrip(".")
    told = f"WhatsApp says: {said} ({code})."
    if status == 401 or code in _TOKEN_CODES:
        return ChannelRefused(told, remedy=_RENEW)
    if code == _WINDOW_CODE:
        return ChannelRefused(told, remedy=_WINDOW)
    if status in _UNKNOWN_STATUSES:
        return _unknown(told, is_sending=is_sending)
    if status == 429 or status >= 500 or code in _LATER_CODES or error.is_transient:
        return ChannelUnreachable(told)
    return ChannelRefused(told)


def _failure(error: httpx.RequestError, *, is_sending: bool) -> ChannelError:
    import httpx

    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout):
        return unreachable("WhatsApp", error)
    return _unknown("WhatsApp did not answer.", is_sending=is_sending)


def _unknown(told: str, *, is_sending: bool) -> ChannelError:
    return ChannelUncertain(told) if is_sending else ChannelUnreachable(told)
