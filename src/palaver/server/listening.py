"""Listening: a socket, on this machine only unless there are accounts, and a server on it."""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
import webbrowser
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from functools import partial
from ipaddress import IPv4Address, IPv6Address

from palaver.app import Palaver
from palaver.channels.directory import directory_of
from palaver.engines import home_of, open_accounts, others_may_come
from palaver.errors import AddressUnavailable
from palaver.server.addresses import Address, plain_address
from palaver.server.application import create_app
from palaver.server.assets import check_built
from palaver.server.libraries import open_libraries
from palaver.server.link_file import LinkFile
from palaver.server.running import Server, config, make_room
from palaver.settings import ServerSettings, Settings
from palaver.telemetry import Logged, Several, Started, Telemetry
from palaver.telemetry.logs import json_logs
from palaver.telemetry.metrics import Metrics
from palaver.times import system_clock

_UNENCRYPTED = (
    "Other machines can reach this server, and nothing is encrypted on the way: passwords "
    "and words can be read by others on the network. Put a proxy with HTTPS in front of it."
)


def serve(
    settings: Settings,
    *,
    user: str = "local",
    open_browser: bool = False,
    ready: Callable[[str], None] = lambda link: None,
) -> None:
    """Serves the home or the database until a signal says stop. `ready` is given the link when
    somebody can use it.

    Raises PageMissing, AddressUnavailable, HomeUnusable, DatabaseUnusable, DatabaseTooNew.
    """
    check_built()
    make_room()
    may_be_open = partial(others_may_come, settings)
    with (
        json_logs(settings.server.log_level),
        listener(settings.server, may_be_open) as listening,
    ):
        asyncio.run(_serve(settings, user, listening, ready, open_browser=open_browser))


async def _serve(
    settings: Settings,
    user: str,
    listening: socket.socket,
    ready: Callable[[str], None],
    *,
    open_browser: bool,
) -> None:
    address = Address.of(listening, settings.server.public_url)

    metrics = Metrics()
    telemetry = Several(Logged(), metrics)

    channels = directory_of(settings.channels, system_clock)

    def open_for(name: str) -> Palaver:
        return Palaver.open(settings=settings, user=name, telemetry=telemetry, channels=channels)

    announced = asyncio.Event()
    told = partial(_tell_start, announced, telemetry)
    async with open_libraries(user, open_for, told) as libraries:
        with closing(await asyncio.to_thread(open_accounts, settings)) as accounts:
            code = await asyncio.to_thread(accounts.create_link, user)
            file = LinkFile(home_of(settings.home, user), address.port)
            used = partial(_forget, file, code)
            app = create_app(
                libraries,
                accounts,
                address,
                used,
                metrics=metrics,
                limits=settings.server.limits,
                channels=channels,
            )
            link = f"{address.url}/login?code={code}"

            def announce() -> None:
                _announce(address, link, file if open_browser else None)
                announced.set()
                ready(link)

            try:
                await Server(config(app), app.state.entry, announce, file.remove).serve([listening])
            finally:
                file.remove()
                await asyncio.to_thread(accounts.end_link, code)


def _forget(file: LinkFile, code: str, used: str) -> None:
    """On a database, a link of another node may have been used."""
    if used == code:
        file.remove()


async def _tell_start(announced: asyncio.Event, telemetry: Telemetry, palaver: Palaver) -> None:
    """The line with the link comes first, whoever reads it."""
    await announced.wait()
    telemetry.tell(Started(**(await palaver.started()).model_dump()))


def _announce(address: Address, link: str, file: LinkFile | None) -> None:
    print(f"Palaver is ready: {link}", file=sys.stderr, flush=True)  # noqa: T201
    if address.is_open_to_others and not address.is_encrypted:
        print(_UNENCRYPTED, file=sys.stderr, flush=True)  # noqa: T201
    if file is not None:
        webbrowser.open(file.write(link))


@contextmanager
def listener(
    server: ServerSettings, may_be_open: Callable[[], bool] = lambda: False
) -> Generator[socket.socket]:
    """A socket that listens: on this machine only, unless it `may_be_open` to others.

    Raises AddressUnavailable.
    """
    address = _address(server.host)
    if not address.is_loopback and not may_be_open():
        raise AddressUnavailable(
            f"{server.host} is open to other machines, and nobody has a password yet.",
            remedy="Run `palaver users add NAME`, then start again; or use the host 127.0.0.1.",
        )
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    # Only when it is named does asyncio send what is short at once (TCP_NODELAY).
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if address.version == 6:  # `::` is every address of this machine, of either kind
            alone = not address.is_unspecified
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, alone)
        try:
            listening.bind((str(address), server.port))
            listening.listen()
        except OSError as error:
            raise _unavailable(server, error) from None
        yield listening


def _address(host: str) -> IPv4Address | IPv6Address:
    named = "127.0.0.1" if host.lower() == "localhost" else host.strip("[]")
    address = plain_address(named)
    if address is None:
        raise AddressUnavailable(
            f"{host} is not an address of a machine.",
            remedy="Use the host 127.0.0.1 for this machine only, or 0.0.0.0 or :: for others too.",
        )
    return address


def _unavailable(server: ServerSettings, error: OSError) -> AddressUnavailable:
    match error.errno:
        case errno.EADDRINUSE:
            return AddressUnavailable(f"Port {server.port} on {server.host} is taken.")
        case errno.EACCES:
            return AddressUnavailable(f"You may not listen on port {server.port}.")
        case _:
            reason = (error.strerror or "it failed").lower()
            return AddressUnavailable(f"{server.host} cannot be listened on: {reason}.")
