"""Leads write on the data card what can't be measured; the next releases have it, and so has the set-up file."""

from __future__ import annotations

import pytest
import yaml
from django.urls import reverse

from annotation import releases
from annotation.releases import card
from annotation.setup import files
from tasks.setup import outline
from tests.builders import Worker, open_with, questions
from tests.disagreeing import browser
from tests.people import NOON

TEXTS = {
    "description": "Questions about harbours.\n\n# Why\n\nThere were none.",
    "authors": "Ada Lovelace\nGrace *Hopper*",
    "licence": "CC BY 4.0",
    "language": "en, pt-BR",
    "citation": "",
    "intended_use": "Training.",
    "limits": "- Few harbours.",
}


@pytest.fixture
def lead(lena):
    return browser(lena)


def save(lead, nq, **changed):
    return lead.post(reverse("data_card", args=[nq.slug]), TEXTS | changed, follow=True)


def card_of(nq, alice, tmp_path) -> str:
    open_with(nq, tmp_path, questions(1))
    Worker(alice, nq).finish_bad()
    made = releases.build(nq, format="huggingface", by=None, now=NOON)
    return (releases.folder_of(made) / card.NAME).read_text()


def test_the_next_release_has_the_texts_on_its_card(lead, nq, alice, tmp_path):
    assert "The next release has it on its card." in save(lead, nq).content.decode()
    nq.refresh_from_db()
    said = card_of(nq, alice, tmp_path)
    head = yaml.safe_load(said.split("---")[1])
    assert (head["license"], head["language"]) == ("cc-by-4.0", ["en", "pt-BR"])
    for part in (
        "Questions about harbours.\n\n### Why\n\nThere were none.\n",
        "## Authors\n\n- Ada Lovelace\n- Grace \\*Hopper\\*\n",
        "## Intended use\n\nTraining.\n",
        "## Limits\n\n- Few harbours.\n",
        "## Licence of the annotations\n\nCC BY 4.0\n",
        "author = {Ada Lovelace and Grace *Hopper*}",
    ):
        assert part in said


def test_a_citation_of_ones_own_replaces_the_made_one(lead, nq, alice, tmp_path):
    save(lead, nq, citation="@inproceedings{harbours,\n  title = {Harbours}\n}", licence="Ask us")
    nq.refresh_from_db()
    said = card_of(nq, alice, tmp_path)
    assert "```bibtex\n@inproceedings{harbours,\n  title = {Harbours}\n}\n```\n" in said
    assert "@misc" not in said
    assert 'license: other\nlicense_name: "Ask us"\n' in said


def test_the_texts_are_shown_again_kept_in_the_set_up_file_and_undone(lead, nq):
    page = save(lead, nq)
    assert "There were none." in lead.get(reverse("data_card", args=[nq.slug])).content.decode()
    nq.refresh_from_db()
    setup = files.read(files.write(outline.setup_of(nq)).encode())
    assert setup.config["card"]["authors"] == TEXTS["authors"]
    settings = lead.get(reverse("settings", args=[nq.slug])).content.decode()
    assert "Intended use: none → Training." in settings
    undo = page.content.decode().split('<form class="push" method="post" action="', 1)[1].split('"', 1)[0]
    lead.post(undo)
    nq.refresh_from_db()
    assert "card" not in nq.config


@pytest.mark.parametrize("wrong", [{"language": "English language"}, {"limits": "x" * 5001}])
def test_what_can_not_be_stored_is_said_beside_the_field(lead, nq, wrong):
    answer = save(lead, nq, **wrong)
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.content.decode()
    nq.refresh_from_db()
    assert "card" not in nq.config
