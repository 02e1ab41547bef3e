"""The long proofs, at the sizes that are promised. `make prove` runs them and writes a report."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.proofs import (
    canaries,
    cluster,
    contexts,
    digests,
    disconnects,
    faults,
    fuzzing,
    kills,
    mail,
    memories,
    models,
    oblivion,
    order,
    outsiders,
    powerloss,
    processes,
    rows,
    serverkills,
    torn,
    webhooks,
    year,
)
from tests.proofs.report import Report
from tests.server.matrix.proof import prove_all as prove_matrix

REPORT = Path("build/proofs/report.md")

PROOFS: dict[str, Callable[[], Report]] = {
    "order": lambda: order.prove(5_000),
    "torn": torn.prove,
    "faults": lambda: faults.prove(120),
    "powerloss": lambda: powerloss.prove(250_000),
    "processes": lambda: processes.prove(16, 1000),
    "contexts": lambda: contexts.prove(10_000),
    "canaries": lambda: canaries.prove(1000),
    "oblivion": lambda: oblivion.prove_everywhere(1000),
    "notagain": lambda: oblivion.prove_plain(1000),
    "memories": lambda: memories.prove(10_000),
    "outsiders": lambda: outsiders.prove(1000),
    "rows": lambda: rows.prove(1000),
    "digests": digests.prove,
    "models": lambda: models.prove(200, 10),
    "realdigests": lambda: digests.prove(real=True),
    "matrix": lambda: prove_matrix(5),
    "cluster": lambda: cluster.prove(10_000),
    "year": year.prove,
    "forgedmail": mail.prove_spoofs,
    "genuinemail": mail.prove_genuine,
    "mailthreads": lambda: mail.prove_threads(1000),
    "mailbombs": lambda: mail.prove_bombs(20_000),
    "fuzzing": lambda: fuzzing.prove(100, seconds=60),
    "databasefuzzing": lambda: fuzzing.prove_in_a_database(100, seconds=60),
    "webhooks": lambda: webhooks.prove(110_000),
    "disconnects": lambda: disconnects.prove(5_000),
    "serverkills": lambda: serverkills.prove(100),
    "kills": lambda: kills.prove(9_900),
}


def main(wanted: list[str]) -> int:
    reports: list[Report] = []
    lines = ["# Proofs", ""]
    for name in wanted or PROOFS:
        started = time.perf_counter()
        report = PROOFS[name]()
        reports.append(report)
        lines.append(f"- {report} in {time.perf_counter() - started:.0f} s")
        print(lines[-1], flush=True)
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text("\n".join(lines) + "\n")
    return 0 if all(report.held for report in reports) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
