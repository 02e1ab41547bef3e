"""Webhooks: of calls that are not the provider's, not one is let in, however near they come.

Each round takes a call as the provider makes it, which has to be let in, and changes it: bits of
the body or of the signature, the encoding, the headers; or it is signed with something else.
"""

from __future__ import annotations

import hmac
import json
import random
from collections.abc import Callable
from dataclasses import dataclass

from palaver.channels.port import Webhook
from palaver.channels.telegram import TelegramChannel
from palaver.channels.telegram.channel import HEADER
from palaver.channels.whatsapp import WhatsAppChannel
from palaver.channels.whatsapp.signing import SIGNATURE
from palaver.errors import BadJson, WebhookRefused
from palaver.settings.channels import TelegramSettings, WhatsAppSettings
from tests.channels.telegram import provider as telegram
from tests.channels.whatsapp import provider as whatsapp
from tests.proofs.report import Report

Headers = dict[str, str]
_FORMS = ("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "cp500")
_DIGITS = ("٠١٢٣٤٥٦٧٨٩", "０１２３４５６７８９", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗")


@dataclass(frozen=True, slots=True)
class Called:
    """A call, to a channel."""

    hook: Webhook
    body: bytes
    headers: Headers

    def with_body(self, body: bytes) -> Called:
        return Called(self.hook, body, self.headers)

    def with_header(self, name: str, value: str | None) -> Called:
        kept = {one: said for one, said in self.headers.items() if one != name}
        return Called(self.hook, self.body, kept if value is None else {**kept, name: value})


Change = Callable[[Called, random.Random], Called]


def _flip(data: bytes, rng: random.Random) -> bytes:
    place, bit = rng.randrange(len(data)), 1 << rng.randrange(8)
    return data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]


def flipped(call: Called, rng: random.Random) -> Called:
    return call.with_body(_flip(call.body, rng))


def truncated(call: Called, rng: random.Random) -> Called:
    return call.with_body(call.body[: rng.randrange(len(call.body))])


def lengthened(call: Called, rng: random.Random) -> Called:
    return call.with_body(call.body + rng.choice([b" ", b"\n", b"\0", b"{}", call.body]))


def rewritten(call: Called, rng: random.Random) -> Called:
    """It says the same in other bytes."""
    told = json.loads(call.body)
    forms = [json.dumps(told), json.dumps(told, indent=1), json.dumps(told, sort_keys=True)]
    return call.with_body(rng.choice([json.dumps(told, ensure_ascii=False), *forms]).encode())


def recoded(call: Called, rng: random.Random) -> Called:
    return call.with_body(call.body.decode().encode(rng.choice(_FORMS)))


def replayed(call: Called, rng: random.Random) -> Called:
    """A signature that was seen, with other words."""
    told = json.loads(call.body)
    told["entry"][0]["changes"][0]["value"]["messages"][0]["text"]["body"] = f"Pay {rng.random()}"
    return call.with_body(json.dumps(told, separators=(",", ":")).encode())


def signed_by_another(call: Called, rng: random.Random) -> Called:
    near = [whatsapp.SECRET[:-1], f"{whatsapp.SECRET} ", f"{whatsapp.SECRET}\n", whatsapp.VERIFY]
    secret = rng.choice(["", "None", "null", whatsapp.TOKEN, str(rng.random()), *near])
    return Called(call.hook, call.body, whatsapp.signed(call.body, secret))


def signed_otherwise(call: Called, rng: random.Random) -> Called:
    way = rng.choice(["sha1", "sha512", "md5", "sha224"])
    digest = hmac.new(whatsapp.SECRET.encode(), call.body, way).hexdigest()
    return call.with_header(SIGNATURE, f"{rng.choice(['sha256', way])}={digest}")


def without_secret(call: Called, rng: random.Random) -> Called:
    secret = rng.choice(["", "None", "null", whatsapp.SECRET])
    return Called(_NO_SECRET, call.body, whatsapp.signed(call.body, secret))


def headed(name: str) -> list[Change]:
    """Changes of a header that has to be there as it is."""

    def bits(call: Called, rng: random.Random) -> Called:
        flipped_ = _flip(call.headers[name].encode(), rng)
        return call.with_header(name, flipped_.decode("utf-8", "surrogateescape"))

    def cut(call: Called, rng: random.Random) -> Called:
        said = call.headers[name]
        return call.with_header(name, said[: rng.randrange(len(said))])

    def spelt(call: Called, rng: random.Random) -> Called:
        said = call.headers[name]
        forms = [said.upper(), said.swapcase(), f" {said}", f"{said} ", f'"{said}"', f"{said}\0"]
        return call.with_header(name, rng.choice([*forms, said[::-1], said.title()]))

    def doubled(call: Called, rng: random.Random) -> Called:
        said = call.headers[name]
        other = rng.choice([said, "", "sha256=" + "0" * 64])
        return call.with_header(
            name, rng.choice([f"{said}, {other}", f"{other}, {said}", said * 2])
        )

    def digits(call: Called, rng: random.Random) -> Called:
        """Signs that are read as the same digits."""
        table = dict(zip(map(ord, "0123456789"), rng.choice(_DIGITS), strict=True))
        said = call.headers[name].translate(table)
        return call.with_header(name, said if not said.isascii() else f"{said}０")

    def missing(call: Called, rng: random.Random) -> Called:
        return call.with_header(name, rng.choice([None, "", "sha256=", "None"]))

    def renamed(call: Called, rng: random.Random) -> Called:
        """Names come in small letters: one that is spelt otherwise is another header."""
        other = rng.choice([name.upper(), name.title(), f"{name} ", name.replace("-", "_")])
        return call.with_header(name, None).with_header(other, call.headers[name])

    return [bits, cut, spelt, doubled, digits, missing, renamed]


_NO_SECRET = WhatsAppChannel(WhatsAppSettings.model_validate({"phoneNumberId": whatsapp.NUMBER_ID}))
_BODY_CHANGES: list[Change] = [flipped, truncated, lengthened, rewritten, recoded, replayed]
_SIGNERS: list[Change] = [signed_by_another, signed_otherwise, without_secret]


def _whatsapp() -> tuple[Called, list[Change]]:
    given = {"appSecret": whatsapp.SECRET, "phoneNumberId": whatsapp.NUMBER_ID}
    hook = WhatsAppChannel(WhatsAppSettings.model_validate(given))
    told = whatsapp.payload("text")
    message = told["entry"][0]["changes"][0]["value"]["messages"][0]
    message["text"]["body"] = "Grüße an 👩‍👧 um 17:30"
    call = Called(hook, *whatsapp.calling(told))
    return call, [*_BODY_CHANGES, *_SIGNERS, *headed(SIGNATURE)]


def _telegram() -> tuple[Called, list[Change]]:
    """Its calls are not signed: whoever knows the secret is Telegram."""
    given = {"token": telegram.TOKEN, "secretToken": "a5ecret_of-our-0wn", "mode": "webhook"}
    hook = TelegramChannel(TelegramSettings.model_validate(given))
    body = json.dumps(telegram.payload("text")).encode()
    return Called(hook, body, {HEADER: given["secretToken"]}), headed(HEADER)


def prove(number: int) -> Report:
    """So many calls that are not the provider's, three quarters of them to WhatsApp."""
    report = Report("calls of others to webhooks", "changed calls")
    for (call, changes), share in ((_whatsapp(), 0.75), (_telegram(), 0.25)):
        rng = random.Random(1)
        for n in range(int(number * share)):
            if n % 100 == 0 and not _is_let_in(call):
                report.fail(f"{type(call.hook).__name__} refused a call of the provider's")
            change = changes[n % len(changes)]
            made = change(call, rng)
            if (made.body, made.headers, made.hook) == (call.body, call.headers, call.hook):
                continue  # it is the provider's own
            report.tried += 1
            if _is_let_in(made):
                report.fail(f"{type(call.hook).__name__}: {change.__name__} was let in")
    return report


def _is_let_in(call: Called) -> bool:
    try:
        call.hook.read(call.body, call.headers)
    except WebhookRefused:
        return False
    except BadJson:
        pass  # somebody looked at what it says
    return True
