"""``plywise play``: play against the search, in the terminal or through a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.options import (
    TABLE_ANSWERS,
    DepthOption,
    GameArgument,
    NetworkOption,
    PositionOption,
    SecondsOption,
    TableFileOption,
    explains_games,
    given,
    refuse,
)
from plywise.cli.screen import ask, busy, duration, output
from plywise.errors import PositionError, SearchError

if TYPE_CHECKING:
    from rich.console import Console

    from plywise.engine.engine import Engine
    from plywise.game import Game, Move, State
    from plywise.match.dice import Dice
    from plywise.tables.table import Table

COMMANDS = "undo, hint, moves, quit"
END = "Press Enter to leave, or type undo to take back your last move: "
QUIT = ("quit", "q", "exit")

SEEDS = 1_000_000
"""How many seeds to choose from: few enough to type one."""


@explains_games
def play(
    game: GameArgument,
    position: PositionOption = None,
    side: Annotated[
        str | None,
        typer.Option(
            "--side",
            metavar="SIDE",
            help="Your side: max, min, 1, 2, ..., a name; none: watch. Default: the side to move, or max.",
        ),
    ] = None,
    seconds: SecondsOption = None,
    depth: DepthOption = None,
    table: TableFileOption = None,
    network: NetworkOption = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", min=0, help="Roll the dice of an earlier game again.")
    ] = None,
    real_dice: Annotated[
        bool, typer.Option("--real-dice", help="Roll your own dice, and type what they show.")
    ] = False,
) -> None:
    """Play against the search.

    It thinks for one second per move; change that with --seconds or --depth.  The first replies come from plain Python,
    while another process compiles.  With --depth alone it compiles first.  Type a move or one of these words: undo
    takes back your last move, also at the end of the game, hint shows what the search would play, moves lists the legal
    moves, quit ends the game.

    In a game with dice, an umpire rolls them from a seed, which is shown: --seed repeats the rolls.  After undo and the
    same move they fall as before.  With --real-dice, undo takes back the last move or roll that you typed.

    \b
    plywise play tic-tac-toe
    plywise play connect-four --side min --seconds 3
    plywise play mygame.py --depth 6
    plywise play connect-four --side none            the search against itself
    plywise play connect-four:5,4 --table 5x4.table  against perfect play
    plywise play mygame.py --network mine.net        against what 'plywise train' learned
    plywise play backgammon --seed 12                with the dice of an earlier game
    plywise play pig --real-dice                     with a die on your table
    """
    from plywise.inputs.choose import choose_game
    from plywise.inputs.positions import position as position_meant
    from plywise.tables import load

    with busy(f"Preparing {game}"):
        chosen = choose_game(game)
        start = position_meant(chosen, position)
        limits = given(seconds=seconds, depth=depth)
        strategy = None
        if table is not None:
            refuse(TABLE_ANSWERS, **limits, network=network)
            strategy = load(table, chosen)
            if start not in strategy:
                raise SearchError(f"{str(table)!r} does not hold {chosen.format(start)!r}, where the game would begin")
        dice = choose_dice(chosen, seed, real_dice)
        match = TerminalGame(
            chosen, start, read_side(chosen, start, side), limits or {"seconds": 1.0}, strategy, dice, network
        )
    match.play()


def read_side(game: Game, start: State, text: str | None) -> int | None:
    """Return the number of the player that the user chose, or None to watch.

    Raises:
        SearchError: the game has no such player.
    """
    from plywise.game import MAX
    from plywise.layers import CHANCE
    from plywise.study.survey import player_count

    if text is None:
        player = game.to_move(start)
        return MAX if player == CHANCE else player
    count = player_count(game)
    names: dict[str, int | None] = {"none": None} | ({"max": 0, "min": 1} if count == 2 else {})
    for player in range(count):
        names[str(player + 1)] = player
        names.setdefault(game.player_name(player).lower(), player)
    if text.lower() not in names:
        raise SearchError(f"--side {text!r} is not a player of this game; allowed are: {', '.join(names)}")
    return names[text.lower()]


def choose_dice(game: Game, seed: int | None, real: bool) -> Dice | None:
    """Return the dice that the umpire rolls, or None if nobody rolls or the user does.

    Raises:
        SearchError: the options contradict each other, or the game has no dice.
    """
    import random

    from plywise.layers import Chance
    from plywise.match.dice import Dice

    if not isinstance(game, Chance):
        if seed is not None or real:
            raise SearchError(f"{'--real-dice' if real else '--seed'} is for games with chance, unlike {game!r}")
        return None
    if real and seed is not None:
        raise SearchError("with --real-dice you roll, so leave out --seed")
    return None if real else Dice(random.randrange(SEEDS) if seed is None else seed)


class TerminalGame:
    """A game in progress: its positions so far, and who plays which side."""

    def __init__(
        self, game: Game, start: State, person: int | None, limits: dict[str, Any], table: Table | None = None,
        dice: Dice | None = None, network: str | None = None,
    ) -> None:  # fmt: skip
        self.game = game
        self.network = network
        self.dice = dice
        """What the umpire rolls; None if the user types what chance does."""
        self.table = table
        """A table of all positions to play from, instead of a search."""
        self.states = [start]
        self.person = person
        self.limits = limits
        self.compile = "later" if "seconds" in limits else "first"
        """When to compile: a search with a time limit need not wait for it."""
        self.engine = None if table else _engine(game, limits, self.compile, network)
        self.slow = False
        """Whether the last search was slower than it will be."""
        self.out: Console = output()

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def by_chance(self) -> bool:
        """Whether chance decides what happens next."""
        return self._is_chance(self.state)

    def play(self) -> None:
        """Play until the game is over or the user quits."""
        from plywise.explain.titles import in_words

        self.out.print(in_words(self.game, capital=True), style="bold")
        if self.person is not None:
            self.out.print(f"You are {self.game.player_name(self.person)}. Type a move, or: {COMMANDS}.")
        if self.dice is not None:
            seed = self.dice.seed
            self.out.print(f"Dice are rolled from seed {seed}; --seed {seed} repeats the rolls.")
        self._show()
        while not self._over():
            if self.by_chance and self.dice is not None:
                self._roll(self.dice)
            elif self.by_chance or self.game.to_move(self.state) == self.person:
                if not self._ask():
                    self.out.print("Good-bye.")
                    return
            else:
                self._answer()

    def _over(self) -> bool:
        """Return whether the game is over.  It then shows the result, and the user may take back what they typed."""
        from plywise.explain.titles import ending_in_words
        from plywise.match.ending import ends_by_repetition, final_scores

        repeated = ends_by_repetition(self.game, self.state, [self.game.recurring(state) for state in self.states])
        scores = final_scores(self.game, self.state, repeated)
        if scores is None:
            return False
        self.out.print(ending_in_words(self.game, self.state, scores, repeated), style="bold")
        while any(map(self._typed, self.states[:-1])):
            text = ask(END)
            if text is None or text.lower() in ("", *QUIT):
                break
            if text.lower() == "undo":
                self._undo()
                return False
        return True

    def _roll(self, dice: Dice) -> None:
        outcome = dice.roll(self.game, self.state, len(self.states) - 1)
        self.out.print(f"Dice: {self._name(outcome)}.")
        self._make(outcome)

    def _ask(self) -> bool:
        """Let the user move, or say what the dice show.  Return False if they quit."""
        rolling = self.by_chance
        while True:
            text = ask("Dice: " if rolling else f"{self.game.player_name(self.game.to_move(self.state))} to move: ")
            if text is None or text.lower() in QUIT:
                return False
            if text.lower() == "undo":
                self._undo()
                return True
            if text.lower() == "hint" and rolling:
                self.out.print("Nobody chooses here: type what the dice show.")
            elif text.lower() == "hint":
                self._hint()
            elif text.lower() in ("", "moves", "help", "?"):
                self.out.print(f"Legal moves: {' '.join(self._legal())}. Or: {COMMANDS}.")
            elif (move := self._understood(text)) is not None:
                self._make(move)
                return True

    def _understood(self, text: str) -> Move | None:
        from plywise.game import not_legal
        from plywise.match.ending import FORBIDDEN

        try:
            move = self.game.parse_move(self.state, text)
        except PositionError as error:
            self.out.print(str(error))
            return None
        except ValueError:  # some games' ``parse_move`` raises it
            move = None
        if move in self._allowed():
            return move
        forbidden = move in self.game.moves(self.state)
        said = f"{text!r} is not a legal move here: {FORBIDDEN}"
        self.out.print(said if forbidden else not_legal(self.game, self.state, text))
        return None

    def _undo(self) -> None:
        """Go back to where the user last typed something: a move, or with real dice a roll."""
        before = [i for i, state in enumerate(self.states[:-1]) if self._typed(state)]
        if not before:
            self.out.print("Nothing to take back.")
            return
        del self.states[before[-1] + 1 :]
        self._show()
        if self.by_chance:
            self.out.print("The roll is taken back: type again what the dice show, or undo to take back more.")

    def _typed(self, state: State) -> bool:
        """Return whether the user types what happens in a position."""
        return self.game.to_move(state) == self.person or (self.dice is None and self._is_chance(state))

    def _is_chance(self, state: State) -> bool:
        """Return whether chance decides what happens in a position."""
        from plywise.layers import CHANCE

        return self.game.to_move(state) == CHANCE

    def _hint(self) -> None:
        result = self._search()
        self.out.print(f"The search would play {self._name(result.move)}: {_value(result)}, {_effort(result)}.")

    def _answer(self) -> None:
        result = self._search()
        name = self.game.player_name(self.game.to_move(self.state))
        self.out.print(f"{name} plays {self._name(result.move)}: {_value(result)}, {_effort(result)}.")
        self._make(result.move)

    def _search(self) -> Any:
        from plywise.algorithms import plays_by_playouts
        from plywise.search import search

        if self.table is not None:
            return self.table.search(self.state)
        with busy("Thinking"):
            if self.engine is None:
                past: dict[str, Any] = {"history": self.states[:-1]} if plays_by_playouts(self.game) else {}
                result = search(
                    self.game, self.state, compile=self.compile, network=self.network, **past, **self.limits
                )
            else:
                result = self.engine.search(self.state, history=self.states[:-1], **self.limits)
        self._tell_of(result)
        return result

    def _tell_of(self, result: Any) -> None:
        """Say when searches begin in plain Python, and when the fast code takes over."""
        from plywise.compiling.reading import wants_compiled

        slow = not result.compiled and self.compile == "later" and wants_compiled(self.game)
        if slow and not self.slow:
            self.out.print("(Thinking in plain Python while the fast code is made.)", style="dim")
        if self.slow and result.compiled:
            self.out.print("(The fast code has taken over.)", style="dim")
        self.slow = slow

    def _make(self, move: Move) -> None:
        self.states.append(self.game.play(self.state, move))
        self._show()

    def _show(self) -> None:
        self.out.print("\n".join(["", self.game.board(self.state), *filter(None, [self.game.tally(self.state)]), ""]))

    def _name(self, move: Move) -> str:
        return str(self.game.move_name(self.state, move))

    def _text(self, move: Move) -> str:
        return self.game.format_move(self.state, move)

    def _legal(self) -> list[str]:
        return [self._text(move) for move in self._allowed()]

    def _allowed(self) -> list[Move]:
        from plywise.match.ending import allowed_moves

        return allowed_moves(self.game, self.states)


def _engine(game: Game, limits: dict[str, Any], compile: str, network: str | None) -> Engine | None:
    """Return an engine whose table lasts for the whole game, or None if another algorithm plays."""
    from plywise.algorithms import plays_by_engine
    from plywise.engine.engine import Engine

    return Engine(game, compile=compile, network=network) if plays_by_engine(game, limits.get("depth")) else None


def _value(result: Any) -> str:
    from plywise.result import value_text

    said = f", {result.said()}" if result.said() else ""
    return f"value {value_text(result.value)}{' expected' * result.expected}{said}"


def _effort(result: Any) -> str:
    if result.proven:
        work = "solved"
    elif result.depth is None:
        work = f"{result.leaves:,} playouts"
    else:
        work = f"depth {result.depth}"
    return f"{work} in {duration(result.seconds)}"
