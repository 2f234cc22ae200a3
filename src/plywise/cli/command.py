"""Commands read numbers as the rest of plywise does: with the digits 0 to 9 only.

Some versions of Typer also accept underscores and the digits of other scripts.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import typer
import typer.core

from plywise.io.numbers import read_real, read_whole

NUMBER_READERS: dict[Any, tuple[Callable[[str], float], str]] = {
    int: (read_whole, "a whole number"),
    float: (read_real, "a number"),
}


class Command(typer.core.TyperCommand):
    """A command that accepts only numbers written with the digits 0 to 9."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        given, _, _ = self.make_parser(ctx).parse_args(args=list(args))
        for name, kind in _kinds(inspect.unwrap(self.callback)).items():  # type: ignore[arg-type]
            if kind in NUMBER_READERS and isinstance(given.get(name), str):
                self._check(ctx, name, given[name], *NUMBER_READERS[kind])
        return super().parse_args(ctx, args)

    def _check(self, ctx: Any, name: str, text: str, read: Callable[[str], float], kind: str) -> None:
        try:
            read(text)
        except ValueError:
            hint = next(param.opts[0] for param in self.params if param.name == name)
            raise typer.BadParameter(f"{text!r} is not {kind}.", ctx, param_hint=f"'{hint}'") from None


def _kinds(command: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of a command's parameters by name; for ``X | None``, X."""
    kinds = {}
    for name, hint in get_type_hints(command).items():
        choices = [each for each in get_args(hint) if each is not type(None)]
        kinds[name] = choices[0] if len(choices) == 1 else hint
    return kinds
