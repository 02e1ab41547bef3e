"""What an erasure leaves behind: the events that record it, and the tombstones. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from palaver.errors import NotFound
from palaver.ledger import chain
from palaver.ledger.lines import USER_STREAM, Draft, Line, event, key_digest, meta, read_line
from palaver.ledger.port import Erasure
from palaver.ledger.stamping import adoption

EVENTS = ("redacted", "deleted")


def drafts(
    erasure: Erasure, lines: Callable[[str], Iterable[Line]], user: str, *, first: bool
) -> list[Draft]:
    """The events that record `erasure`; `first` when the user's stream has not begun.

    Raises NotFound when something is not there.
    """
    found: list[Draft] = []
    for stream, seqs in erasure.lines.items():
        if stream not in erasure.streams:
            stored = list(lines(stream))
            _check_ids(stored, erasure)
            found.extend(redaction(stream, stored, set(seqs)))
    if erasure.streams and first:
        found.append(meta(USER_STREAM, user=user))
    found.extend(deletion(stream, lines(stream)) for stream in erasure.streams)
    return found


def _check_ids(lines: Sequence[Line], erasure: Erasure) -> None:
    """Raises NotFound when a line that is to go is not the message that was meant."""
    for line in lines:
        wanted = erasure.ids.get((line.stream, line.seq), line.id)
        if line.type == "turn" and line.id != wanted:
            raise NotFound(
                f"{wanted} is not where it was: its file was edited.",
                remedy="Run `palaver rebuild`, then try again.",
            )


def deletion(stream: str, lines: Iterable[Line]) -> Draft:
    count, numbered, keys = 0, 0, list[str]()
    for line in lines:
        count += 1
        numbered += not line.adopted
        keys.extend(_keys(line))
    if not count:
        raise NotFound(f"There is no conversation {stream}.")
    return event(USER_STREAM, "deleted", stream=stream, lines=count, numbered=numbered, keys=keys)


def redaction(stream: str, lines: Sequence[Line], seqs: set[int]) -> Iterator[Draft]:
    """The event for some lines of a stream; adopted lines are sealed anew without them."""
    if not lines or max(seqs, default=0) >= len(lines):
        raise NotFound("There is no such message.")
    seqs = {seq for seq in seqs if lines[seq].type != "tombstone"}
    if not seqs:
        return
    foreign = {seq for seq in seqs if lines[seq].adopted}
    seals = {line.seq for line in lines if line.event == "adopted" and foreign & _range(line)}
    targets = [target(lines[seq]) for seq in sorted(seqs | seals)]
    keys = [key for seq in sorted(seqs) for key in _keys(lines[seq])]
    yield event(stream, "redacted", targets=targets, keys=keys)
    for seal in sorted(seals):
        sealed = sorted(_range(lines[seal]))
        foreign = b"".join(lines[seq].raw + b"\n" for seq in sealed)
        yield adoption(stream, sealed[0], foreign, seqs)


def _range(seal: Line) -> set[int]:
    first, count = seal.data.get("firstSeq"), seal.data.get("lines")
    if not (isinstance(first, int) and isinstance(count, int)):
        return set()
    return set(range(first, first + count))


def target(line: Line) -> dict[str, Any]:
    """What is kept of an erased line: its place, who spoke and when, and its proof. No words."""
    kept: dict[str, Any] = {"id": line.id if line.type == "turn" else None, "seq": line.seq}
    for name in ("event", "role", "turnNumber", "timestamp", "supersedes"):
        if isinstance(line.data.get(name), str | int):
            kept[name] = line.data[name]
    if proof := chain.proof_of(line.raw, line.data):
        kept |= {"bodyHash": chain.text(proof.body), "chain": chain.text(proof.chain)}
    return kept


def _keys(line: Line) -> list[str]:
    """The digests of the keys that go with a line: a key outlives the message it was used for."""
    key = line.data.get("key")
    own = [key_digest(key)] if isinstance(key, str) else []
    earlier = line.data.get("keys") if line.event == "redacted" else None
    return own + [item for item in earlier or () if isinstance(item, str)]


def may_overwrite(raw: bytes, target: dict[str, Any]) -> bool:
    """Whether these bytes are the line that was to be erased, or what a crash left of it.

    A line that proves to be another one is never touched: somebody has moved lines about.
    """
    link, wanted = chain.chain_of(raw), chain.from_text(target.get("chain"))
    if link is None or link == wanted:
        return True
    if wanted is None:
        return False
    data = read_line("", 0, 0, raw).data  # a torn tombstone may carry parts of two chain values
    return data.get("seq", target["seq"]) == target["seq"]


def stone_for(target: dict[str, Any], length: int) -> bytes:
    """The tombstone for a target of a `redacted` event: made from the event alone."""
    body, link = chain.from_text(target.get("bodyHash")), chain.from_text(target.get("chain"))
    proof = chain.Proof(body, link) if body and link else None
    return chain.tombstone(length, target["seq"], target.get("id"), proof)
