"""Addresses: where the server listens, and the names it answers to."""

from __future__ import annotations

import socket
from dataclasses import dataclass

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_HTTP = 80


@dataclass(frozen=True, slots=True)
class Address:
    """A host as it stands in a URL, and a port."""

    host: str
    port: int

    @classmethod
    def of(cls, listening: socket.socket) -> Address:
        """The address a socket listens on."""
        host, port, *_ = listening.getsockname()
        return cls(f"[{host}]" if ":" in host else host, port)

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def hosts(self) -> frozenset[str]:
        """What may stand in the `Host` header."""
        names = {*_LOOPBACK, self.host}
        bare = names if self.port == _HTTP else set[str]()
        return frozenset({f"{name}:{self.port}" for name in names} | bare)
