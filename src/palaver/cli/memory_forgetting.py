"""`palaver memories forget`, `reject` and `extract`: what is learned, and what goes for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from palaver.cli.common import Common, ConversationArgument, MemoryArgument, takes_common
from palaver.cli.confirming import confirmed
from palaver.cli.memory_showing import say_extraction
from palaver.cli.output import one_line, say, say_json
from palaver.cli.waiting import wait_for_index
from palaver.errors import BadValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from palaver.memory.records import ForgetReceipt

_SHOWN = 20
"""So many memories are named before they go."""


@takes_common
def forget_memories(
    common: Common,
    *,
    memory_id: Annotated[str | None, typer.Argument(metavar="ID", help="The memory.")] = None,
    conversation: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Everything that was learned from a conversation."),
    ] = None,
    about: Annotated[
        str | None, typer.Option(metavar="WORD", help="Everything about a word, or several.")
    ] = None,
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="Erase the messages it came from, too.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Only say what would go.")] = False,
) -> None:
    """Forget a memory for good: by its ID, with all of a conversation, or all about a word."""
    if sum(one is not None for one in (memory_id, conversation, about)) != 1:
        raise BadValue(
            "Say what is to be forgotten: one of a memory, a conversation and a word.",
            remedy="Give an ID, --conversation ID or --about WORD.",
        )
    with common.opened() as home:
        wait_for_index(home)

        def forget(*, preview: bool) -> ForgetReceipt:
            return home.run(
                home.palaver.memories.forget(
                    memory_id,
                    conversation_id=conversation,
                    about=about,
                    everywhere=everywhere,
                    preview=preview,
                )
            )

        receipt = forget(preview=True)
        facts = [*_going(receipt), *receipt.erased, *_back(receipt), *_staying(receipt)]
        if not preview:
            asked = receipt.memories and not yes
            if asked and not confirmed("Forget it for good?", facts):
                say("Nothing was forgotten.")
                raise typer.Exit(3)
            receipt = forget(preview=False)
    if common.json:
        say_json(receipt.to_json())
        return
    if receipt.memories and not receipt.preview:
        facts = ["Forgotten.", *receipt.erased, *_back(receipt), *_staying(receipt)]
    for fact in facts:
        say(fact)


def _going(receipt: ForgetReceipt) -> Iterator[str]:
    """The memories that go, and how many more."""
    yield "This would go for good:" if receipt.memories else "There is no such memory."
    for one in receipt.memories[:_SHOWN]:
        yield f"- {one_line(one.content)}"
    if (more := len(receipt.memories) - _SHOWN) > 0:
        yield f"- and {more:,} more"


def _back(receipt: ForgetReceipt) -> Iterator[str]:
    """What holds again."""
    if receipt.restored:
        yield "This holds again, because what had taken its place goes:"
    yield from (f"- {one_line(one.content)}" for one in receipt.restored[:_SHOWN])
    if (more := len(receipt.restored) - _SHOWN) > 0:
        yield f"- and {more:,} more"


def _staying(receipt: ForgetReceipt) -> Iterator[str]:
    """What is left, or out of reach."""
    if receipt.remains:
        yield "This stays:"
    yield from (f"- {one}" for one in receipt.remains)


@takes_common
def reject_memory(common: Common, memory_id: MemoryArgument) -> None:
    """Do not keep a memory that waits for approval, and do not learn it again."""
    with common.opened() as home:
        wait_for_index(home)
        receipt = home.run(home.palaver.memories.reject(memory_id))
    if common.json:
        say_json(receipt.to_json())
    else:
        say("It is not kept, and not learned again.")


@takes_common
def extract_memories(
    common: Common,
    conversation_id: ConversationArgument,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be remembered.")
    ] = False,
) -> None:
    """Read a conversation for what is worth remembering."""
    with common.opened() as home:
        wait_for_index(home)
        found = home.run(home.palaver.memories.extract(conversation_id, dry_run=dry_run))
        if common.json:
            say_json(found.to_json())
        else:
            say_extraction(found, home.zone, stored=not dry_run)
