"""`palaver conversations`: list, read, name, put away, delete and take out conversations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from palaver.cli.common import Common, ConversationArgument, Opened, takes_common
from palaver.cli.confirming import confirmed
from palaver.cli.export import (
    FormatOption,
    OutputOption,
    chosen_format,
    write_export,
    write_folder,
)
from palaver.cli.output import one_line, say, say_json
from palaver.cli.showing import say_conversation, say_heading, say_message, say_notes
from palaver.cli.waiting import wait_for_index

if TYPE_CHECKING:
    from collections.abc import Sequence

    from palaver.app import Change, Receipt

app = typer.Typer(help="Look after single conversations.", rich_markup_mode=None)


@app.command("list")
@takes_common
def list_conversations(
    common: Common,
    channel: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only those of this channel, such as web.")
    ] = None,
    archived: Annotated[bool, typer.Option("--archived", help="List archived ones.")] = False,
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=200, help="At most N.")] = 50,
    cursor: Annotated[
        str | None, typer.Option(metavar="CURSOR", help="Go on where the list before ended.")
    ] = None,
) -> None:
    """List conversations, newest first."""
    with common.opened() as home:
        wait_for_index(home)
        page = home.run(
            home.palaver.conversations(
                channel=channel, archived=archived, limit=limit, cursor=cursor
            )
        )
        if common.json:
            say_json(page.to_json())
            return
        for conversation in page.conversations:
            say_conversation(conversation, home.zone)
        if not page.conversations:
            say("There is no archived conversation." if archived else "There is no conversation.")
        if page.next_cursor:
            say((f"There are more: --cursor {page.next_cursor}", "dim"))


@app.command("show")
@takes_common
def show_conversation(
    common: Common,
    conversation_id: ConversationArgument,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, max=200, help="At most N messages.")
    ] = 50,
    before: Annotated[
        str | None, typer.Option(metavar="MESSAGE", help="Those before this message.")
    ] = None,
) -> None:
    """Show a conversation with its last messages."""
    with common.opened() as home:
        wait_for_index(home)
        conversation = home.run(home.palaver.conversation(conversation_id))
        digest = home.run(home.palaver.digest(conversation_id))
        page = home.run(home.palaver.messages(conversation_id, before=before, limit=limit))
        if common.json:
            shown = {"conversation": conversation.to_json(), "digest": digest.to_json()}
            say_json({**shown, **page.to_json()})
            return
        say_heading(conversation, home.zone)
        say_notes(digest)
        if page.has_more:
            say((f"There are earlier messages: --before {page.messages[0].id}", "dim"))
        for message in page.messages:
            say_message(message, home.zone)


@app.command("rename")
@takes_common
def rename_conversation(
    common: Common,
    conversation_id: ConversationArgument,
    title: Annotated[list[str], typer.Argument(metavar="TITLE", hidden=True)],
) -> None:
    """Give a conversation another title. TITLE is one or more words."""
    from palaver.app import Change

    name = " ".join(title)
    _update(common, conversation_id, Change(title=name), f"It is now called {one_line(name)}.")


@app.command("archive")
@takes_common
def archive_conversation(common: Common, conversation_id: ConversationArgument) -> None:
    """Take a conversation off the list; a search still finds it."""
    from palaver.app import Change

    _update(common, conversation_id, Change(archived=True), "It is archived.")


@app.command("unarchive")
@takes_common
def unarchive_conversation(common: Common, conversation_id: ConversationArgument) -> None:
    """Put an archived conversation back on the list."""
    from palaver.app import Change

    _update(common, conversation_id, Change(archived=False), "It is on the list again.")


@app.command("delete")
@takes_common
def delete_conversation(
    common: Common,
    conversation_id: ConversationArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Only say what would go.")] = False,
) -> None:
    """Delete a conversation and its words for good."""
    with common.opened() as home:
        wait_for_index(home)
        receipt = home.run(home.palaver.delete(conversation_id, preview=True))
        name = _name(home, conversation_id)
        facts = [f"{name} would go for good:", *receipt.erased, *receipt.remains]
        if not preview:
            if not yes and not confirmed("Delete it for good?", facts):
                say("Nothing was deleted.")
                raise typer.Exit(3)
            receipt = home.run(home.palaver.delete(conversation_id))
    _say_receipt(receipt, facts, common)


@app.command("export")
@takes_common
def export_conversation(
    common: Common,
    conversation_id: ConversationArgument,
    form: FormatOption = None,
    output: OutputOption = None,
) -> None:
    """Export one conversation. Without --output it goes to standard output. The continuous one can
    go to a new folder, with a file for each day."""
    chosen = chosen_format(form, output)
    with common.opened() as home:
        wait_for_index(home)
        conversation = home.run(home.palaver.conversation(conversation_id))
        if conversation.mode == "continuous" and output and not output.suffix:
            write_folder(home, [conversation], chosen, output, common)
        else:
            write_export(home, [conversation_id], chosen, output, common)


def _update(common: Common, conversation_id: str, change: Change, done: str) -> None:
    with common.opened() as home:
        wait_for_index(home)
        conversation = home.run(home.palaver.update(conversation_id, change))
    if common.json:
        say_json(conversation.to_json())
    else:
        say(done)


def _name(home: Opened, conversation_id: str) -> str:
    """What a person knows the conversation by: its title, or how it begins."""
    from palaver.portability.text import first_words, title_of

    conversation = home.run(home.palaver.conversation(conversation_id))
    begins = first_words(home.run(home.palaver.fetch(conversation_id, first=0, last=1)))
    if conversation.title or not begins:
        return f"“{one_line(title_of(conversation))}”"
    return f"{title_of(conversation)}, which begins “{one_line(begins)}”,"


def _say_receipt(receipt: Receipt, facts: Sequence[str], common: Common) -> None:
    if common.json:
        say_json(receipt.to_json())
    elif receipt.preview:
        for fact in facts:
            say(fact)
    else:
        gone = [f"{part[:1].lower()}{part[1:].rstrip('.')}" for part in receipt.erased]
        say("Deleted.")
        say(f"Erased for good: {'; '.join(gone)}.")
        for sentence in receipt.remains:
            say(sentence)
