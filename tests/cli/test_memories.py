"""`palaver memories`."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from palaver.app import Palaver
from palaver.ledger.lines import USER_STREAM, event, new_id
from tests.cli.commandline import CommandLine
from tests.cli.terminal import Terminal

ABSENT = "mem-01HQXK5J7G8M3N4P5R6S7T8V9W"


@pytest.fixture
def sofa(palaver: CommandLine) -> str:
    """The id of a memory about a sofa."""
    return palaver("memories", "add", "The sofa", "is green.", "--json").json["id"]


def kept(palaver: CommandLine, **fields: Any) -> str:
    """The id of a memory that somebody else has written down."""
    name = new_id("mem")
    sources = fields.pop("sources", None)
    told = {"type": "fact", "content": "The dog is called Rex.", **fields}

    async def write() -> None:
        happened = "memory_candidate" if fields.get("state") else "memory_added"
        line = event(USER_STREAM, happened, memoryId=name, memory=told, sources=sources)
        async with Palaver.open(palaver.home, index_vectors=False) as opened:
            await opened._ledger.append([line])  # pyright: ignore[reportPrivateUsage]

    asyncio.run(write())
    return name


def contents(palaver: CommandLine, *options: str) -> list[str]:
    page = palaver("memories", "list", "--json", *options).json
    assert sorted(page) == ["memories", "nextCursor"]
    return [one["content"] for one in page["memories"]]


def test_it_is_said_what_is_replaced(palaver: CommandLine) -> None:
    palaver("memories", "add", "I live in Oslo.")
    done = palaver("memories", "add", "I live in Rome.")
    said = done.out.splitlines()
    assert (said[0], said[2]) == ("It is remembered.", "It takes the place of:")
    assert said[3].endswith("I live in Oslo. (replaced)")


def test_something_is_added_and_listed(palaver: CommandLine) -> None:
    done = palaver("memories", "add", "I am a vegetarian.", "--type", "Preference", "--pin")
    assert done.status == 0
    assert done.out.startswith("It is remembered.\nmem-")
    again = palaver("memories", "add", "I am a vegetarian.", "--type", "preference")
    assert again.out.startswith("It is known already.\nmem-")
    palaver("memories", "add", "The sofa is green.", "--category", "home")
    lines = palaver("memories", "list").out.splitlines()
    assert len(lines) == 2
    assert "fact        The sofa is green. (home)" in lines[0]
    assert "preference  I am a vegetarian. (pinned)" in lines[1]
    assert contents(palaver, "--type", "preference") == ["I am a vegetarian."]
    assert contents(palaver, "--pinned") == ["I am a vegetarian."]
    assert contents(palaver, "--category", "home") == ["The sofa is green."]
    page = palaver("memories", "list", "--limit", "1")
    assert "There are more: --cursor " in page.out
    cursor = page.out.split()[-1]
    assert contents(palaver, "--cursor", cursor) == ["I am a vegetarian."]


@pytest.mark.parametrize("command", [("list",), ("search", "x"), ("add", "x"), ("edit", ABSENT)])
def test_a_type_that_is_none_is_answered_with_all(
    palaver: CommandLine, command: tuple[str, ...]
) -> None:
    done = palaver("memories", *command, "--type", "prefrence")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "'prefrence' is not a type of memory.\nDid you mean preference? "
        "The types are fact, preference, entity, project and decision.\n"
    )
    assert palaver("memories", *command, "--type", "x").err.endswith(
        "\nThe types are fact, preference, entity, project and decision.\n"
    )


def test_nothing_is_remembered_yet(palaver: CommandLine) -> None:
    empty = palaver("memories", "list").out
    assert "learned after 10 turns" in empty
    assert "Remember that" in empty
    assert palaver("memories", "list", "--pinned").out == "There is no such memory.\n"
    assert contents(palaver) == []
    assert palaver("memories", "search", "figs", "--json").json["memories"] == []


def test_a_secret_is_refused(palaver: CommandLine) -> None:
    done = palaver("memories", "add", "My password is hunter2-XQ91-zz.", "--json")
    assert done.status == 2
    assert done.json["error"]["code"] == "secret_refused"
    assert contents(palaver) == []


def test_something_is_found(palaver: CommandLine, sofa: str) -> None:
    assert sofa in palaver("memories", "search", "the", "sofa").out
    found = palaver("memories", "search", "sofa", "--type", "project", "--json").json
    assert found == {"memories": [], "nextCursor": None}


def test_of_nothing_nobody_is_asked(palaver: CommandLine) -> None:
    palaver("memories", "add", "The sofa is green.")
    done = palaver("memories", "forget", "--about", "zebra")
    assert (done.status, done.out) == (0, "There is no such memory.\n")


def test_what_is_too_long_is_told_with_its_length(palaver: CommandLine) -> None:
    done = palaver("memories", "add", "x" * 2001)
    assert (done.status, done.out) == (2, "")
    assert "at most 2,000 characters, and these are 2,001." in done.err


def test_a_memory_is_shown_with_its_history(palaver: CommandLine, sofa: str) -> None:
    palaver("memories", "edit", sofa, "The sofa", "is blue.")
    shown = palaver("memories", "show", sofa)
    assert shown.status == 0
    assert "fact        The sofa is blue.\n" in shown.out
    assert "added by user  The sofa is green.\n" in shown.out
    assert "edited by user  The sofa is blue.\n" in shown.out
    assert "Used 0 times in replies.\n" in shown.out
    assert palaver("memories", "show", sofa, "--json").json["memory"]["id"] == sofa


def test_a_memory_is_changed(palaver: CommandLine, sofa: str) -> None:
    def now() -> dict[str, Any]:
        return palaver("memories", "show", sofa, "--json").json["memory"]

    for command, name, value in (
        ("pin", "pinned", True),
        ("unpin", "pinned", False),
        ("archive", "archived", True),
        ("unarchive", "archived", False),
    ):
        assert palaver("memories", command, sofa).status == 0
        assert now()[name] is value
    palaver("memories", "archive", sofa)
    assert contents(palaver) == []
    assert contents(palaver, "--archived") == ["The sofa is green."]
    changed = palaver("memories", "edit", sofa, "--type", "entity", "--category", "home", "--json")
    assert (changed.json["type"], changed.json["category"]) == ("entity", "home")
    assert palaver("memories", "edit", sofa, "--category", "", "--json").json["category"] is None
    nothing = palaver("memories", "edit", sofa)
    assert (nothing.status, nothing.out) == (2, "")


def test_what_waits_is_approved_or_rejected(palaver: CommandLine, sofa: str) -> None:
    first = kept(palaver, state="waiting", confidence=0.5)
    second = kept(palaver, state="waiting", content="The cat is called Mia.")
    assert "waits for approval, 50% sure" in palaver("memories", "list", "--waiting").out
    assert palaver("memories", "approve", first, "--json").json["state"] == "kept"
    assert palaver("memories", "reject", second).status == 0
    assert contents(palaver, "--waiting") == []
    assert "The dog is called Rex." in contents(palaver)
    refused = palaver("memories", "reject", sofa)
    assert (refused.status, refused.err.splitlines()[1]) == (3, "Forget it instead.")


def test_what_was_replaced_is_brought_back(palaver: CommandLine, sofa: str) -> None:
    red = kept(palaver, content="The sofa is red.", supersededBy=sofa)
    shown = palaver("memories", "forget", sofa, "--preview").out
    assert "This holds again, because what had taken its place goes:\n- The sofa is red." in shown
    assert contents(palaver) == ["The sofa is green."]
    assert palaver("memories", "restore", red).out == "It holds again.  The sofa is red.\n"
    assert set(contents(palaver)) == {"The sofa is green.", "The sofa is red."}
    assert "restored by user" in palaver("memories", "show", red).out


@pytest.mark.parametrize(
    "command", ["show", "pin", "archive", "approve", "restore", "reject", "forget"]
)
def test_what_is_not_there(palaver: CommandLine, command: str) -> None:
    done = palaver("memories", command, ABSENT)
    assert (done.status, done.out) == (3, "")
    assert done.err.startswith(f"There is no memory {ABSENT}.")
    assert palaver("memories", command, "sofa").status == 2


def test_a_memory_is_forgotten(palaver: CommandLine, sofa: str) -> None:
    shown = palaver("memories", "forget", sofa, "--preview")
    assert shown.out.startswith("This would go for good:\n- The sofa is green.\n1 memory,")
    alone = palaver("memories", "forget", sofa)
    assert (alone.status, contents(palaver)) == (2, ["The sofa is green."])
    done = palaver("memories", "forget", sofa, "--yes")
    assert done.out.startswith("Forgotten.\n1 memory,")
    assert contents(palaver) == []


def test_somebody_is_asked_before_it_goes(palaver: CommandLine, sofa: str) -> None:
    for answer, status, left in (("n", 3, ["The sofa is green."]), ("y", 0, [])):
        with Terminal(palaver.home, "memories", "forget", sofa) as person:
            shown = person.until("Forget it for good? [y/N] ")
            assert "- The sofa is green." in shown
            person.type(f"{answer}\n")
            assert person.end()[0] == status
        assert contents(palaver) == left


@pytest.mark.usefixtures("sofa")
def test_everything_about_a_word_or_of_a_conversation(
    palaver: CommandLine, conversation: str
) -> None:
    extracted = palaver("memories", "extract", conversation, "--dry-run")
    assert extracted.status == 0
    receipt = palaver("memories", "forget", "--conversation", conversation, "--yes", "--json").json
    assert (receipt["memories"], receipt["preview"]) == ([], False)
    receipt = palaver("memories", "forget", "--about", "sofa", "--everywhere", "--yes", "--json")
    assert [one["content"] for one in receipt.json["memories"]] == ["The sofa is green."]
    for wrong in ((), (ABSENT, "--about", "sofa"), ("--about", "*")):
        assert palaver("memories", "forget", *wrong, "--yes").status == 2


def test_a_conversation_is_read(palaver: CommandLine) -> None:
    async def say(opened: Palaver) -> str:
        started = await opened.start()
        said = "Please remember that my sister is called Greta."
        await opened.append(started.id, "user", said)
        return started.id

    conversation = palaver.library(say)
    dry = palaver("memories", "extract", conversation, "--dry-run")
    assert dry.out.startswith("It would be remembered:\n")
    assert contents(palaver) == []
    assert palaver("memories", "extract", conversation).out.startswith("It is remembered now:\n")
    assert "Greta" in contents(palaver)[0]
    assert palaver("memories", "extract", conversation).out.startswith("Known already, as mem-")
    assert palaver("memories", "extract", "conv-nothing").status == 3


@pytest.mark.usefixtures("sofa")
def test_an_audit_that_finds_nothing(palaver: CommandLine) -> None:
    done = palaver("memories", "audit")
    assert done.out.startswith("1 memory was looked at.\n   0.0%  junk ")
    assert done.out.endswith("Nothing was found.\n")
    assert palaver("memories", "audit", "--json").json["total"] == 1


@pytest.fixture
def unsupported(palaver: CommandLine, conversation: str, sofa: str) -> list[str]:
    """Memories whose words are gone: one of the owner, and one that may go."""
    source = {"messageId": ABSENT.replace("mem", "msg"), "quote": "x"}
    sources = [{"conversationId": conversation, **source}]
    own = kept(palaver, content="The lamp is red.", edited=True, sources=sources)
    return [own, kept(palaver, by="offline", sources=sources), sofa]


def test_an_audit_mends_what_is_safe(palaver: CommandLine, unsupported: list[str]) -> None:
    shown = palaver("memories", "audit").out
    assert "66.7%  unsupported" in shown
    assert "\n1. unsupported: " in shown
    assert "To mend it: forget it." in shown
    fixed = palaver("memories", "audit", "--fix", "--json").json
    assert [one["memoryIds"] for one in fixed["fixed"]] == [unsupported[:1]]
    assert palaver("memories", "audit", "--fix").out.endswith("0 of 1 mended.\n")
    assert len(contents(palaver)) == 3


def test_at_a_terminal_one_key_mends(palaver: CommandLine, unsupported: list[str]) -> None:
    with Terminal(palaver.home, "memories", "audit") as person:
        person.until("[q]uit ")
        person.type("n")
        person.until("[q]uit ")
        person.type("y")
        status, shown = person.end()
    assert status == 0
    assert "1 of 2 mended." in shown
    left = palaver("memories", "audit", "--json").json["findings"]
    assert [one["kind"] for one in left] == ["unsupported"]
    with Terminal(palaver.home, "memories", "audit") as person:
        person.until("[q]uit ")
        person.type("q")
        assert "0 of 1 mended." in person.end()[1]
    assert unsupported[2] in palaver("memories", "list").out
