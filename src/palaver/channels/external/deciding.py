"""Deciding by command: outsiders are answered, and drafts to them decided, from anywhere.

The answers stand in the owner's conversations. Each names the exchanges that it tells of, and goes
with them.
"""

from __future__ import annotations

from collections.abc import Sequence

from palaver.agent.markdown import inline, link
from palaver.channels.external.externals import Externals
from palaver.channels.external.notices import excerpt, spoken
from palaver.channels.external.records import Decision, DraftReply, External
from palaver.conversation.commands import Outcome
from palaver.errors import Conflict, InputError, NotFound
from palaver.ledger.lines import Line

_DONE = {"approved": "It is being sent.", "edited": "Your words are being sent.", "rejected": ""}
_DECISIONS: dict[str, Decision] = {"approve": "approve", "edit": "edit", "reject": "reject"}
_NONE = "No reply waits for your word."
_NOBODY = "Nobody waits for an answer."
SURFACE = "command"
"""The namespace of the keys of what is sent by command."""


class ExternalCommands:
    """Answers commands about outsiders."""

    def __init__(self, externals: Externals) -> None:
        self._externals = externals

    async def answer(self, name: str, argument: str, key: str | None) -> Outcome:
        """What came of it. Raises StorageError, IndexUnavailable."""
        code, text = [*argument.split(maxsplit=1), "", ""][:2]
        try:
            if name == "answer":
                return await self._reply(code.lower(), text, key)
            return await self._decide(name, code.lower(), text)
        except (InputError, Conflict, NotFound) as error:
            return Outcome(f"{error.message} {error.remedy}")

    async def forget(self, line: Line, about: Sequence[str]) -> bool:
        """Erases the answer to a command if an exchange that it is about was erased meanwhile.
        Raises StorageError, IndexUnavailable."""
        return await self._externals.forget_told(line, about)

    async def _reply(self, code: str, text: str, key: str | None) -> Outcome:
        found = await self._externals.called(code)
        if len(found) != 1:
            waiting = await self._externals.unanswered()
            listed = "\n\n".join(map(_asked, waiting)) or _NOBODY
            return Outcome(f"{_which('exchange', code)}\n\n{listed}", about=_ids(waiting))
        await self._externals.reply(found[0].id, text, key, surface=SURFACE)
        return Outcome(f"Your answer to {_who(found[0])} is being sent.", about=_ids(found))

    async def _decide(self, name: str, code: str, text: str) -> Outcome:
        waiting = await self._externals.drafts()
        if name == "drafts":
            listed = "\n\n".join(map(_listed, waiting)) or _NONE
            return Outcome(listed, about=_ids([external for external, _ in waiting]))
        found = [one for one in waiting if one[1].code == code]
        if not found and code == "" and len(waiting) == 1:
            found = waiting
        if len(found) != 1:
            more = "`/drafts` lists them." if waiting else _NONE
            return Outcome(f"{_which('draft', code)} {more}")
        external, draft = found[0]
        done = await self._externals.decide(
            external.id, draft.id, _DECISIONS[name], text if name == "edit" else None
        )
        told = f"The reply to {_who(external)} is {done.decision}. {_DONE[done.decision]}".strip()
        return Outcome(told, about=_ids([external]))


def _ids(told: Sequence[External]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.id for one in told))


def _which(kind: str, code: str) -> str:
    return f"There is no {kind} `{inline(code[:20])}`." if code else f"Say which {kind}."


def _who(external: External) -> str:
    return inline(external.name or external.party)


def _place(external: External) -> str:
    return link(external.name or external.party, f"/external/{external.id}")


def _asked(external: External) -> str:
    """What they wrote is not copied: it stands there."""
    return f"`{external.code}` is {_place(external)}, by {spoken(external.channel)}."


def _listed(waiting: tuple[External, DraftReply]) -> str:
    external, draft = waiting
    to = f"to {_place(external)}, by {spoken(external.channel)}"
    return f"`{draft.code}` {to}:\n\n{excerpt(draft.text)}"
