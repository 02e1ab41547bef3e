"""The guide to PostgreSQL: what it says to type does what it says."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from palaver.app import Palaver
from tests.postgres.databases import Databases, address, ours
from tests.postgres.server import Server

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "postgresql.md"
OURS = ("palaver", "palaver_copy")
WORDS = {"local": "The xylophone is blue.", "usr-ann": "The fig is ripe."}


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", GUIDE.read_text(), re.DOTALL | re.MULTILINE)


def clean(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for name in OURS:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())
        connection.execute("DROP ROLE IF EXISTS palaver")


@pytest.fixture
def server(postgres: Databases) -> Iterator[Server]:
    server = ours(postgres)  # the guide makes a role: not on somebody else's server
    clean(server.url)
    yield server
    clean(server.url)


def run(server: Server, folder: Path, command: str, url: str, text: str = "") -> None:
    """Runs a command of the guide, in a folder of its own."""
    path = f"{server.programs}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {"PATH": path, "PALAVER_DATABASE_URL": url, "HOME": str(folder)}
    done = subprocess.run(
        ["/bin/sh", "-ec", command],
        input=text,
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def prepare(server: Server, folder: Path, name: str) -> str:
    """The address of a database as the guide makes it, for the role that it makes."""
    (text,) = blocks("sql")
    text = text.replace("DATABASE palaver", f"DATABASE {name}").replace(
        "connect palaver", f"connect {name}"
    )
    if name != OURS[0]:
        text = text.partition("\n")[2]  # the role is there
    run(server, folder, f"psql -v ON_ERROR_STOP=1 '{server.url}'", "", text)
    return address(server.url.replace("postgres@", "palaver@"), name)


def library(url: str, user: str) -> Palaver:
    return Palaver.open(database_url=url, user=user, index_vectors=False)


async def say(url: str, user: str, text: str) -> None:
    async with library(url, user) as palaver:
        await palaver.send(text)


async def said(url: str, user: str) -> list[bytes]:
    async with library(url, user) as palaver:
        page = await palaver.conversations()
        assert await palaver.search(WORDS[user])
        return [line.raw for one in page.conversations for line in await palaver.lines(one.id)]


def test_an_ordinary_role_prepares_backs_up_and_restores(server: Server, tmp_path: Path) -> None:
    url, copy = (prepare(server, tmp_path, name) for name in OURS)
    doctor, backup, restore = (
        one for one in blocks("sh") if re.match("palaver doctor|PGOPTIONS|pg_restore", one)
    )
    run(server, tmp_path, doctor, url)
    for user, text in WORDS.items():
        asyncio.run(say(url, user, text))
    run(server, tmp_path, backup, url)
    run(server, tmp_path, restore, copy)
    for user in WORDS:
        kept = [asyncio.run(said(where, user)) for where in (url, copy)]
        assert kept[0] == kept[1] != []
