"""The API of the Quiz room: what it returns, what it refuses, and that it gives no answers away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra web")
testclient = pytest.importorskip("fastapi.testclient", reason="the tests of the server need httpx")

from plywise.explain import Wishes, moodle_xml, qti_package, quiz_of, random_quiz  # noqa: E402
from plywise.games import Tree  # noqa: E402
from plywise.web.app import create_app  # noqa: E402

RED_BLUE = {"number": 1}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with testclient.TestClient(create_app(), base_url="http://127.0.0.1") as client:
        yield client


def post(client: Any, path: str, **body: Any) -> Any:
    response = client.post(f"/api/quiz/{path}", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def refused(client: Any, path: str, **body: Any) -> str:
    response = client.post(f"/api/quiz/{path}", json=body)
    assert response.status_code == 422, response.text
    return str(response.json()["detail"])


def test_the_series_begins_with_red_blue(client: Any) -> None:
    assert client.get("/api/quiz").json()["series"][0] == {"number": 1, "title": "RED-BLUE"}


def test_a_quiz_has_a_drawing_and_no_answers(client: Any) -> None:
    quiz = post(client, "new", recipe=RED_BLUE)
    assert quiz["rule"] == "Cut rule: alpha ≥ beta: a tie is cut"
    assert sorted(node["leaf"] for node in quiz["drawing"]["nodes"] if node["leaf"]) == list("abcdefgh")
    assert [node["marked"] for node in quiz["drawing"]["nodes"]].count(True) == 1
    assert len(quiz["drawing"]["edges"]) == 14
    text = json.dumps(quiz["drawing"])
    assert not any(told in text for told in ("∞", "≥", "cut", '"best": true', '"ghost": true'))


def test_answers_are_graded(client: Any) -> None:
    wrong = post(client, "grade", recipe=RED_BLUE, question="pruned", answer="h", reasons=True)
    assert (wrong["right"], wrong["given"]) == (False, "h")
    assert wrong["remarks"][0]["leaves"] == ["g"]
    assert wrong["remarks"][0]["step"]["number"] == 31
    assert post(client, "grade", recipe=RED_BLUE, question="pruned", answer="g h")["right"]


def test_a_wrong_answer_gets_a_hint_and_no_reasons_unless_they_are_asked_for(client: Any) -> None:
    wrong = post(client, "grade", recipe=RED_BLUE, question="value", answer="6")
    assert wrong == {
        "question": "value", "given": "6", "right": False, "remarks": [],
        "hint": "6 does not get past node R R: Min has a better move there.",
    }  # fmt: skip


def test_a_page_for_students_gets_the_quiz_and_nothing_that_tells_an_answer(client: Any) -> None:
    given = post(client, "new", recipe=RED_BLUE, students=True)
    assert given == post(client, "new", recipe=RED_BLUE)
    assert not any(name in json.dumps(given) for name in ("answer", "why", "remark", "hint", "solution"))
    assert "<strong>" not in post(client, "sheet", recipe=RED_BLUE, students=True)["html"]
    sentence = "this quiz was opened by a link without the solution: your teacher has the answers"
    for path, more in (
        ("grade", {"question": "value", "answer": "-3"}),
        ("grade", {"question": "value", "answer": "6", "reasons": True}),
        ("solution", {}),
        ("sheet", {"answers": True}),
        ("questions", {"form": "moodle"}),
        ("questions", {"form": "qti"}),
        ("marks", {"text": "{}"}),
    ):
        assert refused(client, path, recipe=RED_BLUE, students=True, **more) == sentence


def test_the_questions_are_given_for_learning_platforms(client: Any) -> None:
    quiz = quiz_of(RED_BLUE)
    for form, kind, content in (
        ("moodle", "application/xml", moodle_xml(quiz).encode()),
        ("qti", "application/zip", qti_package(quiz)),
    ):
        response = client.post("/api/quiz/questions", json={"recipe": RED_BLUE, "form": form})
        assert (response.status_code, response.content) == (200, content)
        assert response.headers["content-type"].startswith(kind)


def test_what_students_hand_in_is_graded(client: Any) -> None:
    text = json.dumps({"name": "Ada", "recipe": RED_BLUE, "answers": {"value": "-3", "pruned": "g"}})
    told = post(client, "marks", recipe=RED_BLUE, text=text)
    assert (told["name"], told["right"], told["of"]) == ("Ada", 1, 4)
    assert "answers to another quiz" in refused(client, "marks", recipe={"number": 2}, text=text)
    assert "not a file of answers" in refused(client, "marks", recipe=RED_BLUE, text="[]")
    assert "text: " in refused(client, "marks", recipe=RED_BLUE, text="x" * 300_000)


def test_a_random_quiz_is_the_one_of_its_recipe(client: Any) -> None:
    wishes = {"depth": 4, "deep": True, "ties": False}
    quiz = post(client, "new", recipe={"seed": 11, "wishes": wishes})
    expected = random_quiz(11, Wishes(**wishes))  # type: ignore[arg-type]
    assert quiz["tree"] == expected.to_json()["tree"]
    answer = expected.answer("pruned")
    assert post(client, "grade", recipe=quiz["recipe"], question="pruned", answer=answer)["right"]


def test_the_solution_has_answers_steps_and_the_searched_tree(client: Any) -> None:
    solution = post(client, "solution", recipe=RED_BLUE)
    assert {name: told["answer"] for name, told in solution["answers"].items()} == {
        "value": "-3", "pruned": "g h", "window": "(-∞, -3)", "move": "B",
    }  # fmt: skip
    assert [edge["way"] for edge in solution["drawing"]["edges"]].count("cut") == 1


def test_a_tree_goes_out_and_comes_in_again(client: Any) -> None:
    text = post(client, "tree", recipe={"number": 2}, form="test")["text"]
    assert 'alg: "AlphaBetaAgent"' in text
    assert post(client, "new", recipe={"tree": text})["tree"] == quiz_of({"number": 2}).to_json()["tree"]
    assert len(Tree.from_text(post(client, "tree", recipe=RED_BLUE, form="json")["text"]).nodes) == 15
    begun_by_min = Tree.from_text(post(client, "tree", recipe=RED_BLUE, form="test")["text"])
    assert (len(begun_by_min.nodes), begun_by_min.nodes[0].moves) == (16, ("go",))


def test_sheets_are_documents_of_their_own(client: Any) -> None:
    assert "<strong>" not in post(client, "sheet", recipe=RED_BLUE)["html"]
    assert "<strong>g h</strong>" in post(client, "sheet", recipe=RED_BLUE, answers=True)["html"]


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("new", {}, "recipe: Field required"),
        ("new", {"recipe": {}}, "needs exactly one of number, seed and tree"),
        ("new", {"recipe": {"number": 99}}, "recipe.number"),
        ("new", {"recipe": {"number": "1"}}, "recipe.number"),
        ("new", {"recipe": {"number": 1, "more": 2}}, "recipe.more"),
        ("new", {"recipe": {"seed": 1, "wishes": {"depth": 3, "deep": True}}}, "too small for a deep cut"),
        ("new", {"recipe": {"seed": 1, "wishes": {"depth": 2, "cuts": 40}}}, "none of 3000 random trees fits"),
        ("new", {"recipe": {"tree": "[[3], []]"}}, "the list is empty"),
        ("new", {"recipe": {"tree": "[3" + " " * 50_000 + "]"}}, "recipe.tree"),
        ("new", {"recipe": {"tree": "[" * 40_000}}, "this is not a tree"),
        ("new", {"recipe": {"tree": '{"values": [1, 2, 3]}'}}, "the game is over"),
        ("grade", {"recipe": RED_BLUE, "question": "value", "answer": "x"}, "'x' is not a number"),
        ("grade", {"recipe": RED_BLUE, "question": "depth", "answer": "3"}, "question"),
        ("grade", {"recipe": RED_BLUE, "question": "value", "answer": "1" * 5000}, "answer"),
        ("grade", {"recipe": {"tree": "[3, 4]"}, "question": "window", "answer": "1 2"}, "not a question of this quiz"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(client: Any, path: str, body: Any, message: str) -> None:
    assert message in refused(client, path, **body)


@pytest.mark.parametrize(
    ("tree", "sentence"),
    [
        (f"[{','.join(['1'] * 24_000)}]", "this tree has more than 250 leaves"),
        (json.dumps({"player": "max", "children": [{"move": "x" * 40_000, "value": 1}]}), "at most 200 are allowed"),
        ("\u0661", "this is not a tree"),
    ],
)
def test_a_tree_that_is_too_large_is_refused(client: Any, tree: str, sentence: str) -> None:
    assert sentence in refused(client, "new", recipe={"tree": tree})
