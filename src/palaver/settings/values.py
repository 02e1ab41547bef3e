"""Values of settings: what each has to be, and what it is taken for."""

from __future__ import annotations

import os
import re
from datetime import UTC, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from pydantic import SecretStr

_SITE = re.compile(r"(https?)://([a-z0-9.-]+|\[[0-9a-f:]+\])(?::([0-9]{1,5}))?/?")
_WEB = {"http": "80", "https": "443"}
_SPAN = re.compile(r"([0-9]{1,6})([smhd])")
_TIME_OF_DAY = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_SCHEMES = ("postgresql://", "postgres://")
_LOCALTIME = Path("/etc/localtime")
_API = re.compile(r"https?://[^\s/@?#]+(?:/[^\s@?#]*)?")


def default_home() -> Path:
    return Path("~/.palaver")


def system_timezone() -> str:
    """The machine's zone, if TZ or /etc/localtime names one; else UTC."""
    named = os.environ.get("TZ", "").removeprefix(":")
    if not named and _LOCALTIME.is_symlink():
        named = str(_LOCALTIME.readlink()).rpartition("zoneinfo/")[2]
    return named if named and zone_named(named) else "UTC"


def zone_named(name: str) -> tzinfo | None:
    """The time zone of that name, if there is one."""
    if name == "UTC":  # known even where no time zone data is installed
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None


def known_zone(name: str) -> str:
    if zone_named(name) is None:
        raise ValueError("must be the name of a time zone, such as Europe/Berlin")
    return name


def time_of_day(text: str) -> str:
    if not _TIME_OF_DAY.fullmatch(text):
        raise ValueError("must be a time of day such as 03:00")
    return text


def span(text: str) -> str:
    if not _SPAN.fullmatch(text):
        raise ValueError("must be a length of time such as 90s, 10m or 2h")
    return text


def span_of(text: str) -> timedelta:
    """The length of time that a setting names: 10m is ten minutes."""
    number, unit = text[:-1], text[-1]
    return timedelta(seconds=int(number) * _SECONDS[unit])


def usable_home(path: Path) -> Path:
    try:
        return path.expanduser().absolute()
    except RuntimeError:
        raise ValueError("must be a folder of a user that exists") from None


def postgresql(url: str) -> str:
    if not url.startswith(_SCHEMES):
        raise ValueError("must be an address such as postgresql://user@host:5432/database")
    if is_ambiguous(url):
        raise ValueError("must have special characters written as %40 and the like")
    return url


def is_ambiguous(url: str) -> bool:
    """Whether a part of a password could be taken for a host, and be named in an error."""
    authority = re.split("[/?#]", url.partition("://")[2])[0]
    return url.count("@") > ("@" in authority)


def text_or_file(given: str) -> str:
    """A text as it stands; of a path, what the file holds."""
    if "\n" in given or not given.startswith(("/", "~/")):
        return given
    try:
        text = Path(given).expanduser().read_text(encoding="utf-8-sig").strip()
    except (OSError, RuntimeError, ValueError):
        raise ValueError("must be a text, or the path of a file of UTF-8 text") from None
    if not text:
        raise ValueError("must not be empty")
    return text


def site(url: str) -> str:
    """The origin of a web site, written as browsers write it."""
    found = _SITE.fullmatch(url.lower())
    if found is None:
        raise ValueError("must be the address of a site such as https://palaver.example.org")
    scheme, host, port = found.groups()
    return f"{scheme}://{host}" + (f":{port}" if port and port != _WEB[scheme] else "")


def api(url: str) -> str:
    """Where an API is reached: no password, no query."""
    if not _API.fullmatch(url):
        raise ValueError("must be an address such as http://localhost:11434/v1")
    return url


def key(secret: SecretStr) -> SecretStr:
    if not re.fullmatch(r"[!-~]+", secret.get_secret_value()):
        raise ValueError("must be a key as the provider wrote it, without spaces")
    return secret
