"""Standing: how far an outsider is trusted, and what is done when they write."""

from __future__ import annotations

from dataclasses import dataclass

from palaver.channels.connection import Connection
from palaver.channels.external.records import External
from palaver.channels.external.said import code_of
from palaver.channels.port import Proof
from palaver.index.records import ExternalMeta
from palaver.settings import ChannelSettings, Mode, Policy, Tier


@dataclass(frozen=True, slots=True)
class Standing:
    """What holds for somebody."""

    tier: Tier
    mode: Mode
    scope: str

    def of(self, proof: Proof, policy: Policy, *, personal: bool) -> Mode:
        """What is done for one message. Who is merely claimed to have written it is not trusted,
        and gets no answer to what they may never have written."""
        if self.mode == "ignore":
            return "ignore"
        if personal or proof == "claimed":
            return "acknowledge"
        if self.tier == "untrusted" and self.mode == "answer":
            return policy.untrusted
        return self.mode


def standing_of(meta: ExternalMeta | None, by: Connection | None, party: str) -> Standing:
    """By what was decided of them, or else by the settings of the channel."""
    policy = by.settings.policy if by else ChannelSettings().policy
    tier = (meta.trust if meta else None) or (by.tier(party) if by else "untrusted")
    usual = policy.known if tier == "known" else policy.untrusted
    mode = (meta.policy if meta else None) or usual
    scope = meta.scope if meta and meta.scope is not None else policy.scope
    return Standing(tier, mode, scope)


def shown(meta: ExternalMeta, by: Connection | None) -> External:
    """An exchange with what holds for it."""
    holds = standing_of(meta, by, meta.party)
    given = {"trust": meta.trust, "policy": meta.policy, "scope": meta.scope}
    return External(
        **meta.model_dump(exclude={"trust", "policy", "scope"}),
        trust=holds.tier,
        policy=holds.mode,
        scope=holds.scope,
        code=code_of(meta.id),
        decided=[name for name, value in given.items() if value is not None],
    )
