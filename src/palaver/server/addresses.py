"""Addresses: where the server listens, and the names it answers to."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_HTTP = 80
_LITERAL = re.compile(r"([0-9.]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?")
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104 - it is only shown
"""What listens everywhere is opened, on the same machine, by another name."""


def plain_address(written: str) -> IPv4Address | IPv6Address | None:
    """An address; one of IPv4 as such, also where a socket for both kinds writes it otherwise."""
    try:
        address = ip_address(written)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


@dataclass(frozen=True, slots=True)
class Origins:
    """What may stand in the `Host` header, and the origin of a page that was opened there.

    A page elsewhere can point its own name at this machine (DNS rebinding), so names count only if
    they are known. It cannot do that with an address in figures: any of those is fine.
    """

    named: dict[str, str]
    port: int

    def __contains__(self, host: str) -> bool:
        return self.get(host) is not None

    def __getitem__(self, host: str) -> str:
        return self.get(host) or ""

    def get(self, host: str) -> str | None:
        return self.named.get(host) or (f"http://{host}" if self._is_literal(host) else None)

    def _is_literal(self, host: str) -> bool:
        found = _LITERAL.fullmatch(host)
        if found is None or found[2] != self._port:
            return False
        return plain_address(found[1].strip("[]")) is not None

    @property
    def _port(self) -> str | None:
        """As browsers write it."""
        return None if self.port == _HTTP else str(self.port)


@dataclass(frozen=True, slots=True)
class Address:
    """A host as it stands in a URL, and a port; and the site of a proxy in front of them."""

    host: str
    port: int
    public_url: str | None = None

    @classmethod
    def of(cls, listening: socket.socket, public_url: str | None = None) -> Address:
        """The address a socket listens on."""
        host, port, *_ = listening.getsockname()
        return cls(f"[{host}]" if ":" in host else host, port, public_url)

    @property
    def url(self) -> str:
        """What somebody opens in a browser."""
        return self.public_url or f"http://{_EVERYWHERE.get(self.host, self.host)}:{self.port}"

    @property
    def origins(self) -> Origins:
        """What it answers to."""
        names = {*_LOOPBACK, self.host}
        bare = names if self.port == _HTTP else set[str]()
        hosts = {f"{name}:{self.port}" for name in names} | bare
        origins = {host: f"http://{host}" for host in hosts}
        if self.public_url is not None:
            origins[urlsplit(self.public_url).netloc] = self.public_url
        return Origins(origins, self.port)

    @property
    def cookie(self) -> str:
        """The name of a signed-in browser's cookie, the same on every node behind a proxy.

        Browsers share cookies between the ports of a host: without a proxy it has the port.
        """
        if self.public_url is None:
            return f"palaver-{self.port}"
        return "__Host-palaver" if self.is_encrypted else "palaver"

    @property
    def is_encrypted(self) -> bool:
        """Whether browsers reach it by HTTPS only."""
        return self.url.startswith("https:")

    @property
    def is_open_to_others(self) -> bool:
        """Whether other machines reach it without a proxy."""
        address = plain_address(self.host.strip("[]"))
        return address is not None and not address.is_loopback
