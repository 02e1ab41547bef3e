"""Numbers: who somebody is on WhatsApp, whatever the spelling."""

from __future__ import annotations

import re

from palaver.errors import BadValue

_HOSTS = ("@s.whatsapp.net", "@c.us")
_GROUPS = "@g.us"
_DEVICE = re.compile(r"(?:\.[0-9]{1,4})?(?::[0-9]{1,4})?\Z")
_BETWEEN = re.compile(r"[\s()./\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069-]+")
_NUMBER = re.compile(r"\+?([0-9]{5,20})")
_USER = re.compile(r"[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}")
"""An id that stands for somebody who hides their number."""


def person(identity: str) -> str:
    """The number in digits only, or the id of somebody who hides theirs. Raises BadValue."""
    given = identity.strip()
    if _USER.fullmatch(given):
        return given
    for host in _HOSTS:
        if given.lower().endswith(host):
            given = _DEVICE.sub("", given[: -len(host)])
    found = _NUMBER.fullmatch(_BETWEEN.sub("", given))
    digits = found[1].removeprefix("00") if found else ""
    if not 5 <= len(digits) <= 15 or digits.startswith("0"):
        raise BadValue(
            f"{identity[:80]!r} is not a number of WhatsApp.",
            remedy="Write it with its country code, such as +49 170 1234567.",
        )
    return digits


def group(identity: str) -> str:
    """The id of a group, without its host."""
    given = identity.strip()
    return given[: -len(_GROUPS)] if given.lower().endswith(_GROUPS) else given
