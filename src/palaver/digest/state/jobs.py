"""Jobs: the names of jobs in a message, and whether they are over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

from palaver.digest.state.closing import is_closing
from palaver.digest.state.heard import Heard
from palaver.digest.state.records import Item, Referent
from palaver.digest.state.sentences import Sentence
from palaver.text import fold

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
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_CODED = r"(?=[a-z_-]*\d)(?=[\d_-]*[a-z])[0-9a-z]+(?:[-_][0-9a-z]+)+|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{4,40}"
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
_NO_KEYS = frozenset(
    "iso rfc covid utf sha gpt cve din en iec ieee pep ascii rtx gtx usb aes rsa ansi ecma sars mp "
    "md ps tls ssl http ipv rs hd fy top mid pre post sub non co ex anti circa may jan feb mar apr "
    "jun jul aug sep oct nov dec q1 q2 q3 q4 vitamin omega type level catch area apollo iphone "
    "windows boeing airbus figure table page route highway sheet ds mig the under over plus minus "
    "age ages about agent bis von ab zone class grade euro nato".split()
)
"""What stands before a number with a hyphen and names no job: standards, dates, models."""
_MANY = re.compile(
    rf"\b({_SURE}) (#?\d{{1,9}})((?:, #?\d{{1,9}})*),? (?:and|und|et|y|or|&) (#?\d{{1,9}})\b"
)
_FILLER = re.compile(r" (?:no\.?|number|nr\.?|id:?|nummer|numero)$")
_THE = re.compile(rf"\b(?:the|that|this|der|die|das|le|la|el) ({_SURE}|{_LIKELY})\b(?! ?[#\d])")
_BESIDE = re.compile(
    r"\b(?:duplicates? of|(?:blocked|replaced|superseded|caused) by|depends on|waiting (?:for|on)|because of"
    r"|before|after|until|blocks|next is) $"
)
"""Before a job that is only named beside the one that is spoken of."""
_BACK = re.compile(
    r"\b(?:re-?open(?:ed|ing)?|re-?started|re-?running|re-?queued|is back|failing again|wieder offen|rouvert)\b"
)
_NUMBERS = re.compile(r"#?\d+")
_SURE_KEYS = ("job", "task", "ticket", "build", "run", "deploy", "bug", "issue")
_LONG = 2
_BRANDED = re.compile(r"\w[\w' ]* (?!Jira|Linear|Issue|Ticket|Bug|Job|Task)[A-Z][a-z]+ $")
"""A name before a key: the key is that of a model."""
_ALIKE = {
    "pull request": "pr",
    "merge request": "pr",
    "mr": "pr",
    "bug": "ticket",
    "issue": "ticket",
}
_NUMBERED = re.compile(r"(?:^#| )\d{1,8}$")
_DIGIT = re.compile(r"\d")
_COLOUR = re.compile(r"\b(?:colou?rs?|hex|rgb|css|background|shade|palette|farbe|couleur)\b")
_COUNTED = re.compile(
    r"\b(?:question|bus|line|route|gate|room|apt|apartment|suite|chapter|page|step|tip|rule|figure|table|"
    r"episode|season|number|track|size|player|rank|ranked|top|day|week|photo|lesson|exercise|channel|"
    r"platform|level|item|part|section|slide|group|team|verse|door|house|model|seat|locker|stall|stand|booth|dialogue|ranking)s?:?\W{0,3}#\d"
)
_CLAUSE = re.compile(r"(?:[,;] |\s(?:but|and|while|aber|mais|pero|ma|mas|maar)\s)(?=.*\d)")
_NAMES = ("id", "jobId", "ref", "name")
_SHORT = 7


def named(heard: Heard) -> list[tuple[str, bool]]:
    """The jobs that a message names, and whether it says that they are over."""
    found: dict[str, bool] = {}
    for sentence in heard.sentences:
        for ref, over in _in_sentence(heard, sentence):
            known = _known(ref, found) or ref
            found[known] = found.get(known, False) or over
    for ref in _counting(found):
        del found[ref]
    for ref in _on_line(heard):
        found.setdefault(_known(ref, found) or ref, False)
    return list(found.items())


def same_job(one: str, other: str) -> bool:
    """Whether two names are of one job: task 17 is #17, PR 5 is pull request 5."""
    mine, its = _parts(one), _parts(other)
    return mine == its or (mine[1] == its[1] and not (mine[0] and its[0]))


def _parts(ref: str) -> tuple[str, str]:
    """The noun and the number of a name; a name of one word has no noun of its own."""
    noun, _, number = ref.casefold().replace("#", " ").replace("-", " ").strip().rpartition(" ")
    return (
        (_ALIKE.get(noun.strip(), noun.strip()), number)
        if number.isdigit()
        else ("-", ref.casefold())
    )


def meant(heard: Heard, job: Referent | None, jobs: Sequence[Item]) -> str | None:
    """The job that "it is done" is said about: of the kind that is named, else the last one."""
    near = job is not None and heard.message.turn_number - job.turn <= 1
    for clause, _ in heard.clauses:
        over = heard.cues.done.search(clause) and is_closing(heard, clause)
        if over and (ref := _by_noun(clause, jobs)):
            return ref
        if over and job and near and clause.count(" ") < _SHORT:
            return job.text
    return None


def is_back(heard: Heard) -> bool:
    """Whether something that was over goes on."""
    return any(_BACK.search(sentence.low) for sentence in heard.sentences)


def _by_noun(clause: str, jobs: Sequence[Item]) -> str | None:
    """The newest job that is of the kind a clause names: "the build is green"."""
    for found in _THE.finditer(clause):
        for item in reversed(jobs):
            if found[1] in fold(item.text):
                return item.ref
    return None


def _in_sentence(heard: Heard, sentence: Sentence) -> Iterator[tuple[str, bool]]:
    if not _DIGIT.search(sentence.low) or not _REF.search(sentence.low):
        return
    if _COLOUR.search(sentence.low) or _COUNTED.search(sentence.low):
        return
    for clause in _clauses(_MANY.sub(_one_by_one, sentence.low)):
        over = not sentence.asks and bool(heard.cues.done.search(clause))
        for found in _REF.finditer(clause):
            if _is_name(found[0], sentence.text):
                its = over and not _BESIDE.search(clause, 0, found.start())
                yield _spelled(found[0], sentence.text), its and is_closing(heard, clause)


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
    """ "Tickets 4 and 5" as "tickets 4 tickets 5", in one clause."""
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


def _counting(found: dict[str, bool]) -> list[str]:
    """The names that only number the parts of a text: three or more in a row."""
    numbers = {int(ref.split()[-1].lstrip("#")): ref for ref in found if _NUMBERED.search(ref)}
    return [
        ref
        for number, ref in numbers.items()
        if any(
            all(at + step in numbers for step in range(3)) for at in range(number - 2, number + 1)
        )
    ]


def _spelled(ref: str, text: str) -> str:
    """A name as the message spells it; a number after a sign needs no noun, nor does a key."""
    if "#" in ref:
        return ref[ref.index("#") :]
    noun, _, name = ref.replace("`", "").rpartition(" ")
    if noun and name.isdigit():
        name = f"{_FILLER.sub('', noun).removesuffix('s')} {name}"
    at = text.casefold().find(name)
    return text[at : at + len(name)] if at >= 0 else name


def _on_line(heard: Heard) -> Iterator[str]:
    """The names that the line itself carries: texts, or objects that have one."""
    for given in heard.message.job_refs or ():
        if isinstance(given, str):
            yield given[:120]
        elif isinstance(given, dict):
            fields = cast("dict[str, Any]", given)
            names = [fields[name] for name in _NAMES if isinstance(fields.get(name), str)]
            yield from (name[:120] for name in names[:1])


def _known(ref: str, found: dict[str, bool]) -> str | None:
    return next((known for known in found if same_job(known, ref)), None)


def job_item(heard: Heard, ref: str) -> Item:
    """A job as it is first named."""
    name = ref.split()[-1].casefold()
    text = next((one.text for one in heard.sentences if name in one.text.casefold()), ref)
    return Item(
        kind="job",
        text=text,
        message_id=heard.message.id,
        seq=heard.message.seq,
        turn=heard.message.turn_number,
        owed_by="assistant",
        ref=ref,
    )
