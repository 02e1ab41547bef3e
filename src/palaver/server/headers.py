"""Headers: what every answer says to browsers, and to whoever stands in between."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders

_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "Cache-Control": "no-store",
}


def protect(headers: MutableHeaders) -> None:
    """Adds what every answer carries, unless it says otherwise itself, as the page does."""
    for name, value in _ALWAYS.items():
        headers.setdefault(name, value)
