"""What goes wrong at a provider: told in our words, tried again only where that may help."""

from __future__ import annotations

import pytest

from palaver.agent.language import Said
from palaver.agent.models import Patience
from palaver.errors import ModelError
from tests.models.asking import HELLO, SECRET, Asker, asking, no_sleep, said, until_it_breaks
from tests.models.script import Disconnect, Hold, Raw, Status, Step, Stop, Text, Trouble
from tests.models.server import ModelServer

EACH = pytest.mark.parametrize("name", ["anthropic", "openai", "local"])
STATUSES = [
    (Status(401, "authentication_error", f"Incorrect key: {SECRET}"), "model_key_refused"),
    (Status(403, "permission_error"), "model_key_refused"),
    (Status(404, "not_found_error", "model: x"), "model_unknown"),
    (Status(429, "rate_limit_error"), "model_busy"),
    (Status(503, "service_unavailable"), "model_busy"),
    (Status(529, "overloaded_error"), "model_busy"),
    (Status(413, "request_too_large"), "model_overfull"),
    (Status(402, "billing_error"), "model_failed"),
    (Status(400, "invalid_request_error", "Bad schema."), "model_failed"),
    (Status(500, "api_error"), "model_failed"),
    (Status(502, body=b"<html>Bad gateway</html>"), "model_failed"),
    (Status(200, body=b"<html>Sign in</html>"), "model_malformed"),
]


async def failure(models: Asker, name: str) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await models.hear(name)
    assert SECRET not in f"{caught.value.message} {caught.value.remedy} {caught.value!r}"
    return caught.value


@EACH
@pytest.mark.parametrize(("status", "code"), STATUSES)
async def test_each_status_has_its_error(
    server: ModelServer, name: str, status: Status, code: str
) -> None:
    server.otherwise = lambda _: [status]
    async with asking(server) as models:
        assert (await failure(models, name)).code == code


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("openai", Status(400, "context_length_exceeded", "Too long.")),
        ("local", Status(400, "exceed_context_size_error", "Too long.")),
        ("local", Status(400, "x", "This model's maximum context length is 4096 tokens.")),
        ("anthropic", Status(400, "invalid_request_error", "prompt is too long: 9 > 8")),
    ],
)
async def test_too_much_for_a_model(server: ModelServer, name: str, status: Status) -> None:
    server.script(status)
    async with asking(server) as models:
        assert (await failure(models, name)).code == "model_overfull"


async def test_a_provider_that_declines(server: ModelServer) -> None:
    server.script(Status(400, "content_policy_violation", "Not this."))
    async with asking(server) as models:
        error = await failure(models, "openai")
    assert error.code == "model_declined"
    assert error.message == "The model's provider declined to answer: Not this."


async def test_no_credit(server: ModelServer) -> None:
    server.script(Status(429, "insufficient_quota", "Pay."))
    async with asking(server) as models:
        assert "no credit" in (await failure(models, "openai")).message
    assert len(server.asked) == 1


@EACH
@pytest.mark.parametrize(
    ("steps", "code"),
    [
        ([Trouble("overloaded_error")], "model_busy"),
        ([Trouble("rate_limit_error")], "model_busy"),
        ([Trouble("api_error", "Something broke.")], "model_failed"),
        ([Disconnect()], "model_unreachable"),
        ([Stop(None)], "model_unreachable"),
    ],
)
async def test_what_breaks_a_reply_off_comes_after_what_was_said(
    server: ModelServer, name: str, steps: list[Step], code: str
) -> None:
    server.script(Text("One ", "two"), *steps)
    async with asking(server) as models:
        heard, error = await until_it_breaks(models.exchange(name))
    assert error is not None
    assert error.code == code
    assert heard == [Said("One "), Said("two")]
    assert len(server.asked) == 1, "nothing is asked twice once something was said"


BROKEN = [
    b'event: content_block_delta\ndata: {"type": "content_bl\n\n',
    b'event: message_delta\ndata: {"type": "message_delta", "delta": [], "usage": "no"}\n\n',
    b"event: message_delta\ndata: \xff\xfe\n\n",
]
BROKEN_CHUNKS = [
    b'data: {"choices": [{"del\n\n',
    b'data: {"choices": 5}\n\n',
    b'data: {"choices": [{"delta": {"tool_calls": "no"}}]}\n\n',
    b'data: {"choices": [7]}\n\n',
    b"data: \xff\xfe\n\n",
]


@pytest.mark.parametrize(
    ("name", "data"),
    [*(("anthropic", data) for data in BROKEN), *(("openai", data) for data in BROKEN_CHUNKS)],
)
async def test_what_cannot_be_read_is_malformed(
    server: ModelServer, name: str, data: bytes
) -> None:
    server.script(Text("One"), Raw(data))
    async with asking(server) as models:
        assert (await failure(models, name)).code == "model_malformed"


@EACH
async def test_a_pause_helps(server: ModelServer, name: str) -> None:
    server.script(Status(429, "rate_limit_error", headers={"retry-after": "2"}))
    server.script(Disconnect())
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async with asking(server, Patience(sleep=sleep)) as models:
        assert said(await models.hear(name)) == "Hello."
    assert slept == [2.0, 1.5]


@EACH
@pytest.mark.parametrize("status", [Status(529, "overloaded_error"), Status(500, "api_error")])
async def test_nobody_is_asked_for_ever(server: ModelServer, name: str, status: Status) -> None:
    server.otherwise = lambda _: [status]
    async with asking(server) as models:
        await failure(models, name)
    assert len(server.asked) == 3


@EACH
@pytest.mark.parametrize(
    "status",
    [
        Status(429, "rate_limit_error", headers={"retry-after": "60"}),
        Status(401, "authentication_error"),
        Status(400, "invalid_request_error"),
    ],
)
async def test_what_will_not_pass_soon_is_asked_once(
    server: ModelServer, name: str, status: Status
) -> None:
    server.script(status)
    async with asking(server) as models:
        await failure(models, name)
    assert len(server.asked) == 1


@EACH
async def test_silence_at_first_and_in_the_middle(server: ModelServer, name: str) -> None:
    patience = Patience(first=0.05, silence=20, sleep=no_sleep)
    server.script(Hold())
    async with asking(server, patience) as models:
        assert (await failure(models, name)).code == "model_timeout"
    server.script(Text("One"), Hold())
    async with asking(server, Patience(first=20, silence=0.05, sleep=no_sleep)) as models:
        step = models.exchange(name, HELLO).step()
        assert await anext(step) == Said("One")
        with pytest.raises(ModelError) as caught:
            await anext(step)
    assert caught.value.code == "model_timeout"
    assert len(server.asked) == 2


async def test_a_sentence_of_the_provider_is_told_unless_it_holds_a_key(
    server: ModelServer,
) -> None:
    async with asking(server) as models:
        for message, told in (
            ("Use a smaller image.", "Use a smaller image."),
            (f"Key {SECRET} is odd.", None),
            ("Key sk-proj-XXXX***1234 is odd.", None),
            ("x" * 500, None),
        ):
            server.script(Status(422, "invalid_request_error", message))
            error = await failure(models, "openai")
            end = f": {told}" if told else "."
            assert error.message == f"The model's provider refused the request (422){end}"
