"""Counting tokens: near to what tokenizers say, and rather above it than below."""

from __future__ import annotations

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.context.tokens import PER_CALL, PER_MESSAGE, EstimatedTokens, count_message

COUNTER = EstimatedTokens()
SAMPLES = {
    "English": (
        38,
        "Could you remind me what we decided about the login bug last week? I think the fix was to "
        "rotate the token after every failed attempt, but I am not sure whether it was released.",
    ),
    "German": (
        62,
        "Kannst du mir bitte noch einmal sagen, was wir letzte Woche über den Fehler bei der "
        "Anmeldung beschlossen haben? Ich glaube, die Lösung war, den Schlüssel nach jedem "
        "Fehlversuch zu wechseln.",
    ),
    "Russian": (
        70,
        "Напомни, пожалуйста, что мы решили на прошлой неделе насчёт ошибки при входе? Кажется, "
        "нужно менять ключ после каждой неудачной попытки.",
    ),
    "Arabic": (
        106,
        "ذكرني من فضلك بما قررناه الأسبوع الماضي بشأن خطأ تسجيل الدخول؟ أظن أن الحل كان تغيير "
        "المفتاح بعد كل محاولة فاشلة.",
    ),
    "Hindi": (
        160,
        "कृपया मुझे याद दिलाइए कि पिछले हफ़्ते हमने लॉगिन की गड़बड़ी के बारे में क्या तय किया था? मुझे लगता है "
        "कि हर असफल कोशिश के बाद कुंजी बदलनी थी।",
    ),
    "Chinese": (
        54,
        "请提醒我上周我们关于登录问题的决定是什么？我记得解决办法是在每次登录失败之后更换密钥，"
        "但我不确定是否已经发布。",
    ),
    "Japanese": (
        72,
        "先週、ログインの不具合について何を決めたか教えてください。失敗するたびに鍵を交換するという"
        "対策だったと思いますが、公開されたかどうか分かりません。",
    ),
    "Korean": (
        97,
        "지난주에 로그인 오류에 대해 우리가 무엇을 결정했는지 알려 주세요. 실패할 때마다 키를 "
        "바꾸는 것이 해결책이었던 것 같은데 배포되었는지는 모르겠습니다.",
    ),
    "code": (
        64,
        "def rotate(token: Token, *, attempts: int) -> Token:\n"
        '    """A new token after every failed attempt."""\n'
        "    if attempts > MAX_ATTEMPTS:\n"
        "        raise LockedOut(token.user_id)\n"
        "    return replace(token, secret=secrets.token_hex(16))\n",
    ),
    "JSON": (
        100,
        '{"id":"7f3c2a9e-51d4-4b0e-9c77-1f0a6f2d8b11","at":"2026-02-14T09:00:00.000Z","user":'
        '{"name":"Anna","age":41},"tags":["login","bug"],"total":1284.5,"ok":true}',
    ),
    "digits": (
        82,
        "0049 30 1234567 / 4111 1111 1111 1111 / 192.168.178.20 / 2026-02-14 / 3.14159265358979",
    ),
    "base64": (
        76,
        "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9T"
        "XL0Y4OHwAAAABJRU5ErkJggg==",
    ),
    "emoji": (58, "🎉🎉 Done! 👨‍👩‍👧‍👦 are coming 🚗💨 on Friday 😀👍🏽 see you 🏖️"),
}
"""Texts, and how many tokens the costliest of six tokenizers made of each."""


@pytest.mark.parametrize("kind", SAMPLES)
def test_it_is_near_to_the_costliest_tokenizer(kind: str) -> None:
    real, text = SAMPLES[kind]
    assert 0.9 * real <= COUNTER.count(text) <= 1.5 * real


@given(st.one_of(st.text(), st.text("etaoin ")))
def test_it_is_never_below_a_quarter_of_the_characters(text: str) -> None:
    assert COUNTER.count(text) >= ceil(len(text) / 4)
    assert (COUNTER.count(text) == 0) == (not text)


@given(st.text(), st.text())
def test_texts_cost_at_most_what_they_cost_on_lines_of_their_own(one: str, other: str) -> None:
    together = COUNTER.count(f"{one}\n{other}")
    assert together <= COUNTER.count(f"{one}\n") + COUNTER.count(other)


def test_a_long_text_costs_what_its_parts_cost() -> None:
    text = "Every word of it counts, and 12 numbers. "
    assert COUNTER.count(text * 30_000) == pytest.approx(COUNTER.count(text * 3) * 10_000, rel=0.02)


def test_what_cannot_be_stored_can_be_counted() -> None:
    assert COUNTER.count("\ud800\x00") >= 1


def test_a_message_costs_its_text_and_its_calls() -> None:
    plain = {"role": "user", "content": "Hello there"}
    assert count_message(COUNTER, plain) == PER_MESSAGE + COUNTER.count("Hello there")
    assert count_message(COUNTER, {"role": "assistant", "content": None}) == PER_MESSAGE
    call = {"function": {"name": "weather", "arguments": '{"city":"Rome"}'}}
    calling = {"role": "assistant", "content": None, "tool_calls": [call, call]}
    assert count_message(COUNTER, calling) > 2 * (PER_CALL + COUNTER.count("weather"))


def test_parts_that_are_no_text_are_counted_rather_too_high() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 4000}}
    assert count_message(COUNTER, {"role": "user", "content": [picture]}) > 1000


def test_it_remembers_what_texts_cost_without_their_words() -> None:
    counter = EstimatedTokens()
    texts = [f"Message number {number}." for number in range(12_000)]
    first = [counter.count(text) for text in texts]
    assert [counter.count(text) for text in texts] == first
    known = counter._known  # pyright: ignore[reportPrivateUsage]
    assert 0 < len(known) <= 10_000
    assert all(type(part) is int for name in known for part in name)
