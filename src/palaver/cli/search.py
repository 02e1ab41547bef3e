"""`palaver search`: where something was said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from palaver.cli.common import Common, Opened, takes_common
from palaver.cli.output import Piece, note, one_line, say, say_json
from palaver.cli.showing import spoken_window
from palaver.cli.waiting import progress, wait_for_index

if TYPE_CHECKING:
    from datetime import tzinfo

    from palaver.recall.results import Outside, SearchPage, SearchResult
    from palaver.recall.scope import Filters

_PATIENCE = 3.0
"""How many seconds a search waits for what is not read yet."""
_UNNOTICED = 0.5
_UNREAD = (
    "The meaning of some of it is not read yet: that is found by its words only. "
    "Search again in a while, or leave `palaver serve` running."
)


@takes_common
def search(
    common: Common,
    query: Annotated[list[str], typer.Argument(metavar="QUERY", hidden=True)],
    *,
    channel: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only in this channel, such as web.")
    ] = None,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="Not before this day or time.")
    ] = None,
    to: Annotated[
        str | None, typer.Option(metavar="DATE", help="Not after this day or time.")
    ] = None,
    day: Annotated[str | None, typer.Option(metavar="DATE", help="Only on this day.")] = None,
    recency_days: Annotated[
        int, typer.Option(metavar="N", min=0, help="Only N days back; 0 for all time.")
    ] = 0,
    ignore_time_phrases: Annotated[
        bool, typer.Option("--ignore-time-phrases", help="Take “last March” for mere words.")
    ] = False,
    kind: Annotated[
        Literal["conversation", "message", "external"],
        typer.Option(
            help="One result for each conversation, or for each turn that matches; or each message "
            "of an external communication, which is found in no other way."
        ),
    ] = "conversation",
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=200, help="At most N.")] = 10,
    explain: Annotated[bool, typer.Option("--explain", help="Show what makes each score.")] = False,
) -> None:
    """Find where something was said, by word, meaning and time. QUERY is one or more words."""
    filters: Filters = {
        "channel": channel,
        "from_": from_,
        "to": to,
        "day": day,
        "recency_days": recency_days,
        "ignore_time_phrases": ignore_time_phrases,
    }
    asked = " ".join(query)
    _check(asked, filters, common.settings().user.zone)
    with common.opened() as home:
        wait_for_index(home)
        is_read = home.run(_read(home))
        page = home.run(
            home.palaver.search_page(asked, kind=kind, limit=limit, explain=explain, **filters)
        )
        health = home.palaver.health()
    if common.json:
        say_json(page.to_json())
        return
    if health.status == "degraded":  # and yet it answered
        note(health.detail)
    elif not is_read:
        note(_UNREAD)
    is_phrase = not (recency_days or from_ or to or day)
    _say_page(page, home.zone, is_phrase=is_phrase)


def _check(query: str, filters: Filters, zone: tzinfo) -> None:
    """Raises InputError, before a home is opened for nothing."""
    from palaver.app import scope_of
    from palaver.recall.query import check_query
    from palaver.recall.scope import read_query
    from palaver.times import system_clock

    read_query(check_query(query), scope_of(filters), zone, system_clock)


async def _read(home: Opened) -> bool:
    """Waits a little while what was said last is read; whether all of it is."""
    import asyncio

    settled = asyncio.ensure_future(home.palaver.catch_up())
    await asyncio.wait([settled], timeout=_UNNOTICED)
    if not settled.done():
        with progress("Reading what was said last"):
            await asyncio.wait([settled], timeout=_PATIENCE)
    if settled.done():
        await settled
    return settled.done()


def _say_page(page: SearchPage, zone: tzinfo, *, is_phrase: bool) -> None:
    if page.time_window and is_phrase:
        when = spoken_window(page.time_window, zone)
        note(f"Searched {when}: use --ignore-time-phrases to search all time.")
    if page.empty_window:
        note(f"Nothing was found {spoken_window(page.empty_window, zone)}: searched all time.")
    for result in page.results:
        _say_result(result, zone)
    if not page.results:
        say("Nothing was found.")


def _say_result(result: SearchResult, zone: tzinfo) -> None:
    from palaver.portability.text import UNTITLED, local_time
    from palaver.recall.results import ExternalResult

    where = _whose(result.external) if isinstance(result, ExternalResult) else result.turn_range
    say(
        (one_line(result.title or UNTITLED), "bold"),
        f"  {one_line(result.channel)}  {local_time(result.timestamp, zone)}  "
        f"{where or 'what it is about'}",
        (f"  {result.conversation_id}", "dim"),
    )
    say("    ", *_marked(result.snippet, result.highlights))
    if result.explanation is not None:
        say((f"    {_explained(result.score, result.explanation)}", "dim"))


def _whose(outside: Outside) -> str:
    """Whose words were found, and how far they are trusted."""
    if outside.by != "outsider":
        return "your words" if outside.by == "owner" else "the assistant's words"
    trusted = "known" if outside.trust == "known" else "not trusted"
    doubt = ", not proven to be theirs" if outside.claimed else ""
    who = outside.sender or outside.name or outside.party
    return f"words of {one_line(who)} ({trusted}{doubt})"


def _explained(score: float, parts: dict[str, float]) -> str:
    """A score and what it is made of: "0.4939 = words 0.3739 + own words 0.1200"."""
    from pydantic.alias_generators import to_snake

    told = "".join(
        f"{' - ' if part < 0 else ' + '}{to_snake(name).replace('_', ' ')} {abs(part):.4f}"
        for name, part in parts.items()
    )
    return f"{score:.4f} = {told.removeprefix(' + ')}"


def _marked(snippet: str, highlights: list[tuple[int, int]]) -> list[Piece]:
    """The snippet on one line, with what matched in bold."""
    pieces: list[Piece] = []
    shown = 0
    for start, end in highlights:
        pieces += [_flat(snippet[shown:start]), (_flat(snippet[start:end]), "bold yellow")]
        shown = end
    return [*pieces, _flat(snippet[shown:])]


def _flat(text: str) -> str:
    return text.replace("\n", " ")
