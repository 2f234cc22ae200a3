"""Yahtzee for one or two, and the exact solution for one."""

from __future__ import annotations

from plywise.games.yahtzee.card import Card
from plywise.games.yahtzee.yahtzee import Position, Yahtzee

__all__ = ["Card", "Position", "Yahtzee"]
