"""Stands between a client and the server, and cuts the line at a chosen moment."""

from __future__ import annotations

import selectors
import shutil
import socket
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Literal
from urllib.parse import parse_qs, urlencode, urlsplit

from tests import scratch

Cut = Literal["before commit", "after commit", "shut down after commit"]
_NAME = ".s.PGSQL.5432"
_COMMITTED = b"COMMIT\0"
_FIELDS = b"SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0"
_SHUT_DOWN = b"E" + (len(_FIELDS) + 4).to_bytes(4, "big") + _FIELDS


class Proxy:
    """Passes everything on until it is told to cut; each cut happens once, for one client."""

    def __init__(self, url: str, folder: str | None = None) -> None:
        """With the `folder` of one that was closed, whoever knew that one finds this one."""
        parts = urlsplit(url)
        query = parse_qs(parts.query)
        self._server = f"{query['host'][0]}/{_NAME}"
        self.folder = folder or tempfile.mkdtemp(prefix="palaver-proxy-", dir=scratch.short())
        Path(self.folder).mkdir(exist_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"{self.folder}/{_NAME}")
        self._listener.listen()
        self.url = parts._replace(query=urlencode({"host": self.folder})).geturl()
        self.cut: Cut | None = None
        self.cuts = 0
        self.words = b""
        """Only a client is cut off that has sent these words."""
        self.stays_down = False
        """Whether nobody gets through any more after a cut."""
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _accept(self) -> None:
        with suppress(OSError):  # it is closed
            while True:
                client, _ = self._listener.accept()
                Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX)
        with suppress(OSError), client, server, selectors.DefaultSelector() as ready:
            server.connect(self._server)
            ready.register(client, selectors.EVENT_READ, server)
            ready.register(server, selectors.EVENT_READ, client)
            said = False
            while True:
                for key, _ in ready.select():
                    source, target = key.fileobj, key.data
                    assert isinstance(source, socket.socket)
                    data = source.recv(1 << 16)
                    if not data:
                        return
                    from_client = source is client
                    said = said or (bool(self.words) and from_client and self.words in data)
                    meant = said or not self.words
                    if meant and (cut := self._cuts(data, from_client=from_client)):
                        if cut == "shut down after commit":
                            client.sendall(b"".join(data.partition(_COMMITTED)[:2]) + _SHUT_DOWN)
                        return
                    target.sendall(data)

    def _cuts(self, data: bytes, *, from_client: bool) -> Cut | None:
        cut = self.cut
        if cut is None or from_client != (cut == "before commit"):
            return None
        if (b"COMMIT;" if from_client else _COMMITTED) not in data:
            return None
        self.cut = None
        self.cuts += 1
        if self.stays_down:
            self.close()
        return cut
