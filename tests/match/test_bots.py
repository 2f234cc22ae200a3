"""Bots from their text forms."""

from __future__ import annotations

import pytest

from plywise.errors import SearchError
from plywise.games import DogCatMouse, Nim, TicTacToe
from plywise.match.bots import BotSpec, Choice, Turn
from plywise.match.time_control import Clock, Limits, TimeControl


def test_own_limits_take_the_place_of_the_common_ones() -> None:
    common = Limits(clock=TimeControl(10))
    assert BotSpec.parse("engine", common).limits == common
    assert BotSpec.parse("engine,nodes=5", common).limits == Limits(nodes=5)
    assert BotSpec.parse("engine,clock=1:00+1").limits == Limits(clock=TimeControl(60, 1))
    assert BotSpec.parse("random", common).limits == Limits()


@pytest.mark.parametrize(
    "text",
    [
        "engine,null_move=off,table_mb=2.5,nodes=100",
        "uci:/usr/games/stockfish -x,Skill Level=8,Threads=2,clock=10+0.1",
        'random,"name=one, two"',
        "alphabeta,strict=on,depth=3,name=plain",
    ],
)
def test_a_bot_is_written_as_it_is_read(text: str) -> None:
    assert str(BotSpec.parse(text)) == text


def test_options_of_programs_are_texts() -> None:
    spec = BotSpec.parse("uci:stockfish,Skill Level=8,Ponder=off,nodes=10")
    assert spec.options == {"Skill Level": "8", "Ponder": "off"}
    assert spec.limits == Limits(nodes=10)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no bot ''"),
        ("engin", "did you mean engine?"),
        ("engine:x", "there is no bot 'engine:x'"),
        ("uci", "needs a program"),
        ("engine,nodes", "'nodes' in the bot 'engine,nodes' is not NAME=VALUE"),
        ("engine,nodes=0", "nodes=0 must be"),
        ("engine,nodes=1,nodes=2", "an option twice"),
        ("engine,clock=soon", "'soon' is not a time control"),
        ("engine,seconds=1,clock=10", "not both"),
        ("engine", "needs a limit"),
        ("jamboree,threads=2", "the bot 'jamboree,threads=2' needs a limit"),
        ("engine,nodes=1,nonsense=on", "the engine has no option nonsense="),
        ("engine,nodes=1,overhead=much", "overhead='much' must be"),
        ("random,nodes=5", "the bot 'random,nodes=5' cannot have nodes=: random moves need no limit"),
        ("random,level=3", "'random' has no option level="),
    ],
)
def test_what_is_wrong_with_a_bot_is_said(text: str, message: str) -> None:
    with pytest.raises(SearchError) as caught:
        BotSpec.parse(text).make(Nim())
    assert message in str(caught.value)


def test_a_level_of_another_program_is_no_limit() -> None:
    with pytest.raises(SearchError, match="needs a limit"):
        BotSpec.parse("uci:stockfish,level=Easy").check_limited()
    BotSpec.parse("engine,level=Easy").check_limited()


def test_games_of_three_are_not_for_matches() -> None:
    with pytest.raises(SearchError, match="two players"):
        BotSpec.parse("random").make(DogCatMouse())


KINDS = [
    "engine,depth=9", "engine,nodes=100000", "engine,clock=5+1", "engine,seconds=0.5", "alphabeta", "memo,depth=9",
    "pvs,clock=5+1", "mcts,nodes=20000", "mcts,clock=3", "jamboree,depth=4,cutoff=2", "jamboree,clock=3",
    "parallel-minimax,depth=3", "Engine,depth=9",
]  # fmt: skip


@pytest.mark.parametrize("text", KINDS)
def test_every_kind_of_bot_finds_the_winning_move(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    game = TicTacToe()
    spec = BotSpec.parse(text)
    bot = spec.make(game)
    bot.warm_up(game.initial(), spec.limits)
    bot.new_game(0)
    state = game.parse("XX./OO./...")
    clocks = [Clock(spec.limits), Clock(spec.limits)]
    choice = bot.choose(Turn([state], [], clocks, spec.limits))
    assert game.format_move(state, choice.move) == "c3"
    assert choice.value == 1


def test_a_late_stop_does_not_stop_the_next_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    game, spec = TicTacToe(), BotSpec.parse("engine,depth=5")
    turn = Turn([game.initial()], [], [Clock(spec.limits)] * 2, spec.limits)

    def chosen(late: bool) -> Choice:
        bot = spec.make(game)
        bot.new_game(0)
        if late:
            bot.stop()
        return bot.choose(turn)

    assert chosen(late=True) == chosen(late=False)


def test_on_a_clock_the_only_move_is_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_INTERPRET", "1")
    game = Nim((1,))
    spec = BotSpec.parse("engine,clock=100")
    choice = spec.make(game).choose(Turn([game.initial()], [], [Clock(spec.limits)] * 2, spec.limits))
    assert choice == (1, None, None)


def test_random_moves_come_from_the_seed() -> None:
    game = Nim((9, 9, 9))
    bot = BotSpec.parse("random").make(game)
    turn = Turn([game.initial()], [], [], Limits())

    def some(seed: int) -> list[int | None]:
        bot.new_game(seed)
        return [bot.choose(turn).move for _ in range(10)]

    assert some(1) == some(1) != some(2)
    assert set(some(1)) <= set(game.moves(game.initial()))


def test_a_level_limits_nodes_and_errs() -> None:
    spec = BotSpec.parse("engine,level=Easy,name=weak")
    assert (spec.limits.nodes, str(spec)) == (None, "engine,level=Easy,name=weak")
    assert BotSpec.parse(str(spec)) == spec
    bot = spec.make(TicTacToe())
    limits = [Clock(spec.limits)] * 2
    state = TicTacToe().parse("XX./.O./.O.")  # X wins at once
    chosen = set()
    for seed in range(20):
        bot.new_game(seed)
        chosen.add(bot.choose(Turn([state], [], limits, spec.limits)).move)
    assert len(chosen) > 1  # a slip now and then


def test_other_limits_join_those_of_a_level() -> None:
    assert BotSpec.parse("engine,level=Easy,depth=2,seconds=1").limits == Limits(seconds=1, depth=2)
    assert BotSpec.parse("engine,level=Full strength,nodes=5").limits == Limits(nodes=5)


def test_a_level_that_does_not_exist() -> None:
    with pytest.raises(SearchError, match="levels are: Beginner, Easy"):
        BotSpec.parse("engine,level=Grandmaster")
    with pytest.raises(SearchError, match="needs a limit"):
        BotSpec.parse("engine,level=Full strength").make(TicTacToe())
