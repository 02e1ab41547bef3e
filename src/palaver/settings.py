"""Every setting: its default, where it may come from, and what is wrong with it.

Arguments go before the environment (`PALAVER_SERVER__PORT`), the environment before `config.yaml`
in the home (`server: {port: 8420}`), and that before the default. This is the only module that
reads the environment. An empty value counts as not given.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, time, timedelta, tzinfo
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic.alias_generators import to_camel, to_snake

from palaver.errors import BadSetting

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails
    from yaml import Node

CONFIG_FILE = "config.yaml"
PREFIX = "PALAVER_"
SHORT_FORMS = {
    "PALAVER_HOME": "home",
    "PALAVER_PORT": "server.port",
    "PALAVER_DATABASE_URL": "database.url",
}
_TESTS = "PALAVER_TEST_"
_UNSHOWN = ("url", "apiKey", "baseUrl")  # they may hold a password
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
_EXAMPLE = "Write settings as `server: {port: 8420}`."
_SITE = re.compile(r"(https?)://([a-z0-9.-]+|\[[0-9a-f:]+\])(?::([0-9]{1,5}))?/?")
_WEB = {"http": "80", "https": "443"}
_SPAN = re.compile(r"([0-9]{1,6})([smhd])")
_TIME_OF_DAY = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_SCHEMES = ("postgresql://", "postgres://")
_LOCALTIME = Path("/etc/localtime")
_ANY = "*"
"""In the name of a setting: whatever the user calls it."""
_OWN_NAME = re.compile("[a-z0-9]+(?:[_-][a-z0-9]+)*")
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


def _known_zone(name: str) -> str:
    if zone_named(name) is None:
        raise ValueError("must be the name of a time zone, such as Europe/Berlin")
    return name


def _time_of_day(text: str) -> str:
    if not _TIME_OF_DAY.fullmatch(text):
        raise ValueError("must be a time of day such as 03:00")
    return text


def _span(text: str) -> str:
    if not _SPAN.fullmatch(text):
        raise ValueError("must be a length of time such as 90s, 10m or 2h")
    return text


def span_of(text: str) -> timedelta:
    """The length of time that a setting names: 10m is ten minutes."""
    number, unit = text[:-1], text[-1]
    return timedelta(seconds=int(number) * _SECONDS[unit])


def _usable_home(path: Path) -> Path:
    try:
        return path.expanduser().absolute()
    except RuntimeError:
        raise ValueError("must be a folder of a user that exists") from None


def _postgresql(url: str) -> str:
    if not url.startswith(_SCHEMES):
        raise ValueError("must be an address such as postgresql://user@host:5432/database")
    if is_ambiguous(url):
        raise ValueError("must have special characters written as %40 and the like")
    return url


def is_ambiguous(url: str) -> bool:
    """Whether a part of a password could be taken for a host, and be named in an error."""
    authority = re.split("[/?#]", url.partition("://")[2])[0]
    return url.count("@") > ("@" in authority)


def _text_or_file(given: str) -> str:
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


def _site(url: str) -> str:
    """The origin of a web site, written as browsers write it."""
    found = _SITE.fullmatch(url.lower())
    if found is None:
        raise ValueError("must be the address of a site such as https://palaver.example.org")
    scheme, host, port = found.groups()
    return f"{scheme}://{host}" + (f":{port}" if port and port != _WEB[scheme] else "")


def _api(url: str) -> str:
    """Where an API is reached: no password, no query."""
    if not _API.fullmatch(url):
        raise ValueError("must be an address such as http://localhost:11434/v1")
    return url


def _key(secret: SecretStr) -> SecretStr:
    if not re.fullmatch(r"[!-~]+", secret.get_secret_value()):
        raise ValueError("must be a key as the provider wrote it, without spaces")
    return secret


class Section(BaseModel):
    """A group of settings: camelCase in files, snake_case in the environment and in Python."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
        validate_default=True,
    )


class LimitSettings(Section):
    """How much one user may do on a server: enough for a busy one, not for a broken program."""

    messages: int = Field(default=20_000, ge=1)
    """So many messages a minute may be sent or stored."""
    searches: int = Field(default=6_000, ge=1)
    """So many searches a minute."""
    sockets: int = Field(default=4_000, ge=1)
    """So many sockets and streams may be open at a time."""
    megabytes: int = Field(default=1_000, ge=1)
    """So much may be sent to the server in a minute."""


class ServerSettings(Section):
    """Where the server listens."""

    host: str = Field(default="127.0.0.1", min_length=1)
    """The address to listen on. One that other machines reach, such as `0.0.0.0` or `::`, is taken
    only when somebody has a password."""
    port: int = Field(default=8420, ge=0, le=65535)
    """The port to listen on; 0 takes any free one."""
    public_url: Annotated[str, AfterValidator(_site)] | None = None
    """Where browsers and programs reach it when a proxy stands in front, such as
    https://palaver.example.org."""
    log_level: Literal["debug", "info", "warning", "error"] | None = None
    """From which level on a server or a worker logs, in lines of JSON on standard error. Default:
    info, and warning at a terminal, where a person reads it."""
    limits: LimitSettings = Field(default_factory=LimitSettings)


class UserSettings(Section):
    """About the person whose conversations these are."""

    timezone: Annotated[str, AfterValidator(_known_zone)] = Field(default_factory=system_timezone)
    """The time zone in which days begin and times are shown, for users who have not chosen one.
    Default: the machine's, else UTC."""

    @property
    def zone(self) -> tzinfo:
        return zone_named(self.timezone) or UTC


class ProviderSettings(Section):
    """Where models are."""

    api_key: Annotated[SecretStr, AfterValidator(_key)] | None = None
    """The key of a provider of models. A provider that is neither `anthropic` nor `openai` speaks
    as OpenAI does, and may need none."""
    base_url: Annotated[str, AfterValidator(_api)] | None = None
    """Where it is reached, such as `http://localhost:11434/v1`. Default: the provider's own address
    for `anthropic` and `openai`."""


class ModelSettings(Section):
    """A model, under a name of the user's own."""

    provider: str = Field(min_length=1)
    """Which of `agent.providers` has the model of this name."""
    model: str = Field(min_length=1)
    """What the provider calls it."""
    window: int | None = Field(default=None, ge=1000)
    """How many tokens it takes. Default: 200000 at Anthropic, 128000 at OpenAI, 32000 elsewhere."""
    max_tokens: int | None = Field(default=None, ge=1)
    """How long a reply may be, in tokens. Default: what the provider allows."""
    thinking: Literal["off", "low", "medium", "high"] | None = None
    """How long it thinks first. Default: what the provider thinks best."""
    input_price: float | None = Field(default=None, ge=0)
    """US dollars for a million tokens that it reads. Default: the provider's price, if known."""
    output_price: float | None = Field(default=None, ge=0)
    """US dollars for a million tokens that it writes. Default: the provider's price, if known."""
    cache_read_price: float | None = Field(default=None, ge=0)
    """US dollars for a million tokens that it reads from its cache. Default: as any other."""


class AgentSettings(Section):
    """Who answers."""

    name: str = Field(default="Palaver", min_length=1)
    """The name the assistant goes by."""
    system_prompt: Annotated[str, AfterValidator(_text_or_file)] | None = None
    """Who the assistant is, in your own words: a text, or the path of a file that holds it, which
    begins with `/` or `~/`. It takes the place of the words that say so by default; the rules that
    follow them stay."""
    model: str | None = Field(default=None, min_length=1)
    """The model that answers where no other was chosen: `opus`, `sonnet`, `haiku`, a name from
    `agent.models`, or `provider:model`. Default: the offline assistant."""
    models: dict[str, ModelSettings] = Field(default_factory=dict[str, ModelSettings])
    providers: dict[str, ProviderSettings] = Field(default_factory=dict[str, ProviderSettings])


class ConversationSettings(Section):
    """How much of a conversation a model sees."""

    max_working_context: int = Field(default=20, ge=1)
    """At most so many turns."""
    max_context_tokens: int = Field(default=8000, ge=500)
    """At most so many tokens, for everything but the system prompt, the tools and the reply."""
    reserved_tokens: int = Field(default=4500, ge=0)
    """So many tokens of a model's window are kept free for these."""
    max_history_messages: int = Field(default=50, ge=1, le=200)
    """At most so many messages."""
    context_strategy: Literal["truncate", "summarize"] = "truncate"
    """What happens to what a summary tells: with `truncate` it is shown as long as there is room,
    with `summarize` the summary stands for it."""
    checkpoint_turns: int = Field(default=3, ge=1, le=50)
    """So many of the last turns are in a checkpoint, and are never compressed."""
    idle_timeout: Annotated[str, AfterValidator(_span)] = "10m"
    """A conversation in which nothing was said for so long is paused, named and abbreviated."""

    @property
    def idle_after(self) -> timedelta:
        return span_of(self.idle_timeout)


class ContinuousSettings(Section):
    """The conversation that goes on from day to day."""

    window_tokens: int = Field(default=4000, ge=500)
    """So many tokens of today are shown to a model word for word."""
    summary_every: int = Field(default=10, ge=2, le=50)
    """After so many messages there is another summary of the day."""
    nightly_at: Annotated[str, AfterValidator(_time_of_day)] = "03:00"
    """When the day before is closed, in the time zone of the user."""

    @property
    def night(self) -> time:
        return time.fromisoformat(self.nightly_at)


class IndexSettings(Section):
    """How what was said is found again."""

    embedding_model: Literal["all-MiniLM-L6-v2"] = "all-MiniLM-L6-v2"
    """The model that tells what texts mean."""
    abbreviation_model: str | None = Field(default=None, min_length=1)
    """The model that names and abbreviates conversations: `haiku`, a name from `agent.models`,
    `provider:model`, or `offline`. Default: `haiku` if it is connected, else `offline`, which needs
    no model."""
    ranking: Literal["tuned", "s4"] = "tuned"
    """How results are ranked: `tuned` is what measures best, `s4` a plain sum of two scores."""
    vector_weight: float | None = Field(default=None, ge=0, le=1)
    """How much meaning counts. Default: what measures best when tuned, 0.7 with s4."""
    lexical_weight: float | None = Field(default=None, gt=0, le=1)
    """How much words count. Default: what measures best when tuned, 0.3 with s4."""
    covered_penalty: float = Field(default=0.85, ge=0, le=1)
    """What is left of the score of a message that a summary covers."""


class DatabaseSettings(Section):
    """Where conversations are kept when not in files."""

    url: Annotated[str, AfterValidator(_postgresql)] | None = Field(default=None, repr=False)
    """The address of a PostgreSQL database, 15 or later with pgvector, such as
    `postgresql://user@host:5432/database`. Without one, everything is kept in files of the home.
    """


class JobsSettings(Section):
    """What is done in the background."""

    worker: bool = True
    """Whether this process runs jobs itself. Turn it off, on PostgreSQL, where `palaver worker`
    runs beside it. In a home the process always does.
    """


class Settings(Section):
    """Every setting of Palaver."""

    home: Annotated[Path, AfterValidator(_usable_home)] = Field(default_factory=default_home)
    """The folder that holds everything. Default: `~/.palaver`."""
    server: ServerSettings = Field(default_factory=ServerSettings)
    user: UserSettings = Field(default_factory=UserSettings)
    agent: AgentSettings = Field(default_factory=AgentSettings)
    conversations: ConversationSettings = Field(default_factory=ConversationSettings)
    continuous: ContinuousSettings = Field(default_factory=ContinuousSettings)
    index: IndexSettings = Field(default_factory=IndexSettings)
    database: DatabaseSettings = Field(default_factory=DatabaseSettings)
    jobs: JobsSettings = Field(default_factory=JobsSettings)

    @classmethod
    def load(cls, home: str | Path | None = None, **overrides: object) -> Settings:
        """The settings in force; `overrides` are named like `server__port`. Raises BadSetting.

        An override that is None or empty counts as not given.
        """
        arguments = {"home": home, **overrides}
        given = _merge(_from_arguments(arguments), _from_environment(os.environ))
        chosen = _build([value for value in given if value.key == "home"]).home
        return _build(_merge(given, _from_file(chosen / CONFIG_FILE)))

    def moved(self, *, home: str | Path | None = None, database_url: str | None = None) -> Settings:
        """The same settings for another home or database. Raises BadSetting."""
        given = [Given("home", home, "the argument")] if home else []
        given += [Given("database.url", database_url, "the argument")] if database_url else []
        chosen = _build(given)
        changed = {value.key.partition(".")[0] for value in given}
        return self.model_copy(update={name: getattr(chosen, name) for name in changed})


@dataclass(frozen=True, slots=True)
class Given:
    """A value somebody set, and where: its dotted name is `key`."""

    key: str
    value: object
    origin: str


def known_settings(section: type[Section] = Settings, prefix: str = "") -> Iterator[str]:
    """The dotted name of every setting, in camelCase."""
    for name, field in section.model_fields.items():
        key = f"{prefix}{to_camel(name)}"
        below = section_of(field.annotation)
        if below is not None:
            yield from known_settings(below[0], f"{key}.{below[1]}")
        else:
            yield key


def section_of(kind: object) -> tuple[type[Section], str] | None:
    """The group of settings that a setting is, and what stands before their names: nothing, or `*.`
    where each user names as many as they like."""
    if isinstance(kind, type) and issubclass(kind, Section):
        return kind, ""
    if get_origin(kind) is dict:
        return get_args(kind)[1], f"{_ANY}."
    return None


def environment_name(key: str) -> str:
    """The long name of the variable that sets `key`: server.port → PALAVER_SERVER__PORT."""
    return PREFIX + "__".join(to_snake(part) for part in key.split(".")).upper()


def _from_arguments(arguments: Mapping[str, object]) -> list[Given]:
    names = {environment_name(key).removeprefix(PREFIX).lower(): key for key in known_settings()}
    return [
        Given(_resolve(name, names), value, "the argument")
        for name, value in arguments.items()
        if value not in (None, "")
    ]


def _from_environment(environment: Mapping[str, str]) -> list[Given]:
    names = {environment_name(key): key for key in known_settings()} | SHORT_FORMS
    return _once(
        Given(_resolve(name, names, " (in the environment)"), value, f"the variable {name}")
        for name, value in environment.items()
        if value and name.startswith(PREFIX) and not name.startswith(_TESTS)
    )


def _from_file(path: Path) -> list[Given]:
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
            yield Given(key, _text(value, place), place)


def _groups() -> set[str]:
    """The names of all groups, in which names of the user's own are `*`."""
    parts = [key.split(".")[:-1] for key in known_settings()]
    return {".".join(part[: end + 1]) for part in parts for end in range(len(part))}


def _pattern(key: str) -> str:
    """The name of a setting or group with `*` for the user's own names in it."""
    found = ""
    for part in key.split("."):
        found += f".{_ANY}" if f"{found}.{_ANY}".removeprefix(".") in _groups() else f".{part}"
    return found.removeprefix(".")


def _spelt(name: str, group: str, place: str) -> str:
    """A name as it stands in a group of the file: in camelCase, unless the user chose it."""
    if _pattern(f"{group}{_ANY}") not in _groups():
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


def _is_empty(node: Node) -> bool:
    from yaml import ScalarNode

    return isinstance(node, ScalarNode) and not node.style and node.value in ("", "~", "null")


def _resolve(name: str, names: Mapping[str, str], place: str = "") -> str:
    """The setting that `name` names. Raises BadSetting with the nearest one there is."""
    if name in names:
        return names[name]
    for known, key in names.items():
        if own := _own_name(known, name):
            return key.replace(_ANY, own)
    short = {known.removeprefix(PREFIX): known for known in names}
    near = get_close_matches(name.removeprefix(PREFIX), short, n=1)
    remedy = f"Did you mean {short[near[0]]}?" if near else "Correct it or remove it."
    raise BadSetting(f"{name} is not a setting{place}.", remedy=remedy)


def _own_name(known: str, name: str) -> str | None:
    """What the user put in the place of `*`; None if `name` is not a `known` name with one."""
    before, star, after = known.partition(_ANY)
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


def _merge(first: list[Given], second: list[Given]) -> list[Given]:
    taken = {value.key for value in first}
    return [*first, *(value for value in second if value.key not in taken)]


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
    beside = [value for value in given if value.key.startswith(f"{group}.")]
    value = next((value for value in given if value.key == key), None) or beside[0]
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
