"""One sentence for each event of a recorded search, and a preface to read first.

The words are the textbook's: Max has secured alpha somewhere on the path to a node, Min has secured beta.  In negamax
forms both are for the player to move, and the sentences say so.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from plywise.algorithms.watch import Event
from plywise.explain.search_tree import SearchTree, Visit, known_average
from plywise.explain.text import listing, number, window, with_words
from plywise.explain.titles import algorithm_title, in_words
from plywise.game import MAX, MIN
from plywise.io.wording import chance_text
from plywise.layers import CHANCE
from plywise.result import RELATION, Result, guessed, meaning

CUT_RULES = {
    "never": "Nothing is cut",
    "best score": "Cut rule: a player has the best possible score",
    "good enough": "Cut rule: a move is good enough",
    "one answer": "Cut rule: one yes is enough for Max, one no for Min",
    "shares": "Cut rule: a player has secured so much that too little is left for the player who moved before",
    "window": "Cut rule: alpha ≥ beta",
}
AVERAGE_RULE = "Cut rule: alpha ≥ beta, or an average that cannot come into the window"
STRICT_RULE = "Cut rule: alpha > beta (strict)"


def subject(tree: SearchTree) -> str:
    """Return a heading: the algorithm, the game and the depth."""
    depth = "to the end" if tree.depth is None else f"to depth {tree.depth}"
    return f"{algorithm_title(tree.algorithm.name, capital=True)} on {in_words(tree.game)}, {depth}"


def preface(tree: SearchTree) -> list[str]:
    """Return facts about the whole search: whose point of view values have, when it cuts, who Max and Min are."""
    view = "coalition" if tree.algorithm.coalition else tree.algorithm.view
    things = "Values and windows (alpha, beta)" if tree.algorithm.has_window else "Values"
    facts = [
        {
            "max": f"{things} are Max's.",
            "mover": f"{things} are for the player to move: they change sign when the turn passes.",
            "answer": "The search asks one question of every position and answers yes or no.",
            "scores": "A value has one score for each player; each player maximises its own.",
            "coalition": "A value has one score for each player; all others play against the player at the root.",
        }[view]
    ]
    facts.append(f"{cut_rule(tree)}.")
    names = [tree.game.player_name(player) for player in (MAX, MIN)]
    if not tree.algorithm.many_players and names != ["Max", "Min"]:
        facts.append(f"{names[0]} is Max, {names[1]} is Min.")
    return facts


def outcome(tree: SearchTree) -> list[str]:
    """Return the value of the root in the game's own words, if they say more than the number."""
    root = tree.passes[-1].root
    words = tree.words(root) if root.value is not None and root.relation == "=" else ""
    proven = all(visit.kind != "horizon" for visit in tree.visits.values())
    is_or_means = "is an estimate" if guessed(tree.game, root.value, proven) else "means"
    return [f"The value {number(root.value)} {is_or_means}: {words}."] if words else []


def cut_rule(tree: SearchTree) -> str:
    """Return in words when this search cuts off moves."""
    cuts = tree.algorithm.cuts
    if cuts == "window" and tree.algorithm.takes_chance:
        return AVERAGE_RULE
    return STRICT_RULE if cuts == "window" and tree.strict else CUT_RULES[cuts]


def sentence(tree: SearchTree, event: Event) -> str:
    """Return one sentence about an event.  ``tree`` must have been grown at least up to ``event``."""
    if event.kind == "restart":
        return f"A pass over the whole tree begins, with the window {window(event.alpha, event.beta)}."
    return _TELLERS[event.kind](tree, tree.visits[event.node], event)


def summary(result: Result, tree: SearchTree | None = None) -> str:
    """Return the value, the best play and the nodes of a search, in one line.

    With its ``tree``, a value outside the window is no bound if the tree shows that it is exact.
    """
    leaves = "" if result.leaves is None else f", {result.leaves:,} of them leaves"
    relation, words = RELATION[result.bound], result.said()
    if relation and tree is not None and _is_exact(tree.passes[-1].root):
        relation, words = "", tree.words(tree.passes[-1].root)
    return (
        f"value {relation}{with_words(result.value, words)}{' expected' * result.expected}, "
        f"best play {' '.join(result.line_names()) or 'unknown'}; {result.nodes:,} nodes visited{leaves}"
    )


def _is_exact(visit: Visit) -> bool:
    return visit.relation == "=" and not visit.question and visit.kind != "recalled"


def place(tree: SearchTree, visit: Visit) -> str:
    """Return the place of a visit: the root, or the moves that lead there."""
    if visit.parent is None:
        return "the root"
    moves = [tree.move_label(above, below.move) for above, below in zip(visit.path, visit.path[1:], strict=False)]
    return f"{' '.join(moves)}"


def cut_reason(tree: SearchTree, visit: Visit) -> str:
    """Return why the remaining moves at a visit were cut off."""
    event = visit.cut
    assert event is not None
    if visit.player == CHANCE:
        return _average_reason(tree, visit, event)
    cuts, mine = tree.algorithm.cuts, tree.role(visit.player)
    alpha, beta = number(event.alpha), number(event.beta)
    if cuts == "one answer":
        return f"one {'yes' if visit.player == MAX else 'no'} is enough for {mine}"
    if cuts == "best score":
        return f"{alpha} is the best {mine} can get"
    if cuts == "good enough":
        enough = beta if visit.player == MAX else alpha
        return f"{enough} is good enough for {mine}"
    if cuts == "shares":
        above = "the player who moved before" if visit.parent is None else tree.role(visit.parent.player)
        return f"{mine} has {alpha} ≥ {beta}, which leaves too little for {above} to come here"
    compared = f"alpha {alpha} {'=' if event.alpha == event.beta else '>'} beta {beta}"
    if tree.algorithm.coalition:
        hero = tree.role(visit.path[0].player)
        has = f"{hero} already has {alpha}" if visit.against else f"the others can already hold {hero} to {beta}"
        return f"{compared}: {has}, so {'it' if visit.against else 'they'} will not come here"
    return f"{compared}: {_whose_limit(tree, visit, visit.player)}"


def _average_reason(tree: SearchTree, visit: Visit, event: Event) -> str:
    """Return why the remaining outcomes of chance do not matter, with the arithmetic."""
    assert visit.compared is not None
    low, high = visit.compared
    is_low = low >= event.beta
    bound, words = (low, "at least") if is_low else (high, "at most")
    terms, rest = [], bound
    for child in visit.children:
        if child.way != "probe" and child.value is not None:
            odds = tree.game.probability(visit.state, child.move)
            terms.append(_product(odds, child.value))
            rest -= odds * child.value
    known = f"{' + '.join(terms)} + {words} {number(round(rest, 9))} = " if terms else "the average is "
    compared = f"≥ beta {number(event.beta)}" if is_low else f"≤ alpha {number(event.alpha)}"
    return f"{known}{words} {number(bound)} {compared}: {_whose_limit(tree, visit, MAX if is_low else MIN)}"


def _whose_limit(tree: SearchTree, visit: Visit, player: int) -> str:
    """Return why values beyond the limit of ``player`` do not matter: it bounds the search, a test or an average, or
    the opponent has it.
    """
    limit = tree.limit(visit, player)
    for above in reversed(visit.path):
        if tree.limit(above, player) != limit:
            if above.player == CHANCE:
                return f"beyond {number(limit)}, nothing changes at {_at(tree, above)}"
            break
        if above.parent is None:
            return "outside the window of the search the exact value does not matter"
        if above.way == "null window" and above.parent.player == player:
            return "that decides the test"
    opponent = MIN if player == MAX else MAX
    return f"{tree.role(opponent)} already has {number(tree.seen_by(limit, opponent))}, so will not come here"


def _enter(tree: SearchTree, visit: Visit, event: Event) -> str:
    who = f"Enter {_at(tree, visit)}"
    if visit.question:
        return f"{who}: is its value {_asked(visit)}?"
    if tree.algorithm.has_window:
        return f"{who} with the window {window(event.alpha, event.beta)}."
    if not _has_moves(tree, visit):
        return f"{who}."
    enough = "" if number(event.beta) == "∞" else f"; {number(event.beta)} would be enough for a cut"
    if visit.player == CHANCE:
        return f"{who}: its value is the average of its outcomes."
    return f"{who}: {tree.role(visit.player)} is to move{enough}."


def _leaf(tree: SearchTree, visit: Visit, event: Event) -> str:
    what = "the game is over, score" if event.terminal else "depth limit reached, estimate"
    text = f"Leaf {place(tree, visit)}: {what} {with_words(event.value, meaning(tree.game, event.value))}"
    if tree.signs_turn and visit.player != MAX:
        text += f" for Max, which is {number(visit.value)} for Min, the player to move"
    if visit.question:
        text += f": {'yes' if _answers_yes(visit, event.value) else 'no'}"
    return f"{text}."


def _update(tree: SearchTree, visit: Visit, event: Event) -> str:
    move = tree.move_label(visit, event.move)
    if visit.question:
        answer = "yes" if event.value else "no"
        return f"At {_at(tree, visit)}: {move} answers {answer}, as {tree.role(visit.player)} wants."
    text = f"At {_at(tree, visit)}: {move} is the best so far, with {number(event.value)}"
    return f"{text}; the window is now {window(event.alpha, event.beta)}." if tree.algorithm.has_window else f"{text}."


def _cut(tree: SearchTree, visit: Visit, event: Event) -> str:
    text = f"Cut at {_at(tree, visit)}: {cut_reason(tree, visit)}"
    if not event.left_out:
        probed = any(child.way == "probe" for child in visit.children)
        return f"{text}; what was only probed need not be searched." if probed else f"{text}; but no moves were left."
    moves = [tree.move_label(visit, move) for move in event.left_out]
    return f"{text}; {listing(moves)} {'is' if len(moves) == 1 else 'are'} left out."


def _weigh(tree: SearchTree, visit: Visit, event: Event) -> str:
    odds, move = tree.game.probability(visit.state, event.move), tree.move_label(visit, event.move)
    value = np.asarray(event.value).tolist()
    share = tuple(odds * each for each in value) if isinstance(value, list) else odds * value
    text = f"At {_at(tree, visit)}: {move} adds {_product(odds, event.value)} = {number(share)} to the average"
    known = _between(*known_average(visit, event))
    return f"{text}, which is {known}." if known else f"{text}."


def _bound(tree: SearchTree, visit: Visit, event: Event) -> str:
    known = _between(*known_average(visit, event)) or "still anything"
    return f"At {_at(tree, visit)}: after {tree.move_label(visit, event.move)}, the average is {known}."


def _between(low: Any, high: Any) -> str:
    if math.isinf(low) or math.isinf(high):
        return "" if low == -high else f"at most {number(high)}" if math.isinf(low) else f"at least {number(low)}"
    return f"between {number(low)} and {number(high)}"


def _product(odds: float, value: Any) -> str:
    text = number(value)
    return f"{chance_text(odds)} · {f'({text})' if text.startswith('-') else text}"


def _probe(tree: SearchTree, visit: Visit, event: Event) -> str:
    move, limits = tree.move_label(visit, event.move), window(event.alpha, event.beta)
    return f"At {_at(tree, visit)}: probe {move}, with one move and the window {limits}."


def _null_window(tree: SearchTree, visit: Visit, event: Event) -> str:
    move = tree.move_label(visit, event.move)
    text = f"At {_at(tree, visit)}: test whether {move} is better than {number(event.alpha)}"
    if tree.algorithm.asks:
        return f"{text}, with a boolean search."
    return f"{text}, with the null window {window(event.alpha, event.beta)}."


def _research(tree: SearchTree, visit: Visit, event: Event) -> str:
    text = f"At {_at(tree, visit)}: {tree.move_label(visit, event.move)} is better, so search it again for its value"
    return f"{text}, with the window {window(event.alpha, event.beta)}." if tree.algorithm.has_window else f"{text}."


def _recall(tree: SearchTree, visit: Visit, event: Event) -> str:
    return f"The memo knows {place(tree, visit)}: {_found(visit)}, with the move {tree.move_label(visit, event.move)}."


def _return(tree: SearchTree, visit: Visit, event: Event) -> str:
    who = _at(tree, visit, capital=True)
    if visit.question:
        return f"{who} answers {'yes' if event.value else 'no'}."
    return f"{who} returns {_found(visit)}."


_TELLERS: dict[str, Callable[[SearchTree, Visit, Event], str]] = {
    "enter": _enter,
    "leaf": _leaf,
    "update": _update,
    "weigh": _weigh,
    "bound": _bound,
    "probe": _probe,
    "cut": _cut,
    "null window": _null_window,
    "re-search": _research,
    "recall": _recall,
    "return": _return,
}


def _at(tree: SearchTree, visit: Visit, capital: bool = False) -> str:
    """Return a visit as it is named in a sentence: the root (Max), or B R (Min)."""
    where = place(tree, visit)
    if capital:
        where = where[0].upper() + where[1:] if visit.parent is None else where
    return f"{where} ({tree.role(visit.player)})" if _has_moves(tree, visit) else where


def _has_moves(tree: SearchTree, visit: Visit) -> bool:
    return not tree.game.is_terminal(visit.state)


def _asked(visit: Visit) -> str:
    return f"{'at least' if visit.question == '>=' else 'above'} {number(visit.alpha)}"


def _answers_yes(visit: Visit, value: Any) -> bool:
    return bool(value > visit.alpha or (value == visit.alpha and visit.question == ">="))


def _found(visit: Visit) -> str:
    words = {"=": "", "≤": "at most ", "≥": "at least "}[visit.relation]
    inside = visit.relation == "=" or visit.way == "probe" or isinstance(visit.value, tuple)
    outside = "" if inside else ", which is outside its window"
    return f"{words}{number(visit.value)}{outside}"
