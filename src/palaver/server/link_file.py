"""A file that leads a browser to the sign-in link.

Whoever starts a browser names the address in its command line, which everybody on the machine can
read. This file is for its owner only, so the link stays with them.
"""

from __future__ import annotations

import os
from html import escape

from palaver.ledger.files import Home

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={link}">
<title>Palaver</title>
<p><a href="{link}">Sign in to Palaver</a></p>
"""


class LinkFile:
    """Lies in the home until the link has been used or the server stops."""

    def __init__(self, home: Home, port: int) -> None:
        self._home = home
        self._path = home.root / f"sign-in-{port}.html"

    def write(self, link: str) -> str:
        """Writes the file; returns its address. Raises HomeUnusable."""
        self._home.create()  # somebody whose conversations are in a database may have none
        self.remove()  # a process that was killed leaves its own behind
        made = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(made, "w", encoding="utf-8") as file:
            file.write(_PAGE.format(link=escape(link)))
        return self._path.absolute().as_uri()

    def remove(self) -> None:
        self._path.unlink(missing_ok=True)
