"""Processes for the proofs, none of them forked from this one.

A fork copies the locks that other threads hold at that moment, and nobody is left to let go of
them. So a server that has no threads is started once, and every process is forked from it.
"""

from __future__ import annotations

from multiprocessing import get_context

# Each process imports its main module again, which may be that of pytest: the server has it ready.
PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(
    [
        "pytest",
        "tests.proofs.digests",
        "tests.proofs.kills",
        "tests.proofs.processes",
        "tests.proofs.year",
    ]
)
