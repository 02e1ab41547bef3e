"""The tree of commands."""

from __future__ import annotations

from typing import Annotated

import typer

from palaver.cli import (
    chat,
    check,
    conversations,
    copy,
    day,
    doctor,
    evaluate,
    export,
    jobs,
    mcp,
    memories,
    model,
    search,
    serve,
    tokens,
    users,
    worker,
)

app = typer.Typer(
    help="Palaver keeps every word of every conversation, and finds it again.",
    add_completion=False,
    rich_markup_mode=None,
)
app.command("serve")(serve.serve)
app.command("worker")(worker.worker)
app.command("chat")(chat.chat)
app.add_typer(conversations.app, name="conversations")
app.command("day")(day.day)
app.command("search")(search.search)
app.add_typer(memories.app, name="memories")
app.command("mcp")(mcp.mcp)
app.command("export")(export.export)
app.command("copy")(copy.copy)
app.add_typer(jobs.app, name="jobs")
app.command("verify")(check.verify)
app.command("rebuild")(check.rebuild)
app.command("doctor")(doctor.doctor)
app.add_typer(users.app, name="users")
app.add_typer(tokens.app, name="tokens")
app.add_typer(model.app, name="model")
app.add_typer(evaluate.app, name="eval")


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"palaver {version('palaver')}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None: ...
