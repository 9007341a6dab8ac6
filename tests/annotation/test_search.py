"""Search in titles and abstracts gives the same on both databases."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from annotation import search
from annotation.models import Item
from tests.factories.corpus import ItemFactory, ItemTextFactory, ProjectFactory, SearchTextFactory

pytestmark = pytest.mark.on_both_databases

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


@pytest.mark.parametrize("query", ["Émile", "E\u0301mile", "nai\u0308ve corpus"])
def test_a_letter_and_its_accent_are_found_however_they_are_written(papers, query):
    assert titles(papers, query) == ["Émile and the naïve corpus"]


def test_a_title_with_separate_accents_is_found_too(papers):
    search.index([(ItemFactory(project=papers, kind="paper", position=9), "Cafe\u0301 society", "")])
    assert titles(papers, "caf\u00e9") == ["Café society"]


@pytest.mark.parametrize(
    ("title", "word"),
    [
        ("北京大学的历史研究", "历史"),
        ("日本語の質問応答データ", "質問"),
        ("การตอบคำถามภาษาไทย", "คำถาม"),
        ("研究。结论", "结论"),
    ],
)
def test_a_word_that_no_blank_sets_apart_is_found_and_shown_as_it_was_written(papers, title, word):
    item = ItemFactory(project=papers, kind="paper", position=9)
    search.index([(item, title, "")])
    [hit] = found(papers, word)
    assert "".join(text for text, _ in hit.title) == title
    assert "".join(text for text, is_match in hit.title if is_match) == word
    assert "".join(text for text, _ in search.beginning(item).title) == title


def test_the_beginning_of_an_abstract_without_blanks_is_cut_at_a_word(papers):
    item = ItemFactory(project=papers, kind="paper", position=9)
    search.index([(item, "题目", "北京大学" * 40)])
    [(text, _)] = search.beginning(item).excerpt
    assert text == "北京大学" * 20 + " …"


@pytest.mark.parametrize(
    ("caption", "query", "is_found"),
    [
        ("Beyonc\u00e9 Knowles", "beyonce\u0301_knowles", True),
        ("Beyonce\u0301_Knowles", "BEYONC\u00c9 KNOWLES", True),
        ("Straße", "STRASSE", True),
        ("ｆｕｌｌ ﬁne", "full fine", True),
        ("İstanbul", "istanbul", False),  # no rule of a language: the dot is a letter's own
        ("Istanbul", "ISTANBUL", True),
        ("北京大学", "京大", True),
    ],
)
def test_leads_find_captions_without_case_and_unicode_forms(db, caption, query, is_found):
    item = ItemFactory(project=ProjectFactory(slug="papers"), kind="paper")
    ItemTextFactory(item=item, text=search.caption_text(caption, "id-1"))
    assert search.with_words(Item.objects.all(), query).exists() is is_found


@pytest.mark.parametrize(
    "query", ['"', "question AND", "a OR (", "NEAR(", "*", "title:x", "' OR 1=1 --", "\x02", "-", "", 'צה"ל']
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


def test_what_older_versions_have_written_is_found_like_the_new(papers):
    item, other = (ItemFactory(project=papers, kind="paper", position=n) for n in (8, 9))
    ItemTextFactory(item=item, text="cafe\u0301_society\nid_8")
    SearchTextFactory(item=other, title="Cafe\u0301 society", abstract="Kept.")
    import_module("annotation.migrations.0023_caseless_texts").rewrite(apps, None)
    assert search.with_words(Item.objects.all(), "CAF\u00c9 society id_8").get() == item
    assert titles(papers, "café") == ["Café society"]
    assert titles(papers, "medical") == ["Reading medical records"]
