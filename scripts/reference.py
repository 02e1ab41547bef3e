"""Writes what comes from the code: the reference pages, and the shapes that the web page knows.

Run it with `python -m scripts.reference`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from palaver.cli.commands import app
from palaver.errors import PalaverError
from palaver.settings import SHORT_FORMS, Section, Settings, environment_name, section_of
from scripts.api import api_page
from scripts.client import client_page
from scripts.mcp import mcp_page
from scripts.shapes import shapes_module
from scripts.websocket import websocket_page

FOLDER = Path(__file__).parent.parent / "docs" / "reference"
_WIDTH = 88

_CLI = """# Command line

Every command takes `--home`, `--user` and `--json`, after its name.

- With `--json` a command prints one JSON document on standard output and nothing else. Its shapes
  are those of the [REST API](api.md). When the command fails, the document is
  `{"error": {"code": …, "message": …, "remedy": …}}`, with the codes of [Errors](errors.md).
- Without `--json`, an error is a sentence and what to do about it, on standard error.
- Exit status: 0 fine, 1 something was found wrong (`verify`, `doctor`), 2 bad usage, 3 refused or
  not found. Ctrl-C gives 130; a reader that closes the pipe gives 141.
- Long work shows its progress on standard error, when that is a terminal.
- Characters in a message that would drive a terminal, or turn the order of letters around, are
  written out (`\\x1b`). In JSON they are escaped. An export as `jsonl` holds every byte as it is.
"""

_SETTINGS = """# Settings

A setting is taken from the first of these that has it:

1. the command line, or the arguments of `Palaver.open()`;
2. the environment: `PALAVER_` and the name in capitals, with two underscores for the dot;
3. `config.yaml` in the home;
4. the default.

```yaml
# ~/.palaver/config.yaml
server:
  port: 9000
user:
  timezone: Europe/Berlin
```

An unknown name, a bad value, or a setting that is set twice in one place stops the start with a
sentence that names it. `*` stands for a name of your own, in small letters. An empty value counts
as not set. Variables that begin with `PALAVER_TEST_` belong to the tests and are ignored.

| setting | variable | default | meaning |
|---|---|---|---|
"""

_ERRORS = """# Errors

Every error has a code that never changes, one sentence, and what to do about it. The REST API sends
it as `application/problem+json` with the HTTP status below. The command line prints it and ends
with the exit status below. In Python the class is in `palaver.errors`.

| code | class | HTTP | exit | sentence | what to do |
|---|---|---|---|---|---|
"""


def cli_page() -> str:
    """Each command with its own help text."""
    return _CLI + "".join(_help_of(typer.main.get_command(app), "palaver", None))


def _help_of(command: Any, name: str, parent: Any) -> Iterator[str]:
    context = command.make_context(
        name, [], parent=parent, resilient_parsing=True, terminal_width=_WIDTH
    )
    yield f"\n## {context.command_path}\n\n```text\n{context.get_help()}\n```\n"
    if isinstance(command, TyperGroup):
        for sub_name, sub in command.commands.items():
            yield from _help_of(sub, sub_name, context)


def settings_page() -> str:
    """Each setting with its variables, its default and what it means."""
    return _SETTINGS + "".join(_rows_of(Settings, ""))


def _rows_of(section: type[Section], prefix: str) -> Iterator[str]:
    for name, field in section.model_fields.items():
        key, below = f"{prefix}{field.alias}", section_of(field.annotation)
        if below is not None:
            yield from _rows_of(below[0], f"{prefix}{name}.{below[1]}")
            continue
        variables = [short for short, long in SHORT_FORMS.items() if long == key]
        if (long := environment_name(key)) not in variables:
            variables.append(long)
        named = ", ".join(f"`{variable}`" for variable in variables)
        given = not field.is_required() and not field.default_factory and field.default is not None
        default = f"`{field.default}`" if given else ""
        yield f"| `{key}` | {named} | {default} | {' '.join((field.description or '').split())} |\n"


def errors_page() -> str:
    """Each error with its code, its statuses, its sentence and its remedy."""
    return _ERRORS + "".join(
        f"| `{kind.code}` | `{kind.__name__}` | {kind.status} | {kind.exit_status} "
        f"| {_cell(kind.__doc__ or '')} | {_cell(kind.remedy)} |\n"
        for kind in _errors(PalaverError)
    )


def _errors(kind: type[PalaverError]) -> Iterator[type[PalaverError]]:
    yield kind
    for below in kind.__subclasses__():
        if below.__module__ == PalaverError.__module__:
            yield from _errors(below)


def _cell(text: str) -> str:
    return text.partition("\n")[0].replace("|", "\\|")


PAGES: dict[str, Callable[[], str]] = {
    "cli.md": cli_page,
    "settings.md": settings_page,
    "errors.md": errors_page,
    "api.md": api_page,
    "websocket.md": websocket_page,
    "mcp.md": mcp_page,
    "../how-to/client.md": client_page,
    "../../web/src/api/shapes.ts": shapes_module,
}

if __name__ == "__main__":
    for file, page in PAGES.items():
        (FOLDER / file).write_text(page(), encoding="utf-8")
