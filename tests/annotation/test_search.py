"""Search in titles and abstracts gives the same on both databases."""

from __future__ import annotations

import pytest

from annotation import search
from tests.factories.corpus import ItemFactory, ProjectFactory

PAPERS = [
    ("Reading medical records", "We answer questions about medical records with a small model."),
    ("Question answering over tables", "Tables are hard. We study question answering with BERT on tables."),
    ("A survey of parsing", "Parsers parse. One section mentions questions."),
    ("Émile and the naïve corpus", "Accents and emoji 😀 in a corpus of <b>letters</b>."),
]


@pytest.fixture
def papers(db):
    made = ProjectFactory(slug="papers")
    items = [ItemFactory(project=made, kind="paper", position=n) for n in range(len(PAPERS))]
    search.index((item, *texts) for item, texts in zip(items, PAPERS, strict=True))
    return made


def found(project, query):
    return search.hits(search.find(project.pk, query), query)


def titles(project, query):
    return ["".join(text for text, _ in hit.title) for hit in found(project, query)]


def test_a_match_in_the_title_comes_before_one_in_the_abstract(papers):
    assert titles(papers, "question answering")[0] == "Question answering over tables"


def test_words_match_by_their_stem_and_in_any_case(papers):
    assert titles(papers, "RECORD") == ["Reading medical records"]


def test_every_word_must_be_there(papers):
    assert titles(papers, "medical tables") == []


def test_matches_are_marked_in_title_and_abstract(papers):
    [hit] = found(papers, "bert")
    assert ("BERT", True) in hit.excerpt
    [hit] = found(papers, "medical records")
    assert [text for text, marked in hit.title if marked] == ["medical", "records"]


@pytest.mark.parametrize(
    "query", ['"', "question AND", "a OR (", "NEAR(", "*", "title:x", "' OR 1=1 --", "\x02", "-", ""]
)
def test_whatever_is_typed_is_words_and_never_query_syntax(papers, query):
    found(papers, query)


def test_another_projects_papers_are_not_found(papers):
    assert search.find(ProjectFactory(slug="other").pk, "medical") == []


def test_markup_stays_text(papers):
    [hit] = found(papers, "letters")
    assert "<b>" in "".join(text for text, _ in hit.excerpt)


def test_results_keep_the_order_that_was_asked_for(papers):
    ids = search.find(papers.pk, "question")
    assert len(ids) == 3
    assert [hit.item_id for hit in search.hits(ids[::-1], "question")] == ids[::-1]
    assert search.hits([], "question") == []
