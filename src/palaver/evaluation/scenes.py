"""Scenes: where a question is asked, made for it and removed again."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ulid import ULID

from palaver.engines import LOCAL
from palaver.settings import Settings


@dataclass(frozen=True, slots=True)
class Scene:
    """An empty home, or a user of a database who has nothing yet."""

    settings: Settings
    user: str = LOCAL


@contextmanager
def new_scene(settings: Settings) -> Generator[Scene]:
    """A home in a temporary folder, or a user of the database; gone when the block ends."""
    url = settings.database.url
    if url is None:
        with TemporaryDirectory(prefix="palaver-eval-") as folder:
            yield Scene(settings.moved(home=Path(folder) / "home"))
        return
    from palaver.engines.databases import remove_user

    scene = Scene(settings, f"usr-eval{ULID()}")
    try:
        yield scene
    finally:
        remove_user(url, scene.user)
