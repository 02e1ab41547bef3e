"""`palaver export`: conversations as exact lines, as Markdown or as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from palaver.cli.common import Common, Opened, takes_common
from palaver.cli.output import say, say_json, write_bytes
from palaver.cli.showing import counted
from palaver.cli.waiting import progress, wait_for_index
from palaver.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from palaver.index.records import ConversationMeta

Format = Literal["jsonl", "markdown", "html"]
FormatOption = Annotated[
    Format | None,
    typer.Option(
        "--format",
        help="jsonl is the stored lines; the others are for reading. "
        "Default: what the ending of --output says, else jsonl.",
    ),
]
_ENDINGS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
}
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", metavar="PATH", readable=False, help="The file to write."),
]


@takes_common
def export(
    common: Common,
    form: FormatOption = None,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            readable=False,
            help="A new folder, for one file per conversation, and per day of the continuous one; "
            "with an ending, one file.",
        ),
    ] = None,
) -> None:
    """Export every conversation. Without --output it goes to standard output."""
    chosen = chosen_format(form, output)
    from palaver.portability import all_conversations

    with common.opened() as home:
        wait_for_index(home)
        conversations = home.run(all_conversations(home.palaver))
        if output is None or output.suffix:
            write_export(home, [item.id for item in conversations], chosen, output, common)
        else:
            write_folder(home, conversations, chosen, output, common)


def chosen_format(form: Format | None, output: Path | None) -> Format:
    """The format asked for, by name or by the ending of the file. Raises InputError."""
    ending = output.suffix.lower() if output else ""
    said = _ENDINGS.get(ending)
    if form and said and form != said:
        raise InputError(
            f"{ending} is the ending of {said}, not of {form}.",
            remedy=f"Leave --format out, or choose another ending for {form}.",
        )
    return form or said or "jsonl"


def write_export(
    home: Opened, conversation_ids: Sequence[str], form: Format, output: Path | None, common: Common
) -> None:
    """Writes the conversations to one file, or to standard output."""
    if output is None:
        _refuse_json(common)
        home.run(_write(home, conversation_ids, form, write_bytes))
        return
    from palaver.portability.places import new_file

    with new_file(output) as file:
        home.run(_write(home, conversation_ids, form, file.write))
    _say_done(common, output, len(conversation_ids))


async def _write(
    home: Opened, conversation_ids: Sequence[str], form: Format, write: Callable[[bytes], object]
) -> None:
    from palaver.portability import export_conversations

    async for block in export_conversations(home.palaver, conversation_ids, form, home.zone):
        write(block)


def write_folder(
    home: Opened,
    conversations: Sequence[ConversationMeta],
    form: Format,
    output: Path,
    common: Common,
) -> None:
    """Writes the conversations to a new folder."""
    from palaver.portability import export_folder

    with progress("Exporting") as advance:
        home.run(
            export_folder(
                home.palaver,
                conversations,
                form,
                output,
                zone=home.zone,
                progress=lambda done: advance(done, len(conversations)),
            )
        )
    _say_done(common, output, len(conversations))


def _refuse_json(common: Common) -> None:
    if common.json:
        raise InputError(
            "An export on standard output is not one JSON document.",
            remedy="Leave --json out, or name a file with --output.",
        )


def _say_done(common: Common, output: Path, conversations: int) -> None:
    if common.json:
        say_json({"output": str(output), "conversations": conversations})
    else:
        say(f"{counted(conversations, 'conversation')} written to {output}")
