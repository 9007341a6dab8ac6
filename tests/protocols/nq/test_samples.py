"""The sample pages and questions can be imported, and every expected answer can be given on its page."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from annotation import html
from annotation.parsing.sources import FileSource
from annotation.protocols.nq import formats

SAMPLES = Path(formats.__file__).parent / "samples"
PAGES = sorted((SAMPLES / "pages").glob("*.html"))
REASONS = {"ambiguous", "incomprehensible", "false_presupposition", "opinion", "not_a_request"}


def lines(name: str) -> list[dict]:
    return [json.loads(line) for line in (SAMPLES / name).read_text(encoding="utf-8").splitlines()]


ANSWERS = {answer["example_id"]: answer for answer in lines("answers.jsonl")}


@pytest.fixture(scope="module")
def items() -> dict[int, object]:
    read = list(formats.read(FileSource(SAMPLES / "questions.jsonl")))
    assert [line for line in read if hasattr(line, "reason")] == []
    return {int(item.external_id): item for item in read}


def expected_box(item, answer):
    """The first candidate of the kind whose visible text begins like the answer, and that text."""
    page = item.documents[0]
    for candidate in page.layout.candidates:
        if page.layout.tokens[candidate.start_token].text.lower() == f"<{answer['kind']}>":
            text = " ".join(html.cut(page.source, candidate.start_byte, candidate.end_byte).split())
            if text.startswith(answer["box"]):
                return candidate, text
    raise AssertionError(f"no {answer['kind']} begins with {answer['box']!r}")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_page_opens_as_it_is_stored(path):
    data = path.read_bytes()
    page = html.open_page(data)
    assert page.source == data
    assert page.title
    assert page.lang
    assert page.dir in ("ltr", "rtl")
    assert len(html.lay_out(data).candidates) > 40


def test_the_pages_are_long_ordinary_and_right_to_left():
    assert len(PAGES) >= 12
    assert max(len(path.read_bytes()) for path in PAGES) > 300_000
    assert "rtl" in {html.open_page(path.read_bytes()).dir for path in PAGES}


def test_no_link_points_to_a_real_host():
    for path in PAGES:
        for host in re.findall(r"//([\w.-]+\.\w+)", path.read_text(encoding="utf-8")):
            assert host == "example.org", path.name


def test_there_are_forty_questions_in_two_splits(items):
    assert Counter(item.split for item in items.values()) == {"train": 24, "dev": 16}
    assert {item.documents[0].url.split("/")[2] for item in items.values()} == {"example.org"}
    assert {line["document_file"] for line in lines("questions.jsonl")} == {f"pages/{path.name}" for path in PAGES}


def test_questions_look_like_queries(items):
    for item in items.values():
        text = item.payload["question_text"]
        assert text == text.lower()
        assert not set("?؟") & set(text)


def test_each_question_has_one_expected_answer(items):
    assert len(lines("answers.jsonl")) == len(ANSWERS)
    assert ANSWERS.keys() == items.keys()


def test_every_path_is_present():
    answers = ANSWERS.values()
    assert {reason for a in answers if a["path"] == "bad" for reason in a["reasons"]} == REASONS
    assert {a["reason"] for a in answers if a["path"] == "none"} == {"page", "spread"}
    boxes = [a for a in answers if a["path"] == "box"]
    assert {a["kind"] for a in boxes} >= {"p", "table", "tr", "ul", "li", "dd"}
    assert {"yes", "no", "none"} <= {a["short"] for a in boxes if isinstance(a["short"], str)}
    counts = {len(a["short"]) for a in boxes if isinstance(a["short"], list)}
    assert 1 in counts
    assert max(counts) > 2


@pytest.mark.parametrize("example_id", [i for i, a in ANSWERS.items() if a["path"] == "box"])
def test_the_expected_box_and_words_are_on_the_page(items, example_id):
    item, answer = items[example_id], ANSWERS[example_id]
    candidate, text = expected_box(item, answer)
    assert candidate.start_token < candidate.end_token
    for quote in answer["short"] if isinstance(answer["short"], list) else ():
        assert quote in text
