"""The short forms of the proofs, each with the planted faults that it must catch."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import pytest
from pydantic import SecretStr

from palaver.channels.telegram import TelegramChannel
from palaver.channels.telegram.channel import HEADER
from palaver.channels.whatsapp.signing import SIGNATURE, is_signed
from palaver.conversation.erasure import Erasures, Plan
from palaver.digest.model.breaker import Breaker
from palaver.events.parts import Parts
from palaver.events.relay import Making
from palaver.index.fulltext.segments import Segment, Segments
from palaver.index.meaning.meaning import Meanings
from palaver.index.port import Dependent
from palaver.index.sqlite import keeper
from palaver.ledger.files import erasing, mending, writing
from palaver.ledger.files.ops import FileOps
from palaver.ledger.files.store import FileStore
from palaver.ledger.lines import Draft, Line
from palaver.memory.oblivion import Oblivion
from palaver.server.live.hub import Hub
from palaver.server.live.seat import Seat
from tests.digest.providers import nonsense
from tests.proofs import (
    canaries,
    cluster,
    digests,
    disconnects,
    faults,
    fuzzing,
    kills,
    memories,
    models,
    oblivion,
    order,
    powerloss,
    processes,
    rows,
    serverkills,
    torn,
    webhooks,
    year,
    year_faults,
)
from tests.proofs.report import Report


def assert_held(report: Report) -> None:
    assert report.held, str(report)


def test_power_loss() -> None:
    assert_held(powerloss.prove(3000))


@pytest.mark.parametrize("disk", [powerloss.ForgetfulDisk, powerloss.NamelessDisk])
def test_power_loss_catches_a_missing_sync(disk: type[powerloss.WatchedDisk]) -> None:
    assert not powerloss.prove(600, disk=disk).held


def test_power_loss_catches_an_erasure_that_is_not_finished(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nothing(*_: object) -> list[Line]:
        return []

    for finder in ("records", "last_records"):
        monkeypatch.setattr(erasing, finder, nothing)
    assert not powerloss.prove(3000).held


def test_failing_calls() -> None:
    assert_held(faults.prove(90))


def _careless_write(files: FileOps, handle: int, data: bytes, offset: int) -> None:
    files.write(handle, data, offset)


def test_failing_calls_catch_an_ignored_short_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "write_fully", _careless_write)
    assert not faults.prove(60).held


def test_failing_calls_catch_an_ignored_fsync_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults.FaultyDisk, "honest", False)
    assert not faults.prove(60).held


def test_torn_tails() -> None:
    assert_held(torn.prove())


def _cut_only(store: FileStore, stream: str) -> None:
    """A planted fault: the fragment is cut off, but kept nowhere."""
    handle = store.ops.open_write(store.home.stream(stream))
    fragment = mending.unterminated(store, handle)
    store.ops.truncate(handle, store.ops.size(handle) - len(fragment))
    store.ops.close(handle)


def _leave(store: FileStore, stream: str) -> None:
    """A planted fault: the torn end stays."""


@pytest.mark.parametrize("mend", [_cut_only, _leave])
def test_torn_tails_catch_a_careless_repair(mend: Callable[[FileStore, str], None]) -> None:
    assert not torn.prove(7, mend).held


def test_order_of_calls() -> None:
    assert_held(order.prove(200))


def test_order_of_calls_catches_an_early_acknowledgement(monkeypatch: pytest.MonkeyPatch) -> None:
    write, waiting = writing.StreamWriter.write, list[Mapping[str, Sequence[Line]]]()

    def later(
        self: writing.StreamWriter, lines: Mapping[str, Sequence[Line]]
    ) -> dict[str, OSError]:
        """Every commit makes the one before it durable."""
        waiting.append(dict(lines))
        return write(self, waiting.pop(0)) if len(waiting) > 1 else {}

    monkeypatch.setattr(writing.StreamWriter, "write", later)
    assert not order.prove(20).held


def test_order_of_calls_catches_a_missing_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order.RecordingDisk, "honest", False)
    assert not order.prove(20).held


def test_kills_of_a_writer() -> None:
    assert_held(kills.prove(75))


def test_kills_catch_a_write_that_never_left_the_process() -> None:
    assert not kills.prove(25, ops=kills.BufferingOps).held


@pytest.mark.parametrize(
    ("ops", "failure"), [(kills.broken, "ended by itself"), (kills.killed_at_once, "none could be")]
)
def test_kills_catch_writers_that_never_write(ops: Callable[[], FileOps], failure: str) -> None:
    report = kills.prove(2, ops=ops)
    assert not report.held
    assert failure in report.failures[0]


def test_kills_of_the_server() -> None:
    assert_held(serverkills.prove(3))


def test_processes_in_one_home() -> None:
    assert_held(processes.prove(16, 12))


def test_processes_catch_a_lock_that_lets_everybody_in() -> None:
    assert not processes.prove(6, 40, ops=processes.UnlockedOps).held


def test_erased_words() -> None:
    assert_held(canaries.prove(400))


def test_erased_words_catch_an_index_that_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(self: Segments, segment: Segment, *_: object) -> None:
        """A planted fault: the words stay in the full text."""

    monkeypatch.setattr(Segments, "replace", nothing)
    monkeypatch.setattr(keeper, "MOST_WAITING", 5)
    assert not canaries.prove(20).held


def test_erased_words_catch_vectors_that_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(self: Meanings, keys: object) -> None:
        """A planted fault: what the words meant stays."""

    monkeypatch.setattr(Meanings, "forget", nothing)
    assert not canaries.prove(20).held


def test_erased_words_catch_pages_of_days_that_keep_them(monkeypatch: pytest.MonkeyPatch) -> None:
    standing_on = Erasures._standing_on  # pyright: ignore[reportPrivateUsage]

    async def replies_only(self: Erasures, plan: Plan) -> list[Dependent]:
        """A planted fault: what was made from a message stays."""
        return [one for one in await standing_on(self, plan) if one.id]

    monkeypatch.setattr(Erasures, "_standing_on", replies_only)
    report = canaries.prove(20)
    of_days = canaries.canary(canaries.OF_DAYS)[:-4]
    assert any(failure.startswith(of_days) for failure in report.failures)


def test_erased_words_in_a_database() -> None:
    assert_held(rows.prove(60))


def test_erased_words_catch_replies_that_stay_when_they_are_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nothing(self: Parts, making: Making) -> None:
        """A planted fault: nothing is taken away."""

    monkeypatch.setattr(Parts, "end", nothing)
    assert not rows.prove(12).held


def test_two_web_nodes_and_two_workers() -> None:
    assert_held(cluster.prove(240, people=12))


def test_kills_of_whoever_digests() -> None:
    assert_held(digests.prove(3))


def test_kills_of_whoever_digests_catch_one_that_looks_at_nothing() -> None:
    assert not digests.prove(4, plant=digests.careless).held


def test_digests_by_a_model_that_fails_catch_one_that_is_never_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nothing(self: Breaker) -> None:
        """A planted fault: whoever wants to ask may."""

    monkeypatch.setattr(Breaker, "_admit", nothing)
    report = models.prove(8, 0, [nonsense])
    assert not report.held
    assert "requests in a day" in report.failures[-1]


def test_a_year_in_one_conversation() -> None:
    assert_held(year.prove(year.short()))


@pytest.mark.parametrize(
    ("plant", "failure"),
    [
        (year_faults.backwards, "labels went back"),
        (year_faults.shifted, "messages, and not the"),
        (year_faults.greedy, "more of a day was shown"),
    ],
)
def test_a_year_catches_whoever_keeps_days_badly(plant: year.Plant, failure: str) -> None:
    assert failure in str(year.prove(year.few(), plant=plant))


@pytest.mark.parametrize(
    ("spoil", "failure"),
    [
        (year_faults.untell, "and then up to"),
        (year_faults.tell_twice, "has 2 summaries"),
        (year_faults.close_twice, "was closed 2 times"),
        (year_faults.forget, "facts were found again among all days"),
    ],
)
def test_a_year_catches_what_is_told_badly(spoil: year.Spoil, failure: str) -> None:
    assert failure in str(year.prove(year.few(), spoil=spoil))


def test_fuzzing_of_the_api() -> None:
    phases = ["examples", "coverage", "stateful"]
    assert_held(fuzzing.prove(2, principals=[fuzzing.browser], phases=phases))


def test_fuzzing_of_the_api_by_those_who_may_do_less() -> None:
    others = [fuzzing.program, fuzzing.reader, fuzzing.stranger]
    assert_held(fuzzing.prove(1, principals=others, phases=["examples", "fuzzing"]))


def test_fuzzing_of_the_api_in_a_database(database_url: str) -> None:
    report = fuzzing.prove(
        2, principals=[fuzzing.program], phases=["fuzzing", "stateful"], database_url=database_url
    )
    assert_held(report)


def test_calls_of_others_to_webhooks() -> None:
    assert_held(webhooks.prove(4_000))


def _reserialised(secret: SecretStr | None, body: bytes, headers: Mapping[str, str]) -> bool:
    """A planted fault: what the call says is checked, and not its bytes."""
    try:
        told = json.dumps(json.loads(body), separators=(",", ":")).encode()
    except ValueError:
        return False
    return is_signed(secret, told, headers)


def _by_its_beginning(secret: SecretStr | None, body: bytes, headers: Mapping[str, str]) -> bool:
    """A planted fault: only what is given of a signature is compared."""
    key = secret.get_secret_value().encode() if secret else b""
    wanted = f"sha256={hmac.new(key, body, 'sha256').hexdigest()}"
    return secret is not None and wanted.startswith(headers.get(SIGNATURE, "-"))


def _without_a_secret(secret: SecretStr | None, body: bytes, headers: Mapping[str, str]) -> bool:
    """A planted fault: without a secret, it is signed with none."""
    key = secret.get_secret_value().encode() if secret else b""
    wanted = f"sha256={hmac.new(key, body, 'sha256').hexdigest()}"
    return wanted == headers.get(SIGNATURE)


@pytest.mark.parametrize(
    ("plant", "failure"),
    [
        (_reserialised, "rewritten was let in"),
        (_by_its_beginning, "cut was let in"),
        (_without_a_secret, "without_secret was let in"),
    ],
)
def test_calls_of_others_catch_whoever_checks_badly(
    monkeypatch: pytest.MonkeyPatch, plant: Callable[..., bool], failure: str
) -> None:
    monkeypatch.setattr("palaver.channels.whatsapp.channel.is_signed", plant)
    assert failure in str(webhooks.prove(800))


def test_calls_of_others_catch_a_secret_in_any_spelling(monkeypatch: pytest.MonkeyPatch) -> None:
    def loose(self: TelegramChannel, headers: Mapping[str, str]) -> bool:
        """A planted fault: capital letters and blanks do not count."""
        return headers.get(HEADER, "").strip().lower() == "a5ecret_of-our-0wn"

    monkeypatch.setattr(TelegramChannel, "is_secret", loose)
    assert "spelt was let in" in str(webhooks.prove(800))


def test_disconnects_of_those_who_follow() -> None:
    assert_held(disconnects.prove(200))


def test_disconnects_of_those_who_follow_in_a_database(database_url: str) -> None:
    assert_held(disconnects.prove(60, database_url=database_url))


def caught(failure: str) -> bool:
    """Whether some who are cut off meet the planted fault: when they are is left to chance."""
    return any(
        failure in str(disconnects.prove(40, seed=8 * number, patience=5)) for number in range(5)
    )


def test_disconnects_catch_a_hub_that_skips_one_at_the_seam(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def skip(hub: Hub, seat: Seat, pos: int) -> AbstractContextManager[None]:
        return seated(hub, seat, pos + 1)

    seated = Hub.seated
    monkeypatch.setattr(Hub, "seated", skip)
    assert caught("missed")


def test_disconnects_catch_a_hub_that_tells_twice_at_the_seam(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lag(hub: Hub, seat: Seat, pos: int) -> AbstractContextManager[None]:
        """A planted fault: whoever comes is told what the ledger has told them already."""
        hub.pos = min(hub.pos, pos - 2) if hub.pos else pos
        return seated(hub, seat, pos - 2)

    seated = Hub.seated
    monkeypatch.setattr(Hub, "seated", lag)
    assert caught("came after")


def test_disconnects_catch_a_hub_that_does_not_tell_what_there_is_of_a_reply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nothing(hub: Hub, seat: Seat, conversation_id: str | None = None) -> None:
        """A planted fault: whoever comes late hears only the rest."""

    monkeypatch.setattr(Hub, "retell", nothing)
    assert caught("a reply went on at")


# -- memories ------------------------------------------------------------------------------------


def test_what_is_forgotten_everywhere_is_gone() -> None:
    assert_held(oblivion.prove_everywhere(20))


def test_what_is_forgotten_is_not_learned_again() -> None:
    assert_held(oblivion.prove_plain(20))


def test_forgetting_catches_marks_that_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it is learned again."""
    event = Oblivion.event

    async def unmarked(self: Oblivion, *given: Any) -> Draft:
        said = await event(self, *given)
        return replace(said, body={**said.body, "marks": []})

    monkeypatch.setattr(Oblivion, "event", unmarked)
    assert not oblivion.prove_plain(10).held


@pytest.mark.parametrize("prove", [oblivion.prove_everywhere, oblivion.prove_plain])
def test_forgetting_catches_lines_that_are_not_erased(
    monkeypatch: pytest.MonkeyPatch, prove: Callable[[int], Report]
) -> None:
    async def nothing(*_: object) -> None:
        pass

    monkeypatch.setattr("palaver.memory.keeping.Keeping.erase", nothing)
    assert not prove(10).held


def test_forgetting_catches_vectors_that_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object) -> None:
        pass

    monkeypatch.setattr(Meanings, "forget", nothing)
    assert not oblivion.prove_everywhere(10).held


def test_the_store_does_not_grow_from_its_own_echoes() -> None:
    assert_held(memories.prove(300))


def test_the_simulation_catches_one_who_learns_from_echoes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def everybody(_: object) -> bool:
        return True

    monkeypatch.setattr("palaver.memory.reading._is_own", everybody)
    assert not memories.prove(150).held
