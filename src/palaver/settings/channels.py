"""The settings of channels: how each is connected, and who is who there."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, Literal, cast

import orjson
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    model_validator,
)

from palaver.settings.sections import Section
from palaver.settings.values import api, key, span, span_of

Tier = Literal["known", "untrusted"]
Mode = Literal["answer", "draft", "acknowledge", "ignore"]


def _structure(given: Any) -> Any:
    """What a text holds that is JSON; anything else as it is."""
    if not isinstance(given, str) or given[:1] not in ("[", "{"):
        return given
    try:
        return orjson.loads(given)
    except orjson.JSONDecodeError:
        raise ValueError("must be a list or group in JSON") from None


def _identities(given: Any) -> Any:
    """A list is for the user of the channel; a single one is a list of one."""
    found = _structure(given)
    if isinstance(found, str):
        return {found: ""}
    return dict.fromkeys(cast("list[Any]", found), "") if isinstance(found, list) else found


def _policy(given: Any) -> Any:
    """One word says how those who are known are treated."""
    found = _structure(given)
    return {"known": found} if isinstance(found, str) else found


Identities = Annotated[dict[str, str], BeforeValidator(_identities)]
Trust = Annotated[dict[str, Tier], BeforeValidator(_structure)]
Words = Annotated[list[str], BeforeValidator(_structure)]
Secret = Annotated[SecretStr, AfterValidator(key)]


class Policy(BaseModel):
    """How outsiders are treated."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    known: Mode = "answer"
    untrusted: Mode = "acknowledge"
    scope: str = ""
    """What may be told to those who are known, and what they may ask for, in your own words."""

    @model_validator(mode="after")
    def _is_safe(self) -> Policy:
        if self.untrusted == "answer":
            raise ValueError("must not answer those who are untrusted: make them known instead")
        return self


class ChannelSettings(Section):
    """What every channel has."""

    enabled: bool = False
    """Whether the server connects it."""
    user: str = Field(default="local", min_length=1)
    """Whose channel it is: what outsiders and groups write there belongs to them."""
    owner_identities: Identities = Field(default_factory=dict[str, str])
    """Who the owner is on the channel, as numbers or addresses: a list, or each with its user."""
    role: Literal["dedicated", "personal"] = "dedicated"
    """`dedicated`: the number or address is the agent's. `personal`: it is your own, and outsiders
    are recorded and shown to you, but never answered."""
    trust: Trust = Field(default_factory=dict[str, Tier])
    """Who of the outsiders is known, by number or address; the others are untrusted."""
    policy: Annotated[Policy, BeforeValidator(_policy)] = Field(default_factory=Policy)
    """How outsiders are treated: `answer`, `draft` for your approval, `acknowledge`, or `ignore`.
    One word for those who are known, or `{known, untrusted, scope}`."""
    debounce: Annotated[str, AfterValidator(span)] = "2s"
    """A reply waits so long for more messages to come."""

    @property
    def debounce_after(self) -> timedelta:
        return span_of(self.debounce)


class WhatsAppSettings(ChannelSettings):
    """WhatsApp, by the Cloud API."""

    app_secret: Secret | None = None
    """The secret of the app: calls are signed with it."""
    verify_token: Secret | None = None
    """The token that you gave the provider for the address of the webhook."""
    access_token: Secret | None = None
    """The token that messages are sent with."""
    phone_number_id: str | None = Field(default=None, pattern=r"^[0-9]{1,32}$")
    """The id of the agent's number."""
    api_base: Annotated[str, AfterValidator(api)] | None = None
    """Where the API is reached, if not at the provider's own address."""


class TelegramSettings(ChannelSettings):
    """Telegram, as a bot."""

    token: Secret | None = None
    """The token of the bot."""
    secret_token: Secret | None = None
    """The secret that calls of the webhook carry."""
    mode: Literal["polling", "webhook"] = "polling"
    """Whether the server asks for messages, or is called."""
    api_base: Annotated[str, AfterValidator(api)] | None = None
    """Where the API is reached, if not at the provider's own address."""


class EmailSettings(ChannelSettings):
    """E-mail: IMAP in, SMTP out."""

    address: str | None = Field(default=None, pattern=r"^[^@\s<>\"]+@[^@\s<>\"]+$")
    """The address of the agent."""
    imap_host: str | None = Field(default=None, min_length=1)
    """Where its mail is read."""
    imap_port: int = Field(default=993, ge=1, le=65535)
    """The port of that server."""
    smtp_host: str | None = Field(default=None, min_length=1)
    """Where its mail is sent."""
    smtp_port: int = Field(default=587, ge=1, le=65535)
    """The port of that server."""
    username: str | None = Field(default=None, min_length=1)
    """The name that it signs in with. Default: the address."""
    password: SecretStr | None = None
    """The password for both servers."""
    tls: bool = True
    """Whether both connections are encrypted. Turn it off only for servers on this machine."""
    folders: Words = Field(default_factory=lambda: ["INBOX"])
    """The folders that are read."""
    trusted_authserv_ids: Words = Field(default_factory=list[str])
    """The names that your mail server writes at the beginning of `Authentication-Results`. Without
    any, no mail is taken for the owner's."""


class PluginSettings(ChannelSettings):
    """A channel that another package brings."""

    options: Annotated[dict[str, Any], BeforeValidator(_structure)] = Field(
        default_factory=dict[str, Any]
    )
    """What that channel wants to know."""


class ChannelsSettings(Section):
    """Where messages come from besides the page."""

    whatsapp: WhatsAppSettings = Field(default_factory=WhatsAppSettings)
    email: EmailSettings = Field(default_factory=EmailSettings)
    telegram: TelegramSettings = Field(default_factory=TelegramSettings)
    plugins: dict[str, PluginSettings] = Field(default_factory=dict[str, PluginSettings])

    def of(self, name: str) -> ChannelSettings | None:
        """The settings of a channel, by its name."""
        own = {"whatsapp": self.whatsapp, "email": self.email, "telegram": self.telegram}
        return own.get(name) or self.plugins.get(name)

    def enabled(self) -> dict[str, ChannelSettings]:
        """Those that the server connects."""
        own: dict[str, ChannelSettings] = {
            "whatsapp": self.whatsapp,
            "email": self.email,
            "telegram": self.telegram,
        }
        return {name: one for name, one in (own | self.plugins).items() if one.enabled}
