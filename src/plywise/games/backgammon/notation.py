"""Positions as text, in the way of eXtreme Gammon."""

from __future__ import annotations

import re

from plywise.errors import PositionError
from plywise.game import MAX, MIN
from plywise.games.backgammon.position import BAR, MEN, OFF, Men, Position, men_on
from plywise.layers import CHANCE

EXAMPLE = "-b----E-C---eE---c-e----B- white 31"
PLAYERS = {"white": MAX, "black": MIN, "opening": CHANCE}


def written_men(white: Men, black: Men) -> str:
    """Return 26 letters: Black's bar, White's points 1 to 24, White's bar."""
    counts = [
        (white.count(point) if point else 0, black.count(25 - point) if point < BAR else 0) for point in range(26)
    ]
    return "".join(chr(ord("@") + w) if w else chr(ord("`") + b) if b else "-" for w, b in counts)


def written_dice(dice: int, last: int) -> str:
    """Return the dice still to play: ``31``, ``1``, ``44`` for a double, ``4x3@13`` after a man from 13.

    >>> written_dice(31, 25), written_dice(4444, 25), written_dice(444, 13), written_dice(0, 25)
    ('31', '44', '4x3@13', '')
    """
    if dice == 0:
        return ""
    if dice > 1000:
        return str(dice % 100)
    return f"{dice % 10}x{len(str(dice))}@{last}" if last < BAR or dice > 66 or dice % 11 == 0 else str(dice)


def read_position(text: str) -> Position:
    """Return the position that a text describes: one of ours, or an XGID, whose score and cube are ignored.

    >>> read_position("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10") == read_position(EXAMPLE)
    True
    """
    men, player, dice = _parts(text)
    if len(men) != 26 or not re.fullmatch(r"[-A-Oa-o]+", men) or men[0].isupper() or men[25].islower():
        raise _refusal(text, "the men of Black's bar, White's points 1 to 24 and White's bar must be 26 letters, with "
                             "A for one white man, a for one black man and - for none")  # fmt: skip
    white = [point for point in range(1, 26) if men[point].isupper() for _ in range(ord(men[point]) - ord("@"))]
    black = [25 - point for point in range(25) if men[point].islower() for _ in range(ord(men[point]) - ord("`"))]
    if max(len(white), len(black)) > MEN:
        raise _refusal(text, f"a player has {MEN} men")
    if not white and not black:
        raise _refusal(text, "both players have borne off all men")
    sides = [men_on(*each, *[OFF] * (MEN - len(each))) for each in (white, black)]
    if player not in PLAYERS:
        raise _refusal(text, f"the player must be {', '.join(PLAYERS)}")
    turn = PLAYERS[player]
    if not white or not black:
        if dice:
            raise _refusal(text, "the game is over, but there are dice to play")
        turn = MIN if white else MAX  # the winner
    mine, theirs = sides[::-1] if turn == MIN else sides
    return Position(mine, theirs, turn, *_read_dice(text, dice, turn))


def _parts(text: str) -> tuple[str, str, str]:
    """Return the men, the player and the dice in a text."""
    words = text.split()
    if len(words) == 1 and ":" in words[0]:
        fields = words[0].partition("=")[2].split(":") if words[0].upper().startswith("XGID=") else words[0].split(":")
        if len(fields) < 5 or fields[3] not in ("1", "-1"):
            raise _refusal(text, "the fourth field of an XGID is 1 or -1, the player, and the fifth the dice")
        return fields[0], "white" if fields[3] == "1" else "black", fields[4] if fields[4] != "00" else ""
    if not 2 <= len(words) <= 3:
        raise _refusal(text, "it needs the men, the player and perhaps the dice")
    return words[0], words[1].lower(), words[2] if len(words) == 3 else ""


def _read_dice(text: str, dice: str, turn: int) -> tuple[int, int]:
    """Return the dice still to play, and the point behind which no man of a double may be played any more."""
    if not dice:
        return 0, BAR
    if turn == CHANCE:
        raise _refusal(text, "before the opening roll there are no dice to play")
    if re.fullmatch(r"[1-6]{1,2}", dice):
        larger_first = int("".join(sorted(dice, reverse=True)))
        return (1111 * int(dice[0]) if len(dice) == 2 and dice[0] == dice[1] else larger_first), BAR
    played = re.fullmatch(r"([1-6])x([123])@([1-9]\d?)", dice)
    if played is None or int(played[3]) > BAR:
        raise _refusal(text, "dice are 31 for both, 1 for one that is left, 44 for a double, 4x3@13 for what is left "
                             "of it after a man from 13")  # fmt: skip
    return int(played[1] * int(played[2])), int(played[3])


def _refusal(text: str, why: str) -> PositionError:
    return PositionError(f"{text!r} is not a position: {why}; an example is: {EXAMPLE}")
