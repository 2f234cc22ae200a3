"""From the text of a game on the command line to the game.

connect-four   mnk:4,4,3   connect-four:width=6,height=5      the catalogue
mygame.py   mygame.py:Class   mygame.py:Class:3,5             a file of your own
package.module:Class   package.module:Class:3,5               anything Python can import
tree.json   lecture.test                                      an explicit tree
"""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from plywise.errors import GameError
from plywise.game import Game
from plywise.inputs.own_code import kind_and_message, where
from plywise.io.files import is_file
from plywise.io.numbers import read_value

Made = type[Game] | Game
"""A class of games, or a ready-made game."""

FILE_MODULE = "plywise_file_"
"""The start of the name of a module that was made from a file."""


def choose_game(text: str) -> Game:
    """Return the game that a text names.

    Raises:
        GameError: the text names no game; the message says why, and what is allowed.

    >>> choose_game("connect-four:width=6,height=5")
    ConnectFour(width=6, height=5)
    """
    found, parameters = choose_class(text)
    if isinstance(found, Game):
        if parameters:
            raise GameError(f"{text!r}: {found!r} is a ready-made game and takes no parameters")
        return found
    return found(**read_parameters(found, parameters))


def choose_class(text: str) -> tuple[Made, str]:
    """Return the class (or ready-made game) that a text names, and the text of its parameters."""
    if python_file := re.fullmatch(r"(.+\.py)(?::(.*))?", text):
        file, rest = Path(python_file[1]), python_file[2] or ""
        name, parameters = _name_and_parameters(rest)
        return _in_module(load_file(file), name, str(file)), parameters
    name, _, rest = text.partition(":")
    catalogue = _catalogue()
    if name in catalogue:
        return catalogue[name], rest
    if is_file(text) or Path(text).suffix in (".json", ".test"):
        from plywise.games import Tree

        return Tree.load(text), ""
    class_name, parameters = _name_and_parameters(rest)
    if class_name and all(part.isidentifier() for part in name.split(".")):
        return _in_module(_import_module(name, text), class_name, name), parameters
    raise GameError(_unknown(text, name, catalogue))


def read_parameters(game_class: type[Game], text: str) -> dict[str, Any]:
    """Return the parameters in a text such as ``4,4,3`` or ``width=6,height=5``, by name.

    A parameter that is a tuple takes all values up to the next name: ``nim:3,4,5,misere=true``.

    Raises:
        GameError: the class has no such parameter, or a required one is missing.
    """
    fields = [field for field in dataclasses.fields(game_class) if field.init]
    known = {field.name: field for field in fields}
    given: dict[str, list[str]] = {}
    current: dataclasses.Field[Any] | None = None
    for word in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = word.rpartition("=")
        if equals:
            if name not in known:
                raise GameError(f"{game_class.__name__} has no parameter {name!r} {_allowed(game_class)}")
            if name in given:
                raise GameError(f"parameter {name!r} is given twice")
            current = known[name]
        elif current is None or not _is_tuple(current):
            current = next((field for field in fields if field.name not in given), None)
            if current is None:
                raise GameError(f"{word!r} is one parameter too many for {game_class.__name__} {_allowed(game_class)}")
        given.setdefault(current.name, []).append(value.strip())
    for field in fields:
        if field.name not in given and _is_required(field):
            raise GameError(f"{game_class.__name__} needs a parameter {field.name!r} {_allowed(game_class)}")
    return {name: _fitted(known[name], values) for name, values in given.items()}


def parameters_text(game_class: type[Game]) -> str:
    """Return the parameters of a class with their defaults: ``width=7, height=6``."""
    return ", ".join(
        field.name if _is_required(field) else f"{field.name}={_default_text(field)}"
        for field in dataclasses.fields(game_class)
        if field.init
    )


def load_file(file: Path) -> ModuleType:
    """Run a Python file as a module.

    Raises:
        GameError: the file is missing or fails to run; the message names the line.
    """
    if not is_file(file):
        raise GameError(f"there is no file {str(file)!r}")
    name = f"{FILE_MODULE}{file.stem}"  # clashes with no other module
    spec = importlib.util.spec_from_file_location(name, file.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(file.resolve().parent)
    sys.path.insert(0, folder)  # its helpers are beside it
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        place = where(error, file.resolve()) or where(error) or str(file)
        raise GameError(f"{place}: {kind_and_message(error)}") from None
    finally:
        sys.path.remove(folder)
        if folder not in sys.path:
            sys.path.append(folder)  # for later imports; last, because a file may be named like a standard module
    return module


def loading(game: Game) -> list[Callable[[], object]]:
    """Return what another process must call before it can unpickle ``game``: a file that was run has no module there.

    >>> loading(choose_game("nim"))
    []
    """
    module = sys.modules.get(type(game).__module__)
    file = getattr(module, "__file__", None)
    return [partial(load_file, Path(file))] if file and type(game).__module__.startswith(FILE_MODULE) else []


def _import_module(name: str, text: str) -> ModuleType:
    sys.path.insert(0, "")  # as python -m does
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and name.startswith(error.name):
            raise GameError(_unknown(text, name, _catalogue())) from None
        raise GameError(f"{name}: {kind_and_message(error)}") from None
    except (Exception, SystemExit) as error:
        raise GameError(f"{where(error) or name}: {kind_and_message(error)}") from None
    finally:
        sys.path.remove("")


def _in_module(module: ModuleType, name: str, source: str) -> Made:
    """Return the game class ``name`` of a module; without a name, the only one."""
    own = {
        key: value
        for key, value in vars(module).items()
        if (isinstance(value, type) and issubclass(value, Game) and value.__module__ == module.__name__)
        or isinstance(value, Game)
    }
    if name:
        found = getattr(module, name, None)
        if isinstance(found, Game) or (isinstance(found, type) and issubclass(found, Game)):
            return found
        what = f"has no {name!r}" if found is None else f"has a {name!r}, but it is not a plywise.Game"
        raise GameError(f"{source} {what}; games there: {', '.join(own) or 'none'}")
    classes = [value for value in own.values() if isinstance(value, type)]
    choices: list[Made] = list(classes) or list(own.values())
    if len(choices) == 1:
        return choices[0]
    if not own:
        raise GameError(f"{source} has no game: no class in it is a subclass of plywise.Game")
    raise GameError(f"{source} has several games; choose one: {', '.join(f'{source}:{key}' for key in own)}")


def _name_and_parameters(text: str) -> tuple[str, str]:
    """Split ``Class:3,5``, ``Class`` or ``3,5``."""
    name, _, parameters = text.partition(":")
    return (name, parameters) if name.isidentifier() or not text else ("", text)


def _catalogue() -> Mapping[str, type[Game]]:
    from plywise.games import catalogue

    return cast(Mapping[str, type[Game]], catalogue())


def _unknown(text: str, name: str, catalogue: Mapping[str, type[Game]]) -> str:
    near = difflib.get_close_matches(name, catalogue, 1)
    guess = f" (did you mean {near[0]}?)" if near else ""
    return (
        f"there is no game {text!r}{guess}; there are: {', '.join(catalogue)}; "
        "or a file such as mygame.py, package.module:Class, or tree.json"
    )


def _allowed(game_class: type[Game]) -> str:
    return f"(it has: {parameters_text(game_class) or 'none'})"


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _default_text(field: dataclasses.Field[Any]) -> str:
    value = _default(field)
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_tuple(field: dataclasses.Field[Any]) -> bool:
    return isinstance(_default(field), tuple) or str(field.type).startswith(("tuple", "Tuple"))


def _fitted(field: dataclasses.Field[Any], words: list[str]) -> Any:
    """Return the value of a parameter, checked against its default or, without one, its type."""
    example = _example(field)
    if _is_tuple(field):
        examples = example if isinstance(example, tuple) else ()
        return tuple(_read(field, word, examples[0] if examples else None) for word in words)
    return _read(field, words[0], example)


def _example(field: dataclasses.Field[Any]) -> Any:
    """Return a value of the type that a parameter takes; None: any type."""
    of_type = _EXAMPLES.get(getattr(field.type, "__name__", str(field.type)))
    if _is_required(field) or isinstance(of_type, float):  # its default may be whole
        return of_type
    return _default(field)


_EXAMPLES: Mapping[str, Any] = {"bool": False, "int": 0, "float": 0.0, "str": ""}
_KINDS = {bool: "true or false", int: "a whole number", float: "a number"}


def _read(field: dataclasses.Field[Any], word: str, example: Any) -> Any:
    """Return the value of a word: the word itself if the parameter is a text, such as a file name."""
    if isinstance(example, str):
        return word
    if word == str(None) and field.default is None:
        return None
    value = read_value(word)
    if type(example) in _KINDS and not _alike(value, example):
        raise GameError(f"parameter {field.name}={value!r} is not {_KINDS[type(example)]}")
    return value


def _alike(value: Any, example: Any) -> bool:
    if isinstance(example, bool) or isinstance(value, bool):
        return isinstance(value, bool) and isinstance(example, bool)
    return isinstance(value, int) or (isinstance(example, float) and isinstance(value, float))
