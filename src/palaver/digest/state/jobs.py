"""Jobs: the names of jobs in a message, and whether they are over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

from palaver.digest.state.closing import is_closing
from palaver.digest.state.heard import Heard
from palaver.digest.state.records import Floor, Item
from palaver.digest.state.sentences import Sentence

_NOUN = (
    r"(?:jobs?|tasks?|tickets?|issues?|bugs?|prs?|pull requests?|"
    r"aufgabe|tache|tarea|tarefa|compito|taak)"
)
_REF = re.compile(
    r"\bjob-(?=[a-z-]*\d)[0-9a-z]+(?:-[0-9a-z]+)*"
    rf"|\b{_NOUN} (?:no\.? ?|number |nr\.? ?|id )?(?:#\d{{1,8}}|\d{{1,8}}|[a-z]{{2,10}}-\d{{1,8}})"
    r"\b(?![:.,]\d)(?! (?:people|hours?|minutes?|days?|times|years?|weeks?|of|more|%))"
    r"|(?<![\w&#/])#\d{2,5}\b(?![-\w])"
)
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
    """Whether two names are of one job: task 17 is #17."""
    if one.casefold() == other.casefold():
        return True
    short = "#" in one or "#" in other
    return short and one.rpartition("#")[2].split()[-1] == other.rpartition("#")[2].split()[-1]


def meant(heard: Heard, floor: Floor) -> str | None:
    """The job that "it is done" is said about, when it names none."""
    job = floor.job
    if job is None or heard.message.turn_number - job.turn > 1:
        return None
    for sentence in heard.statements:
        over = heard.cues.done.search(sentence.low) and is_closing(heard, sentence.low)
        if over and sentence.size <= _SHORT:
            return job.text
    return None


def _in_sentence(heard: Heard, sentence: Sentence) -> Iterator[tuple[str, bool]]:
    if not _DIGIT.search(sentence.low) or not _REF.search(sentence.low):
        return
    if _COLOUR.search(sentence.low) or _COUNTED.search(sentence.low):
        return
    for clause in _CLAUSE.split(sentence.low):
        over = not sentence.asks and bool(heard.cues.done.search(clause))
        for found in _REF.finditer(clause):
            yield _spelled(found[0], sentence.text), over and is_closing(heard, clause)


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
    """A name as the message spells it; a number after a sign needs no noun."""
    if "#" in ref:
        return ref[ref.index("#") :]
    if ref.startswith("job-"):
        at = text.casefold().find(ref)
        return text[at : at + len(ref)] if at >= 0 else ref
    noun, _, number = ref.partition(" ")
    return f"{noun} {number.split()[-1]}"


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
    text = next((one.text for one in heard.sentences if ref.casefold() in one.text.casefold()), ref)
    return Item(
        kind="job",
        text=text,
        message_id=heard.message.id,
        seq=heard.message.seq,
        turn=heard.message.turn_number,
        owed_by="assistant",
        ref=ref,
    )
