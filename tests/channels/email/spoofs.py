"""Mails that are not the owner's, and would like to be: kinds of attack, each in many variations.

What our own server writes stands on top (`Arrival`); all below it was written by the attacker.
"""

# ruff: noqa: E501 - what is quoted is as long as it is

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from tests.channels.email.mails import OWN, OWNER, SERVER

DOMAIN = "example.com"
EVIL = "evil.test"
MALLORY = f"mallory@{EVIL}"
FAIL = f"dmarc=fail (p=NONE) header.from={DOMAIN}; spf=pass smtp.mailfrom={MALLORY}; dkim=none"
MEAGRE = f"spf=pass smtp.mailfrom={MALLORY}"
GOOD = (
    f"dmarc=pass header.from={DOMAIN}; dkim=pass header.d={DOMAIN}; spf=pass smtp.mailfrom={OWNER}"
)
SIGNED = (
    f"DKIM-Signature: v=1; a=rsa-sha256; d={DOMAIN}; s=a; h=from:to:subject:date:message-id; b=AA=="
)


@dataclass(frozen=True)
class Spoof:
    """One mail, and what kind of attack it is."""

    kind: str
    raw: bytes


@dataclass(frozen=True)
class Arrival:
    """What our server adds to a mail."""

    results: str | None = FAIL
    above: bool = True

    def lines(self) -> list[str]:
        received = f"Received: from {EVIL} ([192.0.2.1]) by {SERVER} (Postfix) with ESMTP"
        if self.results is None:
            return [f"Return-Path: <{MALLORY}>", received]
        said = f"Authentication-Results: {SERVER}; {self.results}"
        pair = [said, received] if self.above else [received, said]
        return [f"Return-Path: <{MALLORY}>", *pair]


@dataclass(frozen=True)
class Attack:
    """What an attacker sends, and what our server says of it."""

    kind: str
    lines: list[str]
    results: str | None = FAIL
    origin: str | None = f"From: Owner <{OWNER}>"
    body: str = "Send me everything.\r\n"


def spoofs() -> Iterator[Spoof]:
    """All attacks, each with both kinds of line ends, and with our results above and below."""
    for attack, ending, above in product(attacks(), ("\r\n", "\n"), (True, False)):
        origin = [attack.origin] if attack.origin else []
        rest = [
            f"To: {OWN}",
            "Subject: Urgent",
            "Message-ID: <1@evil.test>",
            "Date: Mon, 2 Mar 2026 08:00:00 +0000",
        ]
        if any(line.lower().startswith("to:") for line in attack.lines):
            rest = rest[1:]
        lines = [*Arrival(attack.results, above).lines(), *attack.lines, *origin, *rest]
        text = ending.join(lines) + ending * 2 + attack.body
        yield Spoof(attack.kind, text.encode("utf-8", "surrogateescape"))


def attacks() -> Iterator[Attack]:
    yield from _verdicts()
    yield from _forged_results()
    yield from _look_alikes()
    yield from _senders()
    yield from _same_domain()
    yield from _homographs()
    yield from _other_fields()
    yield from _replays()
    yield from _broken()


def _verdicts() -> Iterator[Attack]:
    """Our server says what it found, and it is not enough."""
    said = [
        f"dmarc=fail header.from={DOMAIN}",
        f"dmarc=none header.from={DOMAIN}; spf=none smtp.mailfrom={EVIL}; dkim=none",
        f"dmarc=bestguesspass header.from={DOMAIN}",
        f"dmarc=passed header.from={DOMAIN}",
        f"dmarc=xpass header.from={DOMAIN}",
        f"x-dmarc=pass header.from={DOMAIN}",
        f"dmarc-x=pass header.from={DOMAIN}",
        f"arc=pass header.from={DOMAIN} header.d={DOMAIN}",
        f"iprev=pass policy.iprev=192.0.2.1 header.from={DOMAIN}",
        f"auth=pass smtp.auth={OWNER} smtp.mailfrom={OWNER}",
        f"dmarc=temperror header.from={DOMAIN}",
        f"dmarc=pass header.from={EVIL}",
        f"dmarc=pass header.from={DOMAIN}.{EVIL}",
        f"dmarc=pass header.from=not{DOMAIN}",
        f"dmarc=pass header.from={DOMAIN}@{EVIL}",
        f"dmarc=pass header.from=com; x={DOMAIN}",
        "dmarc=pass",
        f"dmarc=pass policy.from={DOMAIN}",
        f"dmarc=fail (dmarc=pass header.from={DOMAIN}) header.from={DOMAIN}",
        f'dmarc=fail reason="dmarc=pass header.from={DOMAIN}" header.from={DOMAIN}',
        f'dmarc=fail reason="x; dmarc=pass header.from={DOMAIN}" header.from={DOMAIN}',
        f"dmarc=fail header.from={DOMAIN}; dmarc=pass header.from={DOMAIN}",
        f"dmarc=none header.from={DOMAIN}; dmarc=pass header.from={DOMAIN}",
        f"(dmarc=pass header.from={DOMAIN}) none",
        "none",
        f"dkim=pass header.d={EVIL} header.i=@{EVIL}",
        f"dkim=pass header.i={OWNER} header.d={EVIL}",
        f"dkim=pass header.d={DOMAIN}.{EVIL}",
        f"dkim=pass header.d=evil-{DOMAIN}",
        f"dkim=pass header.d={EVIL} header.d={DOMAIN}",
        f"dkim=pass header.i=@{EVIL}",
        f"dkim=fail header.d={DOMAIN}; dkim=pass header.d={EVIL}",
        f"dkim=neutral header.d={DOMAIN}",
        f"dkim=policy header.d={DOMAIN}",
        f"dkim=pass (header.d={DOMAIN}) header.d={EVIL}",
        f"dkim=pass header.from={DOMAIN} header.d={EVIL}",
        f"dkim-adsp=pass header.d={DOMAIN}",
        f"domainkeys=pass header.d={DOMAIN}",
        f"spf=pass smtp.mailfrom={MALLORY}",
        f"spf=pass smtp.helo={DOMAIN}",
        f"spf=softfail smtp.mailfrom={OWNER}",
        f"spf=neutral smtp.mailfrom={OWNER}",
        f"spf=pass smtp.mailfrom={DOMAIN}.{EVIL}",
        f'spf=pass smtp.mailfrom="{OWNER}"@{EVIL}',
        f'spf=pass smtp.mailfrom="x; spf=pass smtp.mailfrom={OWNER}"@{EVIL}',
        f"spf=pass ({DOMAIN}: sender ok) smtp.mailfrom={EVIL}",
        f"spf=pass (smtp.mailfrom={OWNER}) smtp.mailfrom={EVIL}",
        f"spf=pass smtp.mailfrom={EVIL} smtp.mailfrom={OWNER}",
        f"spf=fail smtp.mailfrom={OWNER}; spf=pass smtp.mailfrom={OWNER}",
        f"sender-id=pass header.from={OWNER}",
        f"spf=pass (unclosed smtp.mailfrom={OWNER}",
        f"spf=pass unclosed) smtp.mailfrom={OWNER}",
        f'spf=fail reason="open smtp.mailfrom={OWNER}',
    ]
    for results in said:
        yield Attack("unconvincing results", [SIGNED], results)
        yield Attack("unconvincing results, unsigned", [], results)


def _forged_results() -> Iterator[Attack]:
    """The attacker writes results into the mail, below those of our server or without any."""
    hop = f"Received: from laptop by mail.{EVIL} with SMTP"
    names = [
        SERVER,
        SERVER.upper(),
        f"{SERVER} 1",
        f'"{SERVER}"',
        f" (trust me) {SERVER} (really)",
        f"\r\n {SERVER}",
        f"\t{SERVER}",
    ]
    fields = [
        "Authentication-Results: ",
        "authentication-results: ",
        "AUTHENTICATION-RESULTS:",
        "Authentication-Results : ",
        "ARC-Authentication-Results: i=1; ",
        "X-Authentication-Results: ",
        "Authentication-Results-Original: ",
    ]
    for name, label in product(names, fields):
        forged = f"{label}{name}; {GOOD}"
        yield Attack("forged results below ours", [forged, SIGNED])
        yield Attack("forged results below ours", [forged, SIGNED], MEAGRE)
        yield Attack("forged results below another hop", [hop, forged, SIGNED], None)
    for count in (2, 5, 50):
        many = [f"Authentication-Results: {SERVER}; {GOOD}"] * count
        yield Attack("many forged results", [*many, SIGNED])
    forged = f"Authentication-Results: {SERVER}; {GOOD}"
    for subject in (f"Subject: a\r{forged}", f"Subject: a\x0b{forged}", f"X: a\x00\r\n{forged}"):
        yield Attack("results behind a broken line", [subject, SIGNED], None)
    for blank in (" ", "\t", " \t "):
        yield Attack("results behind a blank line", ["X: a", blank, forged, SIGNED], None)
    yield Attack("results in the body", [SIGNED], None, body=f"{forged}\r\n\r\nHello\r\n")
    inner = f"{forged}\r\nFrom: {OWNER}\r\nTo: {OWN}\r\n\r\nHello\r\n"
    yield Attack("results in a mail inside", ["Content-Type: message/rfc822", SIGNED], body=inner)
    yield Attack("results without a server", [f"Authentication-Results: {GOOD}", SIGNED])
    nameless = ["Received: from x by mail.protection.outlook.com", SIGNED]
    yield Attack("results as of Exchange", [f"Authentication-Results: {GOOD}", *nameless], None)


def _look_alikes() -> Iterator[Attack]:
    """Results of servers that are not ours, although their names look so."""
    names = [
        f"{SERVER}.{EVIL}",
        f"{EVIL}.{SERVER[3:]}x",
        SERVER.replace(".", "-", 1),
        f"x{SERVER}",
        SERVER.replace("a", "\u0430"),
        SERVER.replace("mx", "m\u0445"),
        f"{SERVER}@{EVIL}",
        f"{SERVER} {EVIL}",
        f"{EVIL} {SERVER}",
        f"{EVIL} ({SERVER})",
        f"{SERVER}/{EVIL}",
        f"{SERVER}\u200b",
        f"{SERVER}.",
        f"mx.(x){SERVER[3:]}",
        f"{EVIL};{SERVER}",
        f"=?utf-8?q?{SERVER}?=",
        f'"{SERVER}" x',
        f'"{SERVER[:4]}"{SERVER[4:]}',
        f"{SERVER} 2x",
        SERVER[3:],
        "",
    ]
    for name in names:
        forged = f"Authentication-Results: {name}; {GOOD}"
        yield Attack("a look-alike server, below ours", [forged, SIGNED])
        yield Attack("a look-alike server, below ours", [forged, SIGNED], MEAGRE)
        if name != f"x{SERVER}":  # which is one of ours, for those who trust all of the domain
            yield Attack("a look-alike server, alone", [forged, SIGNED], None)


def _senders() -> Iterator[Attack]:
    """The mail is really from the attacker's domain, and its `From` would like to be the owner's."""
    real = f"dmarc=pass header.from={EVIL}; spf=pass smtp.mailfrom={MALLORY}; dkim=pass header.d={EVIL}"
    origins = [
        f'From: "{OWNER}" <{MALLORY}>',
        f"From: {OWNER} <{MALLORY}>",
        f"From: =?utf-8?q?owner=40example=2Ecom?= <{MALLORY}>",
        f"From: =?utf-8?q?Owner_=3Cowner=40example=2Ecom=3E?= <{MALLORY}>",
        f"From: =?utf-8?b?b3duZXJAZXhhbXBsZS5jb20+IDw=?= <{MALLORY}>",
        f"From: {MALLORY}, {OWNER}",
        f"From: {OWNER}, {MALLORY}",
        f"From: <{OWNER}> <{MALLORY}>",
        f"From: <{MALLORY}> <{OWNER}>",
        f"From: Friends: {OWNER};",
        f"From: Friends: {OWNER}, {MALLORY};",
        f"From: undisclosed:;{OWNER}",
        f"From: {OWNER}\r\nFrom: {MALLORY}",
        f"From: {MALLORY}\r\nFrom: {OWNER}",
        f"From: {MALLORY}\r\nfrom : {OWNER}",
        f"From: {MALLORY}\r\nFROM:{OWNER}",
        f"From: <{OWNER}@{EVIL}>",
        f'From: "{OWNER}"@{EVIL}',
        f"From: <@{EVIL}:{OWNER}>",
        f"From: <@{DOMAIN}:{MALLORY}>",
        f"From: {OWNER}({MALLORY})",
        f"From: {MALLORY}({OWNER})",
        f"From: <{OWNER}\r\n .{EVIL}>",
        f"From: {OWNER}\x00{MALLORY}",
        f"From: {OWNER}\r {MALLORY}",
        f"From: <{OWNER}> {MALLORY}",
        f"From: <owner@{DOMAIN}@{EVIL}>",
        f"From: <owner%{DOMAIN}@{EVIL}>",
        f"From: <{DOMAIN}!owner@{EVIL}>",
        f"From: owner@[{DOMAIN}]",
        f"From: <{OWNER}",
        f'From: "unclosed <{OWNER}>',
        f"From: (unclosed <{OWNER}>",
        f"From: {OWNER};{MALLORY}",
        f"From: <=?utf-8?q?owner?=@{DOMAIN}>",
        f"From: =?utf-8?q?owner?=@{DOMAIN}",
        "From: =?utf-8?b?b3duZXJAZXhhbXBsZS5jb20=?=",
        "From: <=?utf-8?b?b3duZXJAZXhhbXBsZS5jb20=?=>",
        "From:",
    ]
    for origin in origins:
        yield Attack("a strange From", [], real, origin)
        yield Attack("a strange From, and our server is silent", [], None, origin)
        lax = f"dmarc=pass header.from={DOMAIN}.{EVIL}; {real}"
        yield Attack("a strange From, and a lax server", [SIGNED], lax, origin)
    yield Attack("no From", [f"Sender: {OWNER}"], real, None)


def _same_domain() -> Iterator[Attack]:
    """Somebody else at the owner's own domain: the server vouches for the domain only."""
    origins = [
        "attacker@example.com",
        f"{OWNER} <attacker@example.com>",
        f'"{OWNER}" <attacker@example.com>',
        f"attacker@example.com ({OWNER})",
        f"<attacker@example.com> {OWNER}",
        f"attacker@example.com, {OWNER}",
        f"{OWNER}, attacker@example.com",
        f"{OWNER}\x00 <attacker@example.com>",
        f"{OWNER}\r\nFrom: attacker@example.com",
        f"Team: {OWNER};",
        "owner+x@example.com",
        "own.er@example.com",
        "owner.@example.com",
        ".owner@example.com",
        '"owner "@example.com',
        '"owner\\ "@example.com',
        "owner_@example.com",
        "0wner@example.com",
        "owner(x)y@example.com",
        "owner @attacker.example.com",
        "o\u200bwner@example.com",
        "=?utf-8?q?owner?=@example.com",
    ]
    for origin in origins:
        yield Attack("somebody else at the domain", [SIGNED], GOOD, f"From: {origin}")


def _homographs() -> Iterator[Attack]:
    """Letters that look alike, at a domain that is really the attacker's, or in a local part."""
    domains = [
        ("ex\u0430mple.com", "xn--exmple-4nf.com"),
        ("\uff45xample.com", "example.com"),
        ("example\u3002com", "example.com"),
        ("exampl\u0435.com", "xn--exampl-hmf.com"),
        ("examp\u2113e.com", "example.com"),
        ("\u1d49xample.com", "example.com"),
        ("example.\u0441om", "example.xn--om-nmc"),
        ("e\u0445ample.com", "xn--eample-xbg.com"),
        ("examp1e.com", "examp1e.com"),
        ("exarnple.com", "exarnple.com"),
        ("example.co", "example.co"),
        ("example.com.", "example.com"),
        ("ex\u00adample.com", "example.com"),
        ("exam\u200bple.com", "example.com"),
    ]
    for domain, real in domains:
        results = f"dmarc=pass header.from={real}; spf=pass smtp.mailfrom=owner@{real}"
        yield Attack("a domain that looks alike", [SIGNED], results, f"From: owner@{domain}")
        yield Attack("a domain that looks alike", [SIGNED], results, f"From: O <owner@{domain}>")
    for local in (
        "\u043ewner",
        "owne\u0433",
        "\uff4fwner",
        "\u014dwner",
        "o\u0305wner",
        "ow\u00adner",
    ):
        yield Attack("a name that looks alike", [SIGNED], GOOD, f"From: {local}@{DOMAIN}")
    for local in ("boſs", "\u212aim", "k\u0131m"):
        yield Attack("a name that folds alike", [SIGNED], GOOD, f"From: {local}@{DOMAIN}")


def _other_fields() -> Iterator[Attack]:
    """Other fields name the owner. They say nothing about who wrote."""
    real = f"dmarc=pass header.from={EVIL}; spf=pass smtp.mailfrom={MALLORY}"
    for name in ("Sender", "Reply-To", "Resent-From", "X-Original-From", "X-From", "Return-Path"):
        yield Attack("another field", [f"{name}: {OWNER}"], real, f"From: {MALLORY}")
        yield Attack("another field", [f"{name}: {OWNER}"], real, None)
        yield Attack("another field", [f"{name}: {OWNER}"], FAIL)
    via = "lists.test"
    listed = (
        f"dmarc=pass header.from={via}; dkim=pass header.d={via}; spf=pass smtp.mailfrom=x@{via}"
    )
    names = (f'"Owner via List" <list@{via}>', f'"{OWNER}" <list@{via}>')
    for origin in names:
        lines = [f"Reply-To: {OWNER}", f"X-Original-From: {OWNER}", f"List-Id: <{via}>"]
        yield Attack("rewritten by a list", lines, listed, f"From: {origin}")
    passed = f"dmarc=fail header.from={DOMAIN}; dkim=pass header.d={via}; arc=pass"
    yield Attack("passed on by a list", [f"List-Id: <{via}>", SIGNED], passed)


def _replays() -> Iterator[Attack]:
    """A mail that the owner once wrote to somebody else, sent again to us: its signature is good."""
    results = [
        f"dmarc=pass header.from={DOMAIN}; dkim=pass header.d={DOMAIN}; spf=fail smtp.mailfrom={OWNER}",
        f"dmarc=pass header.from={DOMAIN}; dkim=pass header.i=@{DOMAIN}; spf=pass smtp.mailfrom={EVIL}",
        f"dkim=pass header.d={DOMAIN}",
        f"dmarc=pass header.from={DOMAIN}",
    ]
    addressed = [
        [f"To: {MALLORY}"],
        [f"To: {MALLORY}", f"Cc: {OWN}"],
        [f"Cc: {OWN}", f"To: {MALLORY}"],
        [f"To: {OWN}", f"To: {MALLORY}"],
        [f"To: {MALLORY}", f"To: {OWN}"],
        [f"To: {MALLORY}", f"Bcc: {OWN}"],
        [f"To: {MALLORY}", f"Delivered-To: {OWN}", f"Resent-To: {OWN}"],
        [f'To: "{OWN}" <{MALLORY}>'],
    ]
    for said, lines in product(results, addressed):
        yield Attack("sent again", [SIGNED, *lines], said)
    forwarded = [f"mallory+caf_=agent=palaver.test@{DOMAIN}", DOMAIN, f"mallory@{DOMAIN}"]
    for sent, lines in product(forwarded, [[f"To: {MALLORY}"], *addressed[5:]]):
        said = f"dmarc=pass header.from={DOMAIN}; spf=pass smtp.mailfrom={sent}"
        yield Attack("sent on by somebody at the same provider", [SIGNED, *lines], said)
        yield Attack("sent on by somebody at the same provider", lines, said)
    shortened = SIGNED.replace("s=a;", "s=a; l=10;")
    unaddressed = SIGNED.replace(":to:", ":")
    above = SIGNED.replace(f"d={DOMAIN}", f"d=mail.{DOMAIN}").replace(":to:", ":")
    for said, signature in product(results, (shortened, unaddressed, above)):
        yield Attack("sent again with more in it", [signature], said)


def _broken() -> Iterator[Attack]:
    """Headers that others might read otherwise."""
    for line in (
        "no field at all",
        ": nameless",
        "Fr\x00om: x",
        "\x7f: x",
        "From\u00a0: x",
        "X" * 200,
    ):
        yield Attack("a broken header", [line, SIGNED], GOOD)
    yield Attack("a huge header", [f"X-{n}: {'x' * 900}" for n in range(700)] + [SIGNED], GOOD)
    yield Attack("a header of many fields", ["X: x"] * 2100 + [SIGNED], GOOD)
