"""The files of cues: every language can be read, and says nothing under a name nobody looks for."""

from dataclasses import fields

import pytest

from palaver.digest.state.cues import LANGUAGES, Patterns, patterns
from palaver.digest.state.cues.compiled import cues

KINDS = {kind.name for kind in fields(Patterns)}


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_every_kind_of_cue_is_looked_for(code: str):
    assert cues(code).keys() <= KINDS
    assert all(lines for lines in cues(code).values())
    patterns(code)


def test_english_has_every_kind():
    assert cues("en").keys() == KINDS


def test_a_language_without_cues_has_the_english_ones():
    assert patterns("fi") is patterns("en")
    assert patterns("de").reminder.search("erinnere mich daran")
    assert not patterns("en").reminder.search("erinnere mich daran")
