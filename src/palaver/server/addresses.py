"""Addresses: where the server listens, and the names it answers to."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_HTTP = 80


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
        return self.public_url or f"http://{self.host}:{self.port}"

    @property
    def origins(self) -> dict[str, str]:
        """What may stand in the `Host` header, and the origin of a page that was opened there."""
        names = {*_LOOPBACK, self.host}
        bare = names if self.port == _HTTP else set[str]()
        hosts = {f"{name}:{self.port}" for name in names} | bare
        origins = {host: f"http://{host}" for host in hosts}
        if self.public_url is not None:
            origins[urlsplit(self.public_url).netloc] = self.public_url
        return origins

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
