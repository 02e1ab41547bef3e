"""Mails that are made to cost time or memory."""

from __future__ import annotations

from collections.abc import Callable

from tests.channels.email.mails import OWN, OWNER

HEAD = f"From: {OWNER}\r\nTo: {OWN}\r\nSubject: x\r\nMessage-ID: <1@x>\r\n"


def _parts(size: int) -> str:
    return (
        f"{HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n"
        + "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n" * size
        + "--b--\r\n"
    )


def _nested(size: int) -> str:
    inner = "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\r\n\r\n--b{n}\r\n" for n in range(size)
    )
    return f"{HEAD}{inner}Content-Type: text/plain\r\n\r\nx\r\n"


def _same_boundary(size: int) -> str:
    return HEAD + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" * size


def _mails(size: int) -> str:
    return f"{HEAD}" + "Content-Type: message/rfc822\r\n\r\n" * size + "\r\nx"


def _html(body: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: f"{HEAD}Content-Type: text/html\r\n\r\n{body(size)}"


def _plain(body: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: f"{HEAD}\r\n{body(size)}"


def _field(name: str, value: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: f"{HEAD}{name}: {value(size)}\r\n\r\nx"


def _attached(size: int) -> str:
    zeros = "AAAA" * 19 + "\r\n"
    return (
        f"{HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
        "Content-Type: application/zip; name=bomb.zip\r\n"
        f"Content-Transfer-Encoding: base64\r\n\r\n{zeros * size}\r\n--b--\r\n"
    )


def _base64_text(size: int) -> str:
    return (
        f"{HEAD}Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + "eHh4\r\n" * size
    )


BOMBS: dict[str, Callable[[int], str]] = {
    "many parts": _parts,
    "parts in parts": _nested,
    "parts in parts with one boundary": _same_boundary,
    "mails in mails": _mails,
    "a large attachment": _attached,
    "a long text in Base64": _base64_text,
    "many fields": lambda size: HEAD + "X: y\r\n" * size + "\r\nx",
    "a long field": _field("X-Long", lambda size: "x" * (50 * size)),
    "a long subject": _field("Subject", lambda size: "Re: " * size),
    "encoded words": _field("Subject", lambda size: "=?utf-8?q?=41?= " * size),
    "half encoded words": _field("Subject", lambda size: "=?a?q?" * size),
    "many folds": _field("Subject", lambda size: "x\r\n " * size),
    "many addresses": _field("Cc", lambda size: "a@b.c," * size),
    "nested comments": _field("Cc", lambda size: "(" * size),
    "open quotation marks": _field("Cc", lambda size: '"\\' * size),
    "nested groups": _field("Cc", lambda size: "a:" * size),
    "many references": _field("References", lambda size: "<a@b> " * size),
    "open references": _field("References", lambda size: "<" * size),
    "long results": _field(
        "Authentication-Results", lambda size: "mx.palaver.test;" + "a=b;" * size
    ),
    "open results": _field("Authentication-Results", lambda size: "mx.palaver.test;" + "(" * size),
    "many hops": lambda size: HEAD + "Received: by x\r\n" * size + "\r\nx",
    "long parameters": _field("Content-Type", lambda size: "text/plain" + ';a="' * size),
    "numbered parameters": _field("Content-Type", lambda size: "text/plain" + ";a*1*=%41" * size),
    "many quoted lines": _plain(lambda size: "> x\r\n" * size),
    "deeply quoted": _plain(lambda size: ">" * (50 * size)),
    "many rules": _plain(lambda size: "-" * (50 * size)),
    "rules and words": _plain(lambda size: "-- a --\r\n" * size),
    "many openers": _plain(lambda size: "On 1 Jan\r\n" * size),
    "one long opener": _plain(lambda size: "On " + "1 wrote " * size),
    "many blocks": _plain(lambda size: "From: x\r\nTo: y\r\n" * size),
    "many blank lines": _plain(lambda size: "\r\n" * size),
    "many spaces": _plain(lambda size: "x" + " " * (50 * size) + "x"),
    "soft breaks": lambda size: (
        f"{HEAD}Content-Transfer-Encoding: quoted-printable\r\n\r\n" + "= " * size
    ),
    "flowed": lambda size: (
        f"{HEAD}Content-Type: text/plain; format=flowed\r\n\r\n" + "x \r\n" * size
    ),
    "open tags": _html(lambda size: "<a " * size),
    "open tags and quotes": _html(lambda size: '<a "' * size),
    "ends inside quotes": _html(lambda size: '<a ">" ' * size),
    "nested tags": _html(lambda size: "<div>" * size),
    "ends without beginnings": _html(lambda size: "</div>" * size),
    "nested tags and other ends": _html(lambda size: "<div>" * size + "</p>" * size),
    "nested lists": _html(lambda size: "<ol><li>" * size),
    "open comments": _html(lambda size: "<!--" * size),
    "open declarations": _html(lambda size: "<!" * size),
    "entities": _html(lambda size: "&#" + "9" * (50 * size) + ";"),
    "many entities": _html(lambda size: "&amp;#38;" * size),
    "attributes": _html(lambda size: "<a" + " b=c" * size + ">"),
    "spaces in a tag": _html(lambda size: "<a" + " " * (50 * size) + ">"),
    "quotes in quotes": _html(lambda size: "<blockquote>x" * size),
    "a boundary of everything": lambda size: (
        f"{HEAD}Content-Type: multipart/mixed; boundary={'-' * 60}\r\n\r\n" + "-" * (50 * size)
    ),
}
"""Each makes a mail that grows with the number it is given."""
