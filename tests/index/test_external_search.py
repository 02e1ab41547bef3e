"""What outsiders wrote is found when somebody asks for just that, on every engine."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import apsw
import pytest

from palaver.errors import NotFound
from palaver.index.fulltext.outside import READ
from palaver.index.port import Question, SearchFilter
from palaver.index.records import ExternalMessage
from palaver.text import query_terms
from tests.index.dumps import dump
from tests.index.sent import X, Y, exchange
from tests.index.worlds import USER, A, FileWorld, World, open_files

LEASE = "The lease of the flat ends in March."


async def found(world: World, query: str, **wanted: Any) -> list[str]:
    """What the messages say that are found, best first."""
    languages = await world.index.external_languages(USER)
    terms = query_terms(query, languages) if query else []
    hits = await world.index.external_hits(USER, terms, SearchFilter(**wanted))
    assert all(0 < hit.score <= 1 for hit in hits)
    shown = await world.index.external_found(USER, [hit.place for hit in hits])
    return [shown[hit.place].message.content for hit in hits]


async def told(world: World, stream: str, seq: int) -> ExternalMessage:
    return (await world.index.external_found(USER, [(stream, seq)]))[stream, seq].message


async def test_messages_are_found_by_their_words(world: World) -> None:
    await exchange(world, X, LEASE, "Thank you.", "Is the garden of the flat free?")
    await exchange(world, Y, "Das Haus hat zwei G\u00e4rten.", party="4911", channel="whatsapp")
    assert await found(world, "leases") == [LEASE]
    assert (await found(world, "flat garden"))[0] == "Is the garden of the flat free?"
    assert await found(world, "garten") == ["Das Haus hat zwei G\u00e4rten."]
    assert await found(world, "zebra") == []
    assert await found(world, "flat", channel="whatsapp") == []
    assert len(await found(world, "flat", channel="email")) == 2
    assert len(await found(world, "flat", conversation_id=X)) == 2
    assert await found(world, "flat", conversation_id=Y) == []
    assert await found(world, "flat", conversation_id=X, channel="whatsapp") == []
    with pytest.raises(NotFound):
        await found(world, "flat", conversation_id="ext-none")
    with pytest.raises(NotFound):
        await found(world, "flat", conversation_id=A)


async def test_they_are_found_by_when_they_came_in(world: World) -> None:
    await exchange(world, X)
    said = await world.say(X, "user", "One flat.", timestamp="2020-01-01T00:00:00Z")
    await world.say(X, "user", "Two flats.", timestamp="2099-01-01T00:00:00Z")
    assert await found(world, "") == ["Two flats.", "One flat."]
    taken = str(said.data["at"])
    assert await found(world, "flat", until=taken) == []
    assert len(await found(world, "flat", since=taken)) == 2
    assert await found(world, "", since=taken, until=f"{taken[:-1]}~") == ["One flat."]


async def test_who_said_it_is_told(world: World) -> None:
    await exchange(world, X)
    claimed = {"kind": "participant", "id": "x", "grade": "claimed"}
    await world.say(X, "user", "Pay me.", author=claimed, sender="Sarah")
    await world.say(X, "assistant", "No.", author={"kind": "assistant"})
    await world.say(X, "assistant", "Never.", author={"kind": "owner", "id": USER})
    first, second, third = [await told(world, X, seq) for seq in (1, 2, 3)]
    assert (first.by, first.sender, first.claimed) == ("outsider", "Sarah", True)
    assert (second.by, second.sender, second.claimed) == ("assistant", None, False)
    assert third.by == "owner"
    shown = await world.index.external_found(USER, [(X, 1), (X, 9), ("ext-none", 1), (A, 1)])
    assert [*shown] == [(X, 1)]
    assert shown[X, 1].external == await world.index.external(USER, X)


async def test_what_is_edited_taken_back_or_erased_is_not_found(world: World) -> None:
    await exchange(world, X, "An apple.", "A pear.", "A cherry.")
    first, _, third = (await world.ledger.read(X))[1:4]
    await world.happen(X, "edited", messageId=first.id, content="A plum.")
    assert await found(world, "apple") == []
    assert await found(world, "plum") == ["A plum."]
    await world.happen(X, "retracted", messageId=third.id)
    assert await found(world, "cherry") == []
    await world.erase(lines={X: [2]})
    assert await found(world, "pear") == []
    await world.index.rebuild()
    assert await found(world, "apple pear cherry plum") == ["A plum."]
    assert [one for one in await world.index.verify() if one.damage] == []
    await world.erase(streams=[X])
    assert await found(world, "plum") == []
    assert await found(world, "") == []
    assert await world.index.external_languages(USER) == []


async def test_a_long_message_keeps_nobody_waiting(world: World) -> None:
    await exchange(world, X, "first " + "word " * (READ // 5) + "last")
    assert len(await found(world, "first")) == 1
    assert await found(world, "last") == []


async def test_what_outsiders_write_changes_no_other_search(world: World) -> None:
    """Not even a score: how rare a word is goes by conversations alone."""
    await world.begin(A, "The lease is in the drawer.", "Which lease?", "That of the flat.")
    before = await evidence(world)
    await exchange(world, X, *[LEASE, "La maison est \u00e0 louer, et le jardin aussi."] * 20)
    assert await evidence(world) == before
    await world.index.rebuild()  # which numbers conversations anew
    assert (await evidence(world))[:2] == before[:2]
    assert len(await found(world, "lease")) == 20


async def evidence(world: World) -> tuple[list[str], bytes, bytes]:
    """All that a ranking is made of, to the byte."""
    languages = await world.index.languages(USER)
    question = Question(query_terms("the lease of the flat", languages))
    seen = await world.index.evidence(USER, question, SearchFilter())
    return languages, pickle.dumps(seen.statistics), pickle.dumps(seen)


async def test_the_words_of_an_exchange_leave_the_file(home: FileWorld) -> None:
    await exchange(home, X, "The quetzalcoatlus canary sang xylophonically.", "Splendiferous.")
    await exchange(home, Y, "Another pterodactyl.")
    await home.happen(Y, "retracted", messageId=(await home.ledger.read(Y))[1].id)
    await home.erase(streams=[X])
    await home.close()
    for word in (b"quetzalcoatlus", b"xylophon", b"splendiferous", b"pterodactyl"):
        held = [one.name for one in home.home.index.parent.iterdir() if word in one.read_bytes()]
        assert held == []


async def test_damage_to_words_is_found(home: FileWorld) -> None:
    await exchange(home, X, LEASE)
    tables = dump(home.home.index)
    assert len(tables["external_messages"]) == 1
    assert {row[2] for row in tables["external_words"]} >= {"lease", "flat", "march"}
    assert tables["words"] == []
    await damage(home, "UPDATE external_words SET count = 9 WHERE term = 'lease'")
    assert codes(await home.index.verify()) == ["text_damaged"]
    await home.index.rebuild()
    await damage(home, "UPDATE external_messages SET sender = 'Mallory'")
    assert codes(await home.index.verify()) == ["row_damaged"]


async def damage(home: FileWorld, statement: str) -> None:
    connection: Any = apsw.Connection(str(home.home.index))
    connection.execute(statement)
    connection.close()


def codes(findings: Any) -> list[str]:
    return [one.code for one in findings if one.damage]


async def test_what_is_left_of_a_lost_exchange_is_found(tmp_path: Path) -> None:
    before = await open_files(tmp_path)
    await exchange(before, X, LEASE)
    await before.close()
    before.file(X).unlink()
    home = await open_files(tmp_path)
    await home.index.rebuild()
    assert home.index.health().lost == [X]
    assert await found(home, "lease") == [LEASE]
    await home.close()
