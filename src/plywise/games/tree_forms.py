"""The formats of game trees, all read into one list of checked nodes.

Each reader turns its format into drafts: linked, unchecked nodes that know their place for error messages.
``finished`` checks drafts and numbers them, parents before children, so every format gets the same checks.
"""

from __future__ import annotations

import dataclasses
import json
import math
import numbers
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from plywise.errors import GameError
from plywise.io.numbers import read_value, whole_number
from plywise.layers import CHANCE

Value = int | float | tuple[int | float, ...]

PLAYERS = ("max", "min")
NATURE = "chance"
"""The player of a node at which chance decides."""
LARGEST = 1 << 62  # compiled code uses it as infinity
MOST_LEVELS = 400
"""Nested lists have at most this many levels: a deeper tree could be read, but not written as JSON."""

LONGEST_TEXT = 200
"""The most characters of a name or a move."""

SUM_TOLERANCE = 1e-9
"""How far from one the sum of probabilities may be, as given; those kept sum to one up to rounding."""


class TreeNode(NamedTuple):
    """A node of a finished tree."""

    name: str
    player: int
    """The player to move, or CHANCE; at a leaf, the one whose turn would be next."""
    value: Value | None
    """The score or scores of a leaf; elsewhere an estimate, if there is one."""
    children: tuple[int, ...]
    moves: tuple[str, ...]
    """The texts of the moves that lead to the children."""
    probabilities: tuple[float, ...] = ()
    """Of each child of a node at which chance decides; empty elsewhere."""


@dataclasses.dataclass(eq=False)
class Draft:
    """A node as given, still unchecked."""

    place: str
    """Its place in the source, for error messages."""
    name: str | None = None
    player: Any = None
    value: Any = None
    edges: list[tuple[str | None, Draft]] = dataclasses.field(default_factory=list)
    """The texts of the moves, if given, and the nodes they lead to."""
    probabilities: Any = None
    """One for each edge; None: equally likely."""


# ---------------------------------------------------------------------------------------------------------------------
# Checking
# ---------------------------------------------------------------------------------------------------------------------


def finished(root: Draft, player_names: Sequence[str] = ()) -> list[TreeNode]:
    """Check drafts and number them, the root first and every node before its children.

    Raises:
        GameError: something is wrong; the message starts with the place.
    """
    drafts = _in_order(root)
    number = {draft: i for i, draft in enumerate(drafts)}
    children = [tuple(number[child] for _, child in draft.edges) for draft in drafts]
    values = [_checked_value(draft) for draft in drafts]
    count = _player_count(drafts, values)
    if player_names and len(player_names) != count:
        raise GameError(f"{root.place}: names for {len(player_names)} players, but values for {count}")
    players = [_checked_player(draft, player_names, count) if draft.edges else None for draft in drafts]
    for parent, below in zip(players, children, strict=True):
        for child in below:
            if players[child] is None:  # a leaf: as if play went on in turn
                players[child] = (parent + 1) % count  # type: ignore[operator]
    named = [draft for draft in drafts if draft.name is not None]
    _check_names(named, [_checked_text(draft, "name", draft.name) for draft in named])
    moves = [_checked_moves(draft) for draft in drafts]
    names = [draft.name or path for draft, path in zip(drafts, _paths(children, moves), strict=True)]
    _check_names(drafts, names)
    chances = [_checked_probabilities(draft, player) for draft, player in zip(drafts, players, strict=True)]
    return list(map(TreeNode, names, (player or 0 for player in players), values, children, moves, chances))


def _paths(children: Iterable[tuple[int, ...]], moves: Iterable[tuple[str, ...]]) -> list[str]:
    """Return the default name of each node: the moves that lead to it, such as 2.1."""
    paths = {0: "root"}
    for i, (below, texts) in enumerate(zip(children, moves, strict=True)):
        for child, text in zip(below, texts, strict=True):
            paths.setdefault(child, text if i == 0 else f"{paths[i]}.{text}")
    return [paths[i] for i in range(len(paths))]


def _in_order(root: Draft) -> list[Draft]:
    """Return all drafts, parents before children; in a tree, this is depth-first order."""
    order: list[Draft] = []
    done: dict[Draft, bool] = {}  # False while its descendants are being visited
    stack = [root]
    while stack:
        draft = stack[-1]
        if draft not in done:
            done[draft] = False
            for _, child in draft.edges:
                if done.get(child) is False:
                    raise GameError(f"{draft.place}: a move leads back to {child.place}; a game must end")
                if child not in done:
                    stack.append(child)
        else:
            stack.pop()
            if not done[draft]:
                done[draft] = True
                order.append(draft)
    return order[::-1]


def _checked_value(draft: Draft) -> Value | None:
    value = draft.value
    if value is None:
        if not draft.edges:
            raise GameError(f"{draft.place}: a leaf needs a value, or values, one for each player")
        return None
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        return _checked_number(draft, value)
    values = tuple(_checked_number(draft, item) for item in value)
    if not values:
        raise GameError(f"{draft.place}: values must not be empty")
    return values


def _checked_number(draft: Draft, value: Any) -> int | float:
    if _is_whole(value) and abs(int(value)) < LARGEST:
        return int(value)
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral) and math.isfinite(value):
        return float(value)
    raise GameError(f"{draft.place}: {value!r} is not a value; it must be a finite number, below 2**62 if whole")


def _is_whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def _player_count(drafts: list[Draft], values: list[Value | None]) -> int:
    """Return how many players there are; all values must agree on it."""
    first: tuple[Draft, int] | None = None
    for draft, value in zip(drafts, values, strict=True):
        if value is None:
            continue
        size = len(value) if isinstance(value, tuple) else 0
        first = first or (draft, size)
        if size != first[1]:
            raise GameError(f"{draft.place}: {_kind(size)}, but {first[0].place} has {_kind(first[1])}")
    assert first is not None
    return first[1] or len(PLAYERS)


def _kind(size: int) -> str:
    return f"values for {size} players" if size else "a single value"


def _checked_player(draft: Draft, player_names: Sequence[str], count: int) -> int:
    """Return the number of the player to move at an inner node."""
    label = draft.player
    names = [name.lower() for name in player_names or PLAYERS[:count]]
    if isinstance(label, str) and label.lower() in names:
        return names.index(label.lower())
    if isinstance(label, str) and label.lower() == NATURE:
        return CHANCE
    if _is_whole(label) and 0 <= int(label) < count:
        return int(label)
    wrong = "an inner node needs a player" if label is None else f"{label!r} is not a player here"
    raise GameError(f"{draft.place}: {wrong}; allowed are {', '.join(names)}, or a number from 0 to {count - 1}, or "
                    f"{NATURE} (for more than two players, each leaf needs values for all)")  # fmt: skip


def _checked_probabilities(draft: Draft, player: int | None) -> tuple[float, ...]:
    """Return the probability of each child, where chance decides; elsewhere none may be given."""
    given = draft.probabilities
    if player != CHANCE or not draft.edges:
        if given is not None:
            raise GameError(f"{draft.place}: probabilities are for nodes of the player {NATURE!r}")
        return ()
    count = len(draft.edges)
    if given is None:
        return (1 / count,) * count
    if not isinstance(given, (list, tuple)) or len(given) != count:
        raise GameError(f"{draft.place}: probabilities must be a list of {count} numbers, one for each child")
    for each in given:
        if not isinstance(each, numbers.Real) or isinstance(each, bool) or not 0 < float(each) <= 1 + SUM_TOLERANCE:
            raise GameError(f"{draft.place}: {each!r} is not a probability; it must be above 0 and at most 1")
    total = math.fsum(given)
    if abs(total - 1) > SUM_TOLERANCE:
        raise GameError(f"{draft.place}: the probabilities sum to {total:.12g}; they must sum to 1")
    rounded = abs(total - 1) < 1e-15 * count  # as near as floats can be: keep them as they are written
    return tuple(float(each) if rounded else float(each) / total for each in given)


def _check_names(drafts: list[Draft], names: Iterable[str]) -> None:
    """Check that all names differ."""
    owners: dict[str, Draft] = {}
    for draft, name in zip(drafts, names, strict=True):
        if name in owners:
            raise GameError(f"{draft.place}: {owners[name].place} already has the name {name!r}")
        owners[name] = draft


def _checked_moves(draft: Draft) -> tuple[str, ...]:
    """Return the texts of the moves: the given one, else the name of the child, else its number."""
    texts: dict[str, None] = {}  # in their order
    for i, (text, child) in enumerate(draft.edges, 1):
        move = _checked_text(draft, "move", text or child.name or str(i))
        if move in texts:
            raise GameError(f"{draft.place}: two moves are called {move!r}")
        texts[move] = None
    return tuple(texts)


def _checked_text(draft: Draft, what: str, text: Any) -> str:
    if not isinstance(text, str) or not re.fullmatch(r"[^\s\"']+", text) or not text.isprintable():
        shown = repr(text[:LONGEST_TEXT] if isinstance(text, str) else text)
        raise GameError(f"{draft.place}: {shown} is not a {what}; it must be a text without spaces and quotes")
    if len(text) > LONGEST_TEXT:
        raise GameError(f"{draft.place}: a {what} has {len(text):,} characters; at most {LONGEST_TEXT} are allowed")
    return text


# ---------------------------------------------------------------------------------------------------------------------
# JSON
# ---------------------------------------------------------------------------------------------------------------------

KEYS = ("name", "move", "player", "players", "children", "probabilities", "value", "values", "ref")


def read_json(source: Any) -> tuple[Draft, list[str]]:
    """Read the JSON form, an object or its text; returns the root and the names of the players."""
    if isinstance(source, (str, bytes)):
        try:
            source = json.loads(source)
        except (ValueError, RecursionError) as error:
            raise GameError(f"this is not JSON: {error}") from None
    root = Draft("root")
    references: list[tuple[Draft, int, str]] = []
    waiting: list[tuple[Any, Draft]] = [(source, root)]
    drafts = []
    while waiting:
        item, draft = waiting.pop()
        drafts.append(draft)
        if not isinstance(item, Mapping):
            draft.value = item
            if isinstance(item, (list, tuple)):
                raise GameError(f"{draft.place}: a list is not a node; a node is a number or an object, "
                                'such as {"player": "max", "children": [3, {"values": [5, 8]}]}')  # fmt: skip
            continue
        _check_keys(draft, item)
        draft.name, draft.player = item.get("name"), item.get("player")
        draft.probabilities = item.get("probabilities")
        draft.value = item.get("value", item.get("values"))
        for i, child in enumerate(item.get("children", ())):
            below = Draft(f"{draft.place}.children[{i}]")
            move = child.get("move") if isinstance(child, Mapping) else None
            draft.edges.append((move, below))
            if isinstance(child, Mapping) and "ref" in child:
                _check_keys(below, child)
                references.append((draft, i, child["ref"]))
            else:
                waiting.append((child, below))
    named = {draft.name: draft for draft in drafts if isinstance(draft.name, str)}
    for draft, i, name in references:
        move, below = draft.edges[i]
        if not isinstance(name, str) or name not in named:
            raise GameError(f"{below.place}: no node is named {name!r}")
        draft.edges[i] = (move, named[name])
    names = source.get("players", []) if isinstance(source, Mapping) else []
    return root, [_checked_text(root, "player's name", name) for name in names]


def _check_keys(draft: Draft, item: Mapping[str, Any]) -> None:
    for key in item:
        if key not in KEYS:
            raise GameError(f"{draft.place}: unknown key {key!r}; known are {', '.join(KEYS)}")
    if "players" in item and (draft.place != "root" or not isinstance(item["players"], list)):
        raise GameError(f'{draft.place}: "players" must be a list of names, and only the root can have it')
    if "value" in item and "values" in item:
        raise GameError(f'{draft.place}: give "value" or "values", not both')
    if "values" in item and not isinstance(item["values"], (list, tuple)):
        raise GameError(f'{draft.place}: "values" must be a list of numbers, one for each player')
    if "value" in item and isinstance(item["value"], (list, tuple)):
        raise GameError(f'{draft.place}: "value" must be a number; use "values" for a list')
    if "ref" in item and set(item) - {"ref", "move"}:
        raise GameError(f'{draft.place}: with "ref", only "move" is allowed: put the rest at the node it refers to')
    if "children" in item and not (isinstance(item["children"], (list, tuple)) and item["children"]):
        raise GameError(f'{draft.place}: "children" must be a list of at least one; a leaf has a "value" instead')


def write_json(nodes: list[TreeNode], player_names: Sequence[str]) -> dict[str, Any]:
    """Return the JSON format.  A node with several parents is written once and then referred to."""
    paths = _paths((node.children for node in nodes), (node.moves for node in nodes))
    reached = Counter(child for node in nodes for child in node.children)
    named = [node.name != path or reached[i] > 1 for i, (node, path) in enumerate(zip(nodes, paths, strict=True))]
    labels = player_names or PLAYERS
    items: list[dict[str, Any]] = [{} for _ in nodes]
    begun = {0}
    if player_names:
        items[0]["players"] = list(player_names)
    for i, (item, node) in enumerate(zip(items, nodes, strict=True)):
        if named[i]:
            item["name"] = node.name
        if isinstance(node.value, tuple):
            item["values"] = list(node.value)
        elif node.value is not None:
            item["value"] = node.value
        if node.children:
            item["player"] = _label(node.player, labels)
            if len(set(node.probabilities)) > 1:
                item["probabilities"] = list(node.probabilities)
            item["children"] = []
        for place, (child, move) in enumerate(zip(node.children, node.moves, strict=True), 1):
            below = items[child] if child not in begun else {"ref": nodes[child].name}
            begun.add(child)
            if move != (nodes[child].name if named[child] else str(place)):
                below["move"] = move
            item["children"].append(below)
    for item in items:  # a leaf that is only a value is written as that value
        if "children" in item:
            item["children"] = [below["value"] if set(below) == {"value"} else below for below in item["children"]]
    return items[0]


def _label(player: int, labels: Sequence[str]) -> str | int:
    """Return a player as the JSON format writes it."""
    if player == CHANCE:
        return NATURE
    return labels[player] if player < len(labels) else player


# ---------------------------------------------------------------------------------------------------------------------
# Nested lists, networkx
# ---------------------------------------------------------------------------------------------------------------------


def read_lists(source: Any, first: str | int) -> Draft:
    """Read nested lists: a list is an inner node, a number or a tuple of numbers a leaf.  Players alternate."""
    root = Draft("root")
    waiting = [(source, root, 0)]
    drafts = []
    players = 0
    while waiting:
        item, draft, level = waiting.pop()
        drafts.append((draft, level))
        if level > MOST_LEVELS:
            raise GameError(f"the tree has more than {MOST_LEVELS} levels")
        if not isinstance(item, list):
            draft.value = item
            players = players or (isinstance(item, tuple) and len(item)) or len(PLAYERS)
            continue
        if not item:
            raise GameError(f"{draft.place}: the list is empty; give at least one child, or a number instead")
        for i, child in enumerate(item):
            below = Draft(f"{draft.place}[{i}]")
            draft.edges.append((None, below))
            waiting.append((child, below, level + 1))
    root.player = first
    start = _checked_player(root, (), players) if root.edges else 0
    for draft, level in drafts:
        draft.player = (start + level) % players
    return root


def read_networkx(graph: Any) -> Draft:
    """Read a networkx.DiGraph: nodes have a ``player``, or ``value`` or ``values``; edges may have a ``move``, and a
    ``probability``.
    """
    if not graph.is_directed() or graph.is_multigraph():
        raise GameError(f"{type(graph).__name__} is not a tree: give a networkx.DiGraph whose edges lead to children")
    drafts = {}
    for node, data in graph.nodes(data=True):
        value = data.get("value", data.get("values"))
        drafts[node] = Draft(f"node {node!r}", str(node), data.get("player"), value)
    for node, child, data in graph.edges(data=True):
        drafts[node].edges.append((data.get("move"), drafts[child]))
        if "probability" in data:
            drafts[node].probabilities = [*(drafts[node].probabilities or ()), data["probability"]]
    roots = [node for node in drafts if graph.in_degree(node) == 0]
    if not drafts or len(roots) > 1:
        raise GameError(f"the graph has {len(roots)} roots{': ' * bool(roots)}{', '.join(map(repr, roots[:5]))}; "
                        "exactly one node must have no edge leading to it")  # fmt: skip
    reached = set(_in_order(drafts[roots[0]])) if roots else set()
    for draft in drafts.values():
        if draft not in reached:
            _in_order(draft)  # nodes out of reach of the root hang on a cycle: this reports where
    return drafts[roots[0]]


# ---------------------------------------------------------------------------------------------------------------------
# The CS188 format
# ---------------------------------------------------------------------------------------------------------------------


def read_berkeley(text: str) -> Draft:
    """Read a ``GraphGameTreeTest`` of the Pacman projects of Berkeley's CS188.

    Agents take turns: agent 0 is Max, all others are Min.  States in ``win_states`` and ``lose_states`` are leaves, and
    so are those without successors.  Other states with an evaluation keep it as an estimate.
    """
    fields = {m[1]: m[2] if m[2] is not None else m[3] for m in _FIELD.finditer(text)}
    for name in ("start_state", "successors", "evaluation"):
        if name not in fields:
            raise GameError(f"{name}: is missing; a GraphGameTreeTest of CS188 needs it")
    given = fields.get("num_agents", "2").strip()
    agents = whole_number(given)
    if not agents:
        raise GameError(f"num_agents: {given!r} is not a number of agents; it must be 1 or more")
    values = {state: read_value(value) for state, value in _lines(fields, "evaluation", "state value")}
    moves: dict[str, list[tuple[str, str]]] = {}
    for state, move, child in _lines(fields, "successors", "state action state"):
        moves.setdefault(state, []).append((move, child))
    for state in (fields.get("win_states", "") + " " + fields.get("lose_states", "")).split():
        moves.pop(state, None)

    drafts: dict[str, Draft] = {}
    agent_of = {fields["start_state"].strip(): 0}
    waiting = list(agent_of)
    for state in waiting:  # grows during the loop
        agent = agent_of[state]
        drafts[state] = Draft(f"state {state!r}", state, min(agent, 1), values.get(state))
        for _, child in moves.get(state, ()):
            if child not in agent_of:
                agent_of[child] = (agent + 1) % agents
                waiting.append(child)
            elif child in moves and agent_of[child] != (agent + 1) % agents:
                raise GameError(f"state {child!r}: it is reached at two levels with different agents to move")
    for state, draft in drafts.items():
        draft.edges = [(move, drafts[child]) for move, child in moves.get(state, ())]
    return drafts[waiting[0]]


_FIELD = re.compile(r'^(\w+):[ \t]*(?:"""(.*?)"""|"([^"\n]*)")', re.MULTILINE | re.DOTALL)


def _lines(fields: Mapping[str, str], name: str, form: str) -> list[list[str]]:
    lines = [line.split() for line in fields[name].splitlines() if line.strip()]
    for words in lines:
        if len(words) != len(form.split()):
            raise GameError(f"{name}: {' '.join(words)!r} is not a line of the form '{form}'")
    return lines


def write_berkeley(nodes: list[TreeNode], diagram: str, agent: str) -> str:
    """Return a ``GraphGameTreeTest`` of CS188 for a class of agents.

    There Max always begins.  If Min does, a start state is put in front, where Max has one move only: every value stays
    as it is.
    """
    if isinstance(next(node.value for node in nodes if not node.children), tuple):
        raise GameError("the CS188 format needs single values at leaves, not one for each player")
    agents = _agents(nodes)
    if not agents and nodes[0].player == PLAYERS.index("min"):
        nodes = _with_start(nodes)
        agents = _agents(nodes)
    if not agents:
        raise GameError("the CS188 format needs rounds of Max, then always the same number of Mins")
    leaves = [node for node in nodes if not node.children]
    fields = {
        "class": "GraphGameTreeTest",
        "alg": agent,
        "depth": str(max(1, math.ceil(_height(nodes) / agents))),
        "diagram": diagram.splitlines(),
        "num_agents": str(agents),
        "start_state": nodes[0].name,
        "win_states": " ".join(leaf.name for leaf in leaves if _value(leaf) >= 0),
        "lose_states": " ".join(leaf.name for leaf in leaves if _value(leaf) < 0),
        "successors": [
            f"{node.name} {move} {nodes[child].name}"
            for node in nodes
            for move, child in zip(node.moves, node.children, strict=True)
        ],
        "evaluation": [f"{node.name} {node.value}" for node in nodes if node.value is not None],
    }
    texts = (f'"{f}"' if isinstance(f, str) else "\n".join(['"""', *f, '"""']) for f in fields.values())
    return "".join(f"{name}: {text}\n" for name, text in zip(fields, texts, strict=True))


def _agents(nodes: list[TreeNode]) -> int:
    """Return with how many agents play goes in rounds; 0 if with none."""
    return next((count for count in [*range(2, _height(nodes) + 2), 1] if _in_rounds(nodes, count)), 0)


def _height(nodes: list[TreeNode]) -> int:
    heights = [0] * len(nodes)
    for i, node in reversed(list(enumerate(nodes))):
        heights[i] = max((heights[child] + 1 for child in node.children), default=0)
    return heights[0]


def _with_start(nodes: list[TreeNode]) -> list[TreeNode]:
    """Return the nodes below a new root of Max, whose only move leads to the old one."""
    names = {node.name for node in nodes}
    name = next(name for name in ("start", *(f"start{i}" for i in range(len(nodes)))) if name not in names)
    moved = [node._replace(children=tuple(child + 1 for child in node.children)) for node in nodes]
    return [TreeNode(name, PLAYERS.index("max"), None, (1,), ("go",)), *moved]


def _in_rounds(nodes: list[TreeNode], agents: int) -> bool:
    """Return whether play goes in rounds of ``agents`` moves: one of Max, then all of Min."""
    agent_of = {0: 0}
    for i, node in enumerate(nodes):
        if node.children and node.player != min(agent_of[i], 1):
            return False
        for child in node.children:
            agent = (agent_of[i] + 1) % agents
            if agent_of.setdefault(child, agent) != agent and nodes[child].children:
                return False
    return True


def _value(leaf: TreeNode) -> float:
    assert isinstance(leaf.value, (int, float))
    return leaf.value
