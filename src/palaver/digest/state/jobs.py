"""Jobs: the names of jobs in a message, and whether they are over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

from palaver.digest.state.closing import is_closing
from palaver.digest.state.heard import Heard
from palaver.digest.state.names import NOUN, in_clauses, same_job
from palaver.digest.state.records import Item, Referent
from palaver.digest.state.sentences import Sentence
from palaver.text import fold

_THE = re.compile(rf"\b(?:the|that|this|der|die|das|le|la|el) ({NOUN})\b(?! ?[#\d])")
_BESIDE = re.compile(
    r"\b(?:duplicates? of|(?:blocked|replaced|superseded|caused) by|depends on|waiting (?:for|on)"
    r"|because of|before|after|until|blocks|next is) $"
)
"""Before a job that is only named beside the one that is spoken of."""
_BACK = re.compile(
    r"\b(?:re-?open(?:ed|ing)?|re-?started|re-?running|re-?queued|is back|failing again"
    r"|wieder offen|rouvert)\b"
)
_NUMBERED = re.compile(r"(?:^#| )\d{1,8}$")
_DIGIT = re.compile(r"\d")
_COLOUR = re.compile(r"\b(?:colou?rs?|hex|rgb|css|background|shade|palette|farbe|couleur)\b")
_COUNTED = re.compile(
    r"\b(?:question|bus|line|route|gate|room|apt|apartment|suite|chapter|page|step|tip|rule|figure|table|"
    r"episode|season|number|track|size|player|rank|ranked|top|day|week|photo|lesson|exercise|channel|"
    r"platform|level|item|part|section|slide|group|team|verse|door|house|model|seat|locker|stall|stand|booth|dialogue|ranking)s?:?\W{0,3}#\d"
)
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
    low = sentence.low
    if not _DIGIT.search(low) or _COLOUR.search(low) or _COUNTED.search(low):
        return
    for clause, names in in_clauses(low, sentence.text):
        done = not sentence.asks and heard.cues.done.search(clause) and is_closing(heard, clause)
        for ref, place in names:
            yield ref, bool(done) and not _BESIDE.search(clause, 0, place)


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
    name = ref.rpartition(" ")[2].casefold()
    text = next((one.text for one in heard.sentences if name in one.text.casefold()), ref)
    return Item(
        kind="job",
        text=text,
        message_id=heard.message.id,
        seq=heard.message.seq,
        turn=heard.message.turn_number,
        owed_by="assistant",
        said_by=heard.speaker,
        ref=ref,
    )
