"""Who wrote a mail: what a server that we trust says about it (RFC 8601), and nothing else.

`docs/explanation/mail.md` tells what counts, and why no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from palaver.channels.email.addresses import domain_of, named, same
from palaver.channels.email.headers import Header
from palaver.channels.email.words import split, uncommented
from palaver.channels.port import Person, Proof
from palaver.errors import BadValue

_NAMELESS = "outlook.com"
"""Exchange Online writes no name of itself. Whoever trusts this name trusts results without one."""
_PRIVATE = re.compile(r"[^.:]+|.+\.(?:internal|local|localdomain|lan|home|arpa)")
_BY = re.compile(r"(?:^|\s)by\s+([^\s;]+)", re.IGNORECASE)
_SHORTENED = re.compile(r"(?:^|;)\s*l\s*=")
_TAG = re.compile(r"(?:^|;)\s*(d|h)\s*=([^;]*)")
_MAIL_FROM = "smtp.mailfrom"
_MOST_RESULTS = 50


@dataclass(frozen=True, slots=True)
class Result:
    """What a server found by one method."""

    method: str
    result: str
    properties: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one field says: who says so, and what was found."""

    server: str | None
    results: Sequence[Result]


class Trusted:
    """The names of the servers that are believed: each as it is, or `*.example.org` for all below
    it."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = frozenset(name.strip().lower() for name in names if name.strip(" *."))

    def __bool__(self) -> bool:
        return bool(self._names)

    def believed(self, server: str | None) -> str | None:
        """The widest name by which a server is believed, or None."""
        server = _NAMELESS if server is None else server
        names = (*(f"*.{above}" for above in reversed([*_above(server)])), server)
        return next((name for name in names if name in self._names), None)

    def owns(self, host: str) -> bool:
        """Whether a host is one of theirs, or one that only they can reach."""
        return (
            _PRIVATE.fullmatch(host) is not None
            or _is_private(host)
            or self.believed(host) is not None
            or any(above in self._names for above in _above(host))
        )


def _is_private(host: str) -> bool:
    """Whether it is an address that no stranger's server has. Google's own are private ones in the
    clothes of 6to4: `2002:a05:…` is 10.5.…"""
    try:
        address = ip_address(host.strip("[]").removeprefix("ipv6:"))
    except ValueError:
        return False
    inner = address.sixtofour if isinstance(address, IPv6Address) else None
    return (inner or address).is_private


def _above(name: str) -> Iterator[str]:
    while "." in name:
        name = name.partition(".")[2]
        yield name


def proof(header: Header, sender: Person | None, own: str, trusted: Trusted) -> Proof:
    """Whether a trusted server vouches that `sender` wrote the mail, and wrote it to us."""
    if sender is None or not header.sound or not trusted:
        return "claimed"
    domain = sender.id.rpartition("@")[2]
    results = [result for verdict in _believed(header, trusted) for result in verdict.results]
    if any(result.method == "dmarc" and result.result == "fail" for result in results):
        return "claimed"
    if _by_spf(results, sender.id) and (_straight(results, sender.id) or _is_ours(header, [], own)):
        return "proven"
    signatures = _signatures(header, domain)
    signed = _by_dkim(results, domain) and bool(signatures)
    if (signed or _by_dmarc(results, domain)) and _is_ours(header, signatures, own):
        return "proven"
    return "claimed"


def _believed(header: Header, trusted: Trusted) -> Iterator[Verdict]:
    """The topmost field of each trusted name, above the first hop that is none of theirs."""
    seen: set[str] = set()
    for field in header.fields:
        if field.name == "received" and not trusted.owns(_by(field.value)):
            return
        if field.name != "authentication-results":
            continue
        verdict = verdict_of(field.value)
        name = trusted.believed(verdict.server) if verdict else None
        if verdict and name is not None and name not in seen:
            seen.add(name)
            yield verdict


def _by(received: bytes) -> str:
    found = _BY.search(uncommented(received.decode("latin-1")) or "")
    return found[1].lower() if found else "nobody.invalid"


def _by_spf(results: Sequence[Result], sender: str) -> bool:
    found = [one for one in results if one.method == "spf" and _MAIL_FROM in one.properties]
    return len(found) == 1 and _passed(found[0], _MAIL_FROM, sender.rpartition("@")[2])


def _straight(results: Sequence[Result], sender: str) -> bool:
    """Whether the sender's own mailbox sent it: nobody else passed it on."""
    return any(
        result.method == "spf" and same(result.properties.get(_MAIL_FROM, "")) == sender
        for result in results
    )


def _by_dmarc(results: Sequence[Result], domain: str) -> bool:
    found = [one for one in results if one.method == "dmarc"]
    return len(found) == 1 and _passed(found[0], "header.from", domain)


def _by_dkim(results: Sequence[Result], domain: str) -> bool:
    for one in results:
        name = "header.d" if "header.d" in one.properties else "header.i"
        if one.method == "dkim" and _passed(one, name, domain):
            return True
    return False


def _passed(result: Result, name: str, domain: str) -> bool:
    """Whether it passed, and for the very domain."""
    said = result.properties.get(name, "").rpartition("@")[2]
    try:
        return result.result == "pass" and domain_of(said) == domain
    except BadValue:
        return False


def _signatures(header: Header, domain: str) -> list[Mapping[str, str]]:
    """The signatures that may speak for a domain: by itself, or by one that it belongs to."""
    found = map(_tags, header.all("dkim-signature"))
    return [tags for tags in found if _stem(tags.get("d", "")) == _stem(domain)]


def _stem(domain: str) -> str:
    return ".".join(domain.split(".")[-2:])


def _is_ours(header: Header, signatures: Sequence[Mapping[str, str]], own: str) -> bool:
    """Whether it was written to us, and every signature covers that.

    A signature is good wherever the mail is sent again: without this, whoever ever got mail from
    the owner could send it here, and it would be the owner's. Somebody at the same provider can
    have it sent on by the provider itself; but then it still names whom it was written to.
    """
    for name in ("to", "cc"):
        values = header.all(name)
        if len(values) == 1 and any(_is_own(person.id, own) for person in named(values)):
            return all(
                name in tags.get("h", "").split(":") and "l" not in tags for tags in signatures
            )
    return False


def _is_own(address: str, own: str) -> bool:
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0]}@{domain}" == own or address == own


def _tags(signature: bytes) -> dict[str, str]:
    """What of a signature matters here: whose it is, what it covers, and whether all of that."""
    text = signature.decode("latin-1").lower()
    tags = {found[1]: "".join(found[2].split()) for found in _TAG.finditer(text)}
    return tags | ({"l": ""} if _SHORTENED.search(text) else {})


def verdict_of(value: bytes) -> Verdict | None:
    """What a field says; nothing, if it cannot be read in one way only."""
    try:
        plain = uncommented(value.decode())
    except UnicodeDecodeError:
        return None
    parts = split(plain) if plain is not None else None
    if not parts:
        return None
    if "=" in parts[0]:
        return Verdict(None, _results(parts))
    words = parts[0].strip().lower().split()
    named_well = words and words[0].isascii() and (len(words) == 1 or words[1:] == ["1"])
    return Verdict(words[0].strip('"'), _results(parts[1:])) if named_well else None


def _results(parts: Sequence[str]) -> list[Result]:
    return [found for part in parts[:_MOST_RESULTS] if (found := _result(part)) is not None]


def _result(part: str) -> Result | None:
    """`method=result property=value …`, each property once."""
    joined = re.sub(r" ?= ?", "=", " ".join(part.split()))
    words = [word for word in split(joined, " ") if word]
    pairs = [(name.lower(), value) for name, _, value in (word.partition("=") for word in words)]
    names = [name for name, _ in pairs]
    if not pairs or not all(name and value for name, value in pairs):
        return None
    if len(set(names)) < len(names):
        return None
    (method, result), *properties = pairs
    kept = {name: value.strip('"') for name, value in properties}
    return Result(method.partition("/")[0], result.lower(), kept)
