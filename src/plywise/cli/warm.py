"""``plywise warm``: compile ahead of the first search, with a progress bar."""

from __future__ import annotations

from typing import Annotated

import typer

from plywise.cli.screen import busy, output
from plywise.errors import concise


def warm(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Default: all games of 'plywise games'.")
    ] = None,
    algorithms: Annotated[
        str | None,
        typer.Option("--algorithms", "-a", metavar="A,B,C", help="Default: what plays the game, and the textbook."),
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="First delete all compiled code.")] = False,
) -> None:
    """Compile the engine and the algorithms for games in advance.

    The next search then starts at once.  Machine code is cached on disk ($PLYWISE_CACHE_DIR, or your usual cache
    folder), and later processes use it until the rules change.  All cores are used.  Ctrl-C stops it, and what is
    finished stays.

    \b
    plywise warm connect-four
    plywise warm chess --algorithms engine
    plywise warm mygame.py tic-tac-toe --algorithms memo,alphabeta
    plywise warm --clear
    """
    from plywise.compiling.cache_folder import cache_directory, cache_size_mb, clear_cache, size_limit_mb
    from plywise.games import catalogue
    from plywise.inputs.choose import choose_game
    from plywise.warm import warm_all, warming_tasks

    out = output()
    if clear:
        out.print(f"Deleted {clear_cache():,} files of machine code from {cache_directory()}.")
        if not games:
            return
    names = algorithms.split(",") if algorithms else None
    tasks = {text: [task.name for task in warming_tasks(choose_game(text), names)] for text in games or catalogue()}
    total = sum(map(len, tasks.values()))

    with busy("Compiling", counted=True) as display:

        def tell(text: str, done: float) -> None:
            display.say(concise(text))
            display.tell(done, total)

        display.tell(0, total)
        warm_all(tasks, tell)
    games_text = f"{len(tasks)} game{'s' if len(tasks) > 1 else ''}"
    out.print(
        f"Ready: {total} functions for {games_text}, in {cache_directory()} "
        f"({cache_size_mb():,.1f} MB of at most {size_limit_mb():,.0f})."
    )
