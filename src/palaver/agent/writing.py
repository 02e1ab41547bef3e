"""Writing: from what a model says, piece by piece, to the draft of a reply."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from palaver.agent.answering import Delta, ReplyDraft
from palaver.agent.hands import Used
from palaver.agent.language import Cited, Piece, Said, Spent, Thought, ToolCall, Usage
from palaver.errors import InputError, ModelMalformed
from palaver.index.records import Json
from palaver.ledger.strict import check_value

_GAP = "\n\n"


class Writer:
    """Fills the draft of one reply. The text of all that it tells is the text of the draft."""

    def __init__(self, draft: ReplyDraft, kept_input: Callable[[ToolCall], Json]) -> None:
        """`kept_input` says what of the input of a call is kept with the reply."""
        self._draft = draft
        self._kept_input = kept_input
        self._cites = False
        self._called: list[Json] = []
        """The records of calls that have no output yet."""
        self._spent: list[Spent] = []
        self._said = self._thought = False
        """Whether anything was said, or thought, in this step."""

    def begin_step(self) -> None:
        self._said = self._thought = False

    def take(self, piece: Piece) -> Iterator[Delta]:
        """Writes a piece down, and then tells it. Raises ModelMalformed."""
        match piece:
            case Said():
                yield from self._say(piece.text)
            case Thought():
                yield from self._think(piece.text)
            case ToolCall():
                self._call(piece)
                yield piece
            case Cited():
                self._cite(piece)
            case Spent():
                self._spend(piece)

    def take_result(self, used: Used) -> None:
        """Writes down what came of the next call. Of a model that cites nothing, all that it was
        shown counts as what its reply stands on."""
        record = self._called.pop(0)
        record["output"] = used.output.kept
        if used.output.recalled:
            record["recalled"] = True
        if not self._cites:
            known = {one.message_id for one in self._draft.sources}
            new = [one for one in used.output.sources if one.message_id not in known]
            self._draft.sources.extend(new)

    def _say(self, text: str) -> Iterator[Said]:
        if said := _joined(self._draft.content, text, begun=self._said):
            self._said = True
            self._draft.content += said
            yield Said(said)

    def _think(self, text: str) -> Iterator[Thought]:
        if thought := _joined(self._draft.thinking, text, begun=self._thought):
            self._thought = True
            self._draft.thinking += thought
            yield Thought(thought)

    def _call(self, call: ToolCall) -> None:
        try:
            check_value(call.input)
        except InputError as error:
            raise ModelMalformed(f"The model called {call.name[:80]} wrongly. {error}") from None
        given = self._kept_input(call)
        record: Json = {"toolName": call.name, "input": given, "output": None}
        self._draft.tool_calls.append(record)
        self._called.append(record)

    def _cite(self, cited: Cited) -> None:
        if not self._cites:
            self._draft.sources.clear()
        self._cites = True
        self._draft.sources.extend(cited.sources)

    def _spend(self, spent: Spent) -> None:
        self._spent.append(spent)
        costs = [one.cost for one in self._spent]
        known = [cost for cost in costs if cost is not None]
        self._draft.usage = _sum(one.usage for one in self._spent)
        self._draft.cost = sum(known) if len(known) == len(costs) else None
        self._draft.cut = spent.cut


def _joined(before: str, text: str, *, begun: bool) -> str:
    """`text` as it goes on after what stands there: the steps of a reply are paragraphs of it."""
    text = _storable(text)
    if begun:
        return text
    text = text.lstrip()
    return f"{_gap(before)}{text}" if text else ""


def _storable(text: str) -> str:
    """`text` without what no line can hold: half a character, or a NUL."""
    return text.replace("\0", "\ufffd").encode(errors="replace").decode()


def _gap(before: str) -> str:
    if not before:
        return ""
    there = len(before) - len(before.rstrip("\n"))
    return _GAP[there:]


def _sum(usages: Iterator[Usage]) -> Usage:
    total = Usage()
    for one in usages:
        total = Usage(
            total.input + one.input,
            total.output + one.output,
            total.cache_read + one.cache_read,
            total.cache_write + one.cache_write,
        )
    return total
