"""Telegram, as a bot: it asks for messages or is called, and sends by python-telegram-bot."""

from palaver.channels.telegram.channel import TelegramChannel, make

__all__ = ["TelegramChannel", "make"]
