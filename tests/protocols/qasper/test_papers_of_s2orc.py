"""Papers in the four S2ORC layouts are read; one whose title is in another file is refused without it."""

import json

import orjson
import pytest

from annotation.errors import ImportRefused
from annotation.parsing.incoming import RefusedLine
from annotation.protocols.qasper import formats
from annotation.protocols.qasper.papers import PaperText
from tests.protocols.qasper.builders import File, read, records_of
from tests.protocols.records import item_of

OLD, NEW, PDF = "20200705-94551546.json", "20210101-f2235cd2.json", "pdf2json-2020.acl-main.207.json"


@pytest.fixture(scope="module")
def raw(shared):
    return lambda name: json.loads((shared / "s2orc" / name).read_bytes())


def metadata(**fields):
    line = {"paper_id": "94551546", "title": "Supramolecular carriers", "abstract": None, "arxiv_id": None}
    return {"metadata.jsonl": json.dumps(line | fields).encode() + b"\n"}


def text_of(incoming):
    return PaperText.from_document(item_of(incoming).documents[0])


def test_the_layout_of_2020_takes_its_title_from_the_metadata_beside_it(raw):
    (found,) = read(raw(OLD), name=OLD, files=metadata())
    assert (found.kind, found.external_id) == ("paper", "94551546")
    assert found.payload["title"] == "Supramolecular carriers"
    assert found.payload["abstract"].startswith("Ethanolamine (EA)")
    text = text_of(found)
    assert len(text.paragraphs) == len(raw(OLD)["body_text"])
    assert text.raw["full_text"][0]["section_name"] == "INTRODUCTION"
    assert [len(section["paragraphs"]) for section in text.raw["full_text"]][:2] == [3, 1]
    assert len(text.captions) == 6


def test_without_its_metadata_it_is_refused_with_that_reason(raw):
    (found,) = read(raw(OLD), name=OLD)
    assert isinstance(found, RefusedLine)
    assert (found.line, found.field) == (1, "title")
    assert "no metadata.jsonl beside the paper" in found.reason
    (other,) = read(raw(OLD), name=OLD, files=metadata(paper_id="1"))
    assert "no line with the paper_id 94551546" in other.reason
    with pytest.raises(ImportRefused, match=r"metadata\.jsonl, line 1"):
        read(raw(OLD), name=OLD, files={"metadata.jsonl": b"[]"})


def test_the_layout_of_2021_has_its_title_and_no_abstract(raw):
    (found,) = read(raw(NEW), name=NEW)
    assert found.payload["title"].startswith("M P RA Munich")
    assert found.payload["abstract"] == ""
    assert "no one can ask about this paper" in " ".join(found.notes)
    assert text_of(found).raw["goldfinch"]["year"] == "2006"


def test_a_parsed_pdf_has_sections_by_number(raw):
    (found,) = read(raw(PDF), name=PDF)
    text = text_of(found)
    assert found.payload["title"].startswith("SPECTER")
    assert found.payload["abstract"].startswith("Representation learning")
    names = [section["section_name"] for section in text.raw["full_text"]]
    assert names[0] == "Introduction"
    assert "SCIDOCS Evaluation Framework ::: Citation Prediction" in names
    assert names[-1] is None
    assert [paragraph["text"] for paragraph in raw(PDF)["pdf_parse"]["body_text"]] == list(text.paragraphs)
    tables = [entry for entry in text.raw["figures_and_tables"] if entry["kind"] == "table"]
    assert [("content" in entry) for entry in tables] == [False, True, True, False]


def test_a_parsed_latex_source_is_read_like_a_parsed_pdf():
    body = [{"text": "One.", "section": "A", "sec_num": "1"}, {"text": "Two.", "section": "B", "sec_num": "1.1"}]
    record = {"paper_id": "x", "title": "T", "abstract": "A b.", "latex_parse": {"body_text": body}}
    (found,) = read(record, name="x.json")
    assert [section["section_name"] for section in text_of(found).raw["full_text"]] == ["A", "A ::: B"]


def test_lines_of_papers_are_read_too(raw):
    lines = b"\n".join(json.dumps(record).encode() for record in (raw(PDF), {"a": 1}, raw(NEW)))
    found = list(formats.read(File(lines, name="papers.jsonl")))
    assert [(one.line, isinstance(one, RefusedLine)) for one in found] == [(1, False), (2, True), (3, False)]


def test_metadata_is_checked_against_what_the_project_accepts(raw):
    stated = metadata(arxiv_id="1234", mag_field_of_study=["Chemistry"], has_latex=False)
    for numbers, field in (
        ({"fields": ["Computer Science"]}, "field"),
        ({"latex_only": True}, "has_latex"),
        ({"archives": ["ACL"]}, "archive"),
    ):
        (found,) = read(raw(OLD), name=OLD, files=stated, config=numbers)
        assert (isinstance(found, RefusedLine), found.field) == (True, field)
    taken = {"archives": ["arxiv"], "fields": ["chemistry"]}
    assert read(raw(OLD), name=OLD, files=stated, config=taken)[0].kind == "paper"


BROKEN = [
    ({"paper_id": "x", "body_text": []}, "", "not one of the S2ORC layouts"),
    ({"paper_id": None, "metadata": {"title": "T"}, "body_text": []}, "paper_id", "null"),
    ({"paper_id": "x", "metadata": {}, "body_text": []}, "metadata.title", "missing"),
    ({"paper_id": "x", "metadata": {"title": "T"}, "body_text": [{"section": "A"}]}, "body_text[0].text", "missing"),
    ({"paper_id": "x", "metadata": {"title": " "}, "body_text": []}, "title", "empty"),
]


@pytest.mark.parametrize(("record", "field", "reason"), BROKEN)
def test_a_broken_paper_is_refused_with_the_field(record, field, reason):
    (found,) = read(record, name="x.json")
    assert (isinstance(found, RefusedLine), found.field) == (True, field)
    assert reason in found.reason


def test_a_paper_of_s2orc_is_not_a_published_release(raw):
    with pytest.raises(ImportRefused, match="import_items"):
        read(raw(PDF), name=PDF, published=True, split="train")


def test_its_release_is_in_the_qasper_layout_and_has_nothing_else(raw):
    ((paper_id, record),) = formats.write("qasper", records_of(read(raw(PDF), name=PDF)))
    assert paper_id == "2020"
    assert list(record) == ["title", "abstract", "full_text", "qas", "figures_and_tables"]
    assert all(list(entry) == ["file", "caption"] for entry in record["figures_and_tables"])
    assert orjson.loads(orjson.dumps(record))["qas"] == []


def of_2019(**fields):
    """A paper in the layout of 2019-09-28, written for this test."""
    paragraph = {"text": "Otters sleep on kelp.", "section": "Introduction", "cite_spans": [], "ref_spans": []}
    parse = {"abstract": [{"text": "We watch otters."}], "body_text": [paragraph], "ref_entries": {}}
    about = {"title": "Otters at rest", "abstract": None, "year": "2019", "arxiv_id": "1909.00001"}
    return {"paper_id": "77", "metadata": about, "s2_pdf_hash": "ab12", "grobid_parse": parse} | fields


def test_the_layout_of_2019_has_its_metadata_with_it():
    (found,) = read(of_2019(), name="77.json")
    assert (found.external_id, found.payload["title"]) == ("77", "Otters at rest")
    assert found.payload["abstract"] == "We watch otters."
    assert text_of(found).paragraphs == ("Otters sleep on kelp.",)
    assert text_of(found).raw["goldfinch"].items() >= {"layout": "s2orc-20190928", "year": "2019"}.items()
    (line,) = read(json.dumps(of_2019()).encode(), name="papers.jsonl")
    assert line.payload == found.payload


def test_a_paper_of_2019_without_a_parse_is_refused_with_that_reason():
    (found,) = read(of_2019(grobid_parse=None), name="77.json")
    assert (found.line, found.reason) == (1, "The paper has no full text, only metadata.")
