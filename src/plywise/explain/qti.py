"""Quizzes as a QTI 2.1 content package: a zip file with a test, one item per question, the drawings and a manifest.

The items keep to what most platforms understand: choices and text entries, with the standard templates for response
processing wherever there is one response.  They are written after the schema ``imsqti_v2p1.xsd`` of 1EdTech; no test
validates them against it.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

from plywise.explain.quiz import Quiz
from plywise.explain.quiz_items import DRAWING, Item, described, document, drawing, items, preamble

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
TEMPLATES = "http://www.imsglobal.org/question/qti_v2p1/rptemplates"
DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a package, so that a quiz always gives the same bytes."""


class _Folder(NamedTuple):
    """The files of one quiz in a package."""

    name: str
    quiz: Quiz
    items: list[Item]

    def path(self, item: Item) -> str:
        return f"{self.name}/{item.name}.xml"

    def identifier(self, item: Item) -> str:
        return f"{self.name}-{item.name}"

    @property
    def drawing(self) -> str:
        return f"{self.name}/{DRAWING}"


def qti_package(*quizzes: Quiz, names: Sequence[str] | None = None) -> bytes:
    """Return quizzes as a QTI 2.1 content package, one section of the test per quiz.

    Args:
        quizzes: the quizzes to export.
        names: which questions to ask; default: all.

    Raises:
        QuizError: a quiz has no such question.

    >>> from plywise.explain import quiz_number
    >>> package = zipfile.ZipFile(io.BytesIO(qti_package(quiz_number(1), names=["value"])))
    >>> [name.rpartition("/")[2] for name in package.namelist()]
    ['imsmanifest.xml', 'test.xml', 'tree.svg', 'value.xml']
    """
    folders = [_Folder(f"quiz-{place}", quiz, items(quiz, names)) for place, quiz in enumerate(quizzes, 1)]
    files: dict[str, bytes] = {
        "imsmanifest.xml": document(_manifest(folders)).encode(),
        "test.xml": document(_test(folders)).encode(),
    }
    for folder in folders:
        files[folder.drawing] = drawing(folder.quiz)
        files |= {folder.path(item): document(_item(folder, item)).encode() for item in folder.items}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in files.items():
            package.writestr(zipfile.ZipInfo(name, DATE), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


# The package ---------------------------------------------------------------------------------------------------------


def _identity(folders: Sequence[_Folder]) -> str:
    """Return an identifier of these quizzes: another tree or rule has another one."""
    told = [(folder.quiz.title, folder.quiz.rule, described(folder.quiz)) for folder in folders]
    return f"plywise-{hashlib.sha256(repr(told).encode()).hexdigest()[:16]}"


def _manifest(folders: Sequence[_Folder]) -> Element:
    root = Element("manifest", xmlns=PACKAGE, identifier=_identity(folders))
    metadata = SubElement(root, "metadata")
    SubElement(metadata, "schema").text = "QTIv2.1 Package"
    SubElement(metadata, "schemaversion").text = "1.0.0"
    SubElement(root, "organizations")
    resources = SubElement(root, "resources")
    test = _resource(resources, "test", "imsqti_test_xmlv2p1", "test.xml")
    for folder in folders:
        for item in folder.items:
            SubElement(test, "dependency", identifierref=folder.identifier(item))
            resource = _resource(resources, folder.identifier(item), "imsqti_item_xmlv2p1", folder.path(item))
            SubElement(resource, "file", href=folder.drawing)
    return root


def _resource(resources: Element, identifier: str, kind: str, path: str) -> Element:
    resource = SubElement(resources, "resource", identifier=identifier, type=kind, href=path)
    SubElement(resource, "file", href=path)
    return resource


def _test(folders: Sequence[_Folder]) -> Element:
    title = folders[0].quiz.title if len(folders) == 1 else f"{len(folders)} quizzes about alpha-beta"
    root = Element(
        "assessmentTest", xmlns=QTI, identifier=_identity(folders), title=title, toolName="plywise"
    )  # fmt: skip
    part = SubElement(
        root, "testPart", identifier="part", navigationMode="nonlinear", submissionMode="individual"
    )  # fmt: skip
    for folder in folders:
        section = SubElement(
            part, "assessmentSection", identifier=folder.name, title=folder.quiz.title, visible="true"
        )  # fmt: skip
        for item in folder.items:
            SubElement(section, "assessmentItemRef", identifier=folder.identifier(item), href=folder.path(item))
    return root


# Items ---------------------------------------------------------------------------------------------------------------


def _item(folder: _Folder, item: Item) -> Element:
    """Return an item: the declarations come first, then what is seen, then how it is graded."""
    root = Element(
        "assessmentItem", {"xmlns": QTI, "xml:lang": "en"}, identifier=f"{_identity([folder])}-{item.name}",
        title=item.title, adaptive="false", timeDependent="false", toolName="plywise",
    )  # fmt: skip
    body = Element("itemBody")
    SubElement(body, "p").text = preamble(folder.quiz)
    figure = SubElement(body, "p")
    SubElement(figure, "img", src=DRAWING, alt=described(folder.quiz))
    processing = (_choose if item.choices else _fill)(root, body, item)
    outcome = SubElement(root, "outcomeDeclaration", identifier="SCORE", cardinality="single", baseType="float")
    SubElement(SubElement(outcome, "defaultValue"), "value").text = "0"
    root.extend([body, processing])
    return root


def _choose(root: Element, body: Element, item: Item) -> Element:
    """Add choices, of which exactly the right ones must be marked."""
    cardinality = "multiple" if item.several else "single"
    declared = SubElement(
        root, "responseDeclaration", identifier="RESPONSE", cardinality=cardinality, baseType="identifier"
    )  # fmt: skip
    correct = SubElement(declared, "correctResponse")
    most = "0" if item.several else "1"
    asked = SubElement(body, "choiceInteraction", responseIdentifier="RESPONSE", shuffle="false", maxChoices=most)
    SubElement(asked, "prompt").text = f"{item.text} {item.note}"
    for place, choice in enumerate(item.choices, 1):
        identifier = f"choice-{place}"
        SubElement(asked, "simpleChoice", identifier=identifier).text = choice.text
        if choice.right:
            SubElement(correct, "value").text = identifier
    return Element("responseProcessing", template=f"{TEMPLATES}/match_correct")


def _fill(root: Element, body: Element, item: Item) -> Element:
    """Add blanks; each brings its share of the point in any of its spellings."""
    SubElement(body, "p").text = f"{item.text} {item.note}"
    names = ["RESPONSE"] if len(item.blanks) == 1 else [blank.label.upper() for blank in item.blanks]
    for name, blank in zip(names, item.blanks, strict=True):
        declared = SubElement(root, "responseDeclaration", identifier=name, cardinality="single", baseType="string")
        SubElement(SubElement(declared, "correctResponse"), "value").text = blank.spellings[0]
        mapping = SubElement(declared, "mapping", defaultValue="0")
        for text in blank.spellings:
            SubElement(mapping, "mapEntry", mapKey=text, mappedValue=f"{1 / len(item.blanks):g}")
        line = SubElement(body, "p")
        line.text = f"{blank.label}: "
        SubElement(line, "textEntryInteraction", responseIdentifier=name, expectedLength="8")
    if len(names) == 1:
        return Element("responseProcessing", template=f"{TEMPLATES}/map_response")
    processing = Element("responseProcessing")
    total = SubElement(SubElement(processing, "setOutcomeValue", identifier="SCORE"), "sum")
    for name in names:
        SubElement(total, "mapResponse", identifier=name)
    return processing
