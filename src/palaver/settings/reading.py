"""Reading settings: from arguments, from the environment, from a file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic.alias_generators import to_camel, to_snake

from palaver.errors import BadSetting
from palaver.settings.naming import (
    ANY,
    PREFIX,
    SHORT_FORMS,
    Given,
    environment_name,
    known_settings,
    structured_settings,
)

if TYPE_CHECKING:
    from yaml import Node

_TESTS = "PALAVER_TEST_"
_EXAMPLE = "Write settings as `server: {port: 8420}`."
_OWN_NAME = re.compile("[a-z0-9]+(?:[_-][a-z0-9]+)*")


def from_arguments(arguments: Mapping[str, object]) -> list[Given]:
    names = {environment_name(key).removeprefix(PREFIX).lower(): key for key in known_settings()}
    return [
        Given(_resolve(name, names), value, "the argument")
        for name, value in arguments.items()
        if value not in (None, "")
    ]


def from_environment(environment: Mapping[str, str]) -> list[Given]:
    names = {environment_name(key): key for key in known_settings()} | SHORT_FORMS
    return _once(
        Given(_resolve(name, names, " (in the environment)"), value, f"the variable {name}")
        for name, value in environment.items()
        if value and name.startswith(PREFIX) and not name.startswith(_TESTS)
    )


def from_file(path: Path) -> list[Given]:
    text = _read(path)
    return _once(_leaves(_parse(text, path), "", path)) if text.strip() else []


def _parse(text: str, path: Path) -> Node | None:
    import yaml

    try:
        return yaml.BaseLoader(text).get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1} of {path}" if mark else str(path)
        problem = error.problem or "it cannot be read"
        raise BadSetting(f"The YAML is broken in {place}: {problem}.", remedy=_EXAMPLE) from None
    except yaml.reader.ReaderError as error:
        raise BadSetting(
            f"The YAML is broken in {path}: character {error.position} is not allowed.",
            remedy="Remove that character.",
        ) from None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except UnicodeDecodeError as error:
        raise BadSetting(
            f"{path} is not UTF-8 text at byte {error.start}.", remedy="Save it as UTF-8."
        ) from None
    except OSError as error:
        if not os.access(path.parent, os.X_OK):
            return ""  # whoever opens the home says that it cannot be entered
        raise BadSetting(
            f"{path} cannot be read: {(error.strerror or 'it failed').lower()}.",
            remedy="Make it a file that you may read, or remove it.",
        ) from None


def _leaves(node: Node | None, group: str, path: Path) -> Iterator[Given]:
    """The settings in one mapping of the file and in the groups below it.

    Every value stays a text, so that a file and the environment are read by the same rules.
    """
    names = {key: key for key in (*known_settings(), *_groups())}
    for name, value in _pairs(node, group, path):
        place = f"line {name.start_mark.line + 1} of {path}"
        key = _resolve(group + _spelt(_text(name, place), group, place), names, f" ({place})")
        if key == "home":
            raise BadSetting(
                f"home cannot be set in a file that lies in the home ({place}).",
                remedy="Set it with --home or PALAVER_HOME.",
            )
        if _pattern(key) in _groups():
            yield from _leaves(value, f"{key}.", path)
        elif not _is_empty(value):
            whole = _pattern(key) in structured_settings()
            yield Given(key, _structure(value) if whole else _text(value, place), place)


@cache
def _groups() -> frozenset[str]:
    """The names of all groups, in which names of the user's own are `*`."""
    parts = [key.split(".")[:-1] for key in known_settings()]
    return frozenset(".".join(part[: end + 1]) for part in parts for end in range(len(part)))


def _pattern(key: str) -> str:
    """The name of a setting or group with `*` for the user's own names in it."""
    found = ""
    for part in key.split("."):
        found += f".{ANY}" if f"{found}.{ANY}".removeprefix(".") in _groups() else f".{part}"
    return found.removeprefix(".")


def _spelt(name: str, group: str, place: str) -> str:
    """A name as it stands in a group of the file: in camelCase, unless the user chose it."""
    if _pattern(f"{group}{ANY}") not in _groups():
        return to_camel(to_snake(name))
    if not _OWN_NAME.fullmatch(name):
        raise BadSetting(
            f"{name[:80]!r} cannot be a name in {group[:-1]} ({place}).",
            remedy="Use small letters, digits, hyphens and underscores.",
        )
    return name


def _pairs(node: Node | None, group: str, path: Path) -> list[tuple[Node, Node]]:
    from yaml import MappingNode

    if isinstance(node, MappingNode):
        return node.value
    if node is None or _is_empty(node):
        return []
    what = f"{group[:-1]} is a group of settings" if group else "The file names no setting"
    raise BadSetting(f"{what} (line {node.start_mark.line + 1} of {path}).", remedy=_EXAMPLE)


def _text(node: Node, place: str) -> str:
    from yaml import ScalarNode

    if not isinstance(node, ScalarNode):
        raise BadSetting(
            f"A list or group stands where one word belongs ({place}).", remedy=_EXAMPLE
        )
    return str(node.value)


def _structure(node: Node) -> Any:
    """A list or a group as it stands, in which every value stays a text."""
    from yaml import MappingNode, SequenceNode

    if isinstance(node, SequenceNode):
        return [_structure(one) for one in node.value]
    if isinstance(node, MappingNode):
        return {str(name.value): _structure(value) for name, value in node.value}
    return str(node.value)


def _is_empty(node: Node) -> bool:
    from yaml import ScalarNode

    return isinstance(node, ScalarNode) and not node.style and node.value in ("", "~", "null")


def _resolve(name: str, names: Mapping[str, str], place: str = "") -> str:
    """The setting that `name` names. Raises BadSetting with the nearest one there is."""
    if name in names:
        return names[name]
    for known, key in names.items():
        if own := _own_name(known, name):
            return key.replace(ANY, own)
    short = {known.removeprefix(PREFIX): known for known in names}
    near = get_close_matches(name.removeprefix(PREFIX), short, n=1)
    remedy = f"Did you mean {short[near[0]]}?" if near else "Correct it or remove it."
    raise BadSetting(f"{name} is not a setting{place}.", remedy=remedy)


def _own_name(known: str, name: str) -> str | None:
    """What the user put in the place of `*`; None if `name` is not a `known` name with one."""
    before, star, after = known.partition(ANY)
    if not star or not (name.startswith(before) and name.endswith(after)):
        return None
    own = name[len(before) : len(name) - len(after)].lower()
    return own if _OWN_NAME.fullmatch(own) else None


def _once(given: Iterable[Given]) -> list[Given]:
    found: dict[str, Given] = {}
    for value in given:
        if (first := found.setdefault(value.key, value)) is not value:
            raise BadSetting(
                f"{value.key} is set twice: by {first.origin} and by {value.origin}.",
                remedy="Keep one of them.",
            )
    return list(found.values())


def merge(first: list[Given], second: list[Given]) -> list[Given]:
    taken = {value.key for value in first}
    return [*first, *(value for value in second if value.key not in taken)]
