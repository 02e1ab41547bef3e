"""Judging: what two answers tell apart, and what one gives away."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields

from tests.proofs.report import Report
from tests.server.matrix.people import CANARIES, Ids

_MADE = re.compile(
    r"(?<=conv-)\w{26}|(?<=msg-)\w{26}|(?<=day-)\w{26}|(?<=mem-)\w{26}|(?<=tok-)\w{26}|pal_[\w-]+"
    r"|(?<=ext-)\w{26}|(?<=draft-)\w{26}"
    r"|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=\"latencyMs\":)[\d.]+|(?<=key-usr-)\w{26}-\w+|(?<=mine)\d+"
    r"|(?<=\"turnNumber\":)\d+|(?<=\"seq\":)\d+"
)
"""What is made anew for every request that is let in."""
_OWN = frozenset({"date", "etag", "last-modified"})


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody got, by whatever way."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: str

    @property
    def is_let_in(self) -> bool:
        return self.status < 300

    @property
    def shown(self) -> tuple[int, str]:
        """What whoever looks again and again sees."""
        return self.status, _MADE.sub("*", self.body)

    def told(self, foreign: Ids, absent: Ids) -> tuple[object, ...]:
        """All of it, with nothing that differs because the ids do, or because time goes on."""
        body, headers = self.body, str(sorted(self._headers()))
        for one in fields(Ids):
            if there := getattr(foreign, one.name):
                body = body.replace(there, getattr(absent, one.name))
                headers = headers.replace(there, getattr(absent, one.name))
        if self.is_let_in:
            body, headers = _MADE.sub("*", body), _MADE.sub("*", headers)
        return self.status, headers, body

    def _headers(self) -> list[tuple[str, str]]:
        left = _OWN | {"content-length"} if self.is_let_in else {"date"}
        return [(name, value) for name, value in self.headers if name.lower() not in left]


class Judge:
    """Notes every leak."""

    def __init__(self, report: Report, theirs: list[Ids]) -> None:
        """`theirs` is what nobody may hear of, but for the ids that they name themselves."""
        self.report = report
        self._ids = {getattr(ids, name) for ids in theirs for name in _NAMES} - {""}

    def same(self, what: str, got: Answer, absent: Answer, ids: Ids, sent: Iterable[str]) -> None:
        """Somebody named what is not theirs, and then what is nowhere; `sent` is what they named
        at first."""
        told, wanted = got.told(ids, ids.absent), absent.told(ids, ids.absent)
        self.report.tried += 1
        if told != wanted:
            self.report.fail(f"{what}: {told} is not {wanted}")
        self.silent(what, f"{got.headers} {got.body}", sent)

    def silent(self, what: str, heard: str, sent: Iterable[str] = ()) -> None:
        """Nothing of what was heard is somebody else's."""
        said = " ".join(sent)
        leaked = [one for one in (*CANARIES, *self._ids) if one in heard and one not in said]
        if leaked:
            self.report.fail(f"{what}: gives away {leaked[:3]}")

    def refused(self, what: str, status: int, wanted: int) -> None:
        if status != wanted:
            self.report.fail(f"{what}: is answered with {status}")


_NAMES = (
    "user",
    "conversation",
    "message",
    "spoken",
    "day",
    "memory",
    "external",
    "draft",
    "written",
    "failed",
    "token",
    "key",
)
REFUSED = {"nobody": 401, "revoked": 401, "expired": 401}
"""How those are answered who have no credentials, whatever they ask for."""
