"""SGF trees: read as found in the wild, written and read again, with errors that say where."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywise.errors import PositionError
from plywise.io.sgf import GameTree, Node, decoded, format_tree, read_trees, text_of, value_of, values_of


def properties(text: str) -> list[dict]:
    """The properties of the main line of the first game."""
    return [dict(node.properties) for node in next(read_trees(text)).main_line()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(;)", [{}]),
        ("(;FF[4];B[aa];W[])", [{"FF": ["4"]}, {"B": ["aa"]}, {"W": [""]}]),
        ("\ufeffA game:\r\n\r\n( ;\r\n FF [4] AB [aa]\r\n[bb]\r\n)\r\nbye", [{"FF": ["4"], "AB": ["aa", "bb"]}]),
        ("(;GaMe[1]SiZe[9]AddBlack[aa]AddBlack[bb];Black[cc])",
         [{"GM": ["1"], "SZ": ["9"], "AB": ["aa", "bb"]}, {"B": ["cc"]}]),
        ("(;C[not \\] the (;end\\\\];B[aa])", [{"C": ["not \\] the (;end\\\\"]}, {"B": ["aa"]}]),
        ("(;B[aa](;W[bb];B[cc](;W[])(;W[dd]))(;W[ee]))", [{"B": ["aa"]}, {"W": ["bb"]}, {"B": ["cc"]}, {"W": [""]}]),
        ("smile :( or (:\n(;b[aa])", [{"B": ["aa"]}]),
    ],
)  # fmt: skip
def test_games_in_the_wild(text: str, expected: list) -> None:
    assert properties(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "SGF: there is no game; a game starts with '(;'"),
        ("(B[aa])", "SGF: there is no game; a game starts with '(;'"),
        (
            "(;FF[4]\r\n;B[aa]",
            "line 2, column 7: ')' is missing: the game that starts in line 1, column 1 does not end",
        ),
        ("(;FF[4]\n ;B[aa;W[bb)", "line 2, column 4: the value of B does not end: ']' is missing"),
        ("(;FF[4]\r;B;W[aa])", "line 2, column 3: the property B has no value: expected '['"),
        ("(;FF[4](;B[aa]);W[bb])", "line 1, column 16: a node after a variation: variations come last"),
        ("(;FF[4]())", "line 1, column 9: expected ';' after '('"),
        ("(;FF[4] 1. e4 e5)", "line 1, column 9: '1.' cannot be read: expected ';', '(' or ')'"),
    ],
)
def test_errors_say_where(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        list(read_trees(text))
    assert message in str(caught.value)


def test_one_bad_game_does_not_hide_the_others() -> None:
    errors: list[PositionError] = []
    text = "(;FF[4]C[1])\n(;FF[4]C[2];B(;B[aa])(;B[bb]))\n(;GM[1]C[3])(;FF[4]C[4]"
    trees = list(read_trees(text, errors.append))
    assert [tree.nodes[0].get("C") for tree in trees] == ["1", "3"]
    assert [str(error).split(":")[0] for error in errors] == ["SGF, line 2, column 14", "SGF, line 3, column 24"]


def test_nothing_follows_a_value_that_does_not_end() -> None:
    errors: list[PositionError] = []
    assert not list(read_trees("(;GN[" * 1000, errors.append))
    assert [str(error) for error in errors] == ["SGF, line 1, column 5: the value of GN does not end: ']' is missing"]


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("UTF-8", "utf-8"), ("windows-1252", "cp1252"), ("", "latin-1"), ("", "utf-8"), ("", "utf-8-sig"), ("", "utf-16"),
     ("Shift_JIS", "shift_jis"), ("GB18030", "gb18030"), ("no such", "utf-8"), ("UTF-16", "latin-1"), ("hex", "utf-8")],
)  # fmt: skip
def test_encodings(name: str, encoding: str) -> None:
    player = "表示" if encoding in ("shift_jis", "gb18030") else "Müller"
    text = f"(;{f'CA[{name}]' if name else ''}PB[{player}])"
    assert next(read_trees(decoded(text.encode(encoding)))).nodes[0].get("PB") == player


def test_variations_may_be_nested_deeply() -> None:
    depth = 20_000
    (tree,) = read_trees("(;B[aa]" * depth + ")" * depth)
    assert sum(1 for _ in tree.main_line()) == depth
    assert format_tree(tree).count("(") == depth


def test_what_cannot_be_written() -> None:
    for node in (Node({"b": ["aa"]}), Node({"B": ["]"]}), Node({"B": ["\\"]})):
        with pytest.raises(PositionError, match="cannot be"):
            format_tree(GameTree([node]))


VALUES = st.text(max_size=8).map(value_of).filter(lambda value: "\r" not in value)
NODES = st.builds(
    Node, st.dictionaries(st.from_regex("[A-Z]{1,2}", fullmatch=True), st.lists(VALUES, min_size=1, max_size=3))
)
TREES = st.recursive(
    st.builds(GameTree, st.lists(NODES, min_size=1, max_size=3), st.just([])),
    lambda trees: st.builds(GameTree, st.lists(NODES, min_size=1, max_size=3), st.lists(trees, max_size=3)),
    max_leaves=5,
)


@settings(max_examples=20)
@given(st.lists(TREES, min_size=1, max_size=2))
def test_what_is_written_is_read_again(trees: list[GameTree]) -> None:
    assert list(read_trees("".join(map(format_tree, trees)))) == trees


@given(st.text().filter(lambda text: not set("\r\t") & set(text)))
def test_texts_and_values(text: str) -> None:
    assert text_of(value_of(text)) == text
    assert values_of(f"{value_of(text)}:{value_of(text)}") == [text, text]


@given(st.one_of(st.binary(), st.text("()[];:\\ \nABWaFf4").map(str.encode)))
def test_any_file_is_read_or_refused(content: bytes) -> None:
    errors: list[PositionError] = []
    trees = list(read_trees(decoded(content), errors.append))
    assert trees or errors
