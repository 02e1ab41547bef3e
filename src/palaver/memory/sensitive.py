"""What is kept only when the owner asks for it. A secret is never kept."""

from __future__ import annotations

import re

from palaver.digest.state.content import plain
from palaver.digest.state.secrets import is_secret
from palaver.memory.cues import pattern_of
from palaver.memory.port import Sensitive

_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")


def sensitive_kind(text: str) -> Sensitive | None:
    """What is sensitive in `text`, if anything is."""
    if is_secret(text):
        return "credential"
    low = plain(text)
    if _iban(text) or any(_of(one).search(low) for one in ("numbered", "ssn", "phone")):
        return "identifier"
    if _of("intimate").search(low):
        return "intimate"
    if _of("health").search(low) and not _of("no_health").search(low):
        return "health"
    return "belief" if _of("belief").search(low) else None


def _of(kind: str, flags: int = 0) -> re.Pattern[str]:
    return pattern_of("sensitive", kind, flags)


def _iban(text: str) -> bool:
    for found in _IBAN.finditer(text):
        bare = found[0].replace(" ", "")
        turned = "".join(str(int(one, 36)) for one in bare[4:] + bare[:4])
        if len(bare) >= 15 and int(turned) % 97 == 1:
            return True
    return False
