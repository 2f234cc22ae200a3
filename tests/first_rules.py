"""Rules as newcomers write them, one construct per class.

A comment on a line that cannot be compiled gives the advice that its message must contain: ``# says: advice``.  If the
line is outside the class that it affects, the comment is ``# says to Class: advice``.  A class without such a comment
compiles.
"""

# ruff: noqa

import dataclasses, enum, functools, itertools, math
from collections import Counter, defaultdict, deque
from typing import NamedTuple
import numpy as np
import plywise as pw
from plywise.bits import with_item


class Cell(enum.IntEnum):
    EMPTY = 0
    X = 1


class Kind(enum.Enum):
    A = 1


class Pos(NamedTuple):
    cells: tuple
    left: int
    turn: int

    def is_full(self):
        return 0 not in self.cells

    def after(self, i, mark=1):
        return Pos(with_item(self.cells, i, mark), self.left - 1, 1 - self.turn)

    @property
    def other(self):
        return 1 - self.turn

    @staticmethod
    def half(x):
        return x // 2

    LIMIT = 7


class Base(pw.Game):
    size: int = 4

    def initial(self):
        return Pos((0, 0, 0, 0), 4, 0)

    def moves(self, state):
        yield 0

    def play(self, state, move):
        return state


LINES = ((0, 1), (2, 3))
NAMES = {0: "a"}
WEIGHTS = [1, 2]
CHOSEN = {1, 2}
ORDER = (Cell.X, Cell.EMPTY)
double = lambda x: 2 * x


def flood(cells, i, seen):
    if i < 0 or i > 3 or seen & (1 << i):
        return seen
    return flood(cells, i + 1, seen | 1 << i)


def runaway(n):
    return runaway(n - 1)  # says to Runaway: return


def helper(state):
    return int(str(state.left))  # says to BesideTheClass: int(str) has no compiled form


class AnyOfAnExpression(Base):
    def score(self, state):
        return any(cell == state.turn for cell in state.cells)


class AllOfAnExpression(Base):
    def score(self, state):
        return all(cell != 0 for cell in state.cells)


class Nested(Base):
    def score(self, state):
        return any(all(state.cells[i] == 1 for i in line) for line in LINES)


class AnyOfATuple(Base):
    def score(self, state):
        return any(state.cells) or all(state.cells)


class AnyOfAList(Base):
    def score(self, state):
        return any([cell == 0 for cell in state.cells])


class SumOfAnExpression(Base):
    def score(self, state):
        return sum(cell == 1 for cell in state.cells)


class MaxOfAnExpression(Base):
    def score(self, state):
        return max(state.cells[i] * i for i in range(self.size))


class SumOfATuple(Base):
    def score(self, state):
        return sum(state.cells) + max(state.cells) + min(state.cells)


class SliceWithNumbers(Base):
    def score(self, state):
        return sum(state.cells[1:3]) + state.cells[::-1][0]


class MethodOfThePosition(Base):
    def score(self, state):
        return state.is_full()


class PropertyOfThePosition(Base):
    def score(self, state):
        return state.other + state.half(state.left) + state.LIMIT


class MethodThatPlays(Base):
    def play(self, state, move):
        return state.after(move, mark=2)


class RecursiveFunction(Base):
    def score(self, state):
        return flood(state.cells, 0, 0)


class IntEnumAsANumber(Base):
    def score(self, state):
        return Cell.X


class IntEnumCompared(Base):
    def score(self, state):
        return state.cells[0] == Cell.X and Cell.X.value + ORDER[0] == 2


class IntEnumInThePosition(Base):
    def initial(self):
        return Pos((Cell.EMPTY, Cell.X, 0, 0), 4, Cell.EMPTY)


class IntEnumAsAField(Base):
    mark: Cell = Cell.X
    MARK = Cell.X

    def score(self, state):
        return self.mark + self.MARK


class Lists(Base):
    def score(self, state):
        return sum(list(state.cells)[1:3]) + len([0] * 3)


class Sets(Base):
    def score(self, state):
        return len(set(state.cells))


class Math(Base):
    def score(self, state):
        return math.sqrt(state.left) + math.floor(1.5) + divmod(7, 2)[0] + round(1.5)


class NumPy(Base):
    def score(self, state):
        return np.array(state.cells).sum() + np.zeros(3)[0] + np.abs(-1)


class FString(Base):
    def score(self, state):
        return len(f"{state.left} left")


class Lambda(Base):
    def score(self, state):
        return double(state.left) + (lambda x: x + 1)(2)


class FunctionInARule(Base):
    def score(self, state):
        def worth(x):
            return x * state.left

        return worth(2)


class Match(Base):
    def score(self, state):
        match state.turn:
            case 0:
                return 1
            case _:
                return -1


class ListOfMoves(Base):
    def moves(self, state):
        return [i for i, cell in enumerate(state.cells) if cell == 0]


class ExpressionOfMoves(Base):
    def moves(self, state):
        return (i for i in range(4) if state.cells[i] == 0)


class ReversedLoop(Base):
    def moves(self, state):
        for i in reversed(range(4)):
            yield i


class CountAndBits(Base):
    def score(self, state):
        return state.cells.count(1) + state.left.bit_count() + state.left.bit_length()


class Unpacking(Base):
    def score(self, state):
        return len([a + b for a, b in LINES]) + len([1 for a, b in zip(state.cells, LINES)])


class Raise(Base):
    def score(self, state):
        if state.left:
            raise ValueError(f"{state.left} left")
        return 1


class CachedProperty(Base):
    @functools.cached_property
    def lines(self):
        return tuple(range(3))

    def score(self, state):
        return len(self.lines)


class SliceWithNames(Base):
    def score(self, state):
        return sum(state.cells[state.left :])  # says: plywise.bits.with_item(cells, index, value)


class ReplacedBySlices(Base):
    def play(self, state, move):
        return Pos(state.cells[:move] + (1,), 1, 1)  # says: plywise.bits.with_item(cells, index, value)


class StarredSlices(Base):
    def play(self, state, move):
        return Pos((*state.cells[:move], 1), 1, 1)  # says: plywise.bits.with_item(cells, index, value)


class TupleOfAList(Base):
    def play(self, state, move):
        return Pos(tuple([1, 2]), 1, 1)  # says: plywise.bits.with_item(cells, index, value)


class ExpressionReturned(Base):
    def moves(self, state):
        return (i for i in range(4) if state.cells[i] == 0)


class ExpressionsReadAtOnce(Base):
    def score(self, state):
        least = min(c for c in state.cells)
        return sum(c for c in state.cells) + least + len(sorted(c for c in state.cells))


class ExpressionInALoop(Base):
    def score(self, state):
        seen, count = np.zeros(4), 0
        for i in (c for c in state.cells if seen[c] == 0):  # says: write a loop
            seen[i] = 1
            count += 1
        return count


class ExpressionWithAName(Base):
    def score(self, state):
        wanted = 1
        found = (c == wanted for c in state.cells)  # says: write a loop
        wanted = 0
        return 1 if any(found) else 0


class ExpressionInATry(Base):
    def score(self, state):
        try:
            return 1 if any(10 // c == 5 for c in state.cells) else 0  # says: write a loop
        except Exception:
            return 0


class TupleOfAnExpression(Base):
    def key(self, state):
        return tuple(state.cells[i] for i in (3, 2))  # says: name all


class SetAnItem(Base):
    def play(self, state, move):
        state.cells[move] = 1  # says: plywise.bits.with_item(cells, index, value)
        return state


class TupleTimes(Base):
    def play(self, state, move):
        return Pos((0,) * self.size, 4, 0)  # says: functools.cached_property


class AnyPythonInInitial(Base):
    def initial(self):
        cells = [0 for _ in range(self.size)]
        return Pos(tuple(cells), {"left": 4}["left"], 0)


def cells_at_first(self):
    return Pos(pw.Cells([0] * self.size), 4, 0)


class CellsChanged(Base):
    initial = cells_at_first

    def play(self, state, move):
        board = state.cells.array()
        board[move] = 1
        return Pos(state.cells.with_items(board).with_item(-1, sum(state.cells)), state.left - 1, 1 - state.turn)


class CellsMadeInARule(Base):
    initial = cells_at_first

    def play(self, state, move):
        return Pos(pw.Cells([0, 0, 0, 0]), 4, 0)  # says: cells.with_item(index, value)


class CellsSet(Base):
    initial = cells_at_first

    def play(self, state, move):
        state.cells[move] = 1  # says: cells.with_item(index, value)
        return state


class CellsSliced(Base):
    initial = cells_at_first

    def score(self, state):
        return state.cells[1:3].count(1)  # says: a loop over indices


class CellsOfFloats(Base):
    initial = cells_at_first

    def play(self, state, move):
        return state._replace(cells=state.cells.with_item(move, 1.0))  # says: whole numbers


class GrowingTuple(Base):
    def score(self, state):
        t = ()
        for c in LINES:
            t += (c,)  # says: a list
        return 1


class GrowingField(Base):
    def play(self, state, move):  # says: one length
        return Pos(state.cells + (1,), 1, 1)


class RecursiveMethod(Base):
    def fact(self, n):
        return 1 if n < 2 else n * self.fact(n - 1)  # here  # says: a function outside the class

    def score(self, state):
        return self.fact(3)


class MutualMethods(Base):
    def odd(self, n):
        return n > 0 and self.even(n - 1)

    def even(self, n):
        return n == 0 or self.odd(n - 1)  # says: a function outside the class

    def score(self, state):
        return self.odd(3)


class Runaway(Base):
    def score(self, state):
        return runaway(state.left)


class RecursiveInARule(Base):
    def score(self, state):  # says: put it outside the class
        def down(n):
            return 0 if n == 0 else down(n - 1)

        return down(3)


class MethodOfTheClass(Base):
    def score(self, state):
        return Pos.half(state.left)  # says: state.half(...)


class IntEnumCalled(Base):
    def score(self, state):
        return Cell(state.left) == 1  # says: leave out Cell(...)


class LoopOverAnEnum(Base):
    def score(self, state):
        for c in Cell:  # says: a range
            return 1
        return 0


class OwnInit(Base):
    def __init__(self):
        object.__setattr__(self, "lines", (1, 2))

    def score(self, state):
        return len(self.lines)  # says: annotate it as a field


class PostInit(Base):
    def __post_init__(self):
        object.__setattr__(self, "table", np.arange(3))

    def score(self, state):
        return self.table[0]  # says: functools.cached_property


class MaxWithAKey(Base):
    def score(self, state):
        return max(state.cells, key=lambda cell: -cell)  # says: write a loop


class SmallerTuple(Base):
    def key(self, state):
        return min(state.cells, state.cells[::-1])  # says: a if a < b else b


class SumOfAMap(Base):
    def score(self, state):
        return sum(map(lambda cell: 2 * cell, state.cells))  # says: sum([... for ...])


class Filter(Base):
    def moves(self, state):
        return filter(lambda i: state.cells[i] == 0, range(4))  # says: write a list


class NoMoves(Base):
    def moves(self, state):
        if state.left:
            return [1]
        return []  # says: yield moves


class PairsAsMoves(Base):
    def moves(self, state):  # says: 8 * row + column
        yield (1, 2)


class TupleOfMoves(Base):
    def moves(self, state):  # says: return a list
        return (0, 1)


class EmptyDict(Base):
    def score(self, state):
        d = {}
        d[1] = d.get(1, 0) + 1  # says: a list or an array
        return 1


class GlobalDict(Base):
    def score(self, state):
        return state.turn in NAMES  # says: make it a tuple


class GlobalList(Base):
    def score(self, state):
        return WEIGHTS[state.turn]  # says: make it a tuple


class GlobalSet(Base):
    def score(self, state):
        return state.turn in CHOSEN  # says: make it a tuple


class ListInTheClass(Base):
    W = [1, 2]

    def score(self, state):
        return self.W[state.turn]  # says: make it a tuple


class DictFromAProperty(Base):
    @functools.cached_property
    def d(self):
        return {0: 1}

    def score(self, state):
        return self.d[0]  # says: make it a tuple


class Itertools(Base):
    def score(self, state):
        return len(list(itertools.combinations(state.cells, 2)))  # says: itertools has no combinations


class Counts(Base):
    def score(self, state):
        return len(Counter(state.cells))  # says: a list, a set or an array


class Deque(Base):
    def score(self, state):
        return len(deque([1]))  # says: a list, a set or an array


class MaybeNone(Base):
    def score(self, state):  # says: in every case
        if state.left:
            return 1


class NoneInAField(Base):
    def play(self, state, move):  # says: -1
        return Pos(state.cells, 1, None)


class BoolInAField(Base):
    def play(self, state, move):  # says: int(...)
        return Pos(state.cells, 1, not state.turn)


class DataclassReplace(Base):
    def score(self, state):
        return dataclasses.replace(state, left=1)  # says: dataclasses has no replace


class AsDict(Base):
    def score(self, state):
        return state._asdict()["left"]  # says: Pos has no _asdict


class GlobalStatement(Base):
    def score(self, state):
        global COUNT
        COUNT = 1  # says: in the position
        return 1


class SetsTheGame(Base):
    def score(self, state):
        self.count = 1  # says: in the position
        return 1


class RaggedRows(Base):
    def score(self, state):
        for row in ((0,), (1, 2)):  # says: one length
            return 1
        return 0


class StarredTarget(Base):
    def score(self, state):
        first, *others = state.cells  # says: indices
        return first


class NamedExpression(Base):
    def score(self, state):
        if (n := state.left) > 2:  # says: smaller steps
            return n
        return 0


class DeletedItem(Base):
    def score(self, state):
        a = [1, 2]
        del a[0]  # says: pop
        return len(a)


class TwoTypes(Base):
    def score(self, state):
        x = ()
        if state.left:
            x = (1,)
        return len(x)  # says: one type


class Bin(Base):
    def score(self, state):
        return bin(state.left).count("1")  # says: plywise.bits.popcount


class Frozen(Base):
    def score(self, state):
        return len(frozenset(state.cells))  # says: write set


class NextOfAnExpression(Base):
    def score(self, state):
        return next((c for c in state.cells if c), 0)  # says: write a loop


class TypeOfSelf(Base):
    LIMIT = 3

    def score(self, state):
        return type(self).LIMIT  # says: write self.


class AnyOfMixedThings(Base):
    def score(self, state):
        return any((1, 0.5, state.cells))  # says: one type


class BesideTheClass(Base):
    def score(self, state):
        return helper(state)


class ClassMethod(Base):
    @classmethod
    def boon(cls):
        return 1

    def score(self, state):
        return self.boon()  # says: a static method


class Super(Base):
    def score(self, state):
        return super().play(state, 0).left  # says: by its class


class Text(Base):
    def score(self, state):  # says: must return a number
        return "won"
