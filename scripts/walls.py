"""Statements: each says whose rows it is about, at every table that it touches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src" / "palaver"
_BEFORE = "They are looked up by a secret, before anybody knows whose they are."
_SIGNING_IN = "They are looked up by the name that somebody signs in with."
_ADMINISTERED = "Whoever runs the server asks, and there is no word in it that anybody said."
_SWEPT = "It is about everybody, and gives no word that anybody said."
LISTED: Mapping[str, str] = {
    "accounts/postgres.sql token_by_digest": _BEFORE,
    "accounts/postgres.sql sign_in_by_digest": _BEFORE,
    "accounts/postgres.sql end_sign_in": _BEFORE,
    "accounts/postgres.sql link_by_digest": _BEFORE,
    "accounts/postgres.sql sign_in_by_link": _BEFORE,
    "accounts/postgres.sql end_link": _BEFORE,
    "accounts/postgres.sql touch_token": "Its id is that of a token that was looked up.",
    "accounts/postgres.sql password_by_name": _SIGNING_IN,
    "accounts/postgres.sql user_by_name": _SIGNING_IN,
    "accounts/postgres.sql valid_credentials": "Whoever stays has shown them.",
    "accounts/postgres.sql users": _ADMINISTERED,
    "accounts/postgres.sql passwords": _ADMINISTERED,
    "accounts/postgres.sql remove_account": _ADMINISTERED,
    "accounts/postgres.sql end_old_sign_ins": _SWEPT,
    "accounts/postgres.sql end_old_links": _SWEPT,
    "events/queries.sql abandoned_by": _SWEPT,
    "index/postgres/queries.sql to_keep": _SWEPT,
    "index/postgres/queries.sql to_digest": _SWEPT,
    "index/postgres/queries.sql to_make": _SWEPT,
    "index/postgres/queries.sql to_check": _SWEPT,
    "ledger/postgres/copying.sql analyse": "It counts rows, and gives none.",
    "jobs/postgres/queries.sql notes": _SWEPT,
    "jobs/postgres/queries.sql forget": "Who gives the ids has seen what is due, for everybody.",
    "jobs/postgres/queries.sql let_go": "The id is that of a job that was looked up for its user.",
}
"""The statements that need not say it, and why."""

_TITLE = re.compile(r"^-- ([a-z][a-z0-9_]*): .+$", re.MULTILINE)
_COMMENT = re.compile(r"--[^\n]*")
_TABLE = re.compile(r"CREATE (?:UNLOGGED )?TABLE ([\w.]+) \((.*?)^\)", re.DOTALL | re.MULTILINE)
_USE = re.compile(
    r"(?P<how>\bFROM|\bJOIN|\bUSING|\bUPDATE|\bINTO|\bCOPY|,)\s+"
    r"(?P<table>palaver\w*\.\w+)\b(?!\s*\()(?:\s+AS\s+(?P<alias>\w+))?"
)
_WHOSE = re.compile(
    r"palaver\.(?:me|us)\(\)|palaver_n\.book\(\)|u\.name = %|users WHERE name = %|%\(owner\)s"
)
_MARKS = ("owner", "book")


def tables() -> dict[str, str]:
    """Every table whose rows are somebody's, and the column that says whose."""
    found: dict[str, str] = {}
    for path in [*SOURCES.rglob("migrations/*.sql"), *SOURCES.rglob("postgres/schema.sql")]:
        for name, columns in _TABLE.findall(path.read_text(encoding="utf-8")):
            full = name if "." in name else f"palaver_jobs.{name}"
            for mark in reversed(_MARKS):
                if re.search(rf"^\s+{mark} bigint", columns, re.MULTILINE):
                    found[full] = mark
    return found


def statements() -> Iterator[tuple[str, str]]:
    """Every statement of PostgreSQL, by its file and its name."""
    for path in sorted(SOURCES.rglob("*.sql")):
        text = path.read_text(encoding="utf-8")
        if "palaver" in text and "schema" not in path.name and "migrations" not in path.parts:
            _, *parts = _TITLE.split(text)
            for name, body in zip(parts[::2], parts[1::2], strict=True):
                yield f"{path.relative_to(SOURCES)} {name}", _COMMENT.sub("", body)


def complaints(name: str, sql: str, owned: Mapping[str, str]) -> Iterator[str]:
    """What a statement leaves open."""
    uses = [use for use in _USE.finditer(sql) if use["table"] in owned]
    if uses and not _WHOSE.search(sql):
        yield f"{name} does not say whose rows it is about."
    read = [use for use in uses if use["how"] != "INTO"]  # what is written carries the mark
    for mark in _MARKS:
        aliases = [use["alias"] for use in read if owned[use["table"]] == mark]
        for alias in set(aliases):
            if _bounds(sql, alias, mark) < (1 if alias else aliases.count(None)):
                yield f"{name} does not hold every table to one {mark}."


def _bounds(sql: str, alias: str | None, mark: str) -> int:
    """How often a table is held to somebody's rows."""
    if alias is None:
        return len(re.findall(rf"(?<![\w.]){mark}\s*=", sql))
    return len(re.findall(rf"\b{alias}\.{mark}\s*=|=\s*{alias}\.{mark}\b", sql))


def check() -> Iterator[str]:
    owned = tables()
    found = dict(statements())
    for name, sql in found.items():
        if name not in LISTED:
            yield from complaints(name, sql, owned)
    for name in LISTED.keys() - found.keys():
        yield f"{name} is listed, and is not there."
