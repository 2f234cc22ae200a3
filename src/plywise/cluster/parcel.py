"""How a game travels to another machine: as source, with the fingerprint of its rules.

The classes of plywise are there already; a file of the user's is not, and travels with the modules beside it that it
imports.  So do files that the game's parameters name.  The receiver makes the game again and compares fingerprints: a
machine whose plywise or Python would compile something else must refuse to work.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import pickle
import platform
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import plywise
from plywise.compiling.fingerprint import VOLATILE, code_digest
from plywise.errors import GameError
from plywise.game import Game
from plywise.inputs.choose import FILE_MODULE, load_file
from plywise.io.files import is_file, written_whole
from plywise.io.own_folder import own_folder


class Refused(GameError):
    """A game would be another one in this process."""


LARGEST_FILE = 1 << 30
"""No parameter's file of more bytes is sent."""


class SentFile(NamedTuple):
    """A file that travels."""

    name: str
    content: bytes

    @classmethod
    def of(cls, path: str | Path) -> SentFile:
        """Read a file.

        Raises:
            GameError: it cannot be read, or is too large.
        """
        path = Path(path)
        try:
            if path.stat().st_size > LARGEST_FILE:
                raise GameError(f"{str(path)!r} is too large to be sent to other machines")
            return cls(path.name, path.read_bytes())
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
            raise Refused(f"there is no {self.name} in the module {self.module} here")
        game: Game = found(**arrived(pickle.loads(self.fields)))
        if f"{plywise_digest()} {code_digest(game)}" != self.digest:
            raise Refused(
                f"here {self.name} has other rules than where it was sent from: its file has changed since it was "
                f"loaded, or the two have another plywise or Python (here {platform.python_version()}, there "
                f"{self.python})"
            )
        return game

    def _module(self) -> ModuleType:
        if not self.files:
            return __import__(self.module, fromlist=["*"])
        folder = own_folder() / hashlib.sha256(pickle.dumps(self.files)).hexdigest()
        folder.mkdir(exist_ok=True)
        for file in self.files:
            (folder / file.name).write_bytes(file.content)
            name = Path(file.name).stem
            if (known := getattr(sys.modules.get(name), "__file__", None)) and own_folder() in Path(known).parents:
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
    others = [getattr(other, "__file__", None) for other in list(sys.modules.values())]
    beside = sorted({Path(other).resolve() for other in others if isinstance(other, str)})
    return tuple(SentFile.of(path) for path in (main, *(path for path in beside if _belongs(path, main))))


def _belongs(path: Path, main: Path) -> bool:
    return path.parent == main.parent and path != main and path.suffix == ".py"
