"""The key of the rest omits how many are left, which decides the value."""

import plywise as pw
from tests.wrong_games.colliding_key import CollidingKey

RULE = "rest-key"


class RestWithoutTheRest(pw.Banked, CollidingKey):
    def key(self, state):
        return state

    def rest_key(self, state):
        return state.turn
