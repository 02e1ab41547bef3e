"""The directory: which channels are connected, made from the settings by those who bring them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points

from palaver.channels.connection import Connection, connection_of
from palaver.channels.port import Channel
from palaver.errors import BadSetting, ChannelRefused
from palaver.settings import ChannelSettings, ChannelsSettings
from palaver.times import Clock

GROUP = "palaver.channels"
"""The entry points under which packages bring channels."""


class Directory(Mapping[str, Connection]):
    """The channels that are connected, by their names."""

    def __init__(self, connections: Iterable[Connection] = ()) -> None:
        self._connections = {one.name: one for one in connections}

    def __getitem__(self, name: str) -> Connection:
        return self._connections[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._connections)

    def __len__(self) -> int:
        return len(self._connections)


def directory_of(settings: ChannelsSettings, clock: Clock) -> Directory:
    """The channels that are enabled; none is connected yet. Raises BadSetting."""
    return Directory(connected(name, one, clock) for name, one in settings.enabled().items())


def connected(name: str, settings: ChannelSettings, clock: Clock) -> Connection:
    """A channel by its name, which is not connected yet. Raises BadSetting."""
    brought = next(iter(entry_points(group=GROUP, name=name)), None)
    if brought is None:
        raise BadSetting(
            f"channels.plugins.{name} is enabled, and no package brings a channel of that name.",
            remedy="Install the package, or turn the channel off.",
        )
    try:
        return connection_of(_make(name, brought)(settings, clock), settings)
    except ChannelRefused as error:
        raise BadSetting(f"channels.{name}: {error.message}", remedy=error.remedy) from None


def _make(name: str, brought: EntryPoint) -> Callable[[ChannelSettings, Clock], Channel]:
    """What makes the channel. Raises BadSetting when something is missing that it needs."""
    try:
        return brought.load()
    except ModuleNotFoundError as error:
        raise BadSetting(
            f"The channel {name} needs {error.name}, which is not installed.",
            remedy=f'Run `pip install "palaver[{name}]"`, or turn the channel off.',
        ) from None
