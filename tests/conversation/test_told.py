"""What a program tells with a message reaches the model, and goes where the message goes."""

from __future__ import annotations

from typing import Any

import pytest

from palaver.app import Palaver
from palaver.conversation.records import NewMessage
from palaver.errors import BadText, KeyReused, TooLarge
from tests.conversation.scripted import Scripted, answer_by

SCREEN: dict[str, Any] = {"page": "bathroom plan", "tiles": [4711]}


def contents(script: Scripted) -> list[str]:
    return [str(one["content"]) for one in script.tasks[-1].packet.messages]


async def test_the_model_is_told_and_told_again_when_it_answers_again(palaver: Palaver):
    script = answer_by(palaver, Scripted(["Blue."]))
    sent = await palaver.send("Which colour?", new=True, context=SCREEN)
    (question,) = (await palaver.messages(sent.conversation_id, limit=2)).messages[:1]
    assert question.custom_payload == {"context": SCREEN}
    told, asked = contents(script)
    assert '> {"page":"bathroom plan","tiles":[4711]}' in told
    assert asked == "Which colour?"
    await palaver.regenerate(sent.conversation_id, sent.reply.id)
    assert contents(script) == [told, asked]
    edited = await palaver.edit(sent.conversation_id, question.id, "Which hue?")
    assert contents(script) == [told, "Which hue?"]
    shown = await palaver.context(sent.conversation_id, turn=1)
    assert [one["content"] for one in shown.messages] == [told, "Which hue?"]
    await palaver.redact(sent.conversation_id, edited.reply.reply_to or "")
    packet = await palaver.context(sent.conversation_id, "And now?")
    assert "bathroom" not in str(packet.messages)


async def test_the_offline_assistant_goes_by_the_words_alone(palaver: Palaver):
    await palaver.send("The tiles are blue.", new=True)
    plain = await palaver.send("What colour are the tiles?", new=True)
    told = await palaver.send("What colour are the tiles?", new=True, context={"page": "/help"})
    assert told.reply.content == plain.reply.content


async def test_a_key_stands_for_what_was_told_too(palaver: Palaver):
    first = await palaver.send("Which?", new=True, key="k", context=SCREEN)
    assert await palaver.send("Which?", new=True, key="k", context=SCREEN) == first
    with pytest.raises(KeyReused):
        await palaver.send("Which?", new=True, key="k", context={"page": "other"})


async def test_what_cannot_be_kept_is_refused_before_anything_is(palaver: Palaver):
    for context, error in (({"a": "x" * 4096}, TooLarge), ({"a": "\ud800"}, BadText)):
        with pytest.raises(error):
            await palaver.send("Which?", new=True, context=context)
    assert (await palaver.conversations()).conversations == []


async def test_however_much_was_told_the_question_is_there(palaver: Palaver):
    script = answer_by(palaver, Scripted(["Yes."]))
    conversation = (await palaver.start()).id
    for number in range(8):
        kept = {"context": {"screen": "long words " * 5000}}
        new = NewMessage(role="user", content=f"Number {number}", custom_payload=kept)
        await palaver.append_many(conversation, [new])
    await palaver.send("And?", conversation_id=conversation, context={"a": "b c " * 900})
    packet = script.tasks[-1].packet
    assert "b c b c" in str(packet.messages[-2])
    assert packet.messages[-1] == {"role": "user", "content": "And?"}
    assert packet.tokens <= packet.budget
