"""Figures and tables are placed after the first paragraph that mentions them; the others come at the end."""

import json

import pytest

from annotation.protocols.qasper.papers import PaperText
from annotation.protocols.qasper.placing import paragraphs_of_figures
from tests.protocols.qasper.builders import paper, question, read, sheet_of
from tests.protocols.records import item_of


def placed(paragraphs, *captions, file=""):
    """The places of floats with these captions in a paper with these paragraphs."""
    text = [{"section_name": "A", "paragraphs": list(paragraphs)}]
    floats = [{"file": file, "caption": caption} for caption in captions]
    found, *_ = read({"1": paper(full_text=text, figures_and_tables=floats)})
    return paragraphs_of_figures(PaperText.from_document(item_of(found).documents[0]))


@pytest.mark.parametrize(
    "words",
    [
        "See Figure 2.",
        "see figure 2",
        "(Fig. 2)",
        "Figs. 1 and 2",
        "FIGURE 2",
        "Figures 1, 2",
        "Fig.2",
        "Figure~2",
        "Figure II",
        "Figure 2a",
    ],
)
def test_a_figure_is_placed_at_the_first_paragraph_that_mentions_it(words):
    assert placed(["Nothing.", words, "And Figure 2 again."], "Figure 2: Otters.") == (1,)


@pytest.mark.parametrize(
    "words", ["Figure 12", "Table 2", "Figure S2", "configure 2", "Section 2", "Figure", "TABREF2"]
)
def test_a_paragraph_that_mentions_something_else_does_not_get_it(words):
    assert placed([words], "Figure 2: Otters.") == (None,)


def test_figures_and_tables_are_numbered_separately_and_papers_may_number_one_twice():
    texts = ["Table 1 is here.", "Figure 1 is here."]
    assert placed(texts, "Figure 1: A.", "Table 1: B.", "TABLE I (continued)", "An otter.") == (1, 0, 0, None)
    assert placed(texts, "An otter.", file="3-Table1-1.png") == (0,)


def test_references_that_only_count_up_are_matched_if_there_are_as_many_as_numbers():
    texts = ["FIGREF3 and TABREF19", "TABREF9", "FIGREF3"]
    captions = ("Table 1: A.", "Table 2: B.", "Figure 1: C.")
    assert placed(texts, *captions) == (1, 0, 0)
    assert placed(texts, *captions, "Table 3: D.") == (None, None, 0, None)
    assert placed([*texts, "Table 3"], *captions, "Table 3: D.") == (1, 0, 0, 3)
    assert placed(["FIGREF" + "9" * 5000], "Figure 1: C.") in [(0,), (None,)]


def test_every_figure_of_the_published_papers_is_placed_at_its_reference(shared):
    release = json.loads((shared / "qasper/qasper-train-4papers-v0.3.json").read_bytes())
    for record in release.values():
        (found,) = read({"1": {key: value for key, value in record.items() if key != "qas"}})
        text = PaperText.from_document(item_of(found).documents[0])
        where = paragraphs_of_figures(text)
        assert None not in where
        for caption, place in zip(text.captions, where, strict=True):
            assert ("TABREF" if caption.lower().startswith("table") else "FIGREF") in text.paragraphs[place]


def test_the_spans_of_s2orc_give_the_places(shared):
    name = "pdf2json-2020.acl-main.207.json"
    raw = json.loads((shared / "s2orc" / name).read_bytes())
    (found,) = read(raw, name=name)
    text = PaperText.from_document(item_of(found).documents[0])
    where = paragraphs_of_figures(text)
    assert [place is None for place in where] == [True, False, False, True, True]
    assert "Table 1" in text.paragraphs[where[1]]
    for span in (7, None, {"ref_id": 3}, {"ref_id": []}):
        raw["pdf_parse"]["body_text"][0]["ref_spans"] = [span]
        assert read(raw, name=name)[0].kind == "paper"


def test_the_sheet_has_each_float_once_after_its_paragraph_or_unplaced():
    text = [{"section_name": "A", "paragraphs": ["Otters.", "Table 1 counts them."]}]
    found, asked = read({"1": paper(qas=[question()], full_text=text)})
    sheet = sheet_of(item_of(asked, root=item_of(found)))
    assert [[one.index for one in each.floats] for each in sheet.sections[0].paragraphs] == [[], [1]]
    assert [one.index for one in sheet.unplaced] == [0]
    assert [one.index for one in sheet.floats] == [0, 1]
