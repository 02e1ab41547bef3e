"""Examples of answers about channels, and about people who are not the owner."""

from __future__ import annotations

from palaver.channels.external.records import (
    Decided,
    DraftReply,
    External,
    ExternalPage,
    ExternalView,
    Withheld,
)
from palaver.index.records import Author, Delivery, DeliveryStatus, Message, Record
from palaver.server.examples import ASKED, CONVERSATION, DRAFT, EXTERNAL, MEMORY, SAID, THEN, WHEN
from palaver.server.views import ChannelList, ChannelTest, ChannelView, PolicyView

_CHANNEL, _PARTY = "whatsapp", "491512345678"
_WANTED, _TOLD = "When are you open?", "We are open from nine to five."


def corresponded() -> list[Record]:
    external, wanted = _external(), _message(0)
    told = _message(1).model_copy(update={"delivery": DeliveryStatus(state="read", updated=THEN)})
    draft = DraftReply(
        id=DRAFT, code="5r9t1v", text=_TOLD, message_id=ASKED, by="haiku", created=THEN
    )
    withheld = Withheld(message_id=SAID, conversations=[CONVERSATION], memories=[MEMORY])
    return [
        external,
        ExternalPage(external=[external], next_cursor="eyJhIjoxfQ"),
        ExternalView(
            external=external,
            messages=[wanted, told],
            has_more=False,
            drafts=[draft],
            withheld=[withheld],
        ),
        Decided(
            draft_id=DRAFT,
            decision="approved",
            message=told.model_copy(
                update={"delivery": DeliveryStatus(state="waiting", updated=THEN)}
            ),
        ),
        *_channels(),
    ]


def _channels() -> list[Record]:
    policy = PolicyView(known="answer", untrusted="draft", scope="They may know when we are open.")
    return [
        Delivery(
            state="waiting",
            updated=THEN,
            message_id=SAID,
            conversation_id=EXTERNAL,
            seq=3,
            channel=_CHANNEL,
            place=_PARTY,
        ),
        ChannelList(
            channels=[
                ChannelView(
                    name=_CHANNEL,
                    state="connected",
                    since=WHEN,
                    webhook=f"/channels/{_CHANNEL}",
                    role="dedicated",
                    policy=policy,
                )
            ]
        ),
        ChannelTest(
            name=_CHANNEL,
            ok=False,
            message="The provider of the channel refuses it.",
            remedy="Correct what it complains about, and try again.",
        ),
    ]


def _external() -> External:
    return External(
        id=EXTERNAL,
        channel=_CHANNEL,
        party=_PARTY,
        name="Grete",
        trust="known",
        policy="draft",
        scope="They may know when we are open.",
        decided=["trust", "policy", "scope"],
        created=WHEN,
        updated=THEN,
        message_count=2,
        last_text=_TOLD,
        last_by="assistant",
        drafts=1,
        escalated=True,
        code="7t8v9w",
    )


def _message(number: int) -> Message:
    return Message(
        id=(ASKED, SAID)[number],
        conversation_id=EXTERNAL,
        seq=number + 2,
        role=("user", "assistant")[number],
        content=(_WANTED, _TOLD)[number],
        timestamp=(WHEN, THEN)[number],
        turn_number=1,
        channel=_CHANNEL,
        sender=("Grete", None)[number],
        author=(
            Author(kind="participant", id=_PARTY, grade="proven"),
            Author(kind="assistant"),
        )[number],
    )
