"""Webhooks: whether the time that a check takes tells anything about the signature."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Mapping
from statistics import median

from pydantic import SecretStr

from benchmarks.result import Result
from palaver.channels.whatsapp.signing import SIGNATURE, is_signed
from tests.channels.whatsapp.provider import SECRET, payload, signed

CALLS = 10_000
_MOST = 5.0
"""In per cent: by how much the medians of accepting and refusing may differ."""


def run() -> list[Result]:
    body = json.dumps(payload("several")).encode()
    good = signed(body)
    right = good[SIGNATURE]
    wrong: dict[str, Mapping[str, str]] = {
        "another secret": signed(body, "other"),
        "wrong at the beginning": {**good, SIGNATURE: f"sha256={_other(right[7])}{right[8:]}"},
        "wrong at the end": {**good, SIGNATURE: right[:-1] + _other(right[-1])},
        "too short": {**good, SIGNATURE: right[:20]},
        "no signature": {},
    }
    result = Result(
        "Webhooks",
        f"{CALLS:,} checks of a call of {len(body):,} bytes for each kind of signature, in turns. "
        "A difference is between the medians of refusing and of accepting.",
        axis="µs",
    )
    taken = _measure(body, {"accepted": good, **wrong})
    accepted = median(taken["accepted"])
    result.note("accepted", accepted / 1000, "µs")
    result.bars.append(("accepted", accepted / 1000))
    for name in wrong:
        refused = median(taken[name])
        difference = 100 * abs(refused - accepted) / accepted
        result.at_most(f"{name}: difference", difference, "%", _MOST)
        result.bars.append((name, refused / 1000))
    return [result]


def _other(digit: str) -> str:
    return "0" if digit != "0" else "1"


def _measure(body: bytes, kinds: Mapping[str, Mapping[str, str]]) -> dict[str, list[int]]:
    """Nanoseconds for each check, by the kind of its signature."""
    secret = SecretStr(SECRET)
    taken: dict[str, list[int]] = {name: [] for name in kinds}
    gc.disable()
    try:
        for _ in range(CALLS):
            for name, headers in kinds.items():
                started = time.perf_counter_ns()
                found = is_signed(secret, body, headers)
                taken[name].append(time.perf_counter_ns() - started)
                assert found is (name == "accepted")
    finally:
        gc.enable()
    return taken
