"""Names in scripts that put no spaces between words: there, a clause is as it was said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from palaver.digest.state.heard import Heard
from palaver.text import whole_character
from palaver.text.scripts import UNSPACED
from palaver.text.words import pairs

_LEAST, _MOST = 2, 20
"""How many characters a name has."""
_READ = 4_000
_CLAUSE = re.compile(rf"[{UNSPACED}\w][{UNSPACED}\w ·・-]*")
_LETTERS = re.compile(rf"[{UNSPACED}]")
_LEAD = re.compile(
    r"(?:你好|您好|嗨|谢谢|謝謝|请问|請問|请|請|麻烦|麻煩|帮我|幫我|帮忙|我想要|我想|我要|你能不能"
    r"|你能|能不能|能否|可以|可不可以|告诉我|告訴我|关于|關於|那么|那麼|好的"
    r"|我有一个问题|我有个问题|我有一個問題|想问一下|想請問|質問があります|ちょっと"
    r"|こんにちは|こんばんは|おはよう|すみません|ありがとうございます|ありがとう|はい|えっと|あの"
    r"|안녕하세요|안녕|감사합니다|고마워요|네|제가|저는"
    r"|สวัสดีครับ|สวัสดีค่ะ|สวัสดี|ขอบคุณ|ช่วย)+ ?"
)
"""How people greet and ask."""
_TAIL = re.compile(
    r"(?:了吗|了嗎|吗|嗎|呢|吧|啊|好吗|好嗎|でしょうか|ですか|ますか|ください|下さい|です|します|ます|したい|教えて|か|"
    r"はありますか|はあります|がありますか|について|相談したいのですが|のですが|の相談|がいい|[をはがに]|"
    r"해주세요|해 주세요|주세요|인가요|나요|까요|요|ครับ|ค่ะ|คะ|หน่อย|ไหม)+$"
)
_QUESTION = re.compile(
    r"什么|什麼|怎么|怎麼|怎样|怎樣|多少|哪|几点|为什么|何时|应该|是不是|どちら|どの|どう|いくら|いつ|なぜ"
    r"|どこ|何|무엇|어떻게|어디|언제|얼마|อะไร|อย่างไร|ที่ไหน|เมื่อไหร่"
)
_OPENING, _FIRST = 3.0, 2.0
"""How much more counts what the user says first, and what is said with it."""
_ASKS = 0.5
"""How much less a clause counts that asks: what it asks about stands before it."""


def is_unspaced(heard: Sequence[Heard]) -> bool:
    """Whether most of what was said is in such a script."""
    said = "".join(one.message.content[:_READ] for one in heard)
    return 2 * len(_LETTERS.findall(said)) > sum(map(str.isalpha, said))


def clauses(heard: Sequence[Heard]) -> list[tuple[int, str]]:
    """The clauses that tell most, with the numbers of their messages, the best one first."""
    found = [(n, clause) for n, one in enumerate(heard) for clause in _of(one)]
    often = Counter(pair for _, clause in found for pair in set(pairs(clause)))
    first = min((n for n, _ in found if heard[n].speaker == "user"), default=0)
    opening = next((clause for n, clause in found if n == first), "")

    def value(one: tuple[int, str]) -> float:
        number, clause = one
        told = sum(often[pair] for pair in set(pairs(clause))) / len(clause) ** 0.5
        own = 1.0 if heard[number].speaker == "user" else 0.5
        asks = _ASKS if _QUESTION.search(clause) else 1.0
        place = _OPENING if clause == opening else _FIRST if number == first else 1.0
        return told * own * asks * place

    ranked = sorted(found, key=lambda one: -value(one))
    once = {clause: (number, clause) for number, clause in reversed(ranked)}
    return [one for one in ranked if once[one[1]] == one]


def _of(heard: Heard) -> Iterator[str]:
    for found in _CLAUSE.finditer(heard.message.content[:_READ]):
        clause = found[0].strip()
        lead = _LEAD.match(clause)
        clause = _TAIL.sub("", clause[lead.end() :] if lead else clause).strip()
        if len(clause) > _MOST:
            head = clause[: whole_character(clause, _MOST)]
            clause = head.rpartition(" ")[0] or head
        if len(clause) >= _LEAST and _LETTERS.search(clause):
            yield clause
