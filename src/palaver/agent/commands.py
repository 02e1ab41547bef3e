"""Commands: what is answered before any model is asked, and how it is told from other messages.

A command is a message whose very first character is a slash, followed at once by a word of letters
that ends there: with the message, or before white space, with at most one sign of punctuation
between. So `/etc/passwd is open`, `/home/ann`, `/ `, `//` and ` /new` are no commands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches

_COMMAND = re.compile(r"/([A-Za-z][A-Za-z-]{0,31})[.!?,;:]?(?:\s+|\Z)")
USAGE = {
    "new": ("/new [text]", "begins a new conversation, with the text if there is one"),
    "model": ("/model [name]", "shows the models, or chooses one for this conversation"),
    "title": ("/title text", "gives this conversation a title"),
    "forget": (
        "/forget words",
        "finds messages with these words and memories about them, and erases both if you confirm",
    ),
    "help": ("/help", "shows this list"),
}
OF_OTHERS = {
    "answer": ("/answer code text", "answers somebody else, in your own words"),
    "drafts": ("/drafts", "lists the replies to others that wait for your word"),
    "approve": ("/approve code", "sends one of them"),
    "edit": ("/edit code text", "sends other words instead"),
    "reject": ("/reject code", "sends nothing"),
}
"""Those that there are where others write."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it was written."""

    name: str
    """In small letters; there may be none of that name."""
    argument: str
    """What stands behind it."""


def read_command(text: str) -> Command | None:
    """The command that a message is, if it is one."""
    found = _COMMAND.match(text)
    return Command(found[1].lower(), text[found.end() :].strip()) if found else None


def help_text(*, others: bool = False) -> str:
    """All commands, one on a line; those about others where these write."""
    return "\n".join(f"- `{usage}` {what}." for usage, what in _usage(others).values())


def _usage(others: bool) -> dict[str, tuple[str, str]]:
    return USAGE | OF_OTHERS if others else USAGE


def unknown_text(name: str, *, others: bool = False) -> str:
    """The answer to a command that there is not."""
    near = get_close_matches(name, _usage(others), n=1)
    meant = f" Did you mean `/{near[0]}`?" if near else ""
    return (
        f"There is no command `/{name}`.{meant}\n\n{help_text(others=others)}\n\n"
        "To say it to the assistant, begin with a space."
    )


def usage_text(name: str) -> str:
    """The answer to a command that lacks what it needs."""
    usage, what = USAGE[name]
    return f"`{usage}` {what}."
