"""Trees for quizzes: random trees with the features a teacher asks for, and a fixed series.

Random trees are generated until alpha-beta behaves on one as requested.  The same seed and wishes give the same tree
everywhere: only ``random.Random(seed).random()`` is used, which Python promises not to change.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from plywise.algorithms.common import CutRule
from plywise.errors import QuizError
from plywise.explain.lettering import letters
from plywise.explain.quiz import MOST_LEAVES, Quiz, quiz_about, record
from plywise.explain.search_tree import SearchTree, Visit, grow
from plywise.game import MAX
from plywise.games import RedBlue, Tree
from plywise.result import Result

TRIES = 3000
"""How many random trees to try before giving up."""
MOST_DEPTH = 7
MOST_BRANCHING = 9


@dataclasses.dataclass(frozen=True)
class Wishes:
    """The requested features of a tree.  Only cuts that leave something out count.

    Raises:
        QuizError: a value is out of range, or no tree can have these features.
    """

    depth: int = 3
    """Plies from the root to the deepest leaves."""
    branching: int = 2
    """Moves at every node; if ``ragged``, the most moves."""
    cuts: int = 1
    """The least number of cuts."""
    inner: bool = False
    """At least one cut leaves out an inner node."""
    deep: bool = False
    """At least one cut is deep: its bound comes from above the opponent's nearest node (Knuth and Moore 1975)."""
    ties: bool | None = None
    """True: it makes a difference whether ties are cut; False: all leaves differ; None: either."""
    ragged: bool = False
    """The number of moves varies, and some leaves are higher up."""
    first: Literal["max", "min"] = "max"
    """The player at the root."""

    def __post_init__(self) -> None:
        for name, low, high in (("depth", 1, MOST_DEPTH), ("branching", 1, MOST_BRANCHING), ("cuts", 0, MOST_LEAVES)):
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise QuizError(f"{name}={value!r} must be a whole number from {low} to {high}")
        if self.first not in ("max", "min"):
            raise QuizError(f"first={self.first!r} must be max or min")
        if self.branching**self.depth > MOST_LEAVES:
            raise QuizError(f"depth {self.depth} and branching {self.branching} make {self.branching**self.depth} "
                            f"leaves; at most {MOST_LEAVES} can be drawn")  # fmt: skip
        if self.branching < 2 and (self.cuts or self.inner or self.deep or self.ties):
            raise QuizError("with one move per node nothing can be cut: branching must be 2 or more")
        needed = 4 if self.deep else 3 if self.inner else 2 if self.cuts or self.ties else 1
        if self.depth < needed:
            what = {4: "a deep cut", 3: "a cut of an inner node", 2: "a cut"}[needed]
            raise QuizError(f"depth {self.depth} is too small for {what}: it must be {needed} or more")


class Cut(NamedTuple):
    """A cut that left something out, and its kind."""

    visit: Visit
    inner: bool
    """It left out an inner node."""
    deep: bool
    """Its bound comes from above the opponent's nearest node."""


def cuts(tree: SearchTree) -> list[Cut]:
    """Return the cuts that left something out in a recorded alpha-beta search."""
    found = []
    for visit in tree.visits.values():
        if visit.cut is not None and visit.cut.left_out:
            left_out = [tree.game.play(visit.state, move) for move in visit.cut.left_out]
            inner = any(not tree.game.is_terminal(state) for state in left_out) and visit.ply + 1 != tree.depth
            found.append(Cut(visit, inner, _is_deep(tree, visit)))
    return found


def _is_deep(tree: SearchTree, visit: Visit) -> bool:
    """Return whether a cut needs a bound from above the opponent's nearest node.

    It does if that node already had the bound on entry, and none of its own moves so far would have been enough.
    """
    assert visit.cut is not None
    player, rule = visit.player, CutRule(tree.strict)
    branch, opponent = visit, visit.parent
    while opponent is not None and opponent.player == player:
        branch, opponent = opponent, opponent.parent
    if opponent is None or tree.limit(opponent, player) != tree.limit(visit, player):
        return False
    before = [child.value for child in opponent.children[: opponent.children.index(branch)]]
    if player == MAX:
        return not any(rule.cuts(visit.cut.alpha, value) for value in before)
    return not any(rule.cuts(value, visit.cut.beta) for value in before)


# Random trees --------------------------------------------------------------------------------------------------------


def random_quiz(seed: int, wishes: Wishes | None = None, *, strict: bool = False, title: str | None = None) -> Quiz:
    """Return a quiz about a random tree; the same seed, wishes and rule give the same quiz.

    Raises:
        QuizError: no such tree was found.

    >>> quiz = random_quiz(7, Wishes(depth=4, branching=2, deep=True))
    >>> any(cut.deep for cut in cuts(quiz.searched))
    True
    """
    wanted = wishes or Wishes()
    tree = random_tree(seed, wanted, strict=strict)
    recipe = {"seed": seed, "strict": strict, "wishes": dataclasses.asdict(wanted)}
    return quiz_about(tree, strict=strict, seed=seed, title=title or f"Quiz with seed {seed}", recipe=recipe)


def random_tree(seed: int, wishes: Wishes, *, strict: bool = False) -> Tree:
    """Return a random tree on which alpha-beta behaves as requested.

    Inner nodes are named A, B, C from the root down, leaves a, b, c from left to right.
    """
    chance = random.Random(seed)
    for _ in range(TRIES):
        tree = _draw(chance, wishes)
        if tree is not None and _as_wished(tree, wishes, strict):
            return tree
    raise QuizError(f"none of {TRIES} random trees fits: ask for fewer cuts or a larger tree")


def _as_wished(tree: Tree, wishes: Wishes, strict: bool) -> bool:
    searched = _searched(tree, wishes.depth, strict)
    found = cuts(grow(searched, strict=strict))
    if len(found) < wishes.cuts or (wishes.inner and not any(cut.inner for cut in found)):
        return False
    if wishes.deep and not any(cut.deep for cut in found):
        return False
    return not wishes.ties or searched.leaves != _searched(tree, wishes.depth, not strict).leaves


def _searched(tree: Tree, depth: int, strict: bool) -> Result:
    return record(tree, tree.initial(), depth, "alphabeta", strict=strict)


def _draw(chance: random.Random, wishes: Wishes) -> Tree | None:
    """Return a random tree; None if it is not as deep as requested."""
    shape = _shape(chance, wishes, 0)
    if _depth(shape) != wishes.depth:
        return None
    values = _values(chance, _leaf_count(shape), wishes.ties)
    return Tree.from_json(_named(shape, values, wishes.first))


TreeShape = list[Any]  # of shapes: the children; none at a leaf


def _shape(chance: random.Random, wishes: Wishes, ply: int) -> TreeShape:
    if ply == wishes.depth or (wishes.ragged and ply > 0 and chance.random() < 0.2):
        return []
    count = wishes.branching
    if wishes.ragged and count > 2:
        count = 2 + int(chance.random() * (count - 1))
    return [_shape(chance, wishes, ply + 1) for _ in range(count)]


def _depth(shape: TreeShape) -> int:
    return 1 + max(map(_depth, shape)) if shape else 0


def _leaf_count(shape: TreeShape) -> int:
    return sum(map(_leaf_count, shape)) if shape else 1


def _values(chance: random.Random, count: int, ties: bool | None) -> list[int]:
    """Return values for the leaves: one digit if that is enough, and few different ones if ties are wanted."""
    most = 4 if ties else 9 if ties is None else max(9, count)
    left = list(range(-most, most + 1))
    found = []
    for _ in range(count):
        i = int(chance.random() * len(left))
        found.append(left.pop(i) if ties is False else left[i])
    return found


def _named(shape: TreeShape, values: list[int], first: str) -> dict[str, Any]:
    """Return a tree for ``Tree.from_json``: inner nodes are named level by level, leaves from left to right."""
    order, root = ("max", "min") if first == "max" else ("min", "max"), dict[str, Any]()
    level, ply, count = [(shape, root)], 0, 0
    while level:
        below = []
        for children, node in level:
            if children:
                made: list[dict[str, Any]] = [{} for _ in children]
                node.update(name=letters(count, "A"), player=order[ply % 2], children=made)
                count += 1
                below += list(zip(children, made, strict=True))
        level, ply = below, ply + 1
    for i, leaf in enumerate(_leaves(root)):
        leaf.update(name=letters(i), value=values[i])
    return root


def _leaves(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [leaf for child in node["children"] for leaf in _leaves(child)] if "children" in node else [node]


# The series ----------------------------------------------------------------------------------------------------------


class SeriesQuiz(NamedTuple):
    """A quiz of the series.  Its tree is made for the usual rule, so that the same tree can serve for both rules."""

    title: str
    seed: int
    wishes: Wishes
    strict: bool = False


SERIES = (
    SeriesQuiz("First cuts", 5, Wishes(depth=2, branching=3, cuts=2, ties=False)),
    SeriesQuiz("A branch falls", 2, Wishes(depth=3, branching=2, cuts=2, inner=True, ties=False)),
    SeriesQuiz("Min begins", 8, Wishes(depth=3, branching=3, cuts=4, inner=True, ties=False, first="min")),
    SeriesQuiz("A deep cut", 3, Wishes(depth=4, branching=2, cuts=2, deep=True, ties=False)),
    SeriesQuiz("A tie is cut", 4, Wishes(depth=3, branching=3, cuts=3, ties=True)),
    SeriesQuiz("A tie is not cut", 4, Wishes(depth=3, branching=3, cuts=3, ties=True), strict=True),
    SeriesQuiz("Mixed sizes", 6, Wishes(depth=4, branching=3, cuts=4, inner=True, ragged=True, ties=False)),
    SeriesQuiz("All at once", 1, Wishes(depth=5, branching=2, cuts=5, inner=True, deep=True, ties=False)),
)
"""Quizzes from number 2, easy ones first."""

TITLES = ("RED-BLUE", *(chosen.title for chosen in SERIES))


def quiz_number(number: int, *, strict: bool | None = None) -> Quiz:
    """Return a quiz of the series; number 1 is RED-BLUE.  ``strict`` overrides the quiz's own rule.

    Raises:
        QuizError: there is no such number.
    """
    if type(number) is not int or not 1 <= number <= len(TITLES):
        raise QuizError(f"there is no quiz number {number!r}: numbers are 1 to {len(TITLES)}")
    chosen = SERIES[number - 2] if number > 1 else None
    rule = strict if strict is not None else chosen is not None and chosen.strict
    game = RedBlue() if chosen is None else random_tree(chosen.seed, chosen.wishes)
    seed = 0 if chosen is None else chosen.seed
    recipe = {"number": number, "strict": rule}
    return quiz_about(game, strict=rule, seed=seed, title=f"Quiz {number}: {TITLES[number - 1]}", recipe=recipe)


# Recipes -------------------------------------------------------------------------------------------------------------


def quiz_of(recipe: Mapping[str, Any]) -> Quiz:
    """Return the quiz that a recipe makes: ``{"number": 1}``, ``{"seed": 7, "wishes": {"depth": 4}}`` or
    ``{"tree": "[[3, 12], [2, 4]]"}``, optionally with ``"strict"``.  The tree is a text for ``Tree.from_text``.

    Raises:
        QuizError: the recipe is invalid.
        GameError: its tree is invalid.
    """
    strict = recipe.get("strict")
    if strict is not None and not isinstance(strict, bool):
        raise QuizError(f"strict={strict!r} must be true or false")
    match [name for name in ("number", "seed", "tree") if recipe.get(name) is not None]:
        case ["number"]:
            return quiz_number(recipe["number"], strict=strict)
        case ["seed"]:
            return random_quiz(_checked_seed(recipe["seed"]), _read_wishes(recipe.get("wishes")), strict=bool(strict))
        case ["tree"]:
            if not isinstance(recipe["tree"], str):
                raise QuizError("tree must be a text: JSON, nested lists, or Berkeley's format")
            tree = Tree.from_text(recipe["tree"])
            return quiz_about(tree, strict=bool(strict), title="Your tree", recipe=recipe)
    raise QuizError("a quiz needs exactly one of number, seed and tree")


def _checked_seed(seed: Any) -> int:
    if type(seed) is not int or not 0 <= seed < 1 << 53:
        raise QuizError(f"seed={seed!r} must be a whole number from 0 to 2**53 - 1")
    return seed


def _read_wishes(given: Any) -> Wishes:
    names = [field.name for field in dataclasses.fields(Wishes)]
    if given is not None and not isinstance(given, Mapping):
        raise QuizError(f'wishes={given!r} must be an object, such as {{"depth": 3}}')
    for name, value in (given or {}).items():
        if name not in names:
            raise QuizError(f"wishes cannot have {name!r}; there are: {', '.join(names)}")
        if name in ("inner", "deep", "ragged") and not isinstance(value, bool):
            raise QuizError(f"{name}={value!r} must be true or false")
    if (given or {}).get("ties") not in (None, True, False):
        raise QuizError("ties must be true, false or null")
    return Wishes(**(given or {}))
