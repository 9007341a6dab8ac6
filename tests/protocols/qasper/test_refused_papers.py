"""What can't be imported is refused with the paper, the field and a reason; what is merely odd is kept."""

import gzip
import json

import pytest

from annotation.errors import ImportRefused
from annotation.parsing.incoming import RefusedLine
from annotation.parsing.sources import FileSource
from tests.protocols.qasper.builders import answer, paper, question, read, read_release


def refused(data, **options):
    """The one refused paper of a file that has nothing else."""
    (found,) = read_release(data, **options)
    assert isinstance(found, RefusedLine), found
    return found.line, found.field, found.reason


def without(record, key):
    return {name: value for name, value in record.items() if name != key}


MALFORMED = [
    (without(paper(), "title"), "title", "missing"),
    (paper(title=None), "title", "null, not text"),
    (paper(full_text={}), "full_text", "not a list"),
    (paper(full_text=[["a"]]), "full_text[0]", "not an object"),
    (paper(full_text=[{"section_name": 3, "paragraphs": []}]), "full_text[0].section_name", "not text"),
    (paper(full_text=[{"section_name": "a"}]), "full_text[0].paragraphs", "missing"),
    (paper(full_text=[{"section_name": "a", "paragraphs": ["b", None]}]), "full_text[0].paragraphs[1]", "null"),
    (paper(figures_and_tables={}), "figures_and_tables", "not a list"),
    (paper(figures_and_tables=[{"file": 1}]), "figures_and_tables[0].file", "not text"),
    (paper(qas=["who"]), "qas[0]", "not an object"),
    (paper(goldfinch={}), "goldfinch", "can't have this field"),
    (paper(qas=[without(question(), "question_id")]), "qas[0].question_id", "missing"),
    (paper(qas=[question(nlp_background=2)]), "qas[0].nlp_background", "not text"),
    (paper(qas=[question(), question()]), "qas[1].question_id", "twice"),
    (paper(qas=[question(answers=[answer(), answer()])]), "qas[0].answers[1].annotation_id", "repeated"),
    (paper(qas=[question(answers=[answer(yes_no="yes")])]), "qas[0].answers[0].answer.yes_no", "not true or false"),
    (paper(qas=[question(answers=[answer(unanswerable=0)])]), "qas[0].answers[0].answer.unanswerable", "an integer"),
    (paper(qas=[question(answers=[answer(evidence=[1])])]), "qas[0].answers[0].answer.evidence[0]", "not text"),
    (paper(extra=2**70), "extra", "64-bit"),
    (paper(abstract="x" * 1_000_001), "abstract", "1,000,001 characters; the limit is 1,000,000."),
    (paper(title="x" * 10_001), "title", "10,001 characters; the limit is 10,000."),
    (paper(qas=[question(question="x" * 10_001)]), "qas[0].question", "the limit is 10,000."),
    (paper(full_text=[{"section_name": "a", "paragraphs": ["x"] * 20_001}]), "full_text", "the limit is 20,000."),
    (paper(full_text=[{"section_name": "a", "paragraphs": ["x" * 10**6] * 9}]), "", "bytes; the limit is 8,388,608."),
]


@pytest.mark.parametrize(("record", "field", "reason"), MALFORMED, ids=[field for _, field, _ in MALFORMED])
def test_a_malformed_paper_is_refused_with_the_field_and_the_paper(record, field, reason):
    line, where, why = refused({"1901.00001": record})
    assert (line, where) == (1, field)
    assert reason in why
    assert why.startswith("Paper 1901.00001: ")


def test_the_nth_paper_is_line_n_and_the_others_are_read():
    data = {"a": paper(qas=[question(1)]), "b": 5, "c": paper(qas=[question(2), 7]), "d": paper()}
    found = [(one.line, isinstance(one, RefusedLine)) for one in read_release(data)]
    assert found == [(1, False), (1, False), (2, True), (3, True), (4, False)]


def test_a_question_id_of_another_paper_is_refused():
    found = read_release({"a": paper(qas=[question()]), "b": paper(qas=[question()])})
    assert [(one.line, one.field) for one in found if isinstance(one, RefusedLine)] == [(2, "qas[0].question_id")]


UNKNOWN = [b"[1]", b"{}", b'{"a": 1}', b'{"version": "2.0", "data": []}', b'{"a": {"story": "x"}}']


@pytest.mark.parametrize("data", UNKNOWN)
def test_an_unknown_layout_is_refused_with_the_list_of_known_layouts(data):
    with pytest.raises(ImportRefused, match=r"QASPER v0\.1 to v0\.3"):
        read(data)


@pytest.mark.parametrize("data", [b"", b"{", b'{"a": NaN}', b'{"a": 1, "a": 2}', b"\xff"])
def test_anything_that_is_not_json_is_refused(data):
    with pytest.raises(ImportRefused, match="qasper-train"):
        read(data)


def test_the_split_is_in_the_file_name_or_stated():
    data = {"1": paper()}
    assert read_release(data, name="qasper-test-v0.3.json")[0].split == "test"
    assert read_release(data, name="papers.json", split="dev")[0].split == "dev"
    assert read(data, name="papers.json")[0].split == "train"
    with pytest.raises(ImportRefused, match="which split"):
        read_release(data, name="papers.json")
    with pytest.raises(ImportRefused, match="A split name has"):
        read_release(data, split="No split!")


def test_raw_papers_come_with_their_questions_but_not_with_answers():
    found, asked = read({"1": paper(qas=[without(question(answers=[answer()]), "question_id")])})
    assert (found.annotations, asked.annotations) == ((), ())
    assert len(asked.external_id) == 40
    assert asked.notes[0].endswith("1 answers were left out: use import_release for them.")
    (empty,) = read({"1": paper(qas=[question(question="\u200b ?")])})
    assert (empty.field, isinstance(empty, RefusedLine)) == ("qas[0].question", True)


def test_a_paper_with_its_id_may_be_on_a_line_of_its_own():
    records = [paper(paper_id="a", qas=[question()]), paper(), {"x": 1}, paper(paper_id="b", title=None)]
    found = read(b"\n".join(json.dumps(record).encode() for record in records), name="papers.jsonl")
    assert [(one.line, getattr(one, "external_id", "")) for one in found] == [
        (1, "a"),
        (1, f"{1:040x}"),
        (2, ""),
        (3, ""),
        (4, ""),
    ]
    assert [one.field for one in found[2:]] == ["paper_id", "", "title"]
    assert b"paper_id" not in found[0].documents[0].source


def test_a_paper_without_an_abstract_or_with_a_paragraph_twice_is_kept_with_a_note():
    text = [{"section_name": "A", "paragraphs": ["Twice.", "Twice."]}]
    (found,) = read({"1": paper(abstract=" ", full_text=text, figures_and_tables=[])})
    assert "no one can ask about this paper" in found.notes[0]
    assert "“Twice.” occurs 2 times" in found.notes[1]
    assert "has no text" in read({"1": paper(full_text=[])})[0].notes[0]


def test_a_paper_of_five_hundred_pages_is_read_whole():
    text = [{"section_name": f"S{n}", "paragraphs": ["One is here. Two is there. " * 10] * 5} for n in range(500)]
    (found,) = read({"1": paper(full_text=text)})
    assert len(found.documents[0].layout.blocks) == 2500
    assert all(len(block.sentences) == 20 for block in found.documents[0].layout.blocks)


@pytest.mark.parametrize(
    ("inside", "reason"),
    [
        ('"abstract": NaN', r"paper b, abstract: NaN is not JSON, at byte 28\."),
        ('"qas": [{"question": "\\u0000"}]', r"paper b, qas\[0\]\.question: A string contains a NUL"),
        ('"title": 1, "title": 2', r"paper b, title: The key 'title' occurs twice, at byte 28\."),
    ],
)
def test_a_fault_in_the_json_is_named_with_its_paper_field_and_byte(inside, reason):
    with pytest.raises(ImportRefused, match=reason):
        read(f'{{"a": {{}}, "b": {{{inside}}}}}'.encode())


def test_a_gzipped_file_is_read_whole_and_one_that_is_too_large_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "qasper-dev-v0.3.json.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}'))
    assert FileSource(path).whole() == b'{"a": 1}'
    monkeypatch.setattr("annotation.parsing.sources.MAX_WHOLE", 7)
    with pytest.raises(ImportRefused, match="Divide it"):
        FileSource(path).whole()
    path.write_bytes(gzip.compress(b"{}")[:-6])
    with pytest.raises(ImportRefused, match="can't be read"):
        FileSource(path).whole()
