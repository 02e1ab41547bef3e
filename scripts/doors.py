"""Doors: fails on whatever goes round them. `make check` runs it.

An id in a request is `Named`, and only `server/doors.py` opens it; a library is reached as
`libraries.of(principal.user)` and in no other way; and each statement says whose rows it is about.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping

from scripts import walls

SERVER = walls.SOURCES / "server"
DOORS = "doors.py"
CHECKS = frozenset(
    {
        *("check_conversation_id", "check_message_id", "check_day_id", "check_job_id"),
        *("check_memory_id", "check_external_id", "check_stream"),
    }
)
"""They tell how an id is spelt; only a door may ask that."""
LISTED: Mapping[str, str] = {
    "pages.py check_conversation_id": "The page is the same whatever conversation is named.",
    "pages.py check_external_id": "The page is the same whatever exchange is named.",
    "problems.py check_conversation_id": "It says why an address leads nowhere.",
}
OPENERS = frozenset({"libraries.py", "listening.py"})
"""They open libraries: for whoever is let in, and the first of all."""
HOSTING = "hosting.py"
"""It brings what comes by a channel to whom it belongs by the settings; no request names them."""
ABOUT_EVERYBODY: Mapping[str, str] = {
    "running.py opened": "A server that stops ends what is made in all of them.",
    "routes/metrics.py jobs": "It counts, and is for whoever runs the server.",
    "routes/health.py ready": "It asks whether anybody can be served.",
}
"""What is done with the libraries of everybody, and why."""
BY_SECRET = frozenset({"token_holder", "browser_holder", "sign_in_by_link", "sign_out"})
"""What the accounts give to whoever shows a secret; the rest is of the user who is named."""
BY_CALL = frozenset({"webhook", "take", "connection", "running"})
"""What the channels do for a provider, whose call proves whose it is, or with all of them; the rest
is of the user who is named."""
READERS = frozenset({"queries.py", "live/route.py", "pages.py", "routes/webhooks.py"})
"""They look at an address themselves: to refuse what is unknown, to open a socket, to give the
page, which is the same for everybody, and to hand a provider's question to its channel."""
_ID = re.compile(r"(?:^|_)ids?$|^(?:before|after|around|reply_to|cursor_id)$")
_OPAQUE = re.compile(
    r"\b(?:Named(?:Conversation|Message|Day|Memory|Place)?|Position"
    r"|(?:Conversation|Message|Memory|External|Draft|Token|Job)Id)\b"
)
_BODIES = re.compile(r"Body$|Request$|^Body$")
_METHODS = frozenset({"get", "post", "put", "patch", "delete"})
_FREE = frozenset({"request_id"})
"""A name that the client gives, and gets back."""


def check_module(name: str, source: str) -> Iterator[str]:
    """What a module of the server does that goes round the doors."""
    tree = ast.parse(source)
    added = {
        node.args[1].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _called(node) == "add_api_route"
        if isinstance(node.args[1], ast.Name)
    }
    for node in ast.walk(tree):
        match node:
            case ast.AsyncFunctionDef() | ast.FunctionDef() if (
                _is_route(node) or node.name in added
            ):
                for argument in (*node.args.args, *node.args.kwonlyargs):
                    yield from _field(name, node.name, argument.arg, argument.annotation)
            case ast.ClassDef() if any(_BODIES.search(ast.unparse(base)) for base in node.bases):
                for one in node.body:
                    if isinstance(one, ast.AnnAssign):
                        yield from _field(name, node.name, ast.unparse(one.target), one.annotation)
            case ast.Call():
                yield from _call(name, node)
                yield from _of_accounts(name, node)
            case ast.Name() | ast.Attribute():
                yield from _use(name, node)
            case _:
                pass


def _use(name: str, node: ast.Name | ast.Attribute) -> Iterator[str]:
    match node:
        case ast.Name(id=used) | ast.Attribute(attr=used) if used in CHECKS:
            if f"{name} {used}" not in LISTED:
                yield f"{name} uses {used}, which belongs to the doors."
        case ast.Attribute(value=ast.Attribute(attr="libraries"), attr=used) if used != "of":
            if f"{name} {used}" not in ABOUT_EVERYBODY:
                yield f"{name} reaches the libraries of everybody: {used}."
        case ast.Attribute(attr="query_params" | "path_params") if name not in READERS:
            yield f"{name} takes something from the address itself."
        case _:
            pass


def _is_route(node: ast.AsyncFunctionDef | ast.FunctionDef) -> bool:
    return any(
        isinstance(one, ast.Call)
        and isinstance(one.func, ast.Attribute)
        and one.func.attr in _METHODS
        for one in node.decorator_list
    )


def _field(name: str, owner: str, field: str, annotation: ast.expr | None) -> Iterator[str]:
    """An id that is no `Named` would be taken by everything."""
    kind = ast.unparse(annotation) if annotation else ""
    if _ID.search(field) and field not in _FREE and not _OPAQUE.search(kind):
        yield f"{name}: {owner} takes {field} as {kind}, not through a door."


def _call(name: str, node: ast.Call) -> Iterator[str]:
    called = _called(node)
    given = [ast.unparse(one) for one in node.args]
    makes = called == "Owned" or (called == "cast" and "Owned" in given[0])
    if makes or (called == "opened" and given):
        yield f"{name} makes an id that came through no door."
    of_library = ast.unparse(node.func).endswith("libraries.of") and name != HOSTING
    if of_library and not _own(given):
        yield f"{name} reaches the library of {', '.join(given)}, not that of the principal."
    if ast.unparse(node.func) in ("Palaver", "Palaver.open") and name not in OPENERS:
        yield f"{name} opens a library itself."


def _own(given: list[str]) -> bool:
    return given in (["principal.user"], ["self._principal.user"], ["stay.principal.user"])


def _of_accounts(name: str, node: ast.Call) -> Iterator[str]:
    """Also when another thread is to do it: then what is done comes first, and for whom next."""
    doing = [node.func, *node.args]
    for number, one in enumerate(doing):
        match one:
            case ast.Attribute(value=ast.Attribute(attr="accounts"), attr=used):
                given = [ast.unparse(next_) for next_ in doing[number + 1 : number + 2]]
                if used not in BY_SECRET and not _own(given):
                    yield f"{name} asks the accounts about {given}: {used}."
            case ast.Attribute(value=ast.Attribute(attr="channels"), attr=used):
                given = [ast.unparse(next_) for next_ in doing[number + 1 : number + 2]]
                if used not in BY_CALL and not _own(given):
                    yield f"{name} asks the channels about {given}: {used}."
            case ast.Attribute(attr="libraries"):
                yield f"{name} hands the libraries of everybody on."
            case _:
                pass


def _called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=called) | ast.Attribute(attr=called):
            return called
        case _:
            return ""


def check() -> Iterator[str]:
    """Everything that goes round them."""
    for path in sorted(SERVER.rglob("*.py")):
        name = path.relative_to(SERVER).as_posix()
        if name != DOORS:
            yield from check_module(name, path.read_text(encoding="utf-8"))
    yield from walls.check()


def main() -> int:
    found = sorted(set(check()))
    sys.stderr.writelines(f"{complaint}\n" for complaint in found)
    if not found:
        count = sum(1 for _ in walls.statements())
        sys.stdout.write(f"Every id has its door; {count} statements say whose rows they touch.\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
