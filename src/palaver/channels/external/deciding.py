"""Deciding by command: drafts to outsiders are approved, edited or rejected from anywhere."""

from __future__ import annotations

from palaver.agent.markdown import inline
from palaver.channels.external.externals import Externals
from palaver.channels.external.notices import excerpt, spoken
from palaver.channels.external.records import Decision, DraftReply, External
from palaver.errors import Conflict, InputError

_DONE = {"approved": "It is being sent.", "edited": "Your words are being sent.", "rejected": ""}
_DECISIONS: dict[str, Decision] = {"approve": "approve", "edit": "edit", "reject": "reject"}
_NONE = "No reply waits for your word."


class DraftCommands:
    """Answers commands about drafts."""

    def __init__(self, externals: Externals) -> None:
        self._externals = externals

    async def answer(self, name: str, argument: str) -> str:
        """What came of it. Raises StorageError, IndexUnavailable."""
        waiting = await self._externals.drafts()
        if name == "drafts":
            return "\n\n".join(map(_listed, waiting)) or _NONE
        code, text = [*argument.split(maxsplit=1), "", ""][:2]
        found = [one for one in waiting if one[1].code == code.strip().lower()]
        if not found and code == "" and len(waiting) == 1:
            found = waiting
        if len(found) != 1:
            return f"{_which(code)} {'`/drafts` lists them.' if waiting else _NONE}"
        external, draft = found[0]
        try:
            done = await self._externals.decide(
                external.id, draft.id, _DECISIONS[name], text.strip() if name == "edit" else None
            )
        except (InputError, Conflict) as error:
            return f"{error.message} {error.remedy}"
        who = inline(external.name or external.party)
        return f"The reply to {who} is {done.decision}. {_DONE[done.decision]}".strip()


def _which(code: str) -> str:
    return f"There is no draft `{inline(code[:20])}`." if code else "Say which draft."


def _listed(waiting: tuple[External, DraftReply]) -> str:
    external, draft = waiting
    who = inline(external.name or external.party)
    return f"`{draft.code}` to {who}, by {spoken(external.channel)}:\n\n{excerpt(draft.text)}"
