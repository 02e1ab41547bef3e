"""The settings in force, and what is wrong with a value."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from palaver.errors import BadSetting
from palaver.settings import reading
from palaver.settings.everything import Everything
from palaver.settings.naming import CONFIG_FILE, Given

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_UNSHOWN = (
    *("url", "apiKey", "baseUrl", "appSecret", "verifyToken", "accessToken"),
    *("token", "secretToken", "password", "options"),
)  # they may hold a password
_EXPECTED = {
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "bool_parsing": "must be true or false",
    "string_type": "must be a text",
    "string_too_short": "must not be empty",
    "missing": "must be set",
    "float_parsing": "must be a number",
    "literal_error": "must be one of {expected}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "value_error": "{error}",
}


class Settings(Everything):
    """Every setting of Palaver."""

    @classmethod
    def load(cls, home: str | Path | None = None, **overrides: object) -> Settings:
        """The settings in force; `overrides` are named like `server__port`. Raises BadSetting.

        An override that is None or empty counts as not given.
        """
        arguments = {"home": home, **overrides}
        given = reading.from_arguments(arguments)
        given = reading.merge(given, reading.from_environment(os.environ))
        chosen = _build([value for value in given if value.key == "home"]).home
        return _build(reading.merge(given, reading.from_file(chosen / CONFIG_FILE)))

    def moved(self, *, home: str | Path | None = None, database_url: str | None = None) -> Settings:
        """The same settings for another home or database. Raises BadSetting."""
        given = [Given("home", home, "the argument")] if home else []
        given += [Given("database.url", database_url, "the argument")] if database_url else []
        chosen = _build(given)
        changed = {value.key.partition(".")[0] for value in given}
        return self.model_copy(update={name: getattr(chosen, name) for name in changed})


def _build(given: list[Given]) -> Settings:
    tree: dict[str, Any] = {}
    for value in given:
        *groups, name = value.key.split(".")
        branch = tree
        for group in groups:
            branch = branch.setdefault(group, {})
        branch[name] = value.value
    try:
        return Settings.model_validate(tree)
    except ValidationError as error:
        raise _bad_value(error.errors()[0], given) from None


def _bad_value(error: ErrorDetails, given: list[Given]) -> BadSetting:
    key = ".".join(str(part) for part in error["loc"])
    group, _, name = key.rpartition(".")
    whole = [value for value in given if key == value.key or key.startswith(f"{value.key}.")]
    beside = [value for value in given if value.key.startswith(f"{group}.")]
    value = (whole or beside)[0]
    if value.key != key:
        shown = f"sets {value.key}"
    else:
        shown = "sets it" if name in _UNSHOWN else f"says {str(value.value)[:80]!r}"
    return BadSetting(
        f"{key} {_expectation(error)}, but {value.origin} {shown}.",
        remedy="Correct it or remove it.",
    )


def _expectation(error: ErrorDetails) -> str:
    expected = _EXPECTED.get(error["type"], "is not valid")
    return expected.format(**error.get("ctx", {}))
