"""`palaver chat`: one answer, or a conversation on the terminal."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from palaver.cli.common import Common, Opened, takes_common
from palaver.cli.output import one_line, say, say_json, say_prose
from palaver.cli.waiting import wait_for_index
from palaver.errors import BadText, InputError, ModelError, TooLarge

if TYPE_CHECKING:
    from palaver.app import Reply, Step
    from palaver.index.records import Json, Message

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
    today: Annotated[
        bool,
        typer.Option("--today", "--continuous", help="Go on with the continuous conversation."),
    ] = False,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="Have this model answer from now on.")
    ] = None,
) -> None:
    """Talk with the assistant.

    With MESSAGE, or with text on standard input, it gives one answer. Otherwise you write line by
    line, and `quit` or Ctrl-D ends it; Ctrl-C stops a reply, and what there is of it is kept.
    Without --conversation, --new and --today it goes on with the latest one. When the model fails,
    the exit status is 3.
    """
    _check_one(**{"--conversation": bool(conversation), "--new": new, "--today": today})
    text = " ".join(message) if message else _piped()
    if text is None and common.json:
        raise InputError("--json needs a message.", remedy="Write it after the command.")
    with common.opened(create=True, stays=text is None) as home:
        wait_for_index(home)
        if today:
            conversation = home.run(home.palaver.continuous.ensure()).id
        asking = Asking(home, conversation, new, model)
        if text is None:
            _talk(asking)
        else:
            _answer(asking, text, json=common.json)


def _check_one(**given: bool) -> None:
    """Raises InputError when more than one of these is given."""
    names = [name for name, is_given in given.items() if is_given]
    if len(names) > 1:
        raise InputError(f"{' and '.join(names)} do not go together.", remedy="Leave one out.")


def _piped() -> str | None:
    """What comes from a file or another program; None when a person is at the terminal."""
    from palaver.ledger.lines import MAX_CONTENT, MESSAGE_TOO_LARGE

    if sys.stdin.isatty():
        return None
    given = sys.stdin.buffer.read(MAX_CONTENT + 2).removesuffix(b"\n")
    if len(given) > MAX_CONTENT:
        raise TooLarge(MESSAGE_TOO_LARGE)
    try:
        return given.decode()
    except UnicodeDecodeError as error:
        raise BadText(f"The text is not UTF-8 at byte {error.start}.") from None


@dataclass(slots=True)
class Asking:
    """Who is asked, and where; the first message decides what is left open."""

    home: Opened
    conversation: str | None
    new: bool
    model: str | None
    problem: Json | None = None
    """What went wrong with the last reply."""

    def send(self, text: str) -> Reply:
        """The answer, when all of it is there."""
        return self.home.run(self._send(text))

    async def _send(self, text: str) -> Reply:
        palaver = self.home.palaver
        reply = await palaver.send(text, **self._given())
        if reply.new_conversation_id:  # what was said in it is answered before the program ends
            await palaver.finish_replies()
        self.problem = _problem(reply.reply)
        return reply

    def show(self, text: str) -> None:
        """Prints the answer as it comes. Raises KeyboardInterrupt when somebody stops it."""
        self.home.run(self._show(text))

    async def _show(self, text: str) -> None:
        import asyncio
        from contextlib import aclosing

        palaver, lines = self.home.palaver, LinesAsTheyCome()
        steps = palaver.stream(text, **self._given(), detached=True)
        async with aclosing(steps):
            try:
                async for step in steps:
                    self._go_on(step, lines)
            except asyncio.CancelledError:
                if self.conversation:  # nothing goes on while somebody writes
                    await palaver.stop(self.conversation)
                raise
            finally:
                lines.end()

    def _go_on(self, step: Step, lines: LinesAsTheyCome) -> None:
        from palaver.conversation.steps import (
            MessageAccepted,
            ReplyDelta,
            ReplyFinished,
            ReplyStarted,
        )

        match step:
            case MessageAccepted():
                self._settle(step.message.conversation_id)
            case ReplyStarted():
                lines.begin()
            case ReplyDelta():
                lines.add(step.text)
            case ReplyFinished():
                self._settle(step.new_conversation_id or step.conversation_id)
                self.problem = _problem(step.turn)
                if step.turn.status != "failed":
                    lines.become(step.turn.content)
                    lines.end()
            case _:
                pass

    def _settle(self, conversation_id: str) -> None:
        self.conversation, self.new, self.model = conversation_id, False, None

    def _given(self) -> dict[str, Any]:
        return {"conversation_id": self.conversation, "new": self.new, "model": self.model}


class LinesAsTheyCome:
    """Prints a text line by line: each when it is whole."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self._text = ""
        self._printed = 0

    def add(self, text: str) -> None:
        self._text += text
        self._print(self._text[: self._text.rfind("\n") + 1])

    def become(self, text: str) -> None:
        """The whole text is known; what was printed of it stays."""
        if not text.startswith(self._text):
            self.begin()
        self._text = text

    def end(self) -> None:
        self._print(f"{self._text}\n" if self._text else "")
        self.begin()

    def _print(self, whole: str) -> None:
        from palaver.recall.plain import plain_lines

        lines = plain_lines(whole.removesuffix("\n")).split("\n") if whole else []
        for line in lines[self._printed :]:
            say_prose(line)
        self._printed = max(self._printed, len(lines))


def _problem(reply: Message) -> Json | None:
    """What went wrong with a reply that failed or broke off."""
    payload = reply.custom_payload if reply.status in ("failed", "interrupted") else None
    return payload.get("error") if payload else None


def _answer(asking: Asking, text: str, *, json: bool) -> None:
    """Raises ModelError when the model has failed, once all that it said is printed."""
    if json:
        say_json(asking.send(text).to_json())
    else:
        asking.show(text)
    if problem := asking.problem:
        if json:
            raise typer.Exit(ModelError.exit_status)
        raise ModelError(problem["message"], remedy=problem["remedy"])


def _talk(asking: Asking) -> None:
    _edit_lines()
    _say_where(asking.home, asking.conversation, new=asking.new)
    name = asking.home.palaver.settings.agent.name
    while True:
        try:
            text = input("You: ")
        except EOFError:
            say()
            return
        if text.strip().lower() in _LEAVING:
            return
        if text.strip():
            say()
            say((f"{one_line(name)}:", "bold"))
            try:
                asking.show(text)
            except KeyboardInterrupt:
                say(("Stopped.", "dim"))
            else:
                if problem := asking.problem:
                    say_prose(f"{problem['message']} {problem['remedy']}")
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
