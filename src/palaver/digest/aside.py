"""Aside: does what takes long in a process of its own, so that nobody waits for it.

Run as `python -m palaver.digest.aside LINE`, where LINE is the number of an open socket. What comes
over it are frames: eight bytes that say how long the rest is, and a pickle: a function, and what it
is given. What the function gives goes back. It ends when nobody listens any more.
"""

from __future__ import annotations

import os
import pickle
import socket
import sys
from typing import Any

POLITE = 10
"""How much everything else goes before this process."""
SIZE = 8
"""So many bytes say how long a frame is."""


def framed(value: Any) -> bytes:
    """A value as it is sent."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return len(data).to_bytes(SIZE) + data


def unframed(data: bytes | bytearray) -> Any:
    """The value of a frame. Only what comes from the other end of our own line is read."""
    return pickle.loads(data)  # noqa: S301


def serve(end: socket.socket) -> None:
    """Answers what comes, until nothing comes any more."""
    with end, end.makefile("rb") as line:

        def received() -> Any:
            size = line.read(SIZE)
            data = line.read(int.from_bytes(size))
            if not size or len(data) < int.from_bytes(size):
                raise EOFError
            return unframed(data)

        try:
            while True:
                function, given = received()
                end.sendall(framed(function(*given)))
        except (EOFError, ConnectionError):
            return


if __name__ == "__main__":
    os.nice(POLITE)
    serve(socket.socket(fileno=int(sys.argv[1])))
