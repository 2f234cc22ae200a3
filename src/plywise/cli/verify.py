"""``plywise verify``: check a proof file, using only the rules, or the file of a table."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.failure import WRONG, complain
from plywise.cli.options import JsonOption
from plywise.cli.screen import Display, busy, output, print_json
from plywise.errors import ProofError, SearchError

if TYPE_CHECKING:
    from plywise.game import Game
    from plywise.proof.proof import Header, Proof
    from plywise.proof.verify import Verdict


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file from 'solve --proof' or 'tabulate'.")],
    game: Annotated[
        str | None,
        typer.Option("--game", "-g", metavar="GAME", help="The game that the file is about, if it is your own."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check a proof file by the rules alone, or the file of a table.

    Follows both strategies against every reply.  The exit code is 0 if both guarantee the value.  Otherwise it is 1,
    and the first mistake is reported with its line number.

    A proof about one of plywise's games names the game.  For your own game, name it with --game: verify never runs
    a file because a proof mentions it.

    Of a table from 'plywise tabulate', it checks the checksum of the whole content.  With --game it also checks the
    rules that the table was made with, and the values of a thousand positions by the rules.

    \b
    plywise verify proof.gz
    plywise verify proof.gz --game mygame.py
    plywise verify 5x5.table --game connect-four:5,5
    """
    from plywise.tables.file import is_table

    if is_table(file):
        _verify_table(file, game, as_json)
        return
    try:
        with busy(f"Reading {file}") as display:
            proof, verdict = _check(file, game, display)
    except ProofError as error:
        if as_json:
            print_json({"file": str(file), "ok": False, "line": error.line, "error": str(error)})
        else:
            complain(f"{file}: {error}")
        raise typer.Exit(WRONG) from None
    if as_json:
        print_json(_report(file, proof, verdict))
    else:
        _show(proof, verdict)


def _verify_table(file: Path, game: str | None, as_json: bool) -> None:
    from plywise.inputs.choose import choose_game
    from plywise.tables.file import verify as verify_table

    try:
        with busy(f"Reading {file}"):
            facts = verify_table(file, None if game is None else choose_game(game))
    except SearchError as error:
        if as_json:
            print_json({"file": str(file), "ok": False, "error": str(error)})
        else:
            complain(str(error))
        raise typer.Exit(WRONG) from None
    if as_json:
        print_json({"file": str(file), "ok": True, "game": facts["game"], "positions": facts["positions"]})
        return
    checked = "its checksum" if game is None else "its checksum, its rules and some values"
    output().print(f"game       {facts['game']}")
    output().print(f"positions  {facts['positions']:,}")
    output().print(f"table      right, by {checked}")


def _check(file: Path, game: str | None, display: Display) -> tuple[Proof, Verdict]:
    from plywise.proof.proof import read_header, read_proof
    from plywise.proof.verify import check_proof

    chosen = _choose(read_header(file), game)
    proof = read_proof(file, chosen, display.tell)
    display.begin("Following both strategies")
    return proof, check_proof(proof, display.tell)


def _choose(header: Header, game: str | None) -> Game:
    """Return the given game, or else the plywise game that the proof names."""
    from plywise.inputs.choose import choose_game

    if game is None and not _is_known(header.game):
        raise ProofError(f"it is about {header.game!r}, which is not one of plywise's games: name it with --game", 1)
    return choose_game(game or header.game)


def verify_command(file: Path, game: str) -> str:
    """Return the command that checks a proof about ``game``, as named on the command line."""
    words = ["plywise", "verify", str(file)]
    return shlex.join(words if _is_known(game) else [*words, "--game", game])


def _is_known(game: str) -> bool:
    """Return whether a text names one of plywise's games."""
    from plywise.games import catalogue

    return game.partition(":")[0] in catalogue()


def _report(file: Path, proof: Proof, verdict: Verdict) -> dict[str, Any]:
    return {
        "file": str(file), "ok": True, "game": repr(proof.game), "position": proof.game.format(proof.state),
        "value": proof.value, "max": len(proof.proof), "min": len(proof.disproof), **verdict._asdict(),
    }  # fmt: skip


def _show(proof: Proof, verdict: Verdict) -> None:
    out, position = output(), proof.game.format(proof.state)
    out.print(f"game      {proof.game!r}, {f'position {position}' if position else 'from the beginning'}")
    out.print(f"value     {proof.value} (proven)")
    out.print(f"proof     right: {proof.summary()}")
    bounded = f", {verdict.bounded:,} settled by bounds" if verdict.bounded else ""
    out.print(f"visited   {verdict.positions:,} positions: {verdict.ends:,} ends of the game{bounded}")
