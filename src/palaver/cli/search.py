"""`palaver search`: where something was said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from palaver.cli.common import Common, takes_common
from palaver.cli.output import Piece, one_line, say, say_json
from palaver.cli.waiting import wait_for_index

if TYPE_CHECKING:
    from datetime import tzinfo

    from palaver.recall.results import MessageHit, SearchPage, SearchResult

_ROUNDS = 10


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
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=200, help="At most N.")] = 10,
    explain: Annotated[bool, typer.Option("--explain", help="Score each matching turn.")] = False,
) -> None:
    """Find where something was said. QUERY is one or more words."""
    words = " ".join(query)
    rounds: dict[str, list[MessageHit]] = {}
    with common.opened() as home:
        wait_for_index(home)
        scope: dict[str, Any] = {"channel": channel, "from_": from_, "to": to, "day": day}
        page = home.run(home.palaver.search_page(words, limit=limit, **scope))
        for result in page.results if explain else ():
            one = result.conversation_id
            matching = home.palaver.search_messages(
                words, conversation_id=one, limit=_ROUNDS, **scope
            )
            rounds[one] = home.run(matching)
    if common.json:
        say_json(_as_json(page, rounds))
    else:
        _say_page(page, rounds, home.zone)


def _as_json(page: SearchPage, rounds: dict[str, list[MessageHit]]) -> dict[str, Any]:
    document = page.to_json()
    for result in document["results"]:
        if matching := rounds.get(result["conversationId"]):
            result["rounds"] = [hit.to_json() for hit in matching]
    return document


def _say_page(page: SearchPage, rounds: dict[str, list[MessageHit]], zone: tzinfo) -> None:
    for result in page.results:
        _say_result(result, zone)
        for hit in rounds.get(result.conversation_id, ()):
            say((f"    {hit.score:.4g}  turn {hit.turn_number}", "dim"))
    if not page.results:
        say("Nothing was found.")


def _say_result(result: SearchResult, zone: tzinfo) -> None:
    from palaver.portability.text import UNTITLED, local_time

    say(
        (one_line(result.title or UNTITLED), "bold"),
        f"  {one_line(result.channel)}  {local_time(result.timestamp, zone)}  {result.turn_range}",
        (f"  {result.conversation_id}", "dim"),
    )
    say("    ", *_marked(result.snippet, result.highlights))


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
