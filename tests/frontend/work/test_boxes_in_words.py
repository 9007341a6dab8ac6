"""Readers of an answer see a box under the name it has on the work screens, not its tag."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from tests.builders import GOOD, Worker, open_with, questions

BOX = {"kind": "box", "candidate": 3, "quote": "Anna Berg came from Bergen."}


def test_the_path_of_a_chosen_box_is_in_words(nq, alice, lena, client, tmp_path):
    open_with(nq, tmp_path, questions(1))
    worker = Worker(alice, nq)
    mine = worker.claim()
    for stage, payload in (("question", GOOD), ("long_answer", BOX), ("short_answer", {"kind": "yes"})):
        worker.commit(mine, stage, payload)
    client.force_login(lena)
    page = " ".join(client.get(reverse("item", args=[nq.slug, mine.task.item_id])).content.decode().split())
    assert '<p class="path"> Harbour lights › Keepers › List item 1 </p>' in page


@pytest.mark.parametrize("kind", ["P", "Table", "Tr", "Ul", "Ol", "Dl", "Li", "Dt", "Dd"])
def test_every_kind_of_box_has_words(kind):
    said = render_to_string("nq/_kind.html", {"kind": kind}).strip()
    assert len(said) > 3
    assert (said == kind) == (kind == "Table")
