"""A connection: a channel with what the settings say of it, and who is who there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from palaver.channels.port import Channel, Person, Proof
from palaver.errors import BadSetting, InputError
from palaver.settings import ChannelSettings, Tier


@dataclass(frozen=True, slots=True)
class Connection:
    """A channel as it is used here."""

    channel: Channel
    settings: ChannelSettings
    owners: Mapping[str, str]
    """Who is an owner there, by what the channel calls them, and of whose conversations."""
    known: Mapping[str, Tier]
    """Of whom the settings say how far they are trusted."""

    @property
    def name(self) -> str:
        return self.channel.name

    @property
    def users(self) -> frozenset[str]:
        """Whose conversations go on here."""
        return frozenset({self.settings.user, *self.owners.values()})

    def user_of(self, person: Person, proof: Proof) -> str:
        """To whom belongs what somebody writes: an owner to themselves, others to the user of the
        channel."""
        own = self.settings.user
        return self.owners.get(person.id, own) if proof == "proven" else own

    def is_owner(self, user: str, person: Person, proof: Proof) -> bool:
        """Whether somebody is that user, and not merely says so."""
        return proof == "proven" and self.owners.get(person.id) == user

    def identities(self, user: str) -> list[str]:
        """Who a user is here, as the settings say."""
        return [one for one, owner in self.owners.items() if owner == user]

    def tier(self, person_id: str) -> Tier:
        """How far the settings trust an outsider."""
        return self.known.get(person_id, "untrusted")


def connection_of(channel: Channel, settings: ChannelSettings) -> Connection:
    """Raises BadSetting for somebody whom the channel does not know how to spell."""
    owners = {
        _person(channel, identity, "ownerIdentities"): user or settings.user
        for identity, user in settings.owner_identities.items()
    }
    known: dict[str, Tier] = {
        _person(channel, one, "trust"): tier for one, tier in settings.trust.items()
    }
    return Connection(channel, settings, owners, known)


def _person(channel: Channel, identity: str, setting: str) -> str:
    try:
        return channel.person(identity)
    except InputError as error:
        raise BadSetting(
            f"channels.{channel.name}.{setting} names {identity[:80]!r}. {error.message}",
            remedy="Write it as the channel shows it.",
        ) from None
