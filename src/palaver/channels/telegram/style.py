"""How Telegram writes things: a few tags of HTML, and everything else escaped."""

from __future__ import annotations

import re
from html import escape

from palaver.channels.markup import named

_LINKS = ("https://", "http://", "tg://", "mailto:")
_QUOTES = re.compile(r"</?blockquote>")
_LANGUAGE = re.compile(r"[A-Za-z0-9_+#.-]{1,32}")


class TelegramStyle:
    """The HTML that Telegram takes."""

    def plain(self, words: str) -> str:
        return escape(words, quote=False)

    def strong(self, inner: str) -> str:
        return f"<b>{inner}</b>"

    def emphasis(self, inner: str) -> str:
        return f"<i>{inner}</i>"

    def struck(self, inner: str) -> str:
        return f"<s>{inner}</s>"

    def code(self, words: str) -> str:
        return f"<code>{self.plain(words)}</code>"

    def block(self, words: str, language: str) -> str:
        if not _LANGUAGE.fullmatch(language):
            return f"<pre>{self.plain(words)}</pre>"
        return f'<pre><code class="language-{language}">{self.plain(words)}</code></pre>'

    def link(self, inner: str, address: str) -> str:
        if not inner or not address.startswith(_LINKS):
            return named(inner, self.plain(address))
        return f'<a href="{escape(address)}">{inner}</a>'

    def quote(self, inner: str) -> str:
        """One in another is not allowed."""
        return f"<blockquote>{_QUOTES.sub('', inner)}</blockquote>"


STYLE = TelegramStyle()
