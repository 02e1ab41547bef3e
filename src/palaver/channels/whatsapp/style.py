"""How WhatsApp writes things: a few signs, which mean nothing across lines."""

from __future__ import annotations

from palaver.channels.markup import Plain


class WhatsAppStyle(Plain):
    """Bold, italics and the like; a link is an address."""

    def strong(self, inner: str) -> str:
        return _each_line(inner, "*")

    def emphasis(self, inner: str) -> str:
        return _each_line(inner, "_")

    def struck(self, inner: str) -> str:
        return _each_line(inner, "~")

    def code(self, words: str) -> str:
        return f"`{words}`"

    def block(self, words: str, language: str) -> str:
        return f"```{words}```"


STYLE = WhatsAppStyle()


def _each_line(inner: str, sign: str) -> str:
    """Between signs, unless it stands between them already."""
    lines = inner.split("\n")
    return "\n".join(
        line if not line.strip() or line.startswith(sign) else f"{sign}{line}{sign}"
        for line in lines
    )
