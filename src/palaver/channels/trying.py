"""Trying a channel out, and telling why it cannot be reached."""

from __future__ import annotations

import asyncio
import ssl

from palaver.channels.port import Channel, Tested
from palaver.errors import ChannelError, ChannelUnreachable

PATIENCE = 20.0
"""So many seconds a provider has to answer whoever tries a channel out."""
_CAUSES = 10
_HANDSHAKE = (
    "Look whether the host and the port are right, whether that port is encrypted from the start, "
    "and whether this machine trusts who signed the certificate."
)


async def tried(channel: Channel, patience: float = PATIENCE) -> Tested:
    """What comes of connecting as for real; nothing is sent. It takes no longer than that."""
    try:
        async with asyncio.timeout(patience):
            return await channel.test()
    except ChannelError as error:
        return Tested(ok=False, message=error.message, remedy=error.remedy)
    except TimeoutError:
        return Tested(
            ok=False,
            message=f"Nobody answered within {patience:.0f} seconds.",
            remedy="Look whether the host and the port are right, and whether a firewall is "
            "in between.",
        )


def unreachable(where: str, error: BaseException, said: str = "") -> ChannelUnreachable:
    """Why somebody cannot be reached, as far as whoever sets it up can do something about it;
    `said` is what of the error may be shown."""
    if (found := _handshake(error)) is not None:
        told = f"{where} is there, but the encrypted connection to it fails: {_reason(found)}."
        return ChannelUnreachable(told[:300], remedy=_HANDSHAKE)
    return ChannelUnreachable(f"{where} cannot be reached{f': {said}' if said else '.'}"[:300])


def _handshake(error: BaseException | None) -> ssl.SSLError | None:
    """What of TLS has failed, if it was that: libraries wrap it."""
    for _ in range(_CAUSES):
        if error is None or isinstance(error, ssl.SSLError):
            return error
        error = error.__cause__ or error.__context__
    return None


def _reason(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({error.verify_message.rstrip('.')})"
    return (error.reason or "it was cut off").lower().replace("_", " ")
