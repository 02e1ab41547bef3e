"""The groups of settings, except those of channels: what each is for, and its default."""

from __future__ import annotations

from datetime import UTC, time, timedelta, tzinfo
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr
from pydantic.alias_generators import to_camel

from palaver.settings.values import (
    api,
    key,
    known_zone,
    postgresql,
    site,
    span,
    span_of,
    system_timezone,
    text_or_file,
    time_of_day,
    zone_named,
)


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
    public_url: Annotated[str, AfterValidator(site)] | None = None
    """Where browsers and programs reach it when a proxy stands in front, such as
    https://palaver.example.org."""
    log_level: Literal["debug", "info", "warning", "error"] | None = None
    """From which level on a server or a worker logs, in lines of JSON on standard error. Default:
    info, and warning at a terminal, where a person reads it."""
    limits: LimitSettings = Field(default_factory=LimitSettings)


class UserSettings(Section):
    """About the person whose conversations these are."""

    timezone: Annotated[str, AfterValidator(known_zone)] = Field(default_factory=system_timezone)
    """The time zone in which days begin and times are shown, for users who have not chosen one.
    Default: the machine's, else UTC."""

    @property
    def zone(self) -> tzinfo:
        return zone_named(self.timezone) or UTC


class ProviderSettings(Section):
    """Where models are."""

    api_key: Annotated[SecretStr, AfterValidator(key)] | None = None
    """The key of a provider of models. A provider that is neither `anthropic` nor `openai` speaks
    as OpenAI does, and may need none."""
    base_url: Annotated[str, AfterValidator(api)] | None = None
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
    system_prompt: Annotated[str, AfterValidator(text_or_file)] | None = None
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
    idle_timeout: Annotated[str, AfterValidator(span)] = "10m"
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
    nightly_at: Annotated[str, AfterValidator(time_of_day)] = "03:00"
    """When the day before is closed, in the time zone of the user."""

    @property
    def night(self) -> time:
        return time.fromisoformat(self.nightly_at)


class MemorySettings(Section):
    """What is learned from what the owner says."""

    promote_every: int = Field(default=10, ge=1, le=1000)
    """After so many turns of a conversation it is read for something to remember."""
    context_limit: int = Field(default=10, ge=0, le=50)
    """So many memories are shown to a model, beside those that are pinned."""
    approval: Literal["low-confidence", "all", "none"] = "low-confidence"
    """What waits for the owner's approval before it is remembered: what is not sure, everything
    that nobody asked to have remembered, or nothing."""


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

    url: Annotated[str, AfterValidator(postgresql)] | None = Field(default=None, repr=False)
    """The address of a PostgreSQL database, 15 or later with pgvector, such as
    `postgresql://user@host:5432/database`. Without one, everything is kept in files of the home.
    """


class JobsSettings(Section):
    """What is done in the background."""

    worker: bool = True
    """Whether this process runs jobs itself. Turn it off, on PostgreSQL, where `palaver worker`
    runs beside it. In a home the process always does.
    """
