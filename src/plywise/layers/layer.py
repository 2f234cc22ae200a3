"""The base class of layers, and the checks of classes that use them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from plywise.errors import GameError

if TYPE_CHECKING:  # a layer is a mix-in for games, so it may call their methods
    from plywise.game import Game as Part
else:
    Part = object

REQUIRED = ("initial", "to_move", "moves", "play", "is_terminal", "score")
"""The methods that every game must define; a game with ``ManyPlayers`` defines ``scores`` instead of ``score``."""


class Layer(Part):
    """Base class of layers.  The docstring of each says what it buys."""

    METHODS: ClassVar[tuple[str, ...]] = ()
    """The methods of this layer that compiled code may call."""

    IN_SEARCHES: ClassVar[bool] = True
    """Whether searches use this layer; their compiled code ignores the others."""

    FORMER: ClassVar[Mapping[str, str]] = {}
    """Methods that this layer no longer has, each with its replacement."""

    @classmethod
    def settle(cls, game_class: Any) -> None:
        """Adjust a new game class.  Called for every layer, inherited or not."""


def give_defaults(contract: Any, layers: Iterable[type[Layer]]) -> None:
    """Give every game the methods of ``layers`` as defaults, except where the contract has its own."""
    for layer in layers:
        for name, default in vars(layer).items():
            if name[0].islower() and name != "settle" and name not in vars(contract):
                setattr(contract, name, default)
                contract.DEFAULTS[name] = layer
                if not layer.IN_SEARCHES:
                    contract.UNSEEN |= {name}
        contract.ENTRY_POINTS += layer.METHODS


def check_layers(game_class: type, contract: Any, layers: Iterable[type[Layer]]) -> None:
    """Check that a game class inherits the layers whose methods it defines, and does so before ``Game``.

    Raises:
        GameError: it does not; the message says what to write.
    """
    name, order = game_class.__name__, game_class.__mro__
    needed: dict[str, type[Layer]] = {}
    for layer in layers:
        if layer in order and order.index(layer) > order.index(contract):
            raise GameError(f"class {name}: inherit {layer.__name__} before Game, so that its methods take precedence")
        for former in layer.FORMER.keys() & vars(game_class).keys():
            raise GameError(f"class {name}: {former}() is no longer used; inherit {layer.__name__} and "
                            f"{layer.FORMER[former]}")  # fmt: skip
    for method, layer in contract.DEFAULTS.items():
        if method in vars(game_class):
            if callable(vars(game_class)[method]) and not callable(vars(layer)[method]):
                inherit = "" if layer in order else f", and inherit {layer.__name__} before Game"
                raise GameError(f"class {name}: {method} is a constant; write {method} = ..., not def {method}(self)"
                                f"{inherit}")  # fmt: skip
            if layer not in order:
                needed[method] = layer
    if needed:
        missing = list(dict.fromkeys(layer.__name__ for layer in needed.values()))
        bases = ", ".join([f"pw.{layer}" for layer in missing] + [_base_name(base) for base in game_class.__bases__])
        raise GameError(f"class {name} defines {_listed(list(needed))}: inherit {_listed(missing)} before Game, as in "
                        f"class {name}({bases})")  # fmt: skip


def _base_name(base: type) -> str:
    """Return how to write a base class in code: ``pw.`` before plywise's own."""
    return f"pw.{base.__name__}" if base.__module__.startswith(("plywise.game", "plywise.layers")) else base.__name__


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
