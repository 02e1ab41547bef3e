"""Mail is the owner's only if it is: no forged one, every genuine one, each in its thread; and no
mail, whatever it holds, costs more than in proportion to its length."""

from __future__ import annotations

import sys
import tracemalloc
from types import FrameType
from typing import Any

from tests.channels.email.bombs import BOMBS
from tests.channels.email.genuine import genuine
from tests.channels.email.mails import OWNER, SERVER, read
from tests.channels.email.spoofs import spoofs
from tests.channels.email.talks import talks
from tests.proofs.report import Report

OWNERS = frozenset({OWNER, "boss@example.com", "kim@example.com"})
TRUSTED = ([SERVER], ["*.palaver.test"], ["*.palaver.test", SERVER])
_GROWTH = 2.6
"""Twice as long may take so much more work."""
_MEMORY = 12
"""So many bytes for one of the mail."""
_BASE = 24 * 1024 * 1024


def prove_spoofs(step: int = 1) -> Report:
    """No forged mail is taken for the owner's."""
    report = Report("forged mail", "mails")
    kinds: set[str] = set()
    for spoof in list(spoofs())[::step]:
        report.tried += 1
        kinds.add(spoof.kind)
        for ids in TRUSTED:
            got = read(spoof.raw, ids=ids)
            if got.proof == "proven" and got.sender.id in OWNERS:
                report.fail(f"{spoof.kind}: {spoof.raw[:300]!r}")
    report.notes.append(f"{len(kinds)} kinds of attack, with {len(TRUSTED)} settings each")
    return report


def prove_genuine(share: float = 0.99) -> Report:
    """Of the owner's mail at least `share` is known as theirs."""
    report = Report("genuine mail", "mails")
    missed: list[str] = []
    for one in genuine():
        report.tried += 1
        got = read(one.raw, ids=one.ids)
        if got.proof != "proven" or got.sender.id != one.address or got.unanswerable:
            missed.append(f"{one.provider} at {one.server}")
    known = report.tried - len(missed)
    report.notes.append(f"{known} of {report.tried} known")
    if known < share * report.tried:
        report.fail(f"not known: {missed[:10]}")
    return report


def prove_threads(number: int, share: float = 0.98, seed: int = 1) -> Report:
    """Of the threads at least `share` are kept together, and apart from the others."""
    report = Report("threads of mail", "threads")
    owners: dict[str, int] = {}
    wrong: list[str] = []
    for talk, (steps, _, routed) in enumerate(talks(number, seed)):
        report.tried += 1
        own = owners.setdefault(routed[0], talk) == talk and set(routed) == {routed[0]}
        if not own:
            wrong.append(f"{talk}: {[step.style for step in steps]}")
    right = report.tried - len(wrong)
    report.notes.append(f"{right} of {report.tried} right")
    if right < share * report.tried:
        report.fail(f"wrong: {wrong[:10]}")
    return report


def prove_bombs(size: int) -> Report:
    """What a mail costs grows no faster than its length."""
    report = Report("mail bombs", "mails")
    for name, bomb in BOMBS.items():
        report.tried += 1
        try:
            _weigh(report, name, bomb(size).encode(), bomb(2 * size).encode())
        except RecursionError:
            report.fail(f"{name}: it is too deep")
    return report


def _weigh(report: Report, name: str, once: bytes, twice: bytes) -> None:
    """Compares what a mail costs with what one of twice the size does."""
    work = _work(once), _work(twice)
    if work[1] > _GROWTH * work[0] + 2_000:
        report.fail(f"{name}: {work[0]:,} lines, and {work[1]:,} for twice the size")
    peak = _peak(twice)
    if peak > _MEMORY * len(twice) + _BASE:
        report.fail(f"{name}: {peak:,} bytes of memory for {len(twice):,}")


def _work(raw: bytes) -> int:
    """How many lines of code it takes to read a mail."""
    lines = 0

    def count(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal lines
        lines += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        read(raw)
    finally:
        sys.settrace(before)
    return lines


def _peak(raw: bytes) -> int:
    tracemalloc.start()
    try:
        read(raw)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
