"""Code shared by all protocols has no protocol's vocabulary in its code, docstrings, templates or scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.protocols.examples import with_demos
from tests.rules.development.client_files import is_of_client

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGES = ("annotation", "frontend", "qualification", "tasks")
NOT_SHARED = ("annotation/protocols/", "annotation/html/nq_layout.py", "frontend/static/vendor/")
"""Exempt: protocol packages (nq_layout is the page layout that one of them published), and vendored code."""
SHARED = [
    path
    for package in PACKAGES
    for path in sorted((CHECKOUT / package).rglob("*.*"))
    if path.suffix in {".py", ".html", ".js"}
    and "migrations" not in path.parts
    and not is_of_client(path)
    and not path.relative_to(CHECKOUT).as_posix().startswith(NOT_SHARED)
]
DATASETS = {"coqa", "dureader", "hotpotqa", "nq", "qasper", "quac", "s2orc", "squad", "triviaqa", "wikipedia"}
THINGS = {"paper", "papers", "question", "questions"}
"""What the items and their roots are in one protocol and not in another. A passage is a text with spans in it."""
KEYS = {protocol.key for protocol in with_demos()}
WORDS = DATASETS | THINGS | KEYS
LIKE_WORDS = re.compile("|".join(WORDS), re.IGNORECASE)
"""Finds every word, and more: parts of other words too."""
ALLOWED = {
    "annotation/statistics/token_f1.py": {"squad"},  # the name of a normalisation
    "annotation/documents/layout.py": {"nq"},  # a media type that rows have
    "annotation/exchange/options.py": {"question"},  # the name of a field in most files of other tools
    "frontend/settings.py": KEYS | {"coqa"},  # which protocols a site has
    "frontend/templates/project/time.html": {"paper"},  # the publication of a dataset
    "frontend/templates/registration/login.html": {"questions"},  # what the whole platform is for
}
"""Legitimate terms, by file. An entry that is no longer needed fails the last test."""
INSTEAD = (
    "Name it through Activity.noun (screens: work.noun, frontend/wording.py), Activity.whole, Protocol.material or "
    "Protocol.id_field; in docstrings and comments say item, root, document or text; or let the protocol do it."
)


def words(text: str) -> Iterator[str]:
    """The words of a text and the parts of its identifiers: QuestionSheet and question_text contain `question`."""
    for run in re.findall(r"[A-Za-z0-9]+", text.replace("nq_layout", "")):
        yield run.lower()
        yield from (part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", run))


def found_in(text: str) -> set[str]:
    """The protocol vocabulary in a text."""
    return WORDS & set(words(text))


def name(path: Path) -> str:
    return path.relative_to(CHECKOUT).as_posix()


def test_the_shared_layers_use_no_vocabulary_of_a_protocol():
    wrong = [
        f"{name(path)}:{number}: {', '.join(sorted(found))}"
        for path in SHARED
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if LIKE_WORDS.search(line) and (found := found_in(line) - ALLOWED.get(name(path), set()))
    ]
    assert wrong == [], INSTEAD


def test_every_layer_is_checked_with_its_templates_and_scripts():
    looked_at = {name(path) for path in SHARED}
    assert {"annotation/protocol.py", "tasks/engine/claiming.py", "frontend/templates/work/_say.html"} <= looked_at
    assert {"frontend/static/goldfinch/work.js", "frontend/frame/find.js"} <= looked_at
    assert not any(path.startswith("annotation/protocols/") for path in looked_at)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"""The question first."""', {"question"}),
        ("class QuestionSheet(Sheet):", {"question"}),
        ("question_text = 1", {"question"}),
        ("{% translate 'All Papers' %}", {"papers"}),
        ("// as SQuAD and CoQA have it", {"squad", "coqa"}),
        ("from annotation.html.nq_layout import KINDS", set()),
        ("newspaper, questionnaire, the answer", set()),
    ],
)
def test_the_control_words_are_found_in_sentences_and_identifiers(text, found):
    assert found_in(text) == found
    assert LIKE_WORDS.search(text) or not found


@pytest.mark.parametrize("path", ALLOWED)
def test_every_exception_is_needed(path):
    assert found_in((CHECKOUT / path).read_text(encoding="utf-8")) >= ALLOWED[path]
