"""A plain text is a document of its own kind: stored unchanged, never tokenized, and not a page."""

from __future__ import annotations

import pytest

from annotation.engine import loading
from annotation.models import Document, Item, Response
from annotation.parsing import plain_text
from annotation.parsing.fields import LineRefused
from annotation.parsing.plain_text import text_document
from annotation.storage import blobs
from tests.builders import load
from tests.clippings import article, import_articles, question

ODD = "\ufeff  Otters \r\n sleep\u2028on 🦊 kelp\r.\u00a0\n\n"


@pytest.fixture
def documents(clippings, tmp_path):
    """The documents of an imported article's items: one question about an odd text."""
    import_articles(clippings, tmp_path, article("Otters", {"text": ODD, "questions": [question("q1", ODD, "🦊")]}))
    return {item.kind: loading.item_record(item).documents for item in Item.objects.all()}


def test_nothing_of_a_text_is_stripped_or_changed(documents):
    [document] = documents["question"]
    assert document.text == ODD
    assert (document.media_type, document.licence) == ("text/plain", "our own")


def test_spans_count_code_points(documents):
    [payload] = Response.objects.values_list("payload", flat=True)
    assert (payload["start"], payload["end"]) == (ODD.index("🦊"), ODD.index("🦊") + 1)
    assert documents["question"][0].text[payload["start"] : payload["end"]] == payload["quote"] == "🦊"


def test_a_text_is_not_tokenized_and_its_layout_says_so(documents):
    layout = documents["question"][0].layout
    assert (layout.version, layout.tokens, layout.candidates, layout.blocks) == ("text", (), (), ())


def test_an_item_may_have_no_document_at_all(documents):
    assert len(documents["article"]) == 0


def test_questions_about_one_text_share_its_document(clippings, tmp_path):
    asked = [question(f"q{number}") for number in range(5)]
    import_articles(clippings, tmp_path, article("Otters", {"text": ODD, "questions": asked}))
    assert Document.objects.count() == 1


def test_a_text_has_no_rendering(documents):
    [document] = documents["question"]
    for root in (None, 0):
        with pytest.raises(ValueError, match="text/plain is not a page"):
            document.rendering(root)
    with pytest.raises(ValueError, match="image/png is not a page"):
        blobs.rendering(document.sha256, document.layout_sha256, "image/png")


def test_a_page_has_no_plain_text(nq, shared):
    load(nq, shared / "nq" / "nq-dev-00.jsonl.gz", published=True)
    [page] = loading.item_record(Item.objects.get()).documents
    with pytest.raises(ValueError, match="text/html is not plain text"):
        _ = page.text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a\x00b", "The text contains a NUL character."),
        ("a\ud83d", "The text contains an unpaired surrogate."),
        ("x" * 1_000_001, "The text has 1,000,001 characters; the limit is 1,000,000."),
    ],
)
def test_a_text_that_cannot_be_stored_is_refused_by_its_field_with_a_sentence(text, why):
    with pytest.raises(LineRefused) as refused:
        text_document(text, "texts[3].text")
    assert (refused.value.field, refused.value.reason) == ("texts[3].text", why)


def test_the_longest_text_is_accepted(monkeypatch):
    monkeypatch.setattr(plain_text, "LONGEST", 3)
    assert text_document("🦊🦊🦊", "text").source == "🦊🦊🦊".encode()
