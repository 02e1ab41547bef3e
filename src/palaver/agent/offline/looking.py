"""Looking back: what was said about something, or what was decided about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from itertools import islice

from palaver.agent.offline.asked import Asked
from palaver.agent.offline.decisions import decisions_in
from palaver.agent.offline.evidence import best_quotations, search_words
from palaver.agent.offline.plan import Plan, Spoken, Steps, call
from palaver.agent.offline.quotation import Quotation, quote, wants_answer
from palaver.agent.offline.read import messages_in, reading, results_in, titles_in
from palaver.agent.offline.sight import Sight
from palaver.agent.offline.spelling import as_written
from palaver.agent.offline.telling import Teller
from palaver.agent.offline.texts import (
    CLOSED,
    DECIDED,
    NO_DECISION,
    NOTED,
    NOTHING,
    NOTHING_THEN,
    OTHER_WORDS,
    QUOTING,
)
from palaver.index.records import Json
from palaver.recall.phrases import read_phrase
from palaver.recall.query import search_terms
from palaver.recall.results import Hit
from palaver.recall.scope import Scope, read_query
from palaver.text import Term, language, words
from palaver.times import Clock

_CONVERSATIONS = 10
_MOST_DECISIONS = 5
_READ_OF_A_MESSAGE = 400
_DECIDING = re.compile(r"agree|beschl[io]ss|deci[ds]|entscheid|entschied|vereinbar")
_SAID_BY_ME = re.compile(
    r"\b(?:did|have|had) i (?:ever |just )?(?:mention|say|said|tell|told|wr[io]te)"
    r"|\b(?:habe?|hatte) ich\b.*\b(?:erwahnt|erzahlt|gesagt|geschrieben)\b"
)
_SAID_BY_YOU = re.compile(r"\b(?:did|have|had) you\b|\b(?:hast|hattest) du\b")


@dataclass(frozen=True, slots=True)
class Lookout:
    """Looks back for one question."""

    asked: Asked
    teller: Teller
    clock: Clock

    @property
    def zone(self) -> tzinfo:
        return self.teller.zone

    def what_was_said(self, about: Sequence[str] = ()) -> Plan:
        """The best quotations; to somebody who only tells something, at most one. `about` is what
        is asked about, if that is known better than from the words of the question."""
        wanted = about or search_words(self.asked.text)
        sight = yield from self._look(wanted)
        if sight is None:
            return Spoken(CLOSED)
        found = best_quotations(sight.terms, self._spoken(sight), but=self.asked.ids)
        if not about and not wants_answer(self.asked.text):
            return self._told(NOTED, sight.close(found)[:1], sight)
        if found:
            opening = f"{QUOTING} {NOTHING_THEN}" if sight.elsewhen else QUOTING
            return self._told(opening, found, sight)
        return self._nearby(wanted, sight)

    def what_was_decided(self) -> Plan:
        """The sentences that look like decisions; without one, what was said about it."""
        every = search_words(self.asked.text)
        sight = yield from self._look([one for one in every if not _DECIDING.match(one)] or every)
        if sight is None:
            return Spoken(CLOSED)
        if found := self._decisions(sight):
            return self._told(
                f"{DECIDED} {NOTHING_THEN}" if sight.elsewhen else DECIDED, found, sight
            )
        said = best_quotations(sight.terms, sight.hits, but=self.asked.ids)
        return self._told(NO_DECISION, said, sight)

    def _nearby(self, wanted: Sequence[str], sight: Sight) -> Spoken:
        """What was said under a title with the words, or in words that are written much alike."""
        titled = [one for one in sight.hits if sight.is_titled(one.message.conversation_id)]
        if found := best_quotations((), titled, but=self.asked.ids):
            return self._told(QUOTING, found, sight)
        written = as_written(wanted, (one.message for one in sight.hits))
        terms = search_terms(" ".join(written), sight.languages, timed=True)
        hits = sight.hits if terms else ()
        if found := best_quotations(terms, hits, but=self.asked.ids):
            return self._told(f"{QUOTING} {OTHER_WORDS}", found, sight)
        return Spoken(NOTHING)

    def _spoken(self, sight: Sight) -> Sequence[Hit]:
        """Those of the user, when that is what was asked for and there are any; or when nothing
        but a time was, and not what the assistant said then."""
        hits = sight.hits
        own = [
            hit
            for hit in hits
            if hit.message.role == "user"
            and not (hit.message.author and hit.message.author.kind == "participant")
            and hit.message.id not in self.asked.ids
        ]
        only_time = not sight.terms and not self.asked.says(_SAID_BY_YOU)
        return own if own and (only_time or self.asked.says(_SAID_BY_ME)) else hits

    def _look(self, wanted: Sequence[str]) -> Steps[Sight | None]:
        if not self.asked.offers("search_conversations", "fetch_context"):
            return None
        query = self._query(wanted)
        (found,) = yield [call("search_conversations", query=query, limit=_CONVERSATIONS)]
        results = results_in(found)
        fetched = (yield reading(results)) if results else ()
        messages = messages_in(fetched)
        spoken = {language(words(one.content[:_READ_OF_A_MESSAGE])) for one in messages}
        languages = sorted({"en", *spoken})
        return Sight(
            self._terms(query, found, languages),
            languages,
            [hit for one in results for hit in one.hits(messages)],
            titles_in(fetched),
            elsewhen=bool(found.get("emptyWindow")),
        )

    def _query(self, wanted: Sequence[str]) -> str:
        """The words to look for. Those that say when stay as they are: "between 2 and 4" needs
        its "and"."""
        phrase = read_phrase(self.asked.text, self.clock(), self.zone)
        if phrase is None:
            return " ".join(wanted)
        if phrase.alone:
            return self.asked.text
        when = phrase.words(self.asked.text)
        named = set(search_words(when))
        return " ".join([*(word for word in wanted if word not in named), when])

    def _terms(self, query: str, found: Json, languages: Sequence[str]) -> Sequence[Term]:
        """The words that were looked for, without those that only say when."""
        read = read_query(query, Scope(), self.zone, self.clock)
        if read.only_time and not found.get("emptyWindow"):
            return ()
        terms = search_terms(read.query, languages, timed=read.from_phrase)
        if terms or not found.get("emptyWindow"):
            return terms
        return search_terms(query, languages, timed=False)

    def _decisions(self, sight: Sight) -> list[Quotation]:
        """The newest first; of those that have to do with the words, if there are any."""
        messages = [
            hit.message
            for hit in sight.hits
            if hit.message.id not in self.asked.ids
            and (not sight.terms or quote(hit.message, sight.terms))
        ]
        messages.sort(key=lambda one: (one.timestamp, one.id), reverse=True)
        return list(islice(decisions_in(messages), _MOST_DECISIONS))

    def _told(self, opening: str, found: Sequence[Quotation], sight: Sight) -> Spoken:
        shown = [self.teller.tell(one, sight.titles[one.message.conversation_id]) for one in found]
        return Spoken("\n\n".join([opening, *shown]), tuple(one.source for one in found))
