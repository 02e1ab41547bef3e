"""Parts of a page that come from the code; the rest of it is written by hand.

Such a part stands between `<!-- from the code: NAME -->` and `<!-- to here -->`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_PART = re.compile(r"(?<=<!-- from the code: )(\w+)( -->\n\n).*?(?=\n<!-- to here -->)", re.DOTALL)


def renewed(page: str, parts: Mapping[str, str]) -> str:
    """The page with these parts in their places. Raises ValueError unless each has its place."""
    if sorted(found[1] for found in _PART.finditer(page)) != sorted(parts):
        raise ValueError(f"The page has to have a place for each of {', '.join(parts)}.")
    return _PART.sub(lambda found: f"{found[1]}{found[2]}{parts[found[1]]}", page)
