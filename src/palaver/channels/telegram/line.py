"""The line to Telegram: what is asked of the provider by python-telegram-bot, and what its refusals
mean."""

from __future__ import annotations

import warnings
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from palaver.channels.calls import one_line
from palaver.channels.telegram.reading import WANTED
from palaver.channels.trying import unreachable
from palaver.errors import ChannelError, ChannelRefused, ChannelUncertain, ChannelUnreachable
from palaver.index.records import Json

if TYPE_CHECKING:
    from telegram import Bot
    from telegram.error import RetryAfter, TelegramError
    from telegram.request import HTTPXRequest


_BASE = "https://api.telegram.org"
_HELD = 25
"""So many seconds Telegram keeps a question for updates, if there are none."""
_MOST = 100
"""So many updates at a time."""
_MISSING = "Install it: `pip install 'palaver[telegram]'`."
_RENEW = "Ask @BotFather for the token, and set `channels.telegram.token`."
_TWICE = (
    "Somebody else asks for the messages of this bot, or it has a webhook. Stop the other program, "
    "or remove the webhook with deleteWebhook."
)
_FIRST = "Whoever is written to has to write to the bot first, or add it to the group."
_UNPARSED = ("parse entities", "entity_")


@dataclass(frozen=True, slots=True)
class Me:
    """Who we are on Telegram."""

    id: int
    username: str | None


class Line:
    """Speaks for one bot."""

    def __init__(self, token: str, api_base: str | None, seconds: float) -> None:
        """Raises ChannelRefused without python-telegram-bot."""
        try:
            from telegram.request import HTTPXRequest
        except ImportError:
            raise ChannelRefused(
                "Telegram needs the package python-telegram-bot.", remedy=_MISSING
            ) from None
        self._requests = [
            HTTPXRequest(
                connection_pool_size=size,
                read_timeout=seconds,
                write_timeout=seconds,
                connect_timeout=seconds,
                pool_timeout=seconds,
            )
            for size in (8, 1)
        ]
        base = f"{(api_base or _BASE).rstrip('/')}/bot"
        self._bot, self._ask = _bot(token, base, *self._requests)
        self._seconds = seconds
        self._moved: dict[int, int] = {}
        self.pause = 0.0
        """So many seconds Telegram wants to be left alone, since it was asked last."""

    async def me(self) -> Me:
        """Raises ChannelError."""
        with self._translated(is_sending=False):
            found = await self._bot.get_me()
            return Me(found.id, found.username)

    async def webhook(self) -> str:
        """What is wrong with the address that Telegram calls, if anything is. Raises
        ChannelError."""
        with self._translated(is_sending=False):
            found = await self._bot.get_webhook_info()
            return found.last_error_message or "" if found.url else "It knows no address to call."

    async def updates(self, offset: int | None, *, at_once: bool) -> Sequence[object]:
        """What came from `offset` on; all before that is confirmed. Raises ChannelError."""
        held = 0 if at_once else _HELD
        asked = {"timeout": held, "limit": _MOST, "allowed_updates": list(WANTED)}
        with self._translated(is_sending=False):
            return list(
                await self._ask(
                    asked if offset is None else {**asked, "offset": offset}, held + self._seconds
                )
            )

    async def send(
        self, chat: int, topic: int | None, html: str, plain: str, answers: int | None
    ) -> tuple[int, int]:
        """The chat and the number of what was sent: `html`, or `plain` if Telegram cannot read
        that. Raises ChannelError."""
        from telegram.error import BadRequest, ChatMigrated

        chat = self._moved.get(chat, chat)
        with self._translated(is_sending=True):
            try:
                return await self._send(chat, topic, html, "HTML", answers)
            except BadRequest as error:
                if not any(one in error.message.lower() for one in _UNPARSED):
                    raise
                return await self._send(chat, topic, plain, None, answers)
            except ChatMigrated as error:
                self._moved[chat] = error.new_chat_id
                return await self._send(error.new_chat_id, topic, html, "HTML", None)

    async def _send(
        self, chat: int, topic: int | None, text: str, mode: str | None, answers: int | None
    ) -> tuple[int, int]:
        from telegram import LinkPreviewOptions, ReplyParameters

        reply = ReplyParameters(answers, allow_sending_without_reply=True) if answers else None
        sent = await self._bot.send_message(
            chat,
            text,
            parse_mode=mode,
            message_thread_id=topic,
            reply_parameters=reply,
            link_preview_options=LinkPreviewOptions(is_disabled=True),
        )
        return sent.chat.id, sent.message_id

    async def close(self) -> None:
        for request in self._requests:
            await request.shutdown()

    @contextmanager
    def _translated(self, *, is_sending: bool) -> Generator[None]:
        from telegram.error import RetryAfter, TelegramError

        self.pause = 0.0
        try:
            yield
        except RetryAfter as error:
            self.pause = _seconds(error)
            told = f"Telegram wants to be asked again in {self.pause:.0f} seconds."
            raise ChannelUnreachable(told) from None
        except TelegramError as error:
            raise _meaning(error, is_sending=is_sending) from None
        except (LookupError, TypeError, ValueError, AttributeError):
            # The library takes the shape of an answer for granted.
            told = "Telegram answered what cannot be read."
            raise _unknown(told, is_sending=is_sending) from None


def _bot(
    token: str, base: str, sending: HTTPXRequest, asking: HTTPXRequest
) -> tuple[Bot, Callable[[Json, float], Awaitable[list[Any]]]]:
    import telegram

    class RawBot(telegram.Bot):
        """Gives updates as they came: we read them in the same way when we are called."""

        async def raw_updates(self, asked: Json, seconds: float) -> list[Any]:
            return await self._post("getUpdates", asked, read_timeout=seconds)

    bot = RawBot(token, base, request=sending, get_updates_request=asking)
    return bot, bot.raw_updates


def _meaning(error: TelegramError, *, is_sending: bool) -> ChannelError:
    from telegram import error as kinds

    match error:
        case kinds.InvalidToken():
            return ChannelRefused("Telegram does not know the token.", remedy=_RENEW)
        case kinds.Conflict():
            return ChannelUnreachable(_told(error), remedy=_TWICE)
        case kinds.BadRequest() | kinds.Forbidden() | kinds.ChatMigrated():
            return ChannelRefused(_told(error), remedy=_FIRST)
        case _:
            return _failure(error, is_sending=is_sending)


def _failure(error: TelegramError, *, is_sending: bool) -> ChannelError:
    """By what the library was told: whether anything can have been sent."""
    import httpx
    from telegram.error import TelegramError

    cause = error.__cause__
    if isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout):
        return unreachable("Telegram", cause)
    if cause is not None and not isinstance(cause, TelegramError):
        # What it says may name the address, and with it the token.
        return _unknown("Telegram did not answer.", is_sending=is_sending)
    if "(504)" in error.message or "timeout" in error.message.lower():
        return _unknown(_told(error), is_sending=is_sending)
    return ChannelUnreachable(_told(error))


def _unknown(told: str, *, is_sending: bool) -> ChannelError:
    return ChannelUncertain(told) if is_sending else ChannelUnreachable(told)


def _seconds(error: RetryAfter) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it will be a timedelta one day
        after = error.retry_after
    return after.total_seconds() if isinstance(after, timedelta) else float(after)


def _told(error: TelegramError) -> str:
    said = one_line(error.message.partition(". Parsing the server response")[0]).rstrip(".")
    return f"Telegram says: {said}."
