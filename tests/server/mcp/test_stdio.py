"""`palaver mcp`, as agents run it: a process of its own, driven by the SDK's client."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest
from mcp_types import INVALID_REQUEST, PARSE_ERROR

from palaver.app import Palaver
from palaver.server.mcp.incoming import MAX_LINE
from tests.library import Clock, library
from tests.server.mcp.agents import HOSTILE, PROGRAM, READING, Era, started

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


async def talk(palaver: Palaver, *words: str, title: str | None = None) -> str:
    conversation = await palaver.start(title=title)
    for question in words:
        await palaver.append(conversation.id, "user", question)
        await palaver.append(conversation.id, "assistant", f"About {question}: certainly.")
    return conversation.id


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_an_agent_finds_and_reads(home: Path, era: Era) -> None:
    async with library(home, Clock()) as palaver:
        figs = await talk(palaver, "When do figs ripen?", "And quinces?", title="Fruit")
    async with started(home, era=era) as agent:
        assert sorted(await agent.tools()) == READING
        assert "never an instruction" in (agent.client.instructions or "")

        found = await agent.call("search_conversations", query="quinces")
        (result,) = found["results"]
        assert result["conversationId"] == figs
        assert result["conversationName"] == "Fruit"
        assert result["snippet"] == "And quinces?"
        assert result["turnRange"] in ("turn 2", "turns 1-2")  # the other is near in meaning
        assert result["date"] == "Saturday 14 February 2026, 10:00"
        assert found["totalMatches"] == 2

        read = await agent.call("fetch_context", conversationId=figs)
        assert [(turn["role"], turn["turnNumber"]) for turn in read["turns"]] == [
            ("user", 1),
            ("assistant", 1),
            ("user", 2),
            ("assistant", 2),
        ]
        assert read["turns"][0]["content"] == "When do figs ripen?"
        assert (read["totalTurns"], read["truncated"], read["omitted"]) == (2, False, None)


async def test_an_error_is_told_and_the_server_goes_on(home: Path) -> None:
    async with library(home, Clock()) as palaver:
        figs = await talk(palaver, "figs")
    async with started(home) as agent:
        for arguments in ({}, {"query": "*"}, {"query": "figs", "limit": 10_000}):
            assert (await agent.refusal("search_conversations", **arguments))["code"] == "bad_value"
        absent = await agent.refusal("fetch_context", conversationId=figs[:-2] + "ZZ")
        assert absent["code"] == "not_found"
        assert (await agent.call("fetch_context", conversationId=figs))["totalTurns"] == 1


async def test_hostile_words_cross_the_pipe_as_data(home: Path) -> None:
    words = [*HOSTILE, "figs " + "\x1b\u2028\n" * 30_000]
    async with library(home, Clock()) as palaver:
        conversation = await palaver.start(title="figs \x07\u202e")
        for one in words:
            await palaver.append(conversation.id, "user", one)
    async with started(home) as agent:
        read = await agent.call("fetch_context", conversationId=conversation.id)
        found = await agent.call("search_conversations", query="figs")
    assert [(turn["role"], turn["content"]) for turn in read["turns"]] == [
        ("user", one) for one in words
    ]
    assert found["totalMatches"] == len(words)
    assert found["results"][0]["conversationName"] == "figs \x07\u202e"


async def test_without_the_scope_there_are_no_tools(home: Path) -> None:
    async with library(home, Clock()) as palaver:
        figs = await talk(palaver, "figs")
    async with started(home, "--scope", "read") as agent:
        assert await agent.tools() == {}
        refused = await agent.refusal("search_conversations", query="figs")
        assert refused["code"] == "forbidden"
        assert "palaver mcp --scope recall" in refused["remedy"]
        assert (await agent.refusal("fetch_context", conversationId=figs))["code"] == "forbidden"


async def test_agents_share_a_home_with_everybody_else(home: Path) -> None:
    """What another process stores is found at once, by every agent there is."""
    async with started(home) as first, started(home) as second:
        assert (await first.call("search_conversations", query="figs"))["results"] == []
        said = await asyncio.create_subprocess_exec(
            PROGRAM, "chat", "--home", str(home), "figs", stdout=subprocess.DEVNULL
        )
        assert await said.wait() == 0
        for agent in (first, second):
            (result,) = (await agent.call("search_conversations", query="figs"))["results"]
            assert result["snippet"] == "figs"


def run(home: Path, *messages: object) -> subprocess.CompletedProcess[str]:
    """Writes to the program, closes its input and waits for its end."""
    lines = [one if isinstance(one, str) else json.dumps(one) for one in messages]
    return subprocess.run(
        [PROGRAM, "mcp", "--home", str(home)],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_it_ends_with_its_client_and_prints_only_the_protocol(home: Path) -> None:
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    ended = run(home, "", "not JSON", '{"jsonrpc": "1.0"}', "[" * 10_000, HELLO, READY, listing)
    assert (ended.returncode, ended.stderr) == (0, "")
    answers: list[dict[str, Any]] = [json.loads(line) for line in ended.stdout.splitlines()]
    assert {answer["jsonrpc"] for answer in answers} == {"2.0"}
    assert 1 in [answer.get("id") for answer in answers]


HALF = r'{"query": "\ud800"}'
CALL = (
    '{"jsonrpc": "2.0", "id": %s, "method": "tools/call", '
    '"params": {"name": "search_conversations", "arguments": %s}}'
)
UNREAD: dict[str, tuple[str, int, object]] = {
    "half a character": (CALL % (7, HALF), PARSE_ERROR, 7),
    "half a character as id": (CALL % (r'"\ud800"', "{}"), PARSE_ERROR, None),
    "truth as id": (CALL % ("true", HALF), PARSE_ERROR, None),
    "large id": (CALL % ("9" * 4_000, HALF), PARSE_ERROR, 10**4_000 - 1),
    "larger id": (CALL % ("9" * 5_000, HALF), PARSE_ERROR, None),
    "not JSON": ("figs", PARSE_ERROR, None),
    "half of it": ('{"jsonrpc": "2.0", "id": 7, "method": "ping"', PARSE_ERROR, None),
    "too deep": ("[" * 100_000, PARSE_ERROR, None),
    "deep arguments": (CALL % (7, '{"x": %s}' % ("[" * 400 + "]" * 400)), PARSE_ERROR, 7),
    "a batch of none": ("[]", INVALID_REQUEST, None),
    "no object": ("7", INVALID_REQUEST, None),
    "another version": ('{"jsonrpc": "1.0", "id": "x", "method": "ping"}', INVALID_REQUEST, "x"),
    "no method": ('{"jsonrpc": "2.0", "id": 7}', INVALID_REQUEST, 7),
    "id of no kind": ('{"jsonrpc": "2.0", "id": 7.5, "method": "ping"}', INVALID_REQUEST, None),
    "id null": ('{"jsonrpc": "2.0", "id": null, "method": "ping"}', INVALID_REQUEST, None),
    "long": (CALL % (7, '{"x": "%s"}' % ("y" * MAX_LINE)), INVALID_REQUEST, 7),
    "long and no JSON": ("y" * (2 * MAX_LINE), INVALID_REQUEST, None),
}


def told(home: Path, *messages: object) -> list[dict[str, Any]]:
    """All that the program answers, once it has been greeted, up to a ping after the messages."""
    ping = {"jsonrpc": "2.0", "id": "ping", "method": "ping"}
    command = [PROGRAM, "mcp", "--home", str(home)]
    answers: list[dict[str, Any]] = []
    with subprocess.Popen(command, text=True, stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        for one in (HELLO, READY, *messages, ping):
            print(one if isinstance(one, str) else json.dumps(one), file=process.stdin, flush=True)
        while not answers or answers[-1]["id"] != "ping":
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        assert (process.wait(timeout=30), process.stderr.read()) == (0, "")
    assert (answers[0]["id"], answers[-1].get("result")) == (1, {})
    return answers[1:-1]


def test_a_line_that_cannot_be_read_is_answered_and_the_next_is_served(home: Path) -> None:
    refused = told(home, *(line for line, _, _ in UNREAD.values()))
    found = [(answer["error"]["code"], answer["id"]) for answer in refused]
    assert dict(zip(UNREAD, found, strict=True)) == {
        case: (code, request) for case, (_, code, request) in UNREAD.items()
    }
    assert all(answer["error"]["message"].endswith(".") for answer in refused)


def test_what_asks_for_no_answer_gets_none(home: Path) -> None:
    notice = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 8}}
    wrong_answer = {"jsonrpc": "2.0", "id": 1, "result": 3}
    assert told(home, "", " \r", notice, wrong_answer) == []


@pytest.mark.parametrize("last", ['{"jsonrpc": "2.0", "id": 2, "method": "ping"}', "figs\nfigs"])
def test_it_ends_when_nobody_reads_any_more(home: Path, last: str) -> None:
    command = [PROGRAM, "mcp", "--home", str(home)]
    with subprocess.Popen(command, text=True, stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        print(json.dumps(HELLO), file=process.stdin, flush=True)
        assert json.loads(process.stdout.readline())["id"] == 1
        process.stdout.close()
        print(last, file=process.stdin)
        process.stdin.close()
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == ""
