"""A quote that is not what the bytes say is refused with 422 and both texts, and nothing is stored."""

from __future__ import annotations

import json
from random import Random

import pytest

from annotation import rows
from annotation.models import Item, Response
from frontend.bots import HIDDEN_FIELD, Bot
from tests.builders import open_with, questions

BOX = {"kind": "box", "candidate": "3", "quote": "Anna Berg came from Bergen."}
HTMX = {"HX-Request": "true"}


@pytest.fixture
def send(nq, alice, tmp_path):
    """Sends a stage of alice's work, as its page would."""
    open_with(nq, tmp_path, questions(1))
    bot = Bot(alice, Random(1))
    page = bot.claim(nq, "annotate")

    def send(stage, fields, **headers):
        shown = dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))
        return bot.client.post(f"{page}{stage}/", shown | fields, headers=headers)

    assert send("question", {"verdict": "good"}).status_code == 302
    return send


def refused(response, *, says, sent):
    """422 with both texts, of which a page makes no markup."""
    text = response.content.decode()
    assert response.status_code == 422
    assert f'There it says: <q dir="auto">{says}</q>' in text
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
    layout = rows.item_record(Item.objects.get()).documents[0].layout
    box = layout.candidates[3]
    first = next(place for place in range(box.start_token, box.end_token) if not layout.tokens[place].html)
    span = {"start": first, "end": first + 2, "quote": "Olaf Lund"}
    response = send("short_answer", {"kind": "spans", "spans": json.dumps([span])})
    refused(response, says="Anna Berg", sent="Olaf Lund")
    assert Response.objects.count() == 2
    send("short_answer", {"kind": "spans", "spans": json.dumps([span | {"quote": "Anna Berg"}])})
    assert Response.objects.count() == 3
