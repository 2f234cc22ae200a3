"""Random programs that move cells between variables: compiled, each must do what Python does.

In Python, cells are values: a change of one variable never shows in another.  Compiled code reads them where they are
in memory, which is right only until something is written there.  Random assignments, swaps, tuples, loops, branches,
calls and generators look for a case in which it is wrong.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from plywise.cells import Cells

SHORT, LONG = 5, 21
"""Lengths: within one chunk of memory, and across two."""


class Pair(NamedTuple):
    short: Cells
    number: int
    long: Cells


def changed_short(cells, x):
    result = cells
    for i in range(3):
        result = result.with_item((x + i) % SHORT, (result[i] + x) % 100)
        if result[0] == cells[0]:
            result = result.with_item(0, i)
    return result


def changed_long(cells, x):
    values = cells.array()
    for i in range(len(values)):
        if i % 3 == x % 3:
            values[i] = (values[i] + i) % 100
    return cells.with_items(values)


def chosen(pair, x):
    return pair[x % 2]


def stepped(pair, x):
    long = pair.long if x % 2 else pair.long.with_item(x % LONG, 1)
    return Pair(pair.short.with_item(x % SHORT, x % 50), pair.number + 1, long)


def walked_short(cells, x):
    other = cells
    for i in range(len(cells)):
        yield cells[i] + other[i] + x
        other = other.with_item(i, i + 1)
        if i == 2:
            cells = other


def walked_long(cells, x):
    for i in range(len(cells)):
        if cells[i] > 0:
            yield i
            cells = cells.with_item((i + 1) % LONG, x % 9)


def caught(cells, x):
    result = cells
    try:
        result = result.with_item(0, x % 50)
        result = result.with_item(x % 9, 1)  # the short ones have no such cell at times
    except Exception:
        return result.with_item(1, 7) if x % 2 else cells
    return result


def dug(cells, x, depth):
    if depth == 0 or cells[depth] > 2:
        return cells
    below = dug(cells.with_item(depth, x % 5), x + 1, depth - 1)
    return below if x % 2 else below.with_item(0, cells[depth])


def swapped(pairs, x):
    (a, b), c = pairs
    count = 0
    while True:
        a, b = b, a.with_item(count % SHORT, count)
        count += 1
        if count > x % 4:
            break
    return (b, c) if x % 3 else (a, c)


def stepping(pair, x):
    for i in range(SHORT):
        if pair.short[i] != x % 3:
            yield pair.short[i] + pair.long[i]
            pair = stepped(pair, i)


VARIABLES = {"short": ["a", "b", "p.short", "q.short", "r.short"], "long": ["c", "p.long", "q.long", "r.long"]}
LENGTHS = {"short": SHORT, "long": LONG}


class _Writer:
    """Writes the lines of one program."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.lines = ["def program(p, x):", "    a, b, c, q = p.short, p.short.with_item(1, 3), p.long, p"]
        self.lines.append("    r = Pair(b, x, c)")
        self.left = chance.randint(6, 16)

    def write(self) -> str:
        self.block(1)
        for variables in VARIABLES.values():
            self.lines.append(f"    for cells in ({', '.join(variables)}):")
            self.lines.append("        for cell in cells:")
            self.lines.append("            x = (x * 131 + cell) % 1000003")
        self.lines.append("    return x * 16 + (a == b) + 2 * (q == r) + 4 * (c != q.long) + 8 * (q.number % 2)")
        return "\n".join(self.lines)

    def cells(self, kind: str) -> str:
        return self.chance.choice(VARIABLES[kind])

    def item(self, kind: str) -> str:
        length = LENGTHS[kind]
        index = self.chance.choice(
            [f"{self.chance.randrange(-length, length)}", f"(x + {self.chance.randrange(50)}) % {length}"]
        )
        return f"{self.cells(kind)}[{index}]"

    def number(self) -> str:
        return self.chance.choice(
            ["x % 100", f"{self.chance.randint(-128, 127)}", self.item("short"), self.item("long"),
             f"sum({self.cells('short')})", f"max({self.cells('long')}) - min({self.cells('short')})",
             f"{self.cells('long')}.count({self.chance.randint(0, 3)})", f"({self.number_in()} in c)"]
        )  # fmt: skip

    def number_in(self) -> int:
        return self.chance.randint(-3, 3)

    def expression(self, kind: str) -> str:
        cells, index = self.cells(kind), f"(x + {self.chance.randrange(50)}) % {LENGTHS[kind]}"
        return self.chance.choice([
            cells,
            f"{cells}.with_item({index}, {self.number()})",
            f"{cells}.with_item({index}, {self.number()})",
            f"{cells} if x % 3 == {self.chance.randrange(3)} else {self.cells(kind)}",
            f"changed_{kind}({cells}, x)",
            f"chosen(({cells}, {self.cells(kind)}), x)",
        ])  # fmt: skip

    def block(self, depth: int) -> None:
        for _ in range(self.chance.randint(1, 4)):
            if self.left > 0:
                self.left -= 1
                self.statement(depth, self.chance.choice(["short", "long"]))

    def statement(self, depth: int, kind: str) -> None:
        margin, pick = "    " * depth, self.chance.choice
        simple = [
            f"{pick(['a', 'b']) if kind == 'short' else 'c'} = {self.expression(kind)}",
            f"{pick(['q', 'r'])} = Pair({self.expression('short')}, x, {self.expression('long')})",
            f"{pick(['q', 'r'])} = {pick(['p', 'q', 'r'])}",
            f"x = (x * 31 + {self.number()} + {self.item(kind)}) % 10007",
            "a, b = b, a",
            f"b = dug({self.cells('short')}, x, {self.chance.randint(0, 4)})",
            f"a, c = swapped((({self.cells('short')}, b), {self.cells('long')}), x)",
            f"b = [a, b, {self.cells('short')}][x % 3]",
            "q, r = r, stepped(q, x)",
        ]
        if sys.version_info >= (3, 11):  # with 3.10, Numba forgets what was assigned in a ``try``, whatever its type
            simple.append(f"a = caught({self.cells('short')}, x)")
        loops = [
            f"for i{depth} in range({self.chance.randint(1, 5)}):\n{margin}    x += i{depth}",
            f"for sum{depth} in stepping({pick(['p', 'q', 'r'])}, x):\n{margin}    x += sum{depth}\n{margin}    q = r",
            f"if {self.item(kind)} > {self.number_in()}:\n{margin}    x += 1",
            f"for cell{depth} in {self.cells(kind)}:\n{margin}    x = (x * 7 + cell{depth}) % 10007",
            f"for each{depth} in walked_{kind}({self.cells(kind)}, x):\n{margin}    x = (x * 13 + each{depth}) % 10007",
        ]
        if depth < 4 and self.chance.random() < 0.4:
            self.lines.append(margin + pick(loops))
            self.block(depth + 1)
        else:
            self.lines.append(margin + pick(simple))


def random_program(seed: int) -> tuple[str, Callable[[Pair, int], int]]:
    """Return the source of a random program, and its function."""
    source = _Writer(random.Random(seed)).write()
    helpers = (
        Pair, changed_short, changed_long, chosen, stepped, caught, dug, swapped, stepping, walked_short, walked_long
    )  # fmt: skip
    scope: dict[str, Any] = {"__name__": __name__, **{helper.__name__: helper for helper in helpers}}
    exec(source, scope)
    return source, scope["program"]


def random_cells(chance: random.Random, length: int) -> Cells:
    return Cells([chance.randint(-3, 3) for _ in range(length)])
