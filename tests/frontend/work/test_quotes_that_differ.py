"""A quote that is not what the bytes say is refused with 422 and both texts, and nothing is stored."""

from __future__ import annotations

import json
from random import Random

import pytest
from django.utils.html import escape

from annotation.engine import loading
from annotation.models import Item, Response
from frontend.bots.bot import HIDDEN_FIELD, Bot
from tasks.engine import assignments
from tasks.models import Assignment
from tests.builders import Worker, open_papers, open_with, questions
from tests.people import join
from tests.tasks.test_blocks import asked

BOX = {"kind": "box", "candidate": "3", "quote": "Anna Berg came from Bergen."}
HTMX = {"HX-Request": "true"}
OTHER_WORDS = "Olaf <b>Lund</b>"


@pytest.fixture
def send(nq, alice, tmp_path):
    """Return a function that sends a stage of alice's work, as its page would."""
    open_with(nq, tmp_path, questions(1))
    bot = Bot(alice, Random(1))
    page = bot.claim(nq, "annotate")

    def send(stage, fields, **headers):
        shown = dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))
        return bot.client.post(f"{page}{stage}/", shown | fields, headers=headers)

    assert send("question", {"verdict": "good"}).status_code == 302
    return send


def refused(response, *, says, sent):
    """Assert a 422 with both texts, escaped."""
    text = response.content.decode()
    assert response.status_code == 422
    assert f'The text says: <q dir="auto">{says}</q>' in text
    assert f'You sent: <q dir="auto">{sent}</q>' in text


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["a page", "htmx"])
def test_a_box_with_another_quote_than_its_bytes_say_is_refused_with_422_and_both_texts(send, headers):
    other = BOX | {"quote": "Olaf <b>Lund</b> came from Oslo."}
    response = send("long_answer", other, **headers)
    refused(response, says=BOX["quote"], sent="Olaf &lt;b&gt;Lund&lt;/b&gt; came from Oslo.")
    assert Response.objects.count() == 1
    assert send("long_answer", BOX, **headers).status_code in (200, 302)
    assert Response.objects.count() == 2


def test_marked_words_with_another_quote_than_their_bytes_say_are_refused_with_422_and_both_texts(send):
    send("long_answer", BOX)
    layout = loading.item_record(Item.objects.get()).documents[0].layout
    box = layout.candidates[3]
    first = next(place for place in range(box.start_token, box.end_token) if not layout.tokens[place].html)
    span = {"start": first, "end": first + 2, "quote": "Olaf Lund"}
    response = send("short_answer", {"kind": "spans", "spans": json.dumps([span])})
    refused(response, says="Anna Berg", sent="Olaf Lund")
    assert Response.objects.count() == 2
    send("short_answer", {"kind": "spans", "spans": json.dumps([span | {"quote": "Anna Berg"}])})
    assert Response.objects.count() == 3


@pytest.fixture
def sent_of_a_paper(papers):
    """Return a function that sends an answer about a paper as its page would, and what its sheet shows."""
    writer = Worker(join(papers, "wendy"), papers, "ask")
    writer.commit(writer.claim(), "questions", asked("Which corpus was it?"))
    bot = Bot(join(papers, "adam"), Random(1))
    page = bot.claim(papers, "answer")
    sheet = assignments.work_of(Assignment.objects.get(annotator=bot.user)).sheet("answer")

    def send(evidence, spans=None, **headers):
        shown = dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))
        kind = {"kind": "abstractive", "text": "a corpus"} if spans is None else {"kind": "extractive"}
        fields = {"evidence": json.dumps([evidence]), "spans": json.dumps(spans or [])} | kind
        return bot.client.post(f"{page}answer/", shown | fields, headers=headers)

    return send, sheet


@pytest.fixture
def papers(db):
    return open_papers()


def chosen(sheet):
    """A sentence that needs no escaping, as a piece of evidence, and its first word as a span."""
    paragraphs = (paragraph for section in sheet.sections for paragraph in section.paragraphs)
    paragraph, place, sentence = next(
        (paragraph, place, sentence)
        for paragraph in paragraphs
        for place, sentence in enumerate(paragraph.sentences)
        if escape(sentence.text) == sentence.text and not set("$\r") & set(sentence.text)
    )
    word = sentence.text.split()[0]
    unit = {"kind": "sentences", "paragraph": paragraph.index, "start": place, "end": place + 1}
    span = {"passage": paragraph.index, "start": sentence.start, "end": sentence.start + len(word), "quote": word}
    return unit | {"quote": sentence.text}, span


AS_A_PAGE = pytest.mark.in_test_all(
    shown_by="tests/frontend/work/test_quotes_that_differ.py"
    "::test_a_box_with_another_quote_than_its_bytes_say_is_refused_with_422_and_both_texts"
)
WAYS = [pytest.param({}, id="a page", marks=AS_A_PAGE), pytest.param(HTMX, id="htmx")]


@pytest.mark.parametrize("headers", WAYS)
def test_words_of_a_paper_with_another_quote_than_it_says_are_refused_with_422_and_both_texts(sent_of_a_paper, headers):
    send, sheet = sent_of_a_paper
    evidence, span = chosen(sheet)
    before = Response.objects.count()
    response = send(evidence, [span | {"quote": OTHER_WORDS}], **headers)
    refused(response, says=span["quote"], sent=escape(OTHER_WORDS))
    response = send(evidence | {"quote": OTHER_WORDS}, [span], **headers)
    refused(response, says=evidence["quote"], sent=escape(OTHER_WORDS))
    assert Response.objects.count() == before
    assert send(evidence, [span], **headers).status_code in (200, 204, 302)
    assert Response.objects.count() == before + 1


def test_a_figure_with_another_caption_than_it_has_is_refused_with_422_and_both_texts(sent_of_a_paper):
    send, sheet = sent_of_a_paper
    figure = next(float for float in sheet.floats if float.caption and "$" not in float.caption)
    response = send({"kind": "float", "index": figure.index, "quote": OTHER_WORDS})
    refused(response, says=escape(figure.caption), sent=escape(OTHER_WORDS))
