"""Coins for three: a row of coins, and each player in turn takes one from either end. Everybody wants money."""

from typing import NamedTuple

import plywise as pw
from plywise.bits import with_item

LEFT = 0
RIGHT = 1


class Row(NamedTuple):
    first: int  # the coins from here ...
    end: int  # ... to before here are still there
    money: tuple  # what each player has
    turn: int


class Coins(pw.ManyPlayers, pw.Game):
    """Three players take coins from the ends of a row."""

    players = 3
    coins: tuple[int, ...] = (2, 7, 1, 9, 4, 3, 8, 5)

    def initial(self):
        return Row(0, len(self.coins), (0, 0, 0), 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        if state.first < state.end:
            yield LEFT
        if state.end - state.first > 1:
            yield RIGHT

    def play(self, state, move):
        coin = self.coins[state.first if move == LEFT else state.end - 1]
        money = with_item(state.money, state.turn, state.money[state.turn] + coin)
        turn = (state.turn + 1) % 3
        if move == LEFT:
            return Row(state.first + 1, state.end, money, turn)
        return Row(state.first, state.end - 1, money, turn)

    def is_terminal(self, state):
        return state.first == state.end

    def scores(self, state):
        return state.money

    def estimates(self, state):
        return state.money

    def format_move(self, state, move):
        return "left" if move == LEFT else "right"

    def board(self, state):
        row = " ".join(str(coin) for coin in self.coins[state.first : state.end])
        return f"coins: {row}\nmoney: {state.money[0]}, {state.money[1]}, {state.money[2]}"

    def player_name(self, player):
        return ("Anna", "Ben", "Carla")[player]
