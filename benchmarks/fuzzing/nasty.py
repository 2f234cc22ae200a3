"""Values that break programs, and damaged versions of good texts."""

from __future__ import annotations

import random
from collections.abc import Sequence

LONG = 10_000


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text."""
    return tuple(text.split())


NUMBERS = (
    *words("0 1 -1 00 +5 -0 1.5 1e9 1e-9 1e400 -1e400 nan inf -inf NaN Infinity 0x10 0b1 1_000 1,5 1e e1 --1"),
    *words("99999999999 9223372036854775807 9223372036854775808 -9223372036854775809 99999999999999999999999"),
    *(" 7 ", "9" * 400, "9" * 5000, "²", "٣", "１２", "Ⅷ", "½"),
)
"""Numbers, and texts that look like numbers."""

TEXTS = (
    *("", " ", "\t", "\n", "'", '"', "''", "\\", "[" * 200, "(" * 200, "; id", "x" * LONG, "日" * LONG, "x " * LONG),
    *words("x - -- --- = : , ,,, a=b =1 a==1 True none None null {} [] {}{} %s%n {0} ${HOME} `id` <script> con . .."),
    *words("--help -h --json __class__ ../../x"),
    *("\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x07", "\r", "\x08\x08", "\x7f", "\x1b[2J" * 300, "\x85", "\u2028"),
    *("\u202eabc", "\u200b", "\ufeff", "\udcff", "é", "日本語", "👩\u200d👧", "e\u0301", "\U0010ffff", "ß", "ı"),
    *("a,b,c" * 500, "1," * 2000),
)
"""Texts that are empty, long, in other scripts, with escape sequences, or with a lone surrogate, which Python puts into
arguments for bytes that are not UTF-8."""


def value(chance: random.Random) -> str:
    """Return a nasty value."""
    kind = chance.random()
    if kind < 0.4:
        return chance.choice(NUMBERS)
    if kind < 0.9:
        return chance.choice(TEXTS)
    return garbage(chance, chance.choice((1, 3, 30)))


def garbage(chance: random.Random, length: int) -> str:
    """Return random characters: mostly ASCII, also control characters, but never NUL."""
    ranges = ((32, 126), (32, 126), (48, 57), (1, 31), (127, 255), (256, 0xD7FF), (0x10000, 0x10FFFF))
    return "".join(chr(chance.randint(*chance.choice(ranges))) for _ in range(length))


def mutant(chance: random.Random, seeds: Sequence[str], words: Sequence[str]) -> str:
    """Return a good text damaged in one or more places or, sometimes, garbage.

    Args:
        chance: the random generator.
        seeds: good texts.
        words: words with a meaning to the parser, to insert in addition to nasty values.
    """
    if chance.random() < 0.05:
        return garbage(chance, chance.choice((0, 1, 10, 100, 1000)))
    text = chance.choice(seeds)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        text = _damaged(chance, text, seeds, words)
    return text


def _damaged(chance: random.Random, text: str, seeds: Sequence[str], words: Sequence[str]) -> str:
    start = chance.randint(0, len(text))
    end = min(len(text), start + chance.choice((0, 1, 1, 2, 5, 20, len(text))))
    kind = chance.randrange(8)
    if kind == 0:  # delete a part
        return text[:start] + text[end:]
    if kind == 1:  # repeat a part
        times = chance.choice((2, 2, 3, 10, 500)) if end - start < 50 else 2
        return text[:start] + text[start:end] * times + text[end:]
    if kind == 2:  # cut off the rest
        return text[:start]
    if kind == 3:  # continue with another text
        other = chance.choice(seeds)
        return text[:start] + other[chance.randint(0, len(other)) :]
    if kind == 4 and words:
        return text[:start] + chance.choice(words) + text[end:]
    if kind == 5:
        return text[:start] + value(chance) + text[end:]
    if kind == 6 and text:  # change one character
        return text[:start] + garbage(chance, 1) + text[start + 1 :]
    return text[:start] + text[start:end][::-1] + text[end:]


def damaged_bytes(chance: random.Random, content: bytes) -> bytes:
    """Return bytes with some changed, removed or added."""
    damaged = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 5))):
        place = chance.randint(0, len(damaged))
        kind = chance.randrange(5)
        if kind == 0:
            del damaged[place : place + chance.choice((1, 2, 50))]
        elif kind == 1:
            damaged[place:place] = chance.randbytes(chance.choice((1, 8, 100)))
        elif kind == 2:
            del damaged[place:]
        elif kind == 3 and place < len(damaged):
            damaged[place] ^= 1 << chance.randrange(8)
        elif place < len(damaged):
            damaged[place] = chance.randrange(256)
    return bytes(damaged)
