"""`palaver chat`: one answer, or a conversation on the terminal."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from palaver.cli.common import Common, Opened, takes_common
from palaver.cli.output import one_line, say, say_json, say_prose
from palaver.cli.waiting import wait_for_index
from palaver.errors import BadText, InputError, TooLarge

if TYPE_CHECKING:
    from palaver.app import Reply

_LEAVING = ("quit", "exit", "/quit", "/exit")


@takes_common
def chat(
    common: Common,
    message: Annotated[list[str] | None, typer.Argument(metavar="MESSAGE", hidden=True)] = None,
    *,
    conversation: Annotated[
        str | None, typer.Option(metavar="ID", help="Go on with this conversation.")
    ] = None,
    new: Annotated[bool, typer.Option("--new", help="Start a new conversation.")] = False,
) -> None:
    """Talk with the assistant.

    With MESSAGE, or with text on standard input, it gives one answer. Otherwise you write line by
    line, and `quit` or Ctrl-D ends it. Without --conversation and --new it goes on with the
    latest one.
    """
    if conversation and new:
        raise InputError("--conversation and --new do not go together.", remedy="Leave one out.")
    text = " ".join(message) if message else _piped()
    if text is None and common.json:
        raise InputError("--json needs a message.", remedy="Write it after the command.")
    with common.opened(create=True) as home:
        wait_for_index(home)
        if text is None:
            _talk(home, conversation, new=new)
        else:
            _answer(home, text, conversation, new=new, json=common.json)


def _piped() -> str | None:
    """What comes from a file or another program; None when a person is at the terminal."""
    from palaver.ledger.lines import MAX_CONTENT

    if sys.stdin.isatty():
        return None
    given = sys.stdin.buffer.read(MAX_CONTENT + 2).removesuffix(b"\n")
    if len(given) > MAX_CONTENT:
        raise TooLarge
    try:
        return given.decode()
    except UnicodeDecodeError as error:
        raise BadText(f"The text is not UTF-8 at byte {error.start}.") from None


def _answer(home: Opened, text: str, conversation: str | None, *, new: bool, json: bool) -> None:
    from palaver.recall.plain import plain_lines

    reply = _send(home, text, conversation, new=new)
    if json:
        say_json(reply.to_json())
    else:
        say_prose(plain_lines(reply.reply.content))


def _talk(home: Opened, conversation: str | None, *, new: bool) -> None:
    from palaver.recall.plain import plain_lines

    _edit_lines()
    _say_where(home, conversation, new=new)
    name = home.palaver.settings.agent.name
    while True:
        try:
            text = input("You: ")
        except EOFError:
            say()
            return
        if text.strip().lower() in _LEAVING:
            return
        if text.strip():
            reply = _send(home, text, conversation, new=new)
            conversation, new = reply.conversation_id, False
            say()
            say((f"{one_line(name)}:", "bold"))
            say_prose(plain_lines(reply.reply.content))
            say()


def _edit_lines() -> None:
    """Arrow keys and a history, where Python was built with them."""
    with suppress(ImportError):
        import readline

        readline.set_auto_history(True)


def _say_where(home: Opened, conversation: str | None, *, new: bool) -> None:
    """Says which conversation goes on."""
    from palaver.portability.text import title_of

    if conversation:
        found = [home.run(home.palaver.conversation(conversation))]
    elif new:
        found = []
    else:
        found = home.run(home.palaver.conversations(channel="web", limit=1)).conversations
    what = f"You go on with “{title_of(found[0])}”." if found else "This is a new conversation."
    say((f"{one_line(what)} `quit` or Ctrl-D leaves.", "dim"))


def _send(home: Opened, text: str, conversation: str | None, *, new: bool) -> Reply:
    return home.run(home.palaver.send(text, conversation_id=conversation, new=new))
