"""Power may go at any moment: what was acknowledged is there after the next start."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from tests.proofs.report import Report
from tests.proofs.simdisk import SimDisk, State
from tests.proofs.world import (
    ADOPTED,
    HOME,
    World,
    adopted_file,
    broken_promises,
    committer,
    recovered,
    workload,
)

Run = Callable[[World], None]


class WatchedDisk(SimDisk):
    """Calls `watch` after every operation: there the power goes, in many ways."""

    watch: Callable[[], None] | None = None

    def happened(self) -> None:
        super().happened()
        if self.watch:
            self.watch()


class ForgetfulDisk(WatchedDisk):
    """A planted fault: fsync says yes and does nothing."""

    def sync(self, handle: int) -> None:
        self.happened()


class NamelessDisk(WatchedDisk):
    """A planted fault: the names of new files are never synced."""

    def sync_folder(self, path: Path) -> None:
        self.happened()


def prove(
    states: int, *, disk: type[WatchedDisk] = WatchedDisk, seed: int = 1, run: Run = workload
) -> Report:
    """Tries about `states` different states, spread over every operation of the workload."""
    report = Report("power loss", "states")
    operations = _count_operations(disk, run)
    rng = random.Random(seed)
    each = states / operations
    seen: set[int] = set()
    simulated = disk({HOME.stream(ADOPTED): adopted_file()})
    world = World(simulated)

    def lose_power() -> None:
        wanted = int(each * simulated.operations) - report.tried
        for _ in range(wanted * 6):
            state = simulated.after_power_loss(rng)
            digest = hash(frozenset(state.items()) | {len(world.acknowledged)})
            if digest in seen:
                continue
            seen.add(digest)
            _judge(report, world, state, simulated.operations)
            wanted -= 1
            if wanted <= 0:
                break

    simulated.watch = lose_power
    run(world)
    report.notes.append(f"{operations} operations, seed {seed}")
    return report


def _count_operations(disk: type[WatchedDisk], run: Run) -> int:
    simulated = disk({HOME.stream(ADOPTED): adopted_file()})
    run(World(simulated))
    return simulated.operations


def _judge(report: Report, world: World, state: State, operation: int) -> None:
    report.tried += 1
    for problem in broken_promises(world, recovered(SimDisk(state))):
        report.fail(f"after operation {operation}: {problem}")
    if report.tried % 50 == 0:
        _judge_recovery(report, world, state, operation)


def _judge_recovery(report: Report, world: World, state: State, operation: int) -> None:
    """Power may go again while recovery is at work."""
    disk, rng, left = WatchedDisk(state), random.Random(operation), list[State]()
    disk.watch = lambda: left.append(disk.after_power_loss(rng))
    committer(disk).recover()
    for again in left:
        report.tried += 1
        for problem in broken_promises(world, recovered(SimDisk(again))):
            report.fail(f"after operation {operation}, then again while recovering: {problem}")
