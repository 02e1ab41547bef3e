"""The model equals the original, depends on the text alone, and takes any text."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from palaver.embedding.facts import MAX_TOKENS
from palaver.embedding.minilm import MiniLM
from palaver.embedding.weights import ModelFiles, tensors
from tests.embedding.reference import vector

TEXTS = [
    "When do figs ripen?",
    "Le démarrage a échoué à 东京.",
    "",
    "🙂🙂🙂",
    "A reply that is longer than the others: " + "it goes on and on, with numbers like 42. " * 12,
]
# The first numbers of the vectors, from the model as it was published, run by PyTorch.
PUBLISHED = {
    "When do figs ripen?": [0.0032126, -0.0123145, -0.0001559, 0.0720233],
    "Le démarrage a échoué à 东京.": [-0.0320002, 0.1033338, 0.0433548, -0.0986352],
}
STRANGE = [
    "",
    " ",
    "\x00",
    "\ud800",
    "a\udfffb",
    "\u202e\u200b\ufeff",
    "\uffff",
    "e" + "\u0301" * 500,
    "x" * 5_000,
    "[SEP] [CLS] [PAD] [MASK]",
    "👩‍👩‍👧‍👦" * 300,
    "あ" * 3_000,
    "한국어" * 1_000,
    ". " * 2_000,
    "word " * 200_000,
]


@pytest.fixture(scope="module")
def counter(files: ModelFiles) -> Tokenizer:
    """Counts tokens as the files of the model say, but to the end of the text."""
    tokenizer = Tokenizer.from_str(files.tokenizer.decode())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    return tokenizer


def test_the_exact_form_equals_bert(files: ModelFiles, exact: MiniLM, counter: Tokenizer) -> None:
    weights = tensors(files.weights)
    expected = [vector(weights, counter.encode(text).ids) for text in TEXTS]
    assert np.abs(exact.embed(TEXTS) - np.array(expected)).max() < 1e-6


def test_the_exact_form_equals_the_published_model(exact: MiniLM) -> None:
    for text, numbers in PUBLISHED.items():
        assert exact.embed([text])[0, :4] == pytest.approx(numbers, abs=1e-6)


def test_int8_agrees_with_the_exact_form(model: MiniLM, exact: MiniLM) -> None:
    agreement = (model.embed(TEXTS) * exact.embed(TEXTS)).sum(axis=1)
    assert agreement.min() > 0.98
    assert agreement.mean() > 0.99


def test_near_in_meaning_is_near(model: MiniLM) -> None:
    cat, kitten, stocks = model.embed(
        ["The cat sat on the mat.", "A kitten rests on a rug.", "Shares fell sharply in London."]
    )
    assert cat @ kitten > 0.5
    assert cat @ stocks < 0.2


def test_vectors_have_unit_length(model: MiniLM) -> None:
    vectors = model.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), model.dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)


def test_no_text_gives_no_vector(model: MiniLM) -> None:
    assert model.embed([]).shape == (0, model.dimensions)


def test_a_vector_depends_on_its_text_alone(model: MiniLM) -> None:
    """Texts of equal length share a batch; here some do, in every order."""
    texts = [*TEXTS, "How do I cook figs?", "Why do figs ripen?", "When do plums ripen?"]
    alone = np.concatenate([model.embed([text]) for text in texts])
    together = model.embed(texts)
    backwards = model.embed(texts[::-1])[::-1]
    assert np.abs(together - alone).max() < 1e-5
    assert np.abs(backwards - alone).max() < 1e-5


def test_the_same_text_gives_the_same_vector(model: MiniLM, files: ModelFiles) -> None:
    first = model.embed(TEXTS)
    assert (model.embed(TEXTS) == first).all()
    assert (MiniLM(files).embed(TEXTS) == first).all()


def test_threads_may_share_it(model: MiniLM) -> None:
    expected = model.embed(TEXTS)
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(model.embed, [TEXTS] * 8):
            assert np.abs(vectors - expected).max() < 1e-6


@pytest.mark.parametrize("text", STRANGE, ids=range(len(STRANGE)))
def test_strange_text_has_a_vector_and_parts(text: str, model: MiniLM, counter: Tokenizer) -> None:
    (vector,) = model.embed([text])
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    _check_parts(text, model, counter)


def test_only_what_the_model_reads_counts(model: MiniLM) -> None:
    long = "fig " * 254
    assert (model.embed([long + "plum " * 50]) == model.embed([long])).all()
    assert (model.embed([long[4:] + "plum"]) != model.embed([long])).any()


def test_names_of_special_tokens_are_text(model: MiniLM) -> None:
    """As text, `[SEP]` is three tokens; as a mark of the tokenizer it would be one."""
    assert len(model.split("[SEP] " * 100)) == 2


def test_a_short_text_is_one_part(model: MiniLM) -> None:
    for text in ("", "figs", "fig " * 254):
        assert model.split(text) == [text]


def test_a_long_text_is_cut_between_words_into_even_parts(model: MiniLM) -> None:
    text = "fig " * 255
    assert model.split(text) == ["fig " * 127, "fig " * 128]


@settings(max_examples=50, deadline=None)
@given(words=st.lists(st.text(min_size=1), min_size=1), times=st.integers(1, 400))
def test_parts_join_to_the_text(
    words: list[str], times: int, model: MiniLM, counter: Tokenizer
) -> None:
    _check_parts(" ".join(words * times)[:20_000], model, counter)


def _check_parts(text: str, model: MiniLM, counter: Tokenizer) -> None:
    parts = model.split(text)
    assert "".join(parts) == text
    for part in parts:
        valid = part.encode(errors="replace").decode()
        assert len(counter.encode(valid).ids) <= MAX_TOKENS


def test_what_it_does_not_know_it_does_not_read(model: MiniLM) -> None:
    assert model.reads("Where is the blue bicycle?")
    assert model.reads("Wo ist das blaue Fahrrad 🚲?")
    for text in ("🐶🍷", "x" * 100_000, "🎄"):
        assert not model.reads(text)
