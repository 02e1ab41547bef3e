"""all-MiniLM-L6-v2 on ONNX Runtime."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from palaver.embedding.encoder import RESULT, SOURCE, embeddings, encoder
from palaver.embedding.facts import DIMENSIONS, IDENTITY, MAX_TOKENS
from palaver.embedding.weights import ModelFiles, tensors

_SPECIAL = 2  # the tokens that open and close a text
_BATCH_TOKENS = 128  # more of them at once are no faster
_READ = 100 * MAX_TOKENS  # characters; the tokenizer takes no word that is longer than 100
_THREADS = 2
_UNKNOWN = "[UNK]"


class MiniLM:
    """The model in memory. Its exact form is there to compare the usual one with."""

    identity = IDENTITY
    dimensions = DIMENSIONS

    def __init__(self, files: ModelFiles, *, exact: bool = False) -> None:
        weights = tensors(files.weights)
        self._words, self._positions = embeddings(weights)
        self._session = _session(encoder(weights, exact=exact))
        self._tokenizer = Tokenizer.from_str(files.tokenizer.decode())
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._tokenizer.encode_special_tokens = True  # `[SEP]` in a text is text

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        tokens = [self._tokens(text) for text in texts]
        for batch in _batches([len(ids) for ids in tokens]):
            ids = np.array([tokens[number] for number in batch])
            embedded = self._words[ids] + self._positions[: ids.shape[1]]
            (vectors[batch],) = self._session.run([RESULT], {SOURCE: embedded})
        return vectors

    def reads(self, text: str) -> bool:
        tokens = self._encoded(text[:_READ], special=False).tokens
        return 2 * tokens.count(_UNKNOWN) < len(tokens)

    def split(self, text: str) -> list[str]:
        encoding = self._encoded(text, special=False)
        cuts = [0, *_cuts(_word_starts(encoding), len(encoding.ids)), len(text)]
        return [text[start:end] for start, end in pairwise(cuts)]

    def _tokens(self, text: str) -> list[int]:
        """What the model reads of a text."""
        ids = self._encoded(text[:_READ]).ids
        return ids if len(ids) <= MAX_TOKENS else [*ids[: MAX_TOKENS - 1], ids[-1]]

    def _encoded(self, text: str, *, special: bool = True) -> Encoding:
        valid = text.encode(errors="replace").decode()
        return self._tokenizer.encode(valid, add_special_tokens=special)


def _session(model: bytes) -> Any:
    """Opens a graph in ONNX Runtime, which has no types of its own."""
    runtime: Any = import_module("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = _THREADS
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.enable_mem_pattern = False  # it pays only when every text has the same length
    options.log_severity_level = 3
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """The numbers of the texts, those of equal length together, as many as are worth it."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for length, group in groupby(order, key=lengths.__getitem__):
        numbers = list(group)
        size = max(1, _BATCH_TOKENS // length)
        for start in range(0, len(numbers), size):
            yield numbers[start : start + size]


def _word_starts(encoding: Encoding) -> list[tuple[int, int]]:
    """Where words start: at which of the tokens, and at which character of the text."""
    words = encoding.word_ids
    return [
        (token, start)
        for token, (start, _) in enumerate(encoding.offsets)
        if token == 0 or words[token] != words[token - 1]
    ]


def _cuts(starts: Sequence[tuple[int, int]], end: int) -> Iterator[int]:
    """The characters to cut at: halved between words, until what is between them is short enough.

    The tokens of a word depend on that word alone, so a part has as many as it had in the whole.
    """
    begin = starts[0][0] if starts else end
    if end - begin > MAX_TOKENS - _SPECIAL:
        half = bisect_left(starts, ((begin + end) // 2, 0))
        middle, character = starts[half]
        yield from _cuts(starts[:half], middle)
        yield character
        yield from _cuts(starts[half:], end)
