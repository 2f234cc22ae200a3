"""How a game travels to another machine: as source, with the fingerprint of its rules.

The classes of plywise are there already; a file of the user's is not, and travels with the modules and packages beside
it that it imports.  So do files that the game's parameters name.  The receiver makes the game again and compares
fingerprints: a machine whose plywise or Python would compile something else must refuse to work.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import hashlib
import pickle
import platform
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import plywise
from plywise.compiling.fingerprint import VOLATILE, code_digest
from plywise.errors import GameError
from plywise.game import Game
from plywise.inputs.choose import FILE_MODULE, load_file
from plywise.io.files import is_file, written_whole
from plywise.io.own_folder import PREFIX, own_folder


class Refused(GameError):
    """A game would be another one in the process that it was sent to; the message calls that process *there*."""


LARGEST_FILE = 1 << 30
"""No parameter's file of more bytes is sent."""


class SentFile(NamedTuple):
    """A file that travels."""

    name: str
    """Its path below a folder."""
    content: bytes

    @classmethod
    def of(cls, path: str | Path, folder: Path | None = None) -> SentFile:
        """Read a file in a folder, or below it; default: the file's own.

        Raises:
            GameError: it cannot be read, or is too large.
        """
        path = Path(path)
        name = path.relative_to(folder or path.parent).as_posix()
        try:
            if path.stat().st_size > LARGEST_FILE:
                raise GameError(f"{str(path)!r} is too large to be sent to other machines")
            return cls(name, path.read_bytes())
        except OSError as error:
            raise GameError(f"cannot read {str(path)!r}: {error.strerror}") from None

    def arrived(self) -> str:
        """Write the file to a folder of this process, unless it is there already, and return its path."""
        path = own_folder() / hashlib.sha256(self.content).hexdigest() / self.name
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            with written_whole(path) as file:
                file.write(self.content)
        return str(path)


def with_files(options: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return options in which the named ones, if they name files, are files that travel."""

    def travels(name: str, value: Any) -> bool:
        return name in names and isinstance(value, (str, Path)) and is_file(value)

    return {name: SentFile.of(value) if travels(name, value) else value for name, value in options.items()}


def arrived(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options in which files that have travelled are paths again."""
    return {name: value.arrived() if isinstance(value, SentFile) else value for name, value in options.items()}


@dataclasses.dataclass(frozen=True)
class Parcel:
    """A game on its way.  Made by ``Parcel.of``; the receiver calls ``opened``."""

    module: str
    name: str
    files: tuple[SentFile, ...]
    """The source of the module, and of those beside it; empty if it is a part of plywise."""
    fields: bytes
    digest: str
    python: str

    @classmethod
    def of(cls, game: Game) -> Parcel:
        """Pack a game.

        Raises:
            GameError: its class has no source, or its parameters cannot be sent.
        """
        rules, digest = type(game), f"{plywise_digest()} {code_digest(game)}"
        if VOLATILE in digest:
            raise GameError(f"{rules.__name__} cannot be sent to other processes: its rules use an object that cannot "
                            "be compared there")  # fmt: skip
        fields = {field.name: getattr(game, field.name) for field in dataclasses.fields(game) if field.init}
        try:
            content = pickle.dumps(with_files(fields, tuple(name for name in fields if name.endswith("file"))))
        except Exception as error:
            raise GameError(f"{game!r} cannot be sent to other processes: {error}") from None
        return cls(rules.__module__, rules.__qualname__, _sources(rules), content, digest, platform.python_version())

    def opened(self) -> Game:
        """Make the game in this process.

        Raises:
            Refused: it would be another game here.
            GameError: it cannot be made.
        """
        with _opening:
            found: Any = self._module()
            for part in self.name.split("."):
                found = getattr(found, part, None)
        if found is None:
            raise Refused(f"there, the module {self.module} has no {self.name}")
        game: Game = found(**arrived(pickle.loads(self.fields)))
        if f"{plywise_digest()} {code_digest(game)}" != self.digest:
            raise Refused(
                f"{self.name} has other rules there: a module that it uses is another one, or Python is "
                f"({platform.python_version()} there, {self.python} here), or the file has changed since it was loaded "
                "here"
            )
        return game

    def _module(self) -> ModuleType:
        if not self.files:
            return __import__(self.module, fromlist=["*"])
        folder = own_folder() / hashlib.sha256(pickle.dumps(self.files)).hexdigest()
        for file in self.files:
            (folder / file.name).parent.mkdir(parents=True, exist_ok=True)
            (folder / file.name).write_bytes(file.content)
        tops = {Path(file.name).parts[0].removesuffix(".py") for file in self.files}
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in tops and _has_travelled(module):
                del sys.modules[name]  # of an earlier parcel
        return load_file(folder / self.files[0].name)


@functools.cache
def plywise_digest() -> str:
    """Return a hash of the source of plywise: machines with another one would compile something else."""
    folder, digest = Path(plywise.__file__).parent, hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        digest.update(str(file.relative_to(folder).as_posix()).encode() + file.read_bytes())
    return digest.hexdigest()[:24]


_opening = threading.Lock()
"""Held while a file is loaded, which changes the modules that Python knows."""


def _sources(rules: type) -> tuple[SentFile, ...]:
    """Return the source of the module of a class and of modules beside it; nothing if every machine has it."""
    module = sys.modules.get(rules.__module__)
    if rules.__module__.partition(".")[0] == "plywise":
        return ()
    file = getattr(module, "__file__", None)
    if file is None or Path(file).name == "<stdin>" or "<locals>" in rules.__qualname__:
        raise GameError(f"{rules.__name__} cannot be sent to other processes: put its class into a file")
    main = Path(file).resolve()
    if not rules.__module__.startswith(FILE_MODULE) and "." in rules.__module__:
        raise GameError(
            f"{rules.__name__} is in the package {rules.__module__.partition('.')[0]}, which cannot be sent to other "
            f"processes: name the file of its module instead"
        )
    return tuple(SentFile.of(path, main.parent) for path in (main, *sorted(_imported(main))))


def _imported(main: Path) -> set[Path]:
    """Return the files beside a module, and in packages beside it, that it imports, also by way of each other."""
    found, waiting = {main}, [main]
    while waiting:
        file = waiting.pop()
        with contextlib.suppress(SyntaxError, ValueError):  # of a module that is imported later, if at all
            for name in _names_imported(ast.parse(file.read_bytes()), file.parent.relative_to(main.parent).parts):
                place = main.parent.joinpath(*name)
                for path in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
                    if path.is_file() and path not in found and _is_meant(".".join(name), path):
                        found.add(path)
                        waiting.append(path)
    return found - {main}


def _names_imported(tree: ast.Module, package: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the modules that the code of a package may import, and the packages that they are in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [tuple(alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            base = (*above, *(node.module.split(".") if node.module else ()))
            names = [base, *((*base, alias.name) for alias in node.names)]
        else:
            continue
        yield from {name[:length] for name in names for length in range(1, len(name) + 1)}


def _is_meant(name: str, path: Path) -> bool:
    """Return whether a file is what importing a name gives, and not hidden by a module of that name elsewhere."""
    loaded = getattr(sys.modules.get(name), "__file__", None)
    return loaded is None or Path(loaded).resolve() == path


def _has_travelled(module: ModuleType) -> bool:
    """Return whether a module, or a package, came in a parcel."""
    places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
    return any(own_folder() in Path(place).parents for place in places if place)


def without_folders(text: str) -> str:
    """Return a text with paths of files that have travelled as they were called where they came from.

    >>> without_folders(f"/tmp/{PREFIX}a1/{'0' * 64}/mygame.py, line 3")
    'mygame.py, line 3'
    """
    return re.sub(rf"\S*{PREFIX}\w+[/\\][0-9a-f]{{64}}[/\\]", "", text)
