"""`palaver memories`: what is remembered, listed, found, added, changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from palaver.cli.common import Common, MemoryArgument, takes_common
from palaver.cli.memory_audit import audit_memories
from palaver.cli.memory_forgetting import extract_memories, forget_memories, reject_memory
from palaver.cli.memory_showing import say_history, say_memories, say_memory
from palaver.cli.output import one_line, say, say_json
from palaver.cli.waiting import wait_for_index
from palaver.errors import BadValue

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from palaver.app import Palaver
    from palaver.index.records import Memory, MemoryType

app = typer.Typer(help="Look after what is remembered.", rich_markup_mode=None)

TypeOption = Annotated[
    str | None,
    typer.Option("--type", metavar="TYPE", help="A fact, preference, entity, project or decision."),
]
CategoryOption = Annotated[
    str | None, typer.Option("--category", metavar="NAME", help="What it belongs to.")
]
NOTHING_YET = (
    "Nothing is remembered yet. What you say of yourself is learned after {turns} turns, or when a "
    'conversation is quiet: say "Remember that …" to have it at once, or run `palaver memories '
    "extract ID`, with the id of a conversation, to read that now."
)
LimitOption = Annotated[int, typer.Option(metavar="N", min=1, max=200, help="At most N.")]


def known_type(given: str) -> MemoryType:
    """A type, whatever its case. Raises BadValue, which names all there are."""
    from difflib import get_close_matches

    from palaver.memory.port import MEMORY_TYPES

    for one in MEMORY_TYPES:
        if given.strip().lower() == one:
            return one
    near = get_close_matches(given.lower(), MEMORY_TYPES, n=1)
    meant = f"Did you mean {near[0]}? " if near else ""
    remedy = f"{meant}The types are {', '.join(MEMORY_TYPES[:-1])} and {MEMORY_TYPES[-1]}."
    raise BadValue(f"{given[:80]!r} is not a type of memory.", remedy=remedy)


@app.command("list")
@takes_common
def list_memories(
    common: Common,
    *,
    kind: TypeOption = None,
    category: CategoryOption = None,
    pinned: Annotated[bool, typer.Option("--pinned", help="Only pinned ones.")] = False,
    waiting: Annotated[
        bool, typer.Option("--waiting", help="Those that wait for approval.")
    ] = False,
    archived: Annotated[bool, typer.Option("--archived", help="Those that are archived.")] = False,
    superseded: Annotated[
        bool, typer.Option("--superseded", help="Those whose place others have taken.")
    ] = False,
    limit: LimitOption = 50,
    cursor: Annotated[
        str | None, typer.Option(metavar="CURSOR", help="Go on where the list before ended.")
    ] = None,
) -> None:
    """List what is remembered, newest first."""
    from palaver.index.port import MemoryFilter

    wanted = MemoryFilter(
        "waiting" if waiting else "kept",
        known_type(kind) if kind else None,
        category,
        pinned=pinned or None,
        archived=True if archived else None if superseded else False,
        superseded=True if superseded else None if archived or waiting else False,
    )
    with common.opened() as home:
        wait_for_index(home)
        page = home.run(home.palaver.memories.page(wanted, limit=limit, cursor=cursor))
        if common.json:
            say_json(page.to_json())
            return
        if not page.memories and cursor is None and wanted == MemoryFilter():
            say(NOTHING_YET.format(turns=home.palaver.settings.memory.promote_every))
            return
        say_memories(page.memories, home.zone)
        if page.next_cursor:
            say((f"There are more: --cursor {page.next_cursor}", "dim"))


@app.command("search")
@takes_common
def search_memories(
    common: Common,
    query: Annotated[list[str], typer.Argument(metavar="QUERY", hidden=True)],
    kind: TypeOption = None,
    limit: LimitOption = 10,
) -> None:
    """Find what is remembered about something. QUERY is one or more words."""
    type_ = known_type(kind) if kind else None
    with common.opened() as home:
        wait_for_index(home)
        search = home.palaver.memories.search(" ".join(query), type=type_, limit=limit)
        found = home.run(search)
        if common.json:
            shown = [one.to_json() for one in found]
            say_json({"memories": shown, "nextCursor": None})
        else:
            say_memories(found, home.zone)


@app.command("show")
@takes_common
def show_memory(common: Common, memory_id: MemoryArgument) -> None:
    """Show a memory, where it comes from, and how it came to be what it is."""
    with common.opened() as home:
        wait_for_index(home)
        history = home.run(home.palaver.memories.history(memory_id))
        if common.json:
            say_json(history.to_json())
        else:
            say_history(history, home.zone)


@app.command("add")
@takes_common
def add_memory(
    common: Common,
    content: Annotated[list[str], typer.Argument(metavar="CONTENT", hidden=True)],
    kind: TypeOption = None,
    category: CategoryOption = None,
    pin: Annotated[bool, typer.Option("--pin", help="Always show it to a model.")] = False,
) -> None:
    """Remember something. CONTENT is one or more words. What is known already is shown, and what
    it takes the place of."""
    from palaver.memory.records import NewMemory, given_as

    given = {"content": " ".join(content), "category": category, "pinned": pin}
    new = given_as(NewMemory, given | {"type": known_type(kind or "fact")})
    with common.opened(create=True) as home:
        wait_for_index(home)
        memory, is_new = home.run(home.palaver.memories.put(new))
        if common.json:
            say_json(memory.to_json())
            return
        say("It is remembered." if is_new else "It is known already.")
        say_memory(memory, home.zone)
        replaced = home.run(home.palaver.memories.history(memory.id)).before if is_new else []
        if replaced:
            say(("It takes the place of:", "dim"))
            say_memories(replaced, home.zone)


@app.command("edit")
@takes_common
def edit_memory(
    common: Common,
    memory_id: MemoryArgument,
    content: Annotated[list[str] | None, typer.Argument(metavar="CONTENT", hidden=True)] = None,
    kind: TypeOption = None,
    category: Annotated[
        str | None,
        typer.Option("--category", metavar="NAME", help='What it belongs to; "" for nothing.'),
    ] = None,
) -> None:
    """Word a memory otherwise. CONTENT is one or more words. Also: its type, its category."""
    changes: dict[str, Any] = {}
    if content:
        changes["content"] = " ".join(content)
    if kind:
        changes["type"] = known_type(kind)
    if category is not None:
        changes["category"] = category or None
    if not changes:
        raise BadValue(
            "There is nothing to change.", remedy="Give the words, --type or --category."
        )
    _change(common, memory_id, "It is changed.", changes)


@app.command("pin")
@takes_common
def pin_memory(common: Common, memory_id: MemoryArgument) -> None:
    """Always show a memory to a model."""
    _change(common, memory_id, "It is pinned.", {"pinned": True})


@app.command("unpin")
@takes_common
def unpin_memory(common: Common, memory_id: MemoryArgument) -> None:
    """Show a memory to a model only when it has to do with what is said."""
    _change(common, memory_id, "It is not pinned any more.", {"pinned": False})


@app.command("archive")
@takes_common
def archive_memory(common: Common, memory_id: MemoryArgument) -> None:
    """Put a memory away: no model is shown it."""
    _change(common, memory_id, "It is archived.", {"archived": True})


@app.command("unarchive")
@takes_common
def unarchive_memory(common: Common, memory_id: MemoryArgument) -> None:
    """Use an archived memory again."""
    _change(common, memory_id, "It is on the list again.", {"archived": False})


@app.command("approve")
@takes_common
def approve_memory(common: Common, memory_id: MemoryArgument) -> None:
    """Keep a memory that waits for approval."""
    _done(common, "It is kept.", lambda palaver: palaver.memories.approve(memory_id))


@app.command("restore")
@takes_common
def restore_memory(common: Common, memory_id: MemoryArgument) -> None:
    """Let a memory hold again whose place another has taken. The other one stays, too."""
    _done(common, "It holds again.", lambda palaver: palaver.memories.restore(memory_id))


app.command("reject")(reject_memory)
app.command("forget")(forget_memories)
app.command("extract")(extract_memories)
app.command("audit")(audit_memories)


def _change(common: Common, memory_id: str, done: str, changes: dict[str, Any]) -> None:
    _done(common, done, lambda palaver: palaver.memories.edit(memory_id, **changes))


def _done(
    common: Common, done: str, work: Callable[[Palaver], Coroutine[Any, Any, Memory]]
) -> None:
    with common.opened() as home:
        wait_for_index(home)
        memory = home.run(work(home.palaver))
    if common.json:
        say_json(memory.to_json())
    else:
        say(done, (f"  {one_line(memory.content)}", "dim"))
