"""The state of hand-written dialogues: what stands open at the end, and what was closed."""

import pytest

from palaver.digest.state import fold_all
from tests.digest.state.scoring import SETS, dialogues, scored

TRAPS = [one for name in SETS for one in dialogues(name) if not one.expected]


@pytest.mark.parametrize("name", SETS)
def test_precision_and_recall(name: str):
    score = scored(name)
    assert score.precision >= 0.9, score.mistakes
    assert score.recall >= 0.8, score.mistakes


def test_there_are_enough_dialogues_and_traps():
    sizes = {name: len(dialogues(name)) for name in SETS}
    assert sizes["tuning"] >= 50
    assert sizes["held_out"] >= 30
    assert len(TRAPS) >= 30


@pytest.mark.parametrize("name", SETS)
def test_names_of_dialogues_are_their_own(name: str):
    names = [one.name for one in dialogues(name)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", SETS)
def test_every_text_stands_in_its_message_word_for_word(name: str):
    for dialogue in dialogues(name):
        said = {message.id: message.content for message in dialogue.messages}
        state = fold_all(dialogue.messages)
        for item in (*state.open_items, *state.closed):
            assert item.text in said[item.message_id]
