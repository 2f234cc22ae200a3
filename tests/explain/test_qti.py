"""A QTI package is read back here by the rules of QTI 2.1 and graded as a platform grades it."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Mapping
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from plywise.errors import QuizError
from plywise.explain import Quiz, qti_package, quiz_about, quiz_number, quiz_of
from plywise.explain.quiz import QUESTIONS
from plywise.games import Tree
from tests.explain.test_quiz import random_json

QTI = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"
CP = "{http://www.imsglobal.org/xsd/imscp_v1p1}"
TEMPLATES = "http://www.imsglobal.org/question/qti_v2p1/rptemplates/"

Response = Mapping[str, set[str]]


class Package:
    """A package whose manifest, test and items fit together."""

    def __init__(self, content: bytes) -> None:
        self.files = zipfile.ZipFile(io.BytesIO(content))
        assert self.files.testzip() is None
        manifest = self.read("imsmanifest.xml")
        assert manifest.tag == f"{CP}manifest"
        assert [child.tag for child in manifest] == [f"{CP}metadata", f"{CP}organizations", f"{CP}resources"]
        resources = {resource.get("identifier", ""): resource for resource in manifest.iter(f"{CP}resource")}
        listed = {file.get("href") for file in manifest.iter(f"{CP}file")}
        assert listed | {"imsmanifest.xml"} == set(self.files.namelist())
        test = resources.pop("test")
        assert test.get("type") == "imsqti_test_xmlv2p1"
        assert [each.get("identifierref") for each in test.findall(f"{CP}dependency")] == list(resources)
        assert {resource.get("type") for resource in resources.values()} == {"imsqti_item_xmlv2p1"}
        self.items = {name: Item(self.read(resource.get("href", ""))) for name, resource in resources.items()}
        for resource in resources.values():
            self.check_drawing(resource)
        self.check_test(self.read(test.get("href", "")))

    def read(self, name: str) -> Element:
        return ElementTree.fromstring(self.files.read(name))

    def check_test(self, test: Element) -> None:
        assert test.tag == f"{QTI}assessmentTest"
        [part] = test
        assert (part.get("navigationMode"), part.get("submissionMode")) == ("nonlinear", "individual")
        assert all(section.get("title") and section.get("visible") == "true" for section in part)
        assert [each.get("identifier") for each in test.iter(f"{QTI}assessmentItemRef")] == list(self.items)
        assert {each.get("href") for each in test.iter(f"{QTI}assessmentItemRef")} <= set(self.files.namelist())

    def check_drawing(self, resource: Element) -> None:
        """The picture of an item is a file of its resource, named relative to the item."""
        path = resource.get("href", "")
        picture = self.items[resource.get("identifier", "")].picture
        name = f"{path.rpartition('/')[0]}/{picture}"
        assert name in [file.get("href") for file in resource.findall(f"{CP}file")]
        assert self.read(name).tag == "{http://www.w3.org/2000/svg}svg"


class Item:
    """An assessment item, and how a platform grades a response to it."""

    def __init__(self, root: Element) -> None:
        assert root.tag == f"{QTI}assessmentItem"
        assert all(root.get(name) for name in ("identifier", "title"))
        assert (root.get("adaptive"), root.get("timeDependent")) == ("false", "false")
        tags = [child.tag.removeprefix(QTI) for child in root]
        declared = tags.count("responseDeclaration")
        assert tags == ["responseDeclaration"] * declared + ["outcomeDeclaration", "itemBody", "responseProcessing"]
        self.declarations = {each.get("identifier", ""): each for each in root.findall(f"{QTI}responseDeclaration")}
        assert len(self.declarations) == declared
        outcome = root.find(f"{QTI}outcomeDeclaration")
        assert outcome is not None
        assert [outcome.get(name) for name in ("identifier", "cardinality", "baseType")] == ["SCORE", "single", "float"]
        [image] = root.iter(f"{QTI}img")
        assert image.get("alt")
        self.picture = image.get("src", "")
        self.interactions = [each for each in root.iter() if each.tag.endswith("Interaction")]
        assert [each.get("responseIdentifier") for each in self.interactions] == list(self.declarations)
        processing = root.find(f"{QTI}responseProcessing")
        assert processing is not None
        self.processing = processing

    @property
    def choices(self) -> dict[str, str]:
        """The identifiers of the choices by their texts."""
        [interaction] = self.interactions
        found = {each.text or "": each.get("identifier", "") for each in interaction.findall(f"{QTI}simpleChoice")}
        assert len(set(found.values())) == len(found)
        return found

    def right(self, name: str = "RESPONSE") -> set[str]:
        return {value.text or "" for value in self.declarations[name].iterfind(f"{QTI}correctResponse/{QTI}value")}

    def score(self, response: Response) -> float:
        """Return the outcome SCORE by the rules of the item."""
        template = self.processing.get("template", "").removeprefix(TEMPLATES)
        if template == "match_correct":
            return float(response["RESPONSE"] == self.right())
        if template == "map_response":
            return self.mapped("RESPONSE", response)
        [[total]] = [list(each) for each in self.processing.findall(f"{QTI}setOutcomeValue")]
        assert total.tag == f"{QTI}sum"
        return sum(self.mapped(term.get("identifier", ""), response) for term in total)

    def mapped(self, name: str, response: Response) -> float:
        mapping = self.declarations[name].find(f"{QTI}mapping")
        assert mapping is not None
        entries = {each.get("mapKey"): float(each.get("mappedValue", "")) for each in mapping}
        assert self.right(name) <= entries.keys()
        return sum(entries.get(text, float(mapping.get("defaultValue", ""))) for text in response[name])


def read(*quizzes: Quiz, names: list[str] | None = None) -> Package:
    return Package(qti_package(*quizzes, names=names))


def test_red_blue_goes_out_and_comes_in_again() -> None:
    package = read(quiz_number(1))
    assert list(package.items) == [f"quiz-1-{name}" for name in QUESTIONS]
    value, pruned, window, move = package.items.values()
    assert [value.score({"RESPONSE": {text}}) for text in ("-3", "−3", "3", "")] == [1, 1, 0, 0]
    assert list(pruned.choices)[-2:] == ["h (R R R)", "none of them"]
    assert pruned.right() == {pruned.choices[text] for text in ("g (R R B)", "h (R R R)")}
    assert pruned.interactions[0].get("maxChoices") == "0"
    assert move.interactions[0].get("maxChoices") == "1"
    assert [move.score({"RESPONSE": {move.choices[text]}}) for text in ("B", "R")] == [1, 0]
    for alpha, beta, score in (("-inf", "-3", 1), ("-∞", "-3", 1), ("-inf", "3", 0.5), ("0", "3", 0)):
        assert window.score({"ALPHA": {alpha}, "BETA": {beta}}) == score


def test_exactly_the_right_answers_score_on_random_trees() -> None:
    for seed in range(60):
        quiz = quiz_about(Tree.from_json(random_json(random.Random(seed), 4)), strict=seed % 2 == 1, seed=seed)
        items = {name.rpartition("-")[2]: item for name, item in read(quiz).items.items()}
        pruned, move = items["pruned"], items["move"]
        right = {pruned.choices[quiz.label(letter)] for letter in quiz.pruned} or {pruned.choices["none of them"]}
        assert pruned.score({"RESPONSE": right}) == 1, seed
        assert all(pruned.score({"RESPONSE": right ^ {other}}) == 0 for other in pruned.choices.values()), seed
        assert [text for text in move.choices if move.score({"RESPONSE": {move.choices[text]}})] == [
            quiz.answer("move")
        ], seed
        assert [value for value in range(-7, 8) if items["value"].score({"RESPONSE": {str(value)}})] == [
            quiz.root.value
        ], seed


def test_a_tree_without_a_marked_node_has_no_window_to_ask_for() -> None:
    assert list(read(quiz_of({"tree": "[3, 4]"})).items) == ["quiz-1-value", "quiz-1-pruned", "quiz-1-move"]


def test_several_quizzes_are_sections_of_one_test() -> None:
    package = read(quiz_number(2), quiz_number(3), names=["move"])
    assert list(package.items) == ["quiz-1-move", "quiz-2-move"]
    titles = [section.get("title") for section in package.read("test.xml").iter(f"{QTI}assessmentSection")]
    assert titles == ["Quiz 2: First cuts", "Quiz 3: A branch falls"]


def test_a_quiz_always_gives_the_same_bytes_and_another_rule_another_identifier() -> None:
    assert qti_package(quiz_number(6)) == qti_package(quiz_number(6))
    names = {read(quiz_number(6, strict=strict)).read("imsmanifest.xml").get("identifier") for strict in (False, True)}
    assert len(names) == 2


def test_an_unknown_question_is_refused() -> None:
    with pytest.raises(QuizError, match="'depth' is not a question"):
        qti_package(quiz_number(1), names=["depth"])
