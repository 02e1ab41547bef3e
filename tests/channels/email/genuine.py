"""Mails that are the owner's, as mail servers and mail programs really write them.

Each server (`SERVERS`) adds its fields in its own way to what each provider (`PROVIDERS`) sends.
"""

# ruff: noqa: E501 - what is quoted is as long as it is

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from tests.channels.email.mails import OWN


@dataclass(frozen=True)
class Sent:
    """A mail as it leaves the owner's provider."""

    provider: str
    domain: str
    origin: str
    signature: str
    address: str

    @property
    def lines(self) -> list[str]:
        return [
            f"DKIM-Signature: {self.signature}",
            f"Received: from laptop ([198.51.100.7]) by out.{self.domain} with ESMTPSA id abc",
            "MIME-Version: 1.0",
            f"From: {self.origin}",
            "Date: Mon, 2 Mar 2026 08:00:00 +0000",
            "Message-ID: <CAJ1x@mail.provider.test>",
            "Subject: Lunch?",
            f"To: {OWN}",
            'Content-Type: text/plain; charset="UTF-8"',
        ]


@dataclass(frozen=True)
class Genuine:
    """A mail, for which server, what is trusted, and whose it is."""

    server: str
    provider: str
    ids: list[str]
    address: str
    raw: bytes


def _sent() -> Iterator[Sent]:
    short = "v=1; a=rsa-sha256; c=relaxed/relaxed; d={d}; s={s}; t=1772438400;"
    gmail = (
        short + "\r\n        x=1773043200; darn=palaver.test;\r\n"
        "        h=to:subject:message-id:date:from:mime-version:from:to:cc:subject\r\n"
        "         :date:message-id:reply-to;\r\n        bh=AbC+/=;\r\n        b=Xy+/Z=="
    )
    microsoft = (
        short + "\r\n h=From:Date:Subject:Message-ID:Content-Type:MIME-Version:\r\n"
        " X-MS-Exchange-SenderADCheck:To;\r\n bh=AbC=; b=Xy=="
    )
    plain = short + " h=from:to:cc:subject:date:message-id:mime-version; bh=A=; b=B="
    spaced = (
        "v=1; a=ed25519-sha256; q=dns/txt; c=relaxed/simple; d={d}; s={s};\r\n\t"
        "h = Date : To : From : Subject : Message-Id;\r\n\tbh=A=; b=B="
    )
    forms = [
        ("Gmail", "gmail.com", "Jane Doe <jane.doe@gmail.com>", gmail),
        ("Gmail, no name", "gmail.com", "jane.doe@gmail.com", gmail),
        ("Workspace", "jane.example", '"Doe, Jane" <jane@jane.example>', gmail),
        ("Outlook.com", "outlook.com", "Jane Doe <jane_doe@outlook.com>", microsoft),
        ("Exchange", "firm.example", '"Doe, Jane (Sales)" <Jane.Doe@Firm.example>', microsoft),
        ("iCloud", "icloud.com", "Jane Doe <jane@icloud.com>", plain),
        ("Fastmail", "fastmail.com", '"Jane" <jane@fastmail.com>', plain),
        ("Posteo", "posteo.de", "=?UTF-8?Q?J=C3=A4ne?= <jaene@posteo.de>", spaced),
        ("Yahoo", "yahoo.com", "Jane <jane@yahoo.com>", plain),
        ("GMX", "gmx.net", "<jane.doe@gmx.net>", plain),
        ("own domain", "xn--jne-qla.example", "j@xn--jne-qla.example (Jane)", spaced),
        ("own domain in letters", "xn--jne-qla.example", "J <j@j\u00e4ne.example>", spaced),
    ]
    for provider, domain, origin, signature in forms:
        address = origin.rpartition("<")[2].rpartition(" (")[0] or origin.rpartition("<")[2]
        local = address.strip("<> ").partition("@")[0].lower()
        yield Sent(
            provider,
            domain,
            origin,
            signature.format(d=domain, s="sel1"),
            f"{local}@{domain}",
        )


def _gmail(sent: Sent) -> list[str]:
    return [
        f"Delivered-To: {OWN}",
        "Received: by 2002:a05:7108:1234:b0:3a2:abcd:ef01 with SMTP id x1csp12;",
        "X-Received: by 2002:a17:907:9687:b0:a3d:5612:a7a8 with SMTP id hd7-2002;",
        "ARC-Authentication-Results: i=1; mx.google.com; dkim=pass header.i=@evil.test",
        f"Return-Path: <{sent.address}>",
        f"Received: from out.{sent.domain} (out.{sent.domain}. [203.0.113.5])",
        "        by mx.google.com with SMTPS id l1-20020a17090612c100b sor123",
        f"        for <{OWN}>; Mon, 02 Mar 2026 00:00:01 -0800 (PST)",
        f"Received-SPF: pass (google.com: domain of {sent.address} designates 203.0.113.5)",
        "Authentication-Results: mx.google.com;",
        f"       dkim=pass header.i=@{sent.domain} header.s=sel1 header.b=Xy+/Zabc;",
        f"       spf=pass (google.com: domain of {sent.address} designates 203.0.113.5 as",
        f"        permitted sender) smtp.mailfrom={sent.address};",
        f"       dmarc=pass (p=NONE sp=QUARANTINE dis=NONE) header.from={sent.domain}",
    ]


def _exchange(sent: Sent) -> list[str]:
    return [
        "Received: from DB9PR04MB1.eurprd04.prod.outlook.com (2603:10a6::1) by",
        " AM6PR04MB2.eurprd04.prod.outlook.com with HTTPS; Mon, 2 Mar 2026 08:00:02 +0000",
        "Received: from DU2P1.eurprd.outlook.com (2603:10a6:10::2) by",
        " DB9PR04MB1.eurprd04.prod.outlook.com (2603:10a6:10:1::3) with Microsoft SMTP Server",
        "Authentication-Results: spf=pass (sender IP is 203.0.113.5)",
        f" smtp.mailfrom={sent.domain}; dkim=pass (signature was verified)",
        f" header.d={sent.domain};dmarc=pass action=none",
        f" header.from={sent.domain};compauth=pass reason=100",
        f"Received-SPF: Pass (protection.outlook.com: domain of {sent.domain} designates it)",
        f"Received: from out.{sent.domain} (203.0.113.5) by",
        " DU2PEPF1.mail.protection.outlook.com (10.167.8.1) with Microsoft SMTP Server",
    ]


def _icloud(sent: Sent) -> list[str]:
    return [
        "Received: from p00-mailgateway (10.1.2.3) by p57-mailgateway-smtp-7dd with SMTP id a",
        'Authentication-Results: bimi.icloud.com; bimi=skipped reason="insufficient dmarc"',
        f"Authentication-Results: dmarc.icloud.com; dmarc=pass header.from={sent.domain}",
        "X-DMARC-Info: pass=pass; dmarc-policy=quarantine; s=r1; d=r1; pdomain=x",
        "Authentication-Results: dkim-verifier.icloud.com;",
        f"        dkim=pass (2048-bit key) header.d={sent.domain} header.i=@{sent.domain}",
        f"Authentication-Results: spf.icloud.com; spf=pass (spf.icloud.com: domain of {sent.address}",
        f" designates 203.0.113.5) smtp.mailfrom={sent.address}",
        f"Received: from out.{sent.domain} by p57-mailgateway-smtp-7dd (mailgateway 2420B) with ESMTP",
    ]


def _fastmail(sent: Sent) -> list[str]:
    return [
        "Received: from compute5.internal (compute5.nyi.internal [10.202.2.45])",
        "\t by sloti22d1t02 (Cyrus 3.11.0-alpha0) with LMTPA; Mon, 02 Mar 2026 03:00:01 -0500",
        "Received: from mx5 ([10.202.2.204]) by compute5.internal (LMTPProxy); Mon, 02 Mar 2026",
        "Authentication-Results: mx5.messagingengine.com;",
        "    arc=none (no signatures found);",
        f"    dkim=pass (2048-bit rsa key sha256) header.d={sent.domain} header.i=@{sent.domain}",
        "    header.b=Xy+abc/d header.a=rsa-sha256 header.s=sel1 x-bits=2048;",
        "    dmarc=pass policy.published-domain-policy=none",
        "      policy.published-subdomain-policy=quarantine policy.applied-disposition=none",
        "      policy.evaluated-disposition=none (p=none,sp=quarantine,d=none,d.eval=none)",
        f"      policy.policy-from=p header.from={sent.domain};",
        "    iprev=pass smtp.remote-ip=203.0.113.5 (mail.example);",
        f"    spf=pass smtp.mailfrom={sent.address} smtp.helo=out.{sent.domain};",
        "    x-ptr=pass x-ptr-helo=out.x x-ptr-lookup=out.x;",
        "    x-tls=pass smtp.version=TLSv1.3 smtp.cipher=TLS_AES_256_GCM_SHA384 smtp.bits=256/256",
        f"Received: from out.{sent.domain} (out.{sent.domain} [203.0.113.5])",
        "\tby mx5.messagingengine.com (Postfix) with ESMTPS id 1234",
    ]


def _posteo(sent: Sent) -> list[str]:
    return [
        "Return-Path: <x@y>",
        f"Delivered-To: {OWN}",
        "Received: from proxy02.posteo.name ([127.0.0.1]) by dovecot16.posteo.local with LMTP",
        "\tid abc; Mon, 02 Mar 2026 09:00:01 +0100",
        "Received: from mailin06.posteo.de ([10.0.1.6])",
        "\tby proxy02.posteo.local (Dovecot) with LMTP id def",
        "Authentication-Results: posteo.de; dmarc=pass (p=none dis=none)"
        f" header.from={sent.domain}",
        f"Authentication-Results: posteo.de; spf=pass smtp.mailfrom={sent.address}",
        f"Received: from out.{sent.domain} (out.{sent.domain} [203.0.113.5])",
        "\tby mailin06.posteo.de (Postfix) with ESMTPS",
    ]


def _yahoo(sent: Sent) -> list[str]:
    return [
        "X-Apparently-To: x; Mon, 2 Mar 2026 08:00:01 +0000",
        f"Return-Path: <{sent.address}>",
        "Authentication-Results: atlas-production.v2-mail-prod1-gq1.omega.yahoo.com;",
        f" dkim=pass header.i=@{sent.domain} header.s=sel1;",
        f" spf=pass smtp.mailfrom={sent.domain};",
        f" dmarc=pass(p=REJECT) header.from={sent.domain};",
        f"Received: from 203.0.113.5 (EHLO out.{sent.domain})",
        " by 10.253.60.122 with SMTPs (version=TLS1_3); Mon, 02 Mar 2026 08:00:01 +0000",
    ]


def _milters(sent: Sent) -> list[str]:
    """Postfix with OpenDKIM and OpenDMARC: each writes its own, the later one on top."""
    return [
        f"Return-Path: <{sent.address}>",
        f"X-Original-To: {OWN}",
        "Received: from mail.self.example by mail.self.example with LMTP id xyz (envelope-from x)",
        f"Received: from out.{sent.domain} (out.{sent.domain} [203.0.113.5])",
        "\tby mail.self.example (Postfix) with ESMTPS id 12345",
        f"Authentication-Results: mail.self.example; dmarc=pass (p=none dis=none)"
        f" header.from={sent.domain}",
        "Authentication-Results: mail.self.example;",
        f"\tdkim=pass (2048-bit key; unprotected) header.d={sent.domain} header.i=@{sent.domain}"
        ' header.b="Xy+/Z=="',
    ]


def _opendkim(sent: Sent) -> list[str]:
    """OpenDKIM alone."""
    return [
        f"Received: from out.{sent.domain} by mail.self.example (Postfix) with ESMTPS id 12345",
        "DKIM-Filter: OpenDKIM Filter v2.11.0 mail.self.example 12345",
        "Authentication-Results: mail.self.example;",
        f"\tdkim=pass (1024-bit key, unprotected) header.d={sent.domain} header.i=@{sent.domain}"
        " header.a=rsa-sha256 header.s=sel1 header.b=Xy+/Zabc; dkim-atps=neutral",
    ]


def _rspamd(sent: Sent) -> list[str]:
    return [
        "Received: from mail.self.example ([127.0.0.1]) by mail.self.example with LMTP id 1",
        f"Received: from out.{sent.domain} by mail.self.example (Postcow) with ESMTPS id 2",
        "Authentication-Results: mail.self.example;",
        f'\tdkim=pass header.d={sent.domain} header.s=sel1 header.b="Xy+/Z";',
        f"\tspf=pass (mail.self.example: domain of {sent.address} designates 203.0.113.5 as"
        f" permitted sender) smtp.mailfrom={sent.address};",
        f"\tdmarc=pass (policy=none) header.from={sent.domain}",
        "X-Spamd-Result: default: False [-3.10 / 15.00]",
    ]


def _exim(sent: Sent) -> list[str]:
    return [
        f"Return-path: <{sent.address}>",
        f"Envelope-to: {OWN}",
        f"Authentication-Results: mail.self.example; iprev=pass (out.{sent.domain})"
        " smtp.remote-ip=203.0.113.5; spf=pass smtp.mailfrom=" + sent.domain + ";",
        f" dkim=pass header.d={sent.domain} header.s=sel1 header.a=rsa-sha256; dmarc=pass"
        f" header.from={sent.domain}",
        f"Received: from out.{sent.domain} ([203.0.113.5]) by mail.self.example with esmtps",
        "\t(TLS1.3) tls TLS_AES_256_GCM_SHA384 (Exim 4.98) id 1tX-000; Mon, 02 Mar 2026",
    ]


def _amavis(sent: Sent) -> list[str]:
    return [
        "Received: from localhost (localhost [127.0.0.1]) by mail.self.example (Postfix)",
        "X-Virus-Scanned: amavisd-new at self.example",
        "Authentication-Results: mail.self.example (amavisd-new);",
        f"\tdkim=pass (2048-bit key) header.d={sent.domain}",
        f"Received: from out.{sent.domain} by mail.self.example (Postfix) with ESMTPS",
    ]


def _spf(sent: Sent) -> list[str]:
    """A server that checks nothing but SPF."""
    return [
        f"Received: from out.{sent.domain} by mail.self.example (Postfix) with ESMTPS",
        f"Authentication-Results: mail.self.example; spf=pass (sender SPF authorized)"
        f" smtp.mailfrom={sent.domain} (client-ip=203.0.113.5; helo=out.x; envelope-from=x@y;"
        " receiver=x)",
    ]


def _zoho(sent: Sent) -> list[str]:
    return [
        f"Delivered-To: {OWN}",
        "Authentication-Results: mx.zohomail.com;",
        f"\tdkim=pass  header.i=@{sent.domain};",
        f"\tspf=pass (zohomail.com: domain of x designates 203.0.113.5 as permitted sender)"
        f"  smtp.mailfrom={sent.address};",
        f"\tdmarc=pass(p=none dis=none)  header.from={sent.address}",
        f"Received: from out.{sent.domain} by mx.zohomail.com with SMTPS id 1",
    ]


SERVERS: dict[str, tuple[list[str], Callable[[Sent], list[str]]]] = {
    "Gmail": (["mx.google.com"], _gmail),
    "Exchange Online": (["outlook.com"], _exchange),
    "iCloud": (["dmarc.icloud.com"], _icloud),
    "iCloud, all names": (["bimi.icloud.com", "dmarc.icloud.com", "spf.icloud.com"], _icloud),
    "Fastmail": (["*.messagingengine.com"], _fastmail),
    "Posteo": (["posteo.de"], _posteo),
    "Yahoo": (["*.yahoo.com"], _yahoo),
    "OpenDKIM and OpenDMARC": (["mail.self.example"], _milters),
    "OpenDKIM": (["MAIL.self.example"], _opendkim),
    "rspamd": (["mail.self.example"], _rspamd),
    "Exim": (["mail.self.example"], _exim),
    "amavis": (["mail.self.example"], _amavis),
    "SPF": (["mail.self.example"], _spf),
    "Zoho": (["mx.zohomail.com"], _zoho),
}


def genuine() -> Iterator[Genuine]:
    """Each provider's mail, as each server delivers it."""
    for (server, (ids, adds)), sent in product(SERVERS.items(), _sent()):
        text = "\r\n".join([*adds(sent), *sent.lines]) + "\r\n\r\nAt noon?\r\n"
        yield Genuine(server, sent.provider, ids, sent.address, text.encode())
