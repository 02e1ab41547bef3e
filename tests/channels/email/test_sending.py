"""Mail goes out by a real server, once, and as one mail."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.channels.email import make
from palaver.channels.email.channel import EmailChannel
from palaver.channels.email.writing import letter
from palaver.channels.port import Outgoing, Place
from palaver.errors import ChannelRefused, ChannelUncertain, ChannelUnreachable
from tests.channels.email.mails import NOW, OWN, OWNER, clock, mail, read, settings
from tests.channels.email.servers import PASSWORD, SmtpServer, imap, smtp

DETAILS = {
    "to": OWNER,
    "subject": "AW: Lunch?",
    "messageId": "2@example.com",
    "references": ["1@example.com"],
}


def channel_at(server: SmtpServer, **more: object) -> EmailChannel:
    given = {
        "imapHost": "127.0.0.1",
        "smtpHost": "127.0.0.1",
        "smtpPort": server.port,
        "password": PASSWORD,
        "tls": False,
    }
    return EmailChannel(settings(**(given | more)), clock)


def outgoing(text: str = "At noon.", **more: object) -> Outgoing:
    place = Place("thread", "1@example.com", "Lunch?")
    given: dict[str, object] = {"answers": "2@example.com", "details": DETAILS}
    return Outgoing("msg-01ABC-0", place, text, **(given | more))  # type: ignore[arg-type]


def parsed(content: bytes) -> EmailMessage:
    message = message_from_bytes(content, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


async def test_a_reply_is_a_reply() -> None:
    async with smtp() as server:
        sent = await channel_at(server).send(outgoing("Grüße,\n\n**noon** it is."))
        (envelope,) = server.got
    assert envelope.mail_from == OWN
    assert envelope.rcpt_tos == [OWNER]
    assert isinstance(envelope.content, bytes)
    got = parsed(envelope.content)
    assert got["From"] == OWN
    assert got["To"] == OWNER
    assert got["Subject"] == "Re: Lunch?"
    assert got["In-Reply-To"] == "<2@example.com>"
    assert got["References"].split() == ["<1@example.com>", "<2@example.com>"]
    assert got["Message-ID"] == f"<{sent}>"
    assert sent == "palaver.msg-01ABC-0@palaver.test"
    assert got["Auto-Submitted"] == "auto-replied"
    assert got["X-Palaver-Loop"] == OWN
    assert got.get_content().replace("\r\n", "\n").strip() == "Grüße,\n\n**noon** it is."


async def test_what_we_sent_is_never_answered() -> None:
    sent = letter(outgoing(), OWN, NOW)
    back = read(sent.content)
    assert back.unanswerable == "The agent wrote it itself."
    assert back.id == sent.id


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        ({"RCPT": "450 later"}, ChannelUnreachable),
        ({"RCPT": "550 no such user"}, ChannelRefused),
        ({"DATA": "451 later"}, ChannelUnreachable),
        ({"DATA": "554 spam"}, ChannelRefused),
        ({"DATA": "cut"}, ChannelUncertain),
    ],
)
async def test_what_the_server_says_is_passed_on(
    answers: dict[str, str], error: type[Exception]
) -> None:
    async with smtp() as server:
        server.answers.update(answers)
        with pytest.raises(error):
            await channel_at(server).send(outgoing())


async def test_a_server_that_is_away_was_certainly_not_sent_to() -> None:
    async with smtp() as server:
        channel = channel_at(server)
    with pytest.raises(ChannelUnreachable):
        await channel.send(outgoing())


async def test_a_wrong_password_is_refused() -> None:
    async with smtp() as server:
        with pytest.raises(ChannelRefused, match="refuses the password"):
            await channel_at(server, password="wrong").send(outgoing())


async def test_what_the_owner_wrote_is_no_automatic_reply() -> None:
    async with smtp() as server:
        await channel_at(server).send(outgoing("Come on Monday.", by_hand=True))
        got = parsed(server.got[0].content or b"")  # type: ignore[arg-type]
    assert "Auto-Submitted" not in got
    assert "X-Auto-Response-Suppress" not in got
    assert got["X-Palaver-Loop"] == OWN


async def test_nobody_else_is_written_to_than_the_sender() -> None:
    async with smtp() as server:
        answered = read(mail(reply_to="evil@example.net", sender="evil@example.net"))
        await channel_at(server).send(outgoing(details=answered.details))
        assert server.got[0].rcpt_tos == [OWNER]
        with pytest.raises(ChannelRefused):
            await channel_at(server).send(outgoing(details={}))


async def test_somebody_is_written_to_who_has_not_written() -> None:
    async with smtp() as server:
        channel = channel_at(server)
        place, details = channel.reach(OWNER, "A message for you")
        await channel.send(Outgoing("msg-2-0", place, "Look.", details=details))
        got = parsed(server.got[0].content or b"")  # type: ignore[arg-type]
    assert got["Subject"] == "A message for you"
    assert got["Auto-Submitted"] == "auto-generated"
    assert "In-Reply-To" not in got


async def test_both_servers_are_tested() -> None:
    async with imap() as box, smtp() as server:
        right = channel_at(server, imapPort=box.port)
        assert (await right.test()).ok
        wrong = await channel_at(server, imapPort=box.port, password="wrong").test()
        assert not wrong.ok
        assert wrong.remedy
        unproven = await channel_at(server, imapPort=box.port, trustedAuthservIds=[]).test()
        assert unproven.ok
        assert "trustedAuthservIds" in (unproven.remedy or "")
    assert not (await right.test()).ok


def test_what_is_not_set_is_named() -> None:
    with pytest.raises(ChannelRefused, match="imapHost, smtpHost"):
        make(settings(), clock)


def _nowhere(name: str) -> None:
    """Where a library is that is not there."""


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palaver.channels.email.channel.find_spec", _nowhere)
    with pytest.raises(ChannelRefused, match="aioimaplib") as caught:
        make(settings(imapHost="x", smtpHost="x"), clock)
    assert "palaver[email]" in caught.value.remedy


NASTY = st.text(st.characters(codec="utf-8") | st.sampled_from("\r\n\0:<>\u2028"))
FIELDS = {
    "from",
    "to",
    "subject",
    "in-reply-to",
    "references",
    "date",
    "message-id",
    "auto-submitted",
    "x-auto-response-suppress",
    "x-palaver-loop",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
}


@given(NASTY, NASTY, st.lists(NASTY), NASTY, NASTY)
def test_nothing_injects_a_field(
    subject: str, answered: str, before: list[str], name: str, outgoing_id: str
) -> None:
    bad = "\r\nBcc: evil@example.net\r\n\r\nBody"
    details = {
        "to": OWNER,
        "subject": subject + bad,
        "messageId": answered + bad,
        "references": [*before, bad],
    }
    message = Outgoing(
        outgoing_id + bad, Place("thread", bad, name + bad), "Text", True, "x", details
    )
    content = letter(message, OWN, NOW).content
    head, _, body = content.partition(b"\r\n\r\n")
    assert body == b"Text\r\n"
    lines = head.split(b"\r\n")
    assert {
        line.partition(b":")[0].decode().lower() for line in lines if line[:1] not in (b" ", b"\t")
    } <= FIELDS
    assert all(b"\r" not in line and b"\n" not in line for line in lines)


LETTERS = st.characters(
    codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="-\u2014\ufffe\uffff"
)


@given(st.text(LETTERS | st.just("\n")))
def test_a_text_comes_out_as_it_went_in(text: str) -> None:
    content = letter(outgoing(f"x\n{text}\nx"), OWN, NOW).content
    got = read(content)
    parts = [str(part["text"]) for part in got.parts if part["type"] != "file"]
    kept = "".join([got.text, *parts])
    wanted = [char for char in text if not char.isspace() and char != ">"]
    assert sorted(char for char in kept if not char.isspace() and char != ">") == sorted(
        [*wanted, "x", "x"]
    )
