"""Features: what is there, as numbers, for evaluations that are learned."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar

from plywise.layers.layer import REQUIRED, Layer
from plywise.layers.layout import Grid, Points

SEEN = ("features", "feature_words", "feature_boards", "feature_view", "feature_count", "bucket", "buckets", "viewer")
CHANGES = frozenset((*REQUIRED, "evaluate", *SEEN))
"""The members that a network depends on."""


class Features(Layer):
    """What is there, as numbers.  Buys: a learned evaluation (``plywise train``) that needs fewer games.

    Without this layer, the features are the pieces on the places of the board (``View``), or the numbers of a position.
    Each player then has features of its own, and nothing learned for one helps the other.  A game that knows how both
    players see the same thing, as on a board that is turned round, learns from half as many games.

    Searches without a network do not compile it.
    """

    METHODS: ClassVar[tuple[str, ...]] = ()
    IN_SEARCHES: ClassVar[bool] = False

    buckets: ClassVar[int] = 1
    """How many kinds of positions ``bucket`` tells apart."""

    @cached_property
    def feature_count(self) -> int:
        """How many features there are: all indices are below it.  A constant, or a ``cached_property``."""
        if self.seen_pieces:
            assert self.layout is not None
            return 2 * self.seen_pieces * self.layout.size
        from plywise.layers.seen import numbers_in

        return 2 * numbers_in(self.initial())[1]

    def features(self, state: Any, player: int) -> Iterable[int]:
        """Yield the indices of what is there as ``player`` sees it, each at most once, in any order.

        Default: those of ``feature_boards`` or ``feature_words``; else the pieces on the board, or the numbers of the
        position.
        """
        from plywise.layers.seen import how_it_is_seen

        return how_it_is_seen(self)(self, state, player)  # type: ignore[no-any-return]

    def feature_words(self, state: Any, player: int) -> Iterable[int]:
        """Yield the same in words of 64 bits, one bit for each feature, ``feature_count`` in all.  Buys: evaluations
        that are two or three times as fast, where positions hold such words anyway.

        A game that defines it need not define ``features``.
        """
        for word in range(0):
            yield word

    def feature_boards(self, state: Any) -> Iterable[int]:
        """Yield boards of 64 squares, one bit each, that together say what is on a square.  Buys: the fastest
        evaluations, in games on such boards.

        The bits of a square, those of the first board lowest, are its *code*; 0 is an empty square.  Its feature is
        64 times the code plus the square, so ``feature_count`` is 64 times two to the power of the number of boards.  A
        game that defines it need not define ``features``.
        """
        for board in range(0):
            yield board

    def feature_view(self, state: Any, player: int) -> tuple[int, int]:
        """Return how ``player`` sees ``feature_boards``: what the codes and the squares are XORed with, such as the bit
        that tells colours apart, and 56 to turn a chess board upside down.  Default: as they are.
        """
        return 0, 0

    def bucket(self, state: Any) -> int:
        """Return the kind of a position, such as how many men are left.  Buys: other output weights for each kind.

        Default: 0; there is only one kind.
        """
        return 0

    def viewer(self, state: Any) -> int:
        """Return the player whose view comes first, MAX or MIN.  Default: the one to move; where chance moves, MAX."""
        return max(0, self.to_move(state))

    def network_file(self) -> str:
        """Return the name of the network that comes with the game, a file in the folder of its module.  Buys: the
        engine evaluates with it.  Default: empty; there is none.

        A subclass that changes a rule, a feature or the evaluation does not inherit it.
        """
        return ""

    @cached_property
    def seen_pieces(self) -> int:
        """How many kinds of pieces the default features tell apart; 0 if they are not those of a board."""
        return len(self.pieces) if isinstance(self.layout, (Grid, Points)) else 0

    @cached_property
    def seen_numbers(self) -> Any:
        """Where the default features find the numbers of a position (``seen.numbers_in``)."""
        from plywise.layers.seen import numbers_in

        return numbers_in(self.initial())[0]

    @classmethod
    def settle(cls, game_class: Any) -> None:
        """Drop the parent's network if the class changes what it was trained for."""
        own = vars(game_class).keys()
        if CHANGES & own and "network_file" not in own:
            game_class.network_file = Features.network_file
