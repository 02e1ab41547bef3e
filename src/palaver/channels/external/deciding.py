"""Deciding by command: outsiders are answered, and drafts to them decided, from anywhere."""

from __future__ import annotations

from palaver.agent.markdown import inline
from palaver.channels.external.externals import Externals
from palaver.channels.external.notices import excerpt, spoken
from palaver.channels.external.records import Decision, DraftReply, External
from palaver.errors import Conflict, Erased, InputError

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

    async def answer(self, name: str, argument: str, key: str | None) -> str:
        """What came of it. Raises StorageError, IndexUnavailable."""
        code, text = [*argument.split(maxsplit=1), "", ""][:2]
        try:
            if name == "answer":
                return await self._reply(code.lower(), text, key)
            return await self._decide(name, code.lower(), text)
        except (InputError, Conflict, Erased) as error:
            return f"{error.message} {error.remedy}"

    async def _reply(self, code: str, text: str, key: str | None) -> str:
        found = await self._externals.called(code)
        if len(found) != 1:
            waiting = await self._externals.unanswered()
            listed = "\n\n".join(map(_asked, waiting)) or _NOBODY
            return f"{_which('exchange', code)}\n\n{listed}"
        await self._externals.reply(found[0].id, text, key, surface=SURFACE)
        return f"Your answer to {_who(found[0])} is being sent."

    async def _decide(self, name: str, code: str, text: str) -> str:
        waiting = await self._externals.drafts()
        if name == "drafts":
            return "\n\n".join(map(_listed, waiting)) or _NONE
        found = [one for one in waiting if one[1].code == code]
        if not found and code == "" and len(waiting) == 1:
            found = waiting
        if len(found) != 1:
            return f"{_which('draft', code)} {'`/drafts` lists them.' if waiting else _NONE}"
        external, draft = found[0]
        done = await self._externals.decide(
            external.id, draft.id, _DECISIONS[name], text if name == "edit" else None
        )
        return f"The reply to {_who(external)} is {done.decision}. {_DONE[done.decision]}".strip()


def _which(kind: str, code: str) -> str:
    return f"There is no {kind} `{inline(code[:20])}`." if code else f"Say which {kind}."


def _who(external: External) -> str:
    return inline(external.name or external.party)


def _asked(external: External) -> str:
    last = excerpt(external.last_text)
    return f"`{external.code}` is {_who(external)}, by {spoken(external.channel)}:\n\n{last}"


def _listed(waiting: tuple[External, DraftReply]) -> str:
    external, draft = waiting
    to = f"to {_who(external)}, by {spoken(external.channel)}"
    return f"`{draft.code}` {to}:\n\n{excerpt(draft.text)}"
