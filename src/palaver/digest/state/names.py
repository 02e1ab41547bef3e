"""Names: how jobs are named in a text, and whether two names are of one job."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SURE = (
    r"(?:jobs?|tasks?|tickets?|issues?|bugs?|prs?|mrs?|(?:pull|merge) requests?|incidents?|"
    r"pipelines?|workflows?|work items?|aufgaben?|auftrage?|auftrag|vorgang|taches?|tareas?|"
    r"trabajos?|incidencias?|tarefas?|compit[oi]|ta(?:ak|ken))"
)
_LIKELY = (
    r"(?:builds?|runs?|deploy(?:ment)?s?|batch(?:es)?|cases?|requests?|exports?|imports?|"
    r"executions?|backups?|migrations?|stor(?:y|ies)|epics?|change)"
)
"""Nouns that are verbs or mean other things as well: what follows must look like a name."""
NOUN = f"(?:{_SURE}|{_LIKELY})"
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_CODED = (
    r"(?=[a-z_-]*\d)(?=[\d_-]*[a-z])[0-9a-z]+(?:[-_][0-9a-z]+)+"
    r"|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{4,40}"
)
_NUMBER = r"(?:no\.? ?|number |nr\.? ?|id:? ?|nummer |numero )?"
_UNITS = (
    r"(?! (?:people|hours?|minutes?|days?|times|years?|weeks?|months?|of|more|miles?|km|percent|%))"
)
_REF = re.compile(
    rf"\b(?:[a-z0-9]+[-_])*(?:{_SURE}|{_LIKELY})[-_](?=[a-z_-]*\d)[0-9a-z]+(?:[-_][0-9a-z]+)*"
    rf"|\b{_SURE} {_NUMBER}`?(?:{_UUID}|{_CODED}|#?\d{{1,9}})\b(?![:.,]\d){_UNITS}"
    rf"|\b{_LIKELY} {_NUMBER}`?(?:{_UUID}|{_CODED}|#\d{{1,9}}|\d{{3,9}})\b(?![:.,]\d){_UNITS}"
    rf"|\b{_UUID}\b|\b(?:inc|req|chg|tkt|tsk|ritm)\d{{4,10}}\b"
    rf"|\b(?:started|running|runs|queued|submitted|launched|scheduled|tracked|created|registered) "
    rf"(?:it |this |that )?(?:as|under) `?(?:{_UUID}|{_CODED})\b"
    r"|(?<![\w&#/-])[a-z][a-z0-9]{1,9}-\d{1,6}\b(?![-.:/]\w)"
    r"|(?<![\w&#/])#(?:\d{2,5}|\d{7,9})\b(?![-\w])"
)
_KEY = re.compile(r"([a-z][a-z0-9]*)-(\d+)$")
_NO_JOBS = """
iso rfc covid utf sha gpt cve din en iec ieee pep ascii rtx gtx usb aes rsa ansi ecma sars mp md ps
tls ssl http ipv rs hd fy top mid pre post sub non co ex anti circa may jan feb mar apr jun jul aug
sep oct nov dec q1 q2 q3 q4 vitamin omega type level catch area apollo iphone windows boeing airbus
figure table page route highway sheet ds mig the under over plus minus age ages about agent bis von
ab zone class grade euro nato
"""
_NO_KEYS = frozenset(_NO_JOBS.split())
"""What stands before a number with a hyphen and names no job: standards, dates, models."""
_SURE_KEYS = ("job", "task", "ticket", "build", "run", "deploy", "bug", "issue")
_LONG = 2
_BRANDED = re.compile(r"\w[\w' ]* (?!Jira|Linear|Issue|Ticket|Bug|Job|Task)[A-Z][a-z]+ $")
"""A name before a key: the key is that of a model."""
_MANY = re.compile(
    rf"\b({_SURE}) (#?\d{{1,9}})((?:, #?\d{{1,9}})*),? (?:and|und|et|y|or|&) (#?\d{{1,9}})\b"
)
_NUMBERS = re.compile(r"#?\d+")
_FILLER = re.compile(r" (?:no\.?|number|nr\.?|id:?|nummer|numero)$")
_CLAUSE = re.compile(r"(?:[,;] |\s(?:but|and|while|aber|mais|pero|ma|mas|maar)\s)(?=.*\d)")
_ALIKE = {
    "pull request": "pr",
    "merge request": "pr",
    "mr": "pr",
    "bug": "ticket",
    "issue": "ticket",
}
"""Nouns that are said of the same things."""


def in_clauses(low: str, text: str) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """The clauses of a sentence with the names in each, as `text` spells them, and their places."""
    if not _REF.search(low):
        return
    for clause in _clauses(_MANY.sub(_one_by_one, low)):
        found = [one for one in _REF.finditer(clause) if _is_name(one[0], text)]
        yield clause, [(_spelled(one[0], text), one.start()) for one in found]


def same_job(one: str, other: str) -> bool:
    """Whether two names are of one job: task 17 is #17, PR 5 is pull request 5."""
    mine, its = _parts(one), _parts(other)
    return mine == its or (mine[1] == its[1] and not (mine[0] and its[0]))


def _parts(ref: str) -> tuple[str, str]:
    """The noun and the number of a name; a name of another form is its own noun."""
    noun, _, number = ref.casefold().replace("#", " ").replace("-", " ").strip().rpartition(" ")
    if not number.isdigit():
        return "-", ref.casefold()
    return _ALIKE.get(noun.strip(), noun.strip()), number


def _clauses(low: str) -> Iterator[str]:
    """The parts that say something each; a mere name belongs to what comes after it."""
    names = ""
    for part in _CLAUSE.split(low):
        clause = f"{names} {part}".strip()
        names = clause if _REF.sub("", clause).count(" ") <= 1 else ""
        if not names:
            yield clause
    if names:
        yield names


def _one_by_one(found: re.Match[str]) -> str:
    """The names of "tickets 4 and 5" with a noun each, in one clause."""
    return " ".join(f"{found[1]} {number}" for number in _NUMBERS.findall(found[0]))


def _is_name(ref: str, text: str) -> bool:
    """Whether letters, a hyphen and a number are the key of a job.

    In capitals they are unless they are known for something else; else only with a long number.
    """
    key = _KEY.match(ref)
    if key is None or ref.startswith(_SURE_KEYS):
        return True
    if key[1] in _NO_KEYS or _BRANDED.search(text[: max(text.find(ref.upper()), 0)]):
        return False
    return ref.upper() in text or len(key[2]) > _LONG


def _spelled(ref: str, text: str) -> str:
    """A name as the message spells it; a number after a sign needs no noun, nor does a key."""
    if "#" in ref:
        return ref[ref.index("#") :]
    noun, _, name = ref.replace("`", "").rpartition(" ")
    if noun and name.isdigit():
        name = f"{_FILLER.sub('', noun).removesuffix('s')} {name}"
    at = text.casefold().find(name)
    return text[at : at + len(name)] if at >= 0 else name
