"""``plywise new`` and ``plywise check``: begin a game of your own, and find out what is wrong with it."""

from __future__ import annotations


def new() -> None:
    """x"""


def check() -> None:
    """x"""
