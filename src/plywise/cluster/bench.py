"""The place where jobs are done: in a thread of this process, in another process, or on another machine.

A job is a function of plywise with arguments, and the tools that it needs: for example an engine with its table.  Tools
are made once for each thread, by a kit.  A job can be stopped, and told something, while it runs: compiled code cannot
be ended from outside, so whoever runs it registers how to stop it.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import itertools
import pickle
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from typing import Any, NamedTuple

from plywise.cluster.parcel import Parcel, Refused, without_folders
from plywise.errors import SearchError, Stopped
from plywise.game import Game
from plywise.inputs.own_code import kind_and_message, own_place

INSIST_SECONDS = 0.01
"""How often a job that goes on is told again to stop."""

LOOK_SECONDS = 0.01
"""How often a job that waits for its kit looks whether it is still wanted."""

_at = threading.local()
"""Knows the desk of the job that a thread is doing."""

WANTED = "kit wanted"
"""What a job reports that waits for its kit."""

MOST_TOLD = 1000
"""How many messages wait for a job that has not begun: the last ones."""


class Kit:
    """What jobs need: a game, and how to make tools from it.

    Args:
        game: the game.
        make: a function of a module, ``make(game, share, *arguments)``.  It returns the tools of a thread, which have
            ``close()`` if they must be closed.  ``share`` is the thread's share of the machine's memory: 1 if it is
            alone.
        arguments: what can travel.
    """

    def __init__(self, game: Game, make: Callable[..., Any], *arguments: Any) -> None:
        self.game, self.make, self.arguments = game, make, arguments
        self.number = next(_numbers)
        """Names it in this process for ever; an ``id`` would be another kit's later."""

    @functools.cached_property
    def content(self) -> bytes:
        """The kit as bytes, for another process.

        Raises:
            GameError: the game cannot travel.
        """
        return pickle.dumps((Parcel.of(self.game), self.make, self.arguments))

    @property
    def opened(self) -> Kit:
        """The kit itself."""
        return self


class PackedKit:
    """A kit from another process.  It is opened when a job needs it, so that an error is the job's."""

    def __init__(self, content: bytes) -> None:
        self.content, self.number = content, next(_numbers)

    @functools.cached_property
    def opened(self) -> Kit:
        """The kit.

        Raises:
            GameError: the game would be another one here.
        """
        try:
            parcel, make, arguments = pickle.loads(self.content)
        except (AttributeError, ImportError) as error:
            raise Refused(f"there, plywise is another one: {error}") from None
        return Kit(parcel.opened(), make, *arguments)


_numbers = itertools.count(1)

Key = Hashable
"""What names a kit on a bench."""


class Finished(NamedTuple):
    """How a job ended."""

    value: Any
    error: BaseException | None
    seconds: float
    """How long it ran."""
    prepared: float = 0.0
    """How long it took before that to make the tools, or to wait for others who compiled."""


class Warned(NamedTuple):
    """What a job reports that gives a warning in another process."""

    text: str
    category: type[Warning]


def report_warnings() -> None:
    """From now on, let jobs report their warnings: nobody may be looking at the terminal of this process."""
    usual = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any, **options: Any) -> None:
        desk = getattr(_at, "desk", None)
        if desk is None:
            usual(message, category, *place, **options)
            return
        is_known = category.__module__.partition(".")[0] in ("builtins", "plywise")
        desk.report(Warned(without_folders(str(message)), category if is_known else UserWarning))

    warnings.showwarning = show


class Desk:
    """What a job sees while it runs."""

    def __init__(self, report: Callable[[Any], None]) -> None:
        self.report = report
        """Sends a message to whoever submitted the job."""
        self.kit: Key = None
        self.tools: Any = None
        self.stopped = False
        """Whether its result is no longer wanted."""
        self._lock = threading.Lock()
        """Held while the job is told something, so that it hears nothing after it has ended."""
        self._stop: Callable[[], None] = _nothing
        self._take: Callable[[Any], None] | None = None
        self._told: deque[Any] = deque(maxlen=MOST_TOLD)

    @contextlib.contextmanager
    def heeding(self, stop: Callable[[], None], take: Callable[[Any], None] | None = None) -> Iterator[None]:
        """Meanwhile, call ``stop`` when the job is stopped, and ``take`` with what it is told; from another thread, and
        at once if that was before.

        Raises:
            Stopped: the job has been stopped.
        """
        try:
            with self._lock:
                self._stop, self._take = stop, take
                while take is not None and self._told:
                    take(self._told.popleft())
            self.check()
            yield
        finally:
            with self._lock:
                self._stop, self._take = _nothing, None
        self.check()

    def check(self) -> None:
        """Raise ``Stopped`` if the job has been stopped."""
        if self.stopped:
            raise Stopped

    def stop(self) -> None:
        """Stop the job."""
        with self._lock:
            self.stopped = True
            self._stop()

    def tell(self, message: Any) -> None:
        """Tell the job something."""
        with self._lock:
            if self._take is None:
                self._told.append(message)
            else:
                self._take(message)


def _nothing() -> None:
    pass


class Bench:
    """All desks of a process.

    Args:
        slots: how many jobs are done at a time, each by its own thread.
        report: called with the number of a job and what it reports.
    """

    def __init__(self, slots: int, report: Callable[[Any, Any], None]) -> None:
        self.slots, self.report = slots, report
        self.kits: dict[Key, Kit | PackedKit] = {}
        self.desks: dict[Any, Desk] = {}
        self._tools: dict[tuple[int, Key], Any] = {}
        """By thread and kit."""
        self._used: dict[Key, float] = {}
        """When a kit came, or was last seen in use."""
        self._wanted: set[Key] = set()
        """Kits that a job has asked for."""
        self._lock, self._making = threading.Lock(), threading.Lock()

    def bring(self, key: Key, kit: Kit | PackedKit) -> None:
        """Take a kit."""
        with self._lock:
            self.kits.setdefault(key, kit)
            self._used[key] = time.monotonic()

    def kit(self, desk: Desk, key: Key) -> Kit | PackedKit:
        """Return a kit for a job, which asks for it if it is not here and no other job does.

        Raises:
            Stopped: the job was stopped before the kit came.
        """
        asks = False
        try:
            while (kit := self.kits.get(key)) is None:
                if not asks:
                    with self._lock:
                        asks = key not in self._wanted
                        self._wanted.add(key)
                    if asks:
                        desk.report(WANTED)
                desk.check()
                time.sleep(LOOK_SECONDS)
            return kit
        finally:
            if asks:
                self._wanted.discard(key)

    def _equip(self, desk: Desk, key: Key) -> None:
        """Give a desk the tools of this thread.

        Raises:
            Stopped: the job was stopped; or the kit was released meanwhile, so that nobody would ever close its tools.
        """
        place = (threading.get_ident(), key)
        with self._lock:
            if place in self._tools:
                desk.tools = self._tools[place]
                return
        packed = self.kit(desk, key)
        while not self._making.acquire(timeout=LOOK_SECONDS):  # what the first compiles, the others find
            desk.check()
        try:
            kit = packed.opened
            tools = kit.make(kit.game, 1 / self.slots, *kit.arguments)
        finally:
            self._making.release()
        with self._lock:
            if key in self.kits:
                self._tools[place] = desk.tools = tools
                return
        _close(tools)
        raise Stopped

    def release(self, key: Key) -> None:
        """Give up a kit and its tools; those in use are closed after the job."""
        with self._lock:
            given_up = self._given_up({key})
        _close_all(given_up)

    def release_idle(self, seconds: float) -> None:
        """Give up the kits that no job has used for so long.  To be called now and then."""
        now = time.monotonic()
        with self._lock:
            in_use = {desk.kit for desk in list(self.desks.values())}
            self._used.update((key, now) for key in in_use & self._used.keys())
            given_up = self._given_up({key for key, used in self._used.items() if now - used > seconds})
        _close_all(given_up)

    def _given_up(self, keys: set[Key]) -> list[Any]:
        """Forget kits; return those of their tools that must be closed now."""
        for key in keys:
            self.kits.pop(key, None)
            self._used.pop(key, None)
        tools = [self._tools.pop(place) for place in list(self._tools) if place[1] in keys]
        in_use = {id(desk.tools) for desk in list(self.desks.values())}
        return [each for each in tools if id(each) not in in_use]

    def announce(self, number: Any) -> None:
        """Say that a job will be done here.  From now on ``number`` names it for ``stop`` and ``tell``."""
        self.desks[number] = Desk(functools.partial(self.report, number))

    def do(self, number: Any, key: Key, work: Callable[..., Any], arguments: tuple[Any, ...]) -> Finished:
        """Do a job that was announced, in this thread; without tools if ``key`` is None."""
        arrived = begun = time.perf_counter()
        desk, value, failure = self.desks[number], None, None
        desk.kit, _at.desk = key, desk
        try:
            desk.check()
            if key is not None:
                self._equip(desk, key)
            begun = time.perf_counter()
            value = work(desk, *arguments)
        except Exception as error:
            failure = error
        except SystemExit as error:  # this thread must go on
            failure = SearchError(f"the rules of the game called exit({error})")
        finally:
            _at.desk = None
            with self._lock:
                del self.desks[number]
                released = (threading.get_ident(), key) not in self._tools
            if released:
                _close(desk.tools)
        return Finished(value, failure, time.perf_counter() - begun, begun - arrived)

    def stop(self, number: Any) -> None:
        """Stop a job that was announced or is running here."""
        if number in self.desks:
            threading.Thread(target=self._insist, args=(number,), daemon=True).start()

    def stop_unless(self, is_wanted: Callable[[Any], bool]) -> None:
        """Stop the jobs whose numbers are not wanted."""
        for number, desk in list(self.desks.items()):
            if not desk.stopped and not is_wanted(number):
                self.stop(number)

    def _insist(self, number: Any) -> None:
        """Stop a job until it has ended: a search that is just starting would miss a single call."""
        while desk := self.desks.get(number):
            desk.stop()
            time.sleep(INSIST_SECONDS)

    def tell(self, number: Any, message: Any) -> None:
        """Tell something to a job that was announced or is running here."""
        if desk := self.desks.get(number):
            desk.tell(message)

    def close(self) -> None:
        """Close all tools; no job may be running."""
        for key in {key for _, key in self._tools}:
            self.release(key)


def _close(tools: Any) -> None:
    if hasattr(tools, "close"):
        with contextlib.suppress(Exception):  # whoever closes them has other things to do
            tools.close()


def _close_all(given_up: list[Any]) -> None:
    """Close tools, and free their memory: an engine refers to itself, so its tables would stay for a while."""
    for tools in given_up:
        _close(tools)
    if given_up:
        given_up.clear()
        del tools
        gc.collect()


def portable(finished: Finished) -> Finished:
    """Return how a job ended so that every process can read it: an error that is not our own becomes its text."""
    error = finished.error
    if error is None or type(error).__module__.partition(".")[0] == "plywise":
        return finished
    place = own_place(error)
    text = f"{place}: {kind_and_message(error)}" if place else kind_and_message(error)
    return finished._replace(error=SearchError(without_folders(text)))
