"""Reading: one message, sentence by sentence, for what lasts in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palaver.digest.state.content import content
from palaver.digest.state.sentences import asks
from palaver.memory.cues import cues_of, tongues
from palaver.memory.frames import Said, read, written_out
from palaver.memory.offline.answers import answered
from palaver.memory.offline.clauses import Stretch, clauses, part, sentences, without_lead
from palaver.memory.offline.composing import Composer
from palaver.memory.offline.levels import level
from palaver.memory.offline.naming import named
from palaver.memory.offline.owned import owned
from palaver.memory.port import Candidate, Saying
from palaver.text import language, sentence_spans, words

_YOU_ARE = re.compile(
    r"\b(?:[Yy]ou(?:'re| are)|[Dd]u bist|[Tt]u es|[Ee]res|[Ss]ei|[Jj](?:ij|e) bent|[Tt]u és"
    r"|[Vv]ocê é)"
    r" (?:now |jetzt |nu |maintenant |ahora |ora |agora |die |der |la |le |el |il |o |a )?"
    r"(?!Klasse|Spitze|Gold|Super|Claude|Palaver|AI|KI|GPT)[A-Z][a-z]{2,}"
)
"""Gives the assistant a part."""
_IF = re.compile(r"(?:if|when|falls|wenn|als|quand|cuando|quando) ")
"""A condition under which people are those they are."""
_SUPPOSED = re.compile(
    r"^(?:\w+,? )?(?:suppos(?:e|ing)|imagine|assum(?:e|ing)|let'?s (?:say|assume|imagine|pretend"
    r"|suppose)|say (?:i|we)|hypothetically|what if|if (?:i|we) (?:were|was|had|lived|could|won)"
    r"|angenommen|stell dir vor|gesetzt den fall|wenn (?:ich|wir) [^,]{0,40}(?:ware|hatte|wurde)\w*"
    r"|si (?:j'|nous |on )(?:etai|avai|vivai)\w+|imagin(?:e|ons|a|emos)"
    r"|si (?:yo |nosotros )?(?:fuera|tuviera|viviera)\w*|supon\w+"
    r"|se (?:io |noi )?(?:fossi|avessi|vivessi)\w*|mettiamo che"
    r"|stel dat|als ik [^,]{0,30}(?:was|had|zou)|se eu (?:fosse|tivesse|morasse|vivesse))\b"
)
"""Nothing that such a sentence says is so."""
_PLEASE = re.compile(
    r"(?:pl(?:s|z|ease)|bitte|s'il (?:te|vous) plait|por favor|per favore|alsjeblieft)\b"
)
"""Follows "remember that" where that is what was said before."""
_MAIN = re.compile(r"(?:[^ ,;:(]+ ){2,}?[^ ,;:(]+(?=[,;:(])")
_SHORTEST = 2
"""With fewer words nothing is said."""
_DECIDED = 4
"""With fewer words nothing is said that could be decided."""


class Reading:
    """One message of the owner."""

    def __init__(self, saying: Saying, *, pretending: bool = False) -> None:
        self._saying = saying
        own = owned(saying.text)
        self._cues = cues = cues_of(*tongues(words(own)))
        playing = pretending or cues.acted.search(level(saying.asked)) is not None
        self._own = _after(own, cues.unpretend) if playing else own
        self._low = level(self._own)
        acts = any(cues.roleplay.search(one.low) for one in sentences(self._own))
        acts = acts or cues.acted.search(self._low) is not None
        acts = acts or _YOU_ARE.search(self._own) is not None
        self.pretending = (playing and self._own == own) or acts
        self._composer = Composer(saying, cues)
        self._before: Stretch | None = None
        self._told: Candidate | None = None
        """What was made of the sentence before."""
        self._about = self._explicit = False
        """Whether a list tells of the owner, and is to be remembered."""
        self._goes_on = False

    def candidates(self) -> list[Candidate]:
        """What of it is worth remembering."""
        if self.pretending or self._is_withheld():
            return []
        answer = answered(self._saying, self._own, self._cues)
        told = [one for one in self._read() if one.explicit or not self._is_repeated(one)]
        found = [*told, *([answer] if answer else [])]
        return list({one.quote: one for one in found}.values())

    def _is_repeated(self, one: Candidate) -> bool:
        """Whether it only says again what the assistant has just told, and did not ask."""
        spoken = language(words(self._own))
        terms = content(one.content, spoken)
        return bool(terms) and any(
            terms <= content(self._saying.asked[start:end], spoken)
            for start, end in sentence_spans(self._saying.asked)
            if not asks(self._saying.asked[start:end])
        )

    def _read(self) -> Iterator[Candidate]:
        for sentence in sentences(self._own):
            if self._cues.fiction.search(sentence.low):
                return
            if sentence.first or (not sentence.listed and not self._goes_on):
                self._about = self._explicit = False
            found = list(self._sentence(sentence))
            yield from found
            self._before, self._told = sentence, found[-1] if found else None
            self._goes_on = bool(found)
            if self._cues.about.search(sentence.low):
                self._about = self._goes_on = True
                self._explicit = self._asks_to_remember(sentence) is not None

    def _sentence(self, sentence: Stretch) -> Iterator[Candidate]:
        """What one sentence says."""
        if self._before and self._cues.remember_that.search(sentence.low):
            yield from self._asked_for(self._before)
        elif self._before and self._cues.settled.search(sentence.low):
            if self._told is None and (one := self._settled(self._before)):
                yield one
        elif wanted := self._asks_to_remember(sentence):
            yield from self._asked_for(wanted)
        elif self._about and sentence.listed:
            if one := self._composer.listed(sentence, explicit=self._explicit):
                yield one
        elif not self._is_unmeant(sentence.low):
            jested = self._before is not None and self._is_unmeant(self._before.low)
            for one in self._statement(sentence):
                if not (jested and one.type == "decision"):
                    yield one

    def _settled(self, before: Stretch) -> Candidate | None:
        """What the sentence before says, since that is decided."""
        if len(before.low.split()) < _DECIDED or before.asks or _SUPPOSED.search(before.low):
            return None
        if self._is_unmeant(before.low):
            return None
        return self._composer.decided(without_lead(before, self._cues))

    def _statement(self, sentence: Stretch) -> Iterator[Candidate]:
        if _SUPPOSED.search(sentence.low) or self._cues.not_remember.search(sentence.low):
            return
        for whole in clauses(sentence, self._cues):
            clause = without_lead(whole, self._cues)
            if not _IF.match(clause.low) and self._cues.reported.search(self._written(clause)):
                break
            one = self._clause(clause)
            if one and self._cues.deictic.search(_main(clause.low)):
                one = self._composer.widened(one, self._beginning(clause, sentence), clause.end)
            if one is None:
                yield from self._named(clause)
            else:
                yield one
        if one := self._continued(sentence):
            yield one

    def _continued(self, sentence: Stretch) -> Candidate | None:
        """What a sentence says of somebody or something that the one before tells of."""
        if self._told:
            return self._composer.continued(sentence, self._told)
        return self._composer.told_of(sentence, self._before) if self._before else None

    def _beginning(self, clause: Stretch, sentence: Stretch) -> int | None:
        """Where that begins which a clause points to."""
        if clause.start > sentence.start:
            return sentence.start
        return self._before.start if self._before else None

    def _named(self, clause: Stretch) -> Iterator[Candidate]:
        """Whoever of the owner's own people is called by name, whatever else is said of them."""
        if _IF.match(clause.low) or not self._cues.hypothetical.search(clause.low):
            for start, end in named(self._own, clause, self._cues):
                if one := self._composer.named(start, end):
                    yield one

    def _asks_to_remember(self, sentence: Stretch) -> Stretch | None:
        """What a sentence asks to have remembered."""
        if self._cues.not_remember.search(sentence.low):
            return None
        for pattern in self._cues.remember:
            if (found := pattern.search(sentence.low)) and found["what"].strip():
                if not _PLEASE.match(found["what"].strip()):
                    return part(sentence, *found.span("what"))
                head = sentence.low[: found.start("what")]
                before = head[: max(head.rfind(sign) for sign in ",.;:!?-") + 1].rstrip(" ,;-")
                said = clauses(part(sentence, 0, len(before)), self._cues) if before else []
                return said[-1] if said else self._before
        return None

    def _asked_for(self, wanted: Stretch) -> Iterator[Candidate]:
        whole = without_lead(wanted, self._cues)
        for clause in clauses(whole, self._cues) or [whole]:
            said = self._said(clause)
            if len(clause.low.split()) < _SHORTEST or self._cues.remember_that.search(clause.low):
                continue
            if said is None and clause.start > whole.start:
                continue
            if one := self._composer.asked_for(clause, said):
                yield one

    def _clause(self, clause: Stretch) -> Candidate | None:
        """What a clause says, if that lasts."""
        cues = self._cues
        said = self._said(clause) if len(clause.low.split()) >= _SHORTEST else None
        if said is None:
            return None
        if said.frame in cues.standing:
            supposed = cues.hypothetical.search(clause.low) and not _IF.match(clause.low)
            return None if supposed else self._composer.said(clause, said)
        return None if self._passes(clause, said) else self._composer.said(clause, said)

    def _passes(self, clause: Stretch, said: Said) -> bool:
        """Whether what is said is not so, is asked for, or does not last."""
        cues, low = self._cues, clause.low
        if cues.hypothetical.search(low) or cues.wish.search(low):
            return True
        if said.frame.type != "preference" and _PLEASE.search(low):
            return True
        if self._holds_now(clause, said) or cues.at_hand.search(_main(low)):
            return True
        return said.frame.loose and self._is_fleeting(clause)

    def _holds_now(self, clause: Stretch, said: Said) -> bool:
        """Whether what is said holds only for now."""
        if said.frame.type == "project" and self._cues.instant.search(clause.low):
            return True
        return not said.frame.dated and self._cues.passing.search(clause.low) is not None

    def _is_fleeting(self, clause: Stretch) -> bool:
        """Whether what only looks as if it lasted does not."""
        return self._cues.fleeting.search(_main(self._written(clause))) is not None

    def _written(self, clause: Stretch) -> str:
        return written_out(self._own[clause.start : clause.end], self._cues)

    def _said(self, clause: Stretch) -> Said | None:
        bare = self._about and self._before is not None
        return read(self._own[clause.start : clause.end], self._cues, bare=bare)

    def _is_withheld(self) -> bool:
        """Whether it is said that nothing of it counts, or that it is to be kept nowhere."""
        jest = self._cues.jest.search(self._low) and not self._cues.nojoke.search(self._low)
        return bool(jest or self._cues.offrecord.search(self._low))

    def _is_unmeant(self, low: str) -> bool:
        """Whether a sentence is a joke."""
        return bool(self._cues.joke.search(low) and not self._cues.nojoke.search(low))


def _main(low: str) -> str:
    """What a clause says before anything is added to it."""
    found = _MAIN.match(low)
    return found[0] if found else low


def _after(own: str, pattern: re.Pattern[str]) -> str:
    """What is said after a pattern; what stands before is blank. All of it, if it is not found."""
    found = pattern.search(level(own))
    return " " * found.end() + own[found.end() :] if found else own
