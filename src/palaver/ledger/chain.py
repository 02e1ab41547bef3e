"""The proof: a salted hash of each line's exact bytes, chained to the line before it.

    bodyHash = BLAKE2b-256(salt ‖ the line's bytes before `,"chain"`)
    chain    = BLAKE2b-256(chain of the previous chained line ‖ bodyHash)

Hashes cover stored bytes; nothing is serialised again to be verified. `salt` is part of the body,
so a tombstone, which keeps only `bodyHash` and `chain`, gives away nothing about the words.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from palaver.ledger.strict import dumps

ORIGIN = bytes(32)
"""What the first chained line of a stream is chained to."""

_MARK = b',"chain":"b2:'
_TAIL = len(_MARK) + 64 + len(b'"}')
_SALT_BYTES = 16


def new_salt() -> str:
    return os.urandom(_SALT_BYTES).hex()


def digest(*parts: bytes) -> bytes:
    state = blake2b(digest_size=32)
    for part in parts:
        state.update(part)
    return state.digest()


def text(value: bytes) -> str:
    """A digest as it is written in a line: `b2:` and 64 hexadecimal digits."""
    return f"b2:{value.hex()}"


def from_text(value: object) -> bytes | None:
    """The digest that `text` wrote, or None if `value` is not exactly such a text."""
    if not (isinstance(value, str) and value.startswith("b2:")):
        return None
    return _from_hex(value[3:])


def _from_hex(digits: str) -> bytes | None:
    try:
        value = bytes.fromhex(digits)
    except ValueError:
        return None
    return value if len(value) == len(ORIGIN) and value.hex() == digits else None


def body_hash(salt: str, body: bytes) -> bytes:
    return digest(bytes.fromhex(salt), body)


def link(previous: bytes, body: bytes) -> bytes:
    """The chain value of a line whose body hash is `body`, after `previous`."""
    return digest(previous, body)


def seal(data: dict[str, Any], previous: bytes) -> tuple[bytes, bytes]:
    """The bytes of the line `data` (it must hold a `salt`), and its chain value."""
    body = dumps(data)[:-1]
    chain = link(previous, body_hash(data["salt"], body))
    return b'%s%s%s"}' % (body, _MARK, chain.hex().encode()), chain


@dataclass(frozen=True, slots=True)
class Proof:
    """What a stored line says about itself."""

    body: bytes
    """The body hash: computed from the bytes of a line, read from a tombstone."""
    chain: bytes

    def follows(self, previous: bytes) -> bool:
        return link(previous, self.body) == self.chain


def chain_of(raw: bytes) -> bytes | None:
    """The chain value a stored line carries, or None when it carries none."""
    end = raw.rstrip(b" ")
    if end[-_TAIL : len(_MARK) - _TAIL] != _MARK or not end.endswith(b'"}'):
        return None
    return _from_hex(end[-66:-2].decode("ascii", "replace"))


def proof_of(raw: bytes, data: dict[str, Any]) -> Proof | None:
    """The proof a stored line carries, or None when it is not chained or cannot be checked."""
    chain = chain_of(raw)
    if chain is None:
        return None
    if data.get("type") == "tombstone":
        body = from_text(data.get("bodyHash"))
        return Proof(body, chain) if body else None
    salt = data.get("salt")
    try:
        return Proof(body_hash(salt, raw[:-_TAIL]), chain) if isinstance(salt, str) else None
    except ValueError:
        return None


TOMBSTONE = b'{"type":"tombstone"'


def tombstone(length: int, seq: int, identity: str | None, proof: Proof | None) -> bytes:
    """What stands in the place of an erased line, padded with spaces to the same length."""
    if proof is None:  # an adopted line: it had no hash of its own, so only its place is kept
        short = TOMBSTONE + b"}"
        return (short if len(short) <= length else b"").ljust(length)
    data = {"type": "tombstone", "v": 1, "seq": seq, "id": identity, "bodyHash": text(proof.body)}
    raw = b'%s%s%s"}' % (dumps(data)[:-1], _MARK, proof.chain.hex().encode())
    # A line of ours is always longer than its tombstone; another program's may not be.
    return (raw if len(raw) <= length else b"").ljust(length)
