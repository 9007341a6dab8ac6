"""The sample papers, questions and images match, and every model answer can be given on its paper."""

import json
import re
import struct
from pathlib import Path

import pytest

from annotation import protocols

SAMPLES = Path(protocols.__file__).parent / "qasper" / "samples"
IMAGES = SAMPLES / "images"
PAPERS = json.loads((SAMPLES / "papers.json").read_text(encoding="utf-8"))
ASKED = json.loads((SAMPLES / "questions.json").read_text(encoding="utf-8"))
COMPLETE = ("sample.0001", "sample.0002", "sample.0003")
"""Those with sub-sections, references, maths, tables and figures."""
ANSWERED = [(paper, question) for paper, asked in ASKED.items() for question in asked["questions"]]
ANSWERS = [question["answer"] for _paper, question in ANSWERED]
SENTENCE_END = re.compile(r"[.!?][”)]*$")


def paragraphs(paper: str) -> list[str]:
    return [text for section in PAPERS[paper]["full_text"] for text in section["paragraphs"]]


def units(answer: dict, kind: str) -> list[str]:
    return [unit["quote"] for unit in answer.get("evidence", ()) if unit["kind"] == kind]


def named(answered: tuple[str, dict]) -> str:
    return f"{answered[0]}-{answered[1]['text'][:30]}"


def test_there_is_something_to_read_and_something_to_search():
    assert len(PAPERS) == 15
    assert {paper["licence"] for paper in PAPERS.values()} == {"CC BY 4.0"}
    for asked in COMPLETE:
        assert 900 <= sum(len(text.split()) for text in paragraphs(asked)) <= 1500
    about = [f"{paper['title']} {paper['abstract']}".lower() for paper in PAPERS.values()]
    for query in ("question answering", "bert", "medical"):
        assert 0 < sum(query in text for text in about) < len(about)


def test_full_papers_show_what_readers_have_to_cope_with():
    text = "\n".join(text for asked in COMPLETE for text in paragraphs(asked))
    for mark in ("BIBREF", "TABREF", "FIGREF", "SECREF", "DISPLAYFORM", "et al.", "e.g.", "$"):
        assert mark in text
    for asked in COMPLETE:
        assert any(" ::: " in section["section_name"] for section in PAPERS[asked]["full_text"])
        assert 2 <= len(PAPERS[asked]["figures_and_tables"]) <= 3


def test_every_figure_has_a_small_image_and_every_image_a_figure():
    files = [entry["file"] for paper in PAPERS.values() for entry in paper["figures_and_tables"]]
    assert sorted(files) == sorted(path.name for path in IMAGES.iterdir())
    assert sorted(Path(file).stem for file in files) == sorted(path.stem for path in (SAMPLES / "drawings").iterdir())
    for file in files:
        data = (IMAGES / file).read_bytes()
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        assert len(data) < 60_000
        width, height = struct.unpack(">II", data[16:24])
        assert 600 <= width <= 900
        assert height <= width


@pytest.mark.parametrize("answered", ANSWERED, ids=named)
def test_every_sentence_of_evidence_occurs_once_in_its_paper(answered):
    paper, question = answered
    for quote in units(question["answer"], "sentences"):
        [(text, start)] = [
            (text, found.start()) for text in paragraphs(paper) for found in re.finditer(re.escape(quote), text)
        ]
        before = text[:start]
        assert not before or (before.endswith(" ") and SENTENCE_END.search(before.rstrip()))
        assert SENTENCE_END.search(quote)


@pytest.mark.parametrize("answered", ANSWERED, ids=named)
def test_every_float_is_named_by_its_caption_and_every_span_is_inside_the_evidence(answered):
    paper, question = answered
    captions = [entry["caption"] for entry in PAPERS[paper]["figures_and_tables"]]
    for quote in units(question["answer"], "float"):
        assert captions.count(quote) == 1
    for span in question["answer"].get("spans", ()):
        assert sum(quote.count(span["quote"]) for quote in units(question["answer"], "sentences")) == 1


@pytest.mark.parametrize("answered", ANSWERED, ids=named)
def test_title_and_abstract_do_not_contain_what_is_asked_for(answered):
    paper, question = answered
    known = f"{PAPERS[paper]['title']} {PAPERS[paper]['abstract']}"
    assert 3 <= len(question["text"].split()) <= 60
    for quote in [span["quote"] for span in question["answer"].get("spans", ())]:
        assert quote not in known


def test_answers_have_the_fields_of_their_kind_and_no_other():
    fields = {
        "unanswerable": {"kind"},
        "extractive": {"kind", "spans", "evidence"},
        "yes_no": {"kind", "value", "by_absence", "evidence"},
        "abstractive": {"kind", "text", "evidence"},
    }
    for answer in ANSWERS:
        assert answer.keys() == fields[answer["kind"]]
        if "evidence" in answer:
            absent = answer.get("by_absence", False)
            assert (not answer["evidence"]) == absent
            assert not (absent and answer["value"])
        assert 1 <= len(answer.get("text", "one").split()) <= 60


def test_every_way_to_answer_is_present():
    assert {answer["kind"] for answer in ANSWERS} == {"unanswerable", "extractive", "yes_no", "abstractive"}
    yes_no = {(answer["value"], answer["by_absence"]) for answer in ANSWERS if answer["kind"] == "yes_no"}
    assert yes_no == {(True, False), (False, False), (False, True)}
    assert any(units(answer, "float") for answer in ANSWERS)
    assert any(len(units(answer, "sentences")) > 1 for answer in ANSWERS), "evidence from several paragraphs"
    assert any(len(answer.get("spans", ())) > 1 for answer in ANSWERS)
    assert all(3 <= len(asked["questions"]) <= 4 for asked in ASKED.values())
