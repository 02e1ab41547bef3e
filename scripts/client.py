"""The page about a client of one's own, with the program that a test runs."""

from __future__ import annotations

from pathlib import Path

from scripts.parts import renewed

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "how-to" / "client.md"
PROGRAM = ROOT / "examples" / "client.py"


def client_page() -> str:
    program = PROGRAM.read_text(encoding="utf-8")
    return renewed(PAGE.read_text(encoding="utf-8"), {"client": f"```python\n{program}```\n"})
