"""Named statements: SQL lives in `.sql` files beside the module that runs it.

A statement begins with a line `-- name: what it does` and goes on to the next such line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files

_TITLE = re.compile(r"^-- ([a-z][a-z0-9_]*): .+$", re.MULTILINE)


def statements(package: str, name: str) -> Mapping[str, str]:
    """The statements of the file `name` in `package`, by their names, in the file's order."""
    text = (files(package) / name).read_text(encoding="utf-8")
    _, *parts = _TITLE.split(text)
    return {title: body.strip() for title, body in zip(parts[::2], parts[1::2], strict=True)}
