"""The checks of ``plywise check``: one module per subject, and the list of all parts.

To add a check, write a subclass of ``Part`` in one of these modules or a new one, list it in ``PARTS``, and add the
kinds of its findings to ``plywise.study.findings``.
"""

from __future__ import annotations

from plywise.study.checks.compiled import Compiled
from plywise.study.checks.counts import Counts
from plywise.study.checks.exchanges import Exchanges
from plywise.study.checks.facts import Facts
from plywise.study.checks.hooks import Hooks
from plywise.study.checks.images import Images
from plywise.study.checks.keys import Keys, RestKeys
from plywise.study.checks.names import Names
from plywise.study.checks.odds import Odds
from plywise.study.checks.part import Part
from plywise.study.checks.pictures import Pictures
from plywise.study.checks.playing_out import PlayingOut
from plywise.study.checks.repetitions import Repetitions
from plywise.study.checks.rules import Ends, Movers, Moves, Plays
from plywise.study.checks.sights import Sights
from plywise.study.checks.texts import MoveTexts, Texts
from plywise.study.checks.values import Values

PARTS: tuple[type[Part], ...] = (
    Ends,
    Movers,
    Values,
    Moves,
    Plays,
    Odds,
    PlayingOut,
    Images,
    Keys,
    RestKeys,
    MoveTexts,
    Names,
    Hooks,
    Exchanges,
    Facts,
    Repetitions,
    Counts,
    Sights,
    Pictures,
    Texts,
    Compiled,
)
"""All parts, in the order in which they see a position.  A part gets the answers of the parts before it, so a part that
needs moves comes after ``Moves``, and ``Compiled``, which compares all answers, is last.  ``Keys`` comes after
``Images``, because it relies on the names of moves in images.
"""
