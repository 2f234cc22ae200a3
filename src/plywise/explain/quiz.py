"""A quiz: a tree, up to four questions about what alpha-beta does there, and exact grading.

The answers are read from the events of a recorded search, and so is the step that shows why an answer is wrong.  A leaf
is pruned if alpha-beta never enters it.  Which leaves are pruned may depend on whether a tie is cut (``alpha >= beta``)
or not (``alpha > beta``), so every quiz states its rule.
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from plywise.algorithms.watch import Event
from plywise.errors import QuizError
from plywise.explain.hints import move_hint, pruned_hint, value_hint, window_hint
from plywise.explain.lettering import lettered, letters
from plywise.explain.search_tree import SearchTree, Visit, grow
from plywise.explain.sentences import cut_rule, place, sentence
from plywise.explain.text import listing, number, window
from plywise.explain.titles import in_words
from plywise.game import MAX, MIN, Game, Move, State
from plywise.inputs.positions import position, unfinished
from plywise.io.numbers import read_real
from plywise.layers import Chance
from plywise.result import Result

if TYPE_CHECKING:
    from plywise.games import Tree

MOST_LEAVES = 250
"""The most leaves in a quiz: larger trees are too big to draw and to answer."""
MOST_PLIES = 30

Name = Literal["value", "pruned", "window", "move"]
QUESTIONS: tuple[Name, ...] = get_args(Name)

TIE_RULES: Mapping[bool, str] = MappingProxyType({False: "a tie is cut", True: "a tie is not cut"})
"""What the cut rule means, by whether it is strict."""


class Question(NamedTuple):
    name: Name
    text: str
    form: str
    """The form of an answer."""


class Step(NamedTuple):
    """One event of the search."""

    number: int
    """Its place in the list of events, from 1, as in ``plywise tree --steps``."""
    sentence: str


class Remark(NamedTuple):
    """A mistake in an answer, and the step that shows it."""

    text: str
    leaves: tuple[str, ...]
    """The leaves it is about, if any."""
    step: Step


@dataclasses.dataclass(frozen=True)
class Grade:
    """Whether an answer is right and, if not, why."""

    name: Name
    given: str
    """The answer as it was understood."""
    right: bool
    remarks: tuple[Remark, ...]
    """The mistakes, with the steps that show them."""
    hint: str = ""
    """Where to look again if the answer is wrong; it does not tell the right answer."""

    def to_json(self) -> dict[str, Any]:
        remarks = [{**remark._asdict(), "step": remark.step._asdict()} for remark in self.remarks]
        return {
            "question": self.name, "given": self.given, "right": self.right, "hint": self.hint, "remarks": remarks,
        }  # fmt: skip


@dataclasses.dataclass(frozen=True, eq=False)
class Quiz:
    """A tree and questions about it.  ``quiz_about``, ``quiz_number`` and ``plywise.explain.random_quiz`` make one.

    >>> from plywise.explain import quiz_number
    >>> red_blue = quiz_number(1)
    >>> red_blue.rule, red_blue.answer("pruned")
    ('Cut rule: alpha ≥ beta: a tie is cut', 'g h')
    >>> grade = red_blue.grade("pruned", "h")
    >>> grade.right, grade.remarks[0].text
    (False, 'g (R R B) is never looked at.')
    >>> print(red_blue.grade("value", "6").hint)
    6 does not get past node R R: Min has a better move there.
    """

    title: str
    recipe: Mapping[str, Any]
    """How to make this quiz again: its number, its seed and wishes, or its tree."""
    whole: SearchTree
    """The search by minimax: it visits every node, so this is the whole tree."""
    searched: SearchTree
    """The search by alpha-beta."""
    events: tuple[Event, ...]
    """The events of the search by alpha-beta."""
    seed: int = 0
    """Decides which node is marked."""
    given: Game | None = None
    """The tree as it was given, if its nodes were only numbered and have letters now."""

    # The tree -------------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return self.whole.game

    @property
    def root(self) -> Visit:
        return self.whole.passes[0].root

    @cached_property
    def leaves(self) -> dict[str, Visit]:
        """The leaves of the whole tree from left to right, by their letters."""
        found = [visit for visit in self.whole.visits.values() if visit.kind != "inner"]
        return {letters(i): leaf for i, leaf in enumerate(found)}

    @cached_property
    def is_lettered(self) -> bool:
        """Whether the last move to every leaf is its letter, so that a drawing need not repeat it."""
        return all(place(self.whole, leaf).split()[-1] == letter for letter, leaf in self.leaves.items())

    @cached_property
    def marked(self) -> Visit | None:
        """The node whose window is asked for, as alpha-beta visited it; None if only the root has moves.

        It is one of the nodes whose windows have the most finite ends.
        """
        inner = [visit for visit in self.searched.visits.values() if visit.kind == "inner" and visit.parent]
        known = [math.isfinite(visit.alpha) + math.isfinite(visit.beta) for visit in inner]
        best = [visit for visit, count in zip(inner, known, strict=True) if count == max(known)]
        return best[int(random.Random(self.seed).random() * len(best))] if best else None

    @cached_property
    def pruned(self) -> frozenset[str]:
        """The letters of the leaves that alpha-beta never enters."""
        return frozenset(letter for letter, leaf in self.leaves.items() if _moves(leaf) not in self._visited)

    @cached_property
    def _visited(self) -> dict[tuple[Move, ...], Visit]:
        return {_moves(visit): visit for visit in self.searched.visits.values()}

    def entered_above(self, letter: str) -> Visit:
        """Return the lowest node above a leaf that alpha-beta enters; for a pruned leaf, the node that cut it off."""
        moves = _moves(self.leaves[letter])
        return next(self._visited[moves[:i]] for i in reversed(range(len(moves))) if moves[:i] in self._visited)

    def label(self, letter: str) -> str:
        """Return the letter of a leaf, with the moves that lead there unless they end with the letter."""
        return letter if self.is_lettered else f"{letter} ({place(self.whole, self.leaves[letter])})"

    # The questions --------------------------------------------------------------------------------------------------

    @property
    def rule(self) -> str:
        """When the search cuts, in symbols and in words."""
        return f"{cut_rule(self.searched)}: {TIE_RULES[self.searched.strict]}"

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        who = self.whole.role(self.root.player)
        moves = [self.whole.move_text(self.root, child.move) for child in self.root.children]
        asked = [
            Question("value", "What is the value of the root?", "a number"),
            Question(
                "pruned",
                "Which leaves does alpha-beta never look at?",
                f"letters such as {_some(self.leaves)}, or none",
            ),
        ]
        if self.marked is not None:
            where = place(self.searched, self.marked)
            text = f"With which window (alpha, beta) does alpha-beta enter the marked node, {where}?"
            asked.append(Question("window", text, "two numbers such as -inf 3"))
        text = f"Which move does {who} choose at the root?  If several are equally good, give the first."
        asked.append(Question("move", text, f"one of {', '.join(moves)}"))
        return tuple(asked)

    def question(self, name: str) -> Question:
        """Return the question of this name.

        Raises:
            QuizError: this quiz has no such question.
        """
        for question in self.questions:
            if question.name == name:
                return question
        raise QuizError(f"{name!r} is not a question of this quiz; it asks {_names(self.questions)}")

    def answer(self, name: str) -> str:
        """Return the right answer."""
        return _ASPECTS[self.question(name).name].answer(self)

    def why(self, name: str) -> list[Step]:
        """Return the steps that show the right answer."""
        return _ASPECTS[self.question(name).name].why(self)

    def grade(self, name: str, text: str) -> Grade:
        """Grade an answer; if it is wrong, there is a hint, and the steps show why.

        Raises:
            QuizError: the text cannot be an answer to the question, or there is no such question.
        """
        question = self.question(name)
        given, remarks, hint = _ASPECTS[question.name].grade(self, text.strip())
        return Grade(question.name, given, not remarks, tuple(remarks), hint)

    # Steps ----------------------------------------------------------------------------------------------------------

    def step(self, kind: str, visit: Visit) -> Step:
        """Return the last event of a kind at a visit of alpha-beta."""
        return self._last(lambda event: event.kind == kind and event.node == visit.number)

    def secured(self, player: int) -> Step:
        """Return the step that set an end of the marked node's window: an update above it, or its entry.

        Only steps before the entry count: later the same value may reach a node higher up.
        """
        assert self.marked is not None
        entry, end = self.step("enter", self.marked), self.marked.alpha if player == MAX else self.marked.beta
        if math.isinf(end):
            return entry
        above = {visit.number for visit in self.marked.path[:-1] if visit.player == player}

        def set_it(event: Event) -> bool:
            if event.kind != "update" or event.node not in above:
                return False
            return bool((event.alpha if player == MAX else event.beta) == end)

        return self._last(set_it, before=entry.number)

    def _last(self, wanted: Callable[[Event], bool], before: int | None = None) -> Step:
        """Return the last event that is ``wanted``, if ``before`` is given the last one before that step."""
        found = next(i for i in reversed(range(len(self.events[:before]))) if wanted(self.events[i]))
        return Step(found + 1, sentence(self.searched, self.events[found]))

    # For programs ---------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return the quiz without its answers."""
        return {
            "title": self.title,
            "recipe": dict(self.recipe),
            "rule": self.rule,
            "strict": self.searched.strict,
            "tree": self._node(self.root, {leaf: letter for letter, leaf in self.leaves.items()}),
            "marked": None if self.marked is None else place(self.searched, self.marked),
            "leaves": [
                {"letter": letter, "place": place(self.whole, leaf), "value": leaf.value}
                for letter, leaf in self.leaves.items()
            ],
            "questions": [question._asdict() for question in self.questions],
        }

    def to_tree(self) -> Tree:
        """Return the tree as an explicit ``plywise.games.Tree``, which can be saved to a file."""
        from plywise.games import Tree

        given = Tree.of(self.given or self.game) if self.root.state == self.game.initial() else None
        return given or Tree.from_json(_json_tree(self.to_json()["tree"]))

    def is_marked(self, visit: Visit) -> bool:
        """Return whether a visit of the whole tree is the marked node."""
        return self.marked is not None and _moves(visit) == _moves(self.marked)

    def _node(self, visit: Visit, letter: Mapping[Visit, str]) -> dict[str, Any]:
        report: dict[str, Any] = {
            "move": None if visit.parent is None else self.whole.move_text(visit.parent, visit.move)
        }
        if visit in letter:
            return report | {"leaf": letter[visit], "value": visit.value}
        report |= {"player": self.whole.role(visit.player), "marked": self.is_marked(visit)}
        return report | {"children": [self._node(child, letter) for child in visit.children]}


def _json_tree(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return a node of ``Quiz.to_json`` for ``Tree.from_json``."""
    tree = {} if node["move"] is None else {"move": node["move"]}
    if "leaf" in node:
        return tree | {"name": node["leaf"], "value": node["value"]}
    return tree | {"player": node["player"].lower(), "children": [_json_tree(child) for child in node["children"]]}


# Making one ----------------------------------------------------------------------------------------------------------


def quiz_about(
    game: Game, state: State | str | None = None, *, depth: int | None = None, strict: bool = False, seed: int = 0,
    title: str | None = None, recipe: Mapping[str, Any] | None = None,
) -> Quiz:  # fmt: skip
    """Return a quiz about a tree, or about a position of any zero-sum game for two players.

    In a tree without names, nodes get the same letters as in the Explain room.

    Args:
        game: the game, or an explicit tree.
        state: the root; default: the initial position.
        depth: how deep the tree goes; default: to the end of the game.
        strict: cut only on ``alpha > beta``; default: on ``alpha >= beta``.
        seed: decides which node is marked.
        title: the name of the quiz.
        recipe: how to make the quiz again; it is stored with the quiz.

    Raises:
        QuizError: the tree is too large, or the game is not zero-sum for two players or has chance.
    """
    from plywise.games import Tree

    start = unfinished(game, position(game, state))
    if not game.is_zero_sum():
        raise QuizError(f"{game!r} is not a zero-sum game for two players, as alpha-beta needs")
    if isinstance(game, Chance):
        raise QuizError(f"chance moves in {game!r}, and alpha-beta is for games without it")
    height = _height(game, start, depth)
    named = title or f"{in_words(game, capital=True)}{'' if state is None else f', position {game.format(start)}'}"

    def made(game: Game, given: Game | None = None) -> Quiz:
        whole = grow(record(game, start, height, "minimax"))
        result = record(game, start, height, "alphabeta", strict=strict)
        assert result.events is not None
        return Quiz(named, recipe or {}, whole, grow(result, strict=strict), result.events, seed, given)

    tree = Tree.of(game)
    if tree is not None and (with_letters := lettered(tree)).nodes != tree.nodes:
        quiz = made(with_letters, given=tree)
        if quiz.is_lettered:  # else the names and the letters of leaves would differ
            return quiz
    return made(game)


def record(game: Game, state: State, depth: int, algorithm: str, **options: Any) -> Result:
    """Return a recorded search to the tree's own ``depth``: without a limit, a search reserves room for long lines."""
    from plywise.compiling.reading import interpreted
    from plywise.search import search

    with interpreted():
        return search(game, state, depth=depth, algorithm=algorithm, record=True, **options)


def _height(game: Game, start: State, depth: int | None) -> int:
    """Return the depth of the tree, and check that the tree is small."""
    level, height, ends = [start], 0, 0
    while level and height != depth:
        below = []
        for state in level:
            moves = [] if game.is_terminal(state) else list(game.moves(state))
            ends += not moves
            below += [game.play(state, move) for move in moves]
            if ends + len(below) > MOST_LEAVES:
                raise QuizError(f"this tree has more than {MOST_LEAVES} leaves: choose a smaller depth")
        level, height = below, height + bool(below)
        if height > MOST_PLIES:
            raise QuizError(f"this tree is deeper than {MOST_PLIES} plies: choose a smaller depth")
    return height


# Grading -------------------------------------------------------------------------------------------------------------


class _Graded(NamedTuple):
    """An answer as it was understood, remarks on its mistakes, and a hint if there are any."""

    given: str
    remarks: list[Remark]
    hint: str = ""


class _Aspect(NamedTuple):
    """How to answer, explain and grade one question."""

    answer: Callable[[Quiz], str]
    why: Callable[[Quiz], list[Step]]
    grade: Callable[[Quiz, str], _Graded]


def _searched_root(quiz: Quiz) -> Visit:
    return quiz.searched.passes[0].root


def _value_answer(quiz: Quiz) -> str:
    return number(_searched_root(quiz).value)


def _value_why(quiz: Quiz) -> list[Step]:
    return [quiz.step("return", _searched_root(quiz))]


def _grade_value(quiz: Quiz, text: str) -> _Graded:
    given = _read_number(text)
    if _is(given, _searched_root(quiz).value):
        return _Graded(number(given), [])
    remarks = [Remark(f"The value is not {number(given)}.", (), step) for step in _value_why(quiz)]
    return _Graded(number(given), remarks, value_hint(quiz, given))


def _move_answer(quiz: Quiz) -> str:
    root = _searched_root(quiz)
    return quiz.searched.move_text(root, root.best)


def _move_why(quiz: Quiz) -> list[Step]:
    return [quiz.step("update", _searched_root(quiz))]


def _grade_move(quiz: Quiz, text: str) -> _Graded:
    moves = [quiz.whole.move_text(quiz.root, child.move) for child in quiz.root.children]
    text = _with_letter(quiz, text)
    same = [move for move in moves if move.lower() == text.lower()]
    if text not in moves and len(same) != 1:
        raise QuizError(f"{text!r} is not a move at the root; moves are {', '.join(moves)}")
    given = text if text in moves else same[0]
    if given == _move_answer(quiz):
        return _Graded(given, [])
    remarks = [Remark(f"{given} is not the right move.", (), step) for step in _move_why(quiz)]
    return _Graded(given, remarks, move_hint(quiz, given))


def _with_letter(quiz: Quiz, text: str) -> str:
    """Return the letter of a move at the root that is answered by its number, which also counts."""
    if quiz.given is None:
        return text
    numbers = {quiz.given.format_move(quiz.root.state, child.move): child.move for child in quiz.root.children}
    return quiz.whole.move_text(quiz.root, numbers[text]) if text in numbers else text


def _window_answer(quiz: Quiz) -> str:
    assert quiz.marked is not None
    return window(quiz.marked.alpha, quiz.marked.beta)


def _window_why(quiz: Quiz) -> list[Step]:
    assert quiz.marked is not None
    steps = {quiz.secured(MAX), quiz.secured(MIN), quiz.step("enter", quiz.marked)}
    return sorted(steps)


def _grade_window(quiz: Quiz, text: str) -> _Graded:
    assert quiz.marked is not None
    words = text.strip("()[] ").replace(",", " ").replace(";", " ").split()
    if len(words) != 2:
        raise QuizError(f"{text!r} is not a window: give alpha and beta, such as -inf 3")
    low, high = (_read_number(word.rstrip("+-")) for word in words)  # a plus or a minus tells equal ends apart
    ends = (("Alpha", low, quiz.marked.alpha, MAX), ("Beta", high, quiz.marked.beta, MIN))
    wrong = {
        player: Remark(f"{name} is not {number(given)}.", (), quiz.secured(player))
        for name, given, right, player in ends
        if not _is(given, right)
    }
    return _Graded(window(low, high), list(wrong.values()), window_hint(quiz, wrong) if wrong else "")


def _pruned_answer(quiz: Quiz) -> str:
    return _letters_text(quiz, quiz.pruned)


def _pruned_why(quiz: Quiz) -> list[Step]:
    if not quiz.pruned:
        return _value_why(quiz)
    return sorted({quiz.step("cut", quiz.entered_above(letter)) for letter in quiz.pruned})


def _grade_pruned(quiz: Quiz, text: str) -> _Graded:
    given = _read_letters(quiz, text)
    wrong = sorted(given ^ quiz.pruned, key=list(quiz.leaves).index)
    remarks: dict[Step, list[str]] = {}
    for letter in wrong:
        if letter in quiz.pruned:
            step = quiz.step("cut", quiz.entered_above(letter))
        else:
            step = quiz.step("leaf", quiz._visited[_moves(quiz.leaves[letter])])
        remarks.setdefault(step, []).append(letter)
    hint = pruned_hint(quiz, wrong[0]) if wrong else ""
    told = [_about_leaves(quiz, these, step) for step, these in remarks.items()]
    return _Graded(_letters_text(quiz, given), told, hint)


def _about_leaves(quiz: Quiz, these: list[str], step: Step) -> Remark:
    """Return the remark about leaves that one step cut off, or about one that was looked at."""
    are = "is" if len(these) == 1 else "are"
    said = f"{are} never looked at" if these[0] in quiz.pruned else f"{are} looked at"
    return Remark(f"{listing([quiz.label(letter) for letter in these])} {said}.", tuple(these), step)


_ASPECTS: Mapping[Name, _Aspect] = MappingProxyType(
    {
        "value": _Aspect(_value_answer, _value_why, _grade_value),
        "pruned": _Aspect(_pruned_answer, _pruned_why, _grade_pruned),
        "window": _Aspect(_window_answer, _window_why, _grade_window),
        "move": _Aspect(_move_answer, _move_why, _grade_move),
    }
)


# Moves and numbers ---------------------------------------------------------------------------------------------------


def _moves(visit: Visit) -> tuple[Move, ...]:
    """Return the moves from the root to a visit, which identify it in both searches."""
    return tuple(step.move for step in visit.path[1:])


def _read_number(text: str) -> float:
    """Return the number in a text, with any of the usual minus signs and infinities."""
    plain = text.strip().lower().replace("−", "-").replace("–", "-").replace("∞", "inf")
    try:
        return read_real(plain)
    except ValueError:
        raise QuizError(f"{text!r} is not a number, such as 3 or -inf") from None


def _is(given: float, right: float) -> bool:
    """Return whether the given number is right: the exact number, or as it is rounded in the drawing."""
    return given in (right, _read_number(number(right)))


def _read_letters(quiz: Quiz, text: str) -> frozenset[str]:
    words = text.replace(",", " ").split()
    if [word.lower() for word in words] in ([], ["none"], ["-"]):
        return frozenset()
    for word in words:
        if word.lower() not in quiz.leaves:
            raise QuizError(f"{word!r} is not a leaf; leaves are {_some(quiz.leaves)}, or answer none")
    return frozenset(word.lower() for word in words)


def _letters_text(quiz: Quiz, these: frozenset[str]) -> str:
    return " ".join(letter for letter in quiz.leaves if letter in these) or "none"


def _some(leaves: Iterable[str]) -> str:
    found = list(leaves)
    return " ".join(found) if len(found) <= 4 else f"{found[0]} {found[1]} … {found[-1]}"


def _names(questions: Sequence[Question]) -> str:
    return listing([question.name for question in questions])
