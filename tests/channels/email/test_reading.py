"""Mail is read as it was meant, however it is written."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import palaver.channels.email as room
from palaver.channels.email.addresses import normalised
from palaver.channels.email.charsets import decoded
from palaver.channels.email.threads import has_reply_prefix, ids, subject_key
from palaver.channels.port import Person, Place
from palaver.errors import BadValue
from tests.channels.email.mails import NOW, OWN, OWNER, SERVER, mail, read

codes: Any = import_module("re._constants")
parser: Any = import_module("re._parser")


def multipart(kind: str, *parts: str, more: str = "") -> bytes:
    body = "".join(f"--b\r\n{part}\r\n" for part in parts) + "--b--\r\n"
    return mail(body, content_type=f'multipart/{kind}; boundary="b"{more}')


def plain(text: str) -> str:
    return f"Content-Type: text/plain; charset=utf-8\r\n\r\n{text}"


def page(text: str) -> str:
    return f"Content-Type: text/html; charset=utf-8\r\n\r\n{text}"


def attached(name: str, size: int = 120_000, kind: str = "application/pdf") -> str:
    data = b64encode(b"x" * size).decode()
    return (
        f"Content-Type: {kind}\r\nContent-Disposition: attachment; {name}\r\n"
        f"Content-Transfer-Encoding: base64\r\n\r\n{data}"
    )


def test_of_two_ways_to_say_it_the_plain_one_is_read() -> None:
    assert read(multipart("alternative", plain("Plain"), page("<b>Rich</b>"))).text == "Plain"
    assert read(multipart("alternative", plain(" \r\n"), page("<b>Rich</b>"))).text == "Rich"


def test_attachments_are_named_and_never_opened() -> None:
    got = read(multipart("mixed", plain("See below."), attached('filename="report.pdf"')))
    assert got.text == "See below.\n\n[Attachment: report.pdf, 120 kB]"
    assert got.parts == [
        {
            "type": "file",
            "name": "report.pdf",
            "mediaType": "application/pdf",
            "size": 120000,
            "text": "[Attachment: report.pdf, 120 kB]",
        }
    ]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("filename=a.pdf", "a.pdf"),
        ("filename*=utf-8''%E2%82%AC%20rates.pdf", "€ rates.pdf"),
        ("filename*0*=utf-8''%E2%82%AC; filename*1=\" rates\"; filename*2=.pdf", "€ rates.pdf"),
        ('filename="=?utf-8?B?4oKsLnBkZg==?="', "€.pdf"),
        ('filename="../../etc/passwd"', "passwd"),
        ('filename="C:\\\\Users\\\\x\\\\a.pdf"', "a.pdf"),
        ('filename="a]\\"b.pdf"', 'a)"b.pdf'),
        ("filename*=nonsense''%ff%41.pdf", "ÿA.pdf"),
    ],
)
def test_names_of_files_are_read(written: str, name: str) -> None:
    got = read(multipart("mixed", plain("x"), attached(written, 10)))
    assert got.text == f"x\n\n[Attachment: {name}, 10 bytes]"


def test_other_parts() -> None:
    calendar = "Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR"
    got = read(multipart("alternative", plain("Come!"), page("Come!"), calendar))
    assert got.text == "Come!\n\n[Invitation]"
    tnef = attached("filename=winmail.dat", 10, "application/ms-tnef")
    assert "[Attachment: winmail.dat, 10 bytes]" in read(multipart("mixed", plain("x"), tnef)).text
    proof = "Content-Type: application/pgp-signature\r\n\r\nxxx"
    signed = read(multipart("signed", plain("Signed."), proof))
    assert (signed.text, signed.parts) == ("Signed.", [])
    logo = "Content-Type: image/png; name=logo.png\r\nContent-ID: <1>\r\n\r\nxxx"
    related = read(multipart("related", page("<p>Look</p>"), logo))
    assert related.text == "Look"
    assert [part["name"] for part in related.parts] == ["logo.png"]


def test_a_mail_in_a_mail_is_a_quotation() -> None:
    inner = "Content-Type: message/rfc822\r\n\r\n" + mail("Obey.", subject="Secret").decode()
    got = read(multipart("mixed", plain("Look at this."), inner))
    assert got.text == "Look at this."
    (quote,) = got.parts
    assert "Subject: Secret" in str(quote["text"])
    assert "Obey." in str(quote["text"])


def test_a_message_is_never_larger_than_is_kept() -> None:
    inner = "Content-Type: message/rfc822\r\n\r\n" + mail("\u4e2d" * 150_000).decode()
    got = read(multipart("mixed", plain("\u4e2d" * 300_000), *[inner] * 9))
    assert len(got.text.encode()) < 1024 * 1024
    assert len(str(got.parts).encode()) < 1024 * 1024


def test_a_mail_without_words_says_its_subject() -> None:
    assert read(mail("", subject="Buy milk")).text == "Buy milk"
    assert read(mail("> old", subject="Re: Milk")).text == "[No new text]"
    assert read(b"").text == "[No new text]"


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        ("Grüße".encode(), "utf-8", "Grüße"),
        ("Grüße".encode("latin-1"), "iso-8859-1", "Grüße"),
        ("Grüße".encode("latin-1"), "utf-8", "Grüße"),
        ("Grüße".encode(), "iso-8859-1", "Grüße"),
        ("Grüße".encode(), "x-unknown", "Grüße"),
        ("„so“".encode("cp1252"), "iso-8859-1", "„so“"),
        ("日本".encode("iso-2022-jp"), "ISO-2022-JP", "日本"),
        ("中文".encode("gbk"), "gb2312", "中文"),
        ("Привет".encode("koi8-r"), "koi8-r", "Привет"),
        (b"a\0b\x1b", None, "ab"),
        (b"x", "zlib", "x"),
        (b"+2AA-", "utf-7", ""),
    ],
)
def test_bytes_become_text(data: bytes, charset: str | None, text: str) -> None:
    assert decoded(data, charset) == text


@pytest.mark.parametrize(
    ("written", "subject"),
    [
        (b"=?utf-8?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"),
        (b"=?utf-8?Q?Gr=C3?= =?utf-8?Q?=BC=C3=9Fe?=", "Grüße"),
        (b"=?iso-8859-1?q?a_b?= c =?utf-8?b?4oKs?=", "a b c €"),
        ("Grüße".encode(), "Grüße"),
        ("Grüße".encode("latin-1"), "Grüße"),
        (b"=?utf-8?q?half", "=?utf-8?q?half"),
        (b"=?utf-8?b?####?= x", "x"),
        (b"a\r\n b", "a b"),
    ],
)
def test_subjects_are_read(written: bytes, subject: str) -> None:
    raw = b"Subject: " + written + b"\r\nFrom: a@b.c\r\n\r\nx"
    assert read(raw).details["subject"] == subject


def test_the_thread_of_a_mail() -> None:
    got = read(
        mail(
            in_reply_to="<3@x>",
            references="<1@x> <2@x>\r\n <3@x>",
            subject="Re: AW: Lunch",
            to=f"Agent <{OWN}>, Bob <BOB@x.org>",
            cc=f"carol@x.org, {OWNER}",
        )
    )
    assert got.answers == "3@x"
    assert got.thread == ["3@x", "2@x", "1@x"]
    assert got.place == Place("thread", "1@x", "Lunch")
    assert got.others == [Person("bob@x.org", "Bob"), Person("carol@x.org")]
    assert got.addressed
    assert got.timestamp == NOW.replace(hour=8)
    assert got.details == {
        "to": OWNER,
        "subject": "Re: AW: Lunch",
        "subjectKey": "lunch",
        "replyPrefix": True,
        "messageId": "1@example.com",
        "references": ["1@x", "2@x", "3@x"],
    }


def test_who_merely_reads_along_is_not_spoken_to() -> None:
    assert not read(mail(to="bob@x.org", cc=OWN)).addressed
    assert read(mail(to="undisclosed-recipients:;")).addressed


def test_a_mail_without_an_id_has_the_same_one_each_time() -> None:
    bare = mail("Hello").replace(b"Message-Id: <1@example.com>\r\n", b"")
    again = b"Received: from x by y\r\n" + bare
    other = bare.replace(b"Hello", b"Hallo")
    assert read(bare).id == read(again).id != read(other).id
    assert len(read(mail(message_id=f"<{'x' * 900}@y>")).id) < 200


def test_ids_are_bounded() -> None:
    many = " ".join(f"<{number}@x>" for number in range(5000))
    assert ids(many)[0] == "0@x"
    assert ids(many)[-1] == "4999@x"
    assert len(ids(many)) == 100
    got = read(mail(references=many[:30_000]))
    assert len(got.thread) == 100
    assert len(str(got.details)) < 16_000


@pytest.mark.parametrize(
    ("subject", "key", "prefix"),
    [
        ("Lunch", "lunch", False),
        ("Re: Lunch", "lunch", True),
        ("RE: Re[2]: Aw:  Lunch ", "lunch", True),
        ("Antw: SV: VS: Lunch", "lunch", True),
        ("Fwd: WG: TR: Lunch", "lunch", True),
        ("回复：午餐", "午餐", True),
        ("[list] Re: Lunch", "lunch", True),
        ("[list] Lunch", "[list] lunch", False),
        ("Reise: Köln", "reise: köln", False),
        ("Ref: RIF: Res: x", "x", True),
        ("Re:", "", True),
        ("", "", False),
    ],
)
def test_subjects_are_compared(subject: str, key: str, prefix: bool) -> None:
    assert subject_key(subject) == key
    assert has_reply_prefix(subject) is prefix


@pytest.mark.parametrize(
    ("given", "same"),
    [
        ("Owner@Example.COM", "owner@example.com"),
        (' "owner"@example.com ', "owner@example.com"),
        ('"a b"@example.com', '"a b"@example.com'),
        ("owner+tag@example.com", "owner+tag@example.com"),
        ("j@jäne.example", "j@xn--jne-qla.example"),
        ("j@JÄNE.example", "j@xn--jne-qla.example"),
        ("J@XN--JNE-QLA.example", "j@xn--jne-qla.example"),
        ("josé@example.com", "josé@example.com"),
        ("root@localhost", "root@localhost"),
    ],
)
def test_addresses_have_one_spelling(given: str, same: str) -> None:
    assert normalised(given) == same


NO_ADDRESSES = [
    "",
    "owner",
    "@x.org",
    "a@",
    "a b@x.org",
    "a@x..org",
    "a@-x.org",
    "a@[1.2.3.4]",
    "a..b@x.org",
    "a\n@x.org",
    "a\0@x.org",
    "a@x\u3002org",
    "=?utf-8?q?a?=@x.org",
    "a,b@x.org",
    "a@K\u212a.org",
    "<a@x.org>",
    f"{'a' * 400}@x.org",
]


@pytest.mark.parametrize("given", NO_ADDRESSES)
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(BadValue):
        normalised(given)


@pytest.mark.parametrize(
    "fields",
    [
        {"auto_submitted": "auto-replied"},
        {"auto_submitted": "auto-generated (vacation)"},
        {"precedence": "bulk"},
        {"precedence": "list"},
        {"list_id": "<x.lists.test>"},
        {"list_unsubscribe": "<mailto:x@y>"},
        {"x_auto_response_suppress": "All"},
        {"x_autoreply": "yes"},
        {"return_path": "<>"},
        {"content_type": "multipart/report; boundary=b"},
        {"from": "MAILER-DAEMON@x.org"},
        {"from": "no-reply@x.org"},
        {"from": "noreply+77@x.org"},
        {"from": "shop-donotreply@x.org"},
        {"from": "list-bounces@x.org"},
        {"from": OWN},
        {"from": "nobody at all"},
        {"from": f"{OWNER}, other@x.org"},
        {"x_palaver_loop": OWN},
        {"x_palaver_loop": "another@agent.test"},
        {"x_loop": OWN},
        {"message_id": "<palaver.msg-1-0@palaver.test>"},
        {"subject": "Automatic reply: Lunch", "in_reply_to": "<1@x>"},
        {"subject": "Abwesenheitsnotiz: Lunch", "references": "<1@x>"},
        {"subject": "Undeliverable: Lunch", "in_reply_to": "<1@x>"},
    ],
)
def test_machines_are_never_answered(fields: dict[str, str]) -> None:
    assert read(mail(**fields)).unanswerable


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"auto_submitted": "no"},
        {"return_path": f"<{OWNER}>"},
        {"from": "the.owner@x.org"},
        {"from": "jane@palaver.test", "message_id": "<abc@palaver.test>"},
        {"subject": "Re: Out of the box", "in_reply_to": "<1@x>"},
        {"subject": "Out of office next week: please cancel my meetings"},
        {"precedence": "normal"},
    ],
)
def test_people_are(fields: dict[str, str]) -> None:
    assert read(mail(**fields)).unanswerable is None


def test_without_a_trusted_server_nothing_is_proven() -> None:
    raw = mail(authentication_results=f"{SERVER}; spf=pass smtp.mailfrom={OWNER}")
    assert read(raw).proof == "proven"
    assert read(raw, ids=["another.test"]).proof == "claimed"
    assert read(raw, ids=["*.test"]).proof == "proven"
    assert read(raw, ids=["*"]).proof == "claimed"


PIECES = [
    b"From: ",
    b"To: ",
    b"Subject: ",
    b"Content-Type: multipart/mixed; boundary=b\r\n",
    b"Content-Type: text/html; charset=",
    b"Content-Transfer-Encoding: base64\r\n",
    b"--b\r\n",
    b"--b--",
    b"\r\n\r\n",
    b"\n",
    b"\r",
    b"\x00",
    b"=?utf-8?q?",
    b"?=",
    b"<",
    b">",
    b"@",
    b'"',
    b"(",
    b")",
    b"\\",
    b"<div>",
    b"<blockquote",
    b"&#",
    b"99999999999",
    b"On 1 wrote:",
    b"> ",
    b"-- ",
    b"Authentication-Results: mx.palaver.test; dmarc=pass header.from=",
    b"example.com",
    b"\xff",
    b"Date: ",
    b"References: <",
    b"Content-Type: message/rfc822\r\n\r\n",
    b"name*0*=",
    b"%41",
    b"=\r\n",
    b"Content-Transfer-Encoding: quoted-printable\r\n",
    b"format=flowed; delsp=yes",
    b"utf-7",
    b"+2AA-",
]


@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=20), max_size=60).map(b"".join))
def test_anything_can_be_read(raw: bytes) -> None:
    got = read(raw)
    assert got.id
    assert got.sender.id
    assert got.text
    shown = repr((got.text, got.place, got.parts, got.details, got.sender, got.others))
    shown.encode()
    for text in (got.text, got.id, got.place.id, str(got.details["subject"])):
        text.encode()
        assert "\0" not in text
    assert got.proof == "claimed" or got.sender.id.endswith("@example.com")


@given(st.binary(max_size=300))
def test_any_bytes_can_be_read(raw: bytes) -> None:
    assert read(raw).proof == "claimed"


def _patterns() -> list[tuple[str, Any]]:
    folder = Path(room.__file__).parent
    modules = [import_module(f"{room.__name__}.{path.stem}") for path in folder.glob("*.py")]
    return [
        (f"{module.__name__}.{name}", pattern)
        for module in modules
        for name, pattern in vars(module).items()
        if isinstance(pattern, re.Pattern)
    ]


def _repeats(tree: Any, inside: bool = False) -> bool:
    """Whether something that may repeat without end holds something that may, too."""
    for code, argument in tree:
        endless = code in (codes.MAX_REPEAT, codes.MIN_REPEAT) and argument[1] > 1000
        if endless and inside:
            return True
        if any(_repeats(one, inside or endless) for one in _within(argument)):
            return True
    return False


def _within(argument: Any) -> Iterator[Any]:
    """The expressions that are part of one."""
    if isinstance(argument, parser.SubPattern):
        yield argument
    elif isinstance(argument, (tuple, list)):
        for one in cast("list[Any]", argument):
            yield from _within(one)


def test_no_expression_repeats_what_repeats() -> None:
    found = _patterns()
    assert len(found) > 15
    assert _repeats(parser.parse(r"(a+)+"))
    assert [name for name, one in found if _repeats(parser.parse(one.pattern, one.flags))] == []
