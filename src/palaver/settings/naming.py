"""Names of settings: dotted in camelCase, and in the environment in capitals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import get_args, get_origin

from pydantic import BaseModel
from pydantic.alias_generators import to_camel, to_snake

from palaver.settings.everything import Everything
from palaver.settings.sections import Section

CONFIG_FILE = "config.yaml"
PREFIX = "PALAVER_"
SHORT_FORMS = {
    "PALAVER_HOME": "home",
    "PALAVER_PORT": "server.port",
    "PALAVER_DATABASE_URL": "database.url",
}
ANY = "*"
"""In the name of a setting: whatever the user calls it."""


@dataclass(frozen=True, slots=True)
class Given:
    """A value somebody set, and where: its dotted name is `key`."""

    key: str
    value: object
    origin: str


@cache
def known_settings() -> tuple[str, ...]:
    """The dotted name of every setting, in camelCase."""
    return tuple(key for key, _ in _leaves(Everything))


@cache
def structured_settings() -> frozenset[str]:
    """The names of those that hold a list or a group of the user's own."""
    return frozenset(
        key
        for key, kind in _leaves(Everything)
        if get_origin(kind) in (list, dict) or _is_group(kind)
    )


def _leaves(section: type[Section], prefix: str = "") -> Iterator[tuple[str, object]]:
    for name, field in section.model_fields.items():
        key = f"{prefix}{to_camel(name)}"
        if below := section_of(field.annotation):
            yield from _leaves(below[0], f"{key}.{below[1]}")
        else:
            yield key, field.annotation


def _is_group(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def section_of(kind: object) -> tuple[type[Section], str] | None:
    """The group of settings that a setting is, and what stands before their names: nothing, or `*.`
    where each user names as many as they like."""
    if isinstance(kind, type) and issubclass(kind, Section):
        return kind, ""
    if get_origin(kind) is dict and (below := section_of(get_args(kind)[1])):
        return below[0], f"{ANY}."
    return None


@cache
def environment_name(key: str) -> str:
    """The long name of the variable that sets `key`: server.port → PALAVER_SERVER__PORT."""
    return PREFIX + "__".join(to_snake(part) for part in key.split(".")).upper()
