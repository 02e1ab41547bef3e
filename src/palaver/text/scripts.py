"""Scripts: the sets of characters that words are made of, as parts of regular expressions."""

from __future__ import annotations

UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17d3\u17d7\u17dc-\u17ff"  # Khmer
    "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # Kana
    "\u3105-\u312f\u31a0-\u31bf"  # Bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
"""Scripts that put no spaces between words, and Hangul, which hangs particles on them."""

LETTER = rf"[^\W_{UNSPACED}]"
"""A letter or a digit of a script that puts spaces between words."""

MARK = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711-\u07f3\u07fd\u0816-\u082d"
    "\u0859-\u085b\u0898-\u08e1\u08e3-\u0963\u0981-\u09e3\u09fe-\u0a75\u0a81-\u0ae3\u0afa-\u0b63"
    "\u0b82-\u0bd7\u0c00-\u0c63\u0c81-\u0c83\u0cbc-\u0d4d\u0d57-\u0d63\u0d81-\u0df3\u0f18\u0f19"
    "\u0f35\u0f37\u0f39\u0f3e-\u0f84\u0f86-\u0fbc\u0fc6\u135d-\u135f\u1712-\u1734\u1752-\u1773"
    "\u180f-\u193b\u1a17-\u1a1b\u1a55-\u1a7f\u1ab0-\u1b44\u1b6b-\u1b73\u1b80-\u1bf3\u1c24-\u1c37"
    "\u1cd0-\u1cd2\u1cd4-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2d7f-\u2dff\u302a-\u302f\ua66f-\ua672"
    "\ua674-\ua67d\ua69e-\ua6f1\ua802-\ua827\ua82c\ua880-\ua8c5\ua8e0-\ua8f1\ua8ff-\ua92d"
    "\ua947-\ua953\ua980-\ua9c0\uaa29-\uaa4d\uaab0-\uaac1\uaaeb-\uaaef\uaaf5\uaaf6\uabe3-\uabea"
    "\uabec\uabed\ufb1e\ufe20-\ufe2f\U000101fd-\U0001037a\U00010a01-\U00010a3f"
    "\U00010d24-\U00010d27\U00011000-\U00011046\U00011070-\U000110ba\U00011100-\U00011134"
)
"""What belongs to the letter before it: accents, and the vowel signs of Indic scripts."""

FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
EMOJI = (
    "[\u231a\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa\u2600-\u27bf\u2b05-\u2b07\u2b1b\u2b1c"
    "\u2b50\u2b55\U0001f000-\U0001f0ff\U0001f300-\U0001f3fa\U0001f400-\U0001faff]"
)
"""Pictures that people search for, without skin tones."""
