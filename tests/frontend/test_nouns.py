"""Screens and messages use the activity's noun for what is worked on, and "item" if it has none."""

from __future__ import annotations

import html
from dataclasses import replace
from random import Random

import pytest
from django.urls import reverse

from annotation.i18n import Noun
from annotation.imports import run
from annotation.models import Item, Role
from frontend.bots.bot import Bot
from tasks.engine import queues
from tasks.models import Assignment
from tests import clippings as toy
from tests.clippings import article, import_articles, question
from tests.people import NOON, join

WORDS = "Otters sleep on kelp. They hold hands."
RIDDLE = Noun("riddle", "riddles", "a riddle")
SUMMARISE, ANSWER = toy.PROTOCOL.activities
NO_REASON = {"reason": ""}


@pytest.fixture
def opened(clippings, tmp_path):
    """One article with two texts, a queue for each activity."""
    texts = [{"text": f"{WORDS} {name}", "questions": [question(name)]} for name in ("one", "two")]
    import_articles(clippings, tmp_path, article("Otters", *texts), published=False)
    for activity in (SUMMARISE, ANSWER):
        queues.open_queue(clippings, activity.key, by=None, now=NOON)
    return clippings


@pytest.fixture
def bot(opened):
    return Bot(join(opened, "alice"), Random(1))


@pytest.fixture
def lead(opened, client):
    client.force_login(join(opened, "lena", Role.LEAD))
    return client


def shown(client, *address, **kwargs) -> str:
    return html.unescape(client.get(reverse(*address, **kwargs)).content.decode())


def test_without_a_noun_people_work_on_items(opened, bot):
    page = html.unescape(bot.client.get(bot.claim(opened, "answer")).content.decode())
    for words in ("Skip this item", "You won’t get this item again.", "Skip – next item"):
        assert words in page
    for words in ("{n} minutes left on this item", "The time for this item has ended.", "skip this item"):
        assert words in page


def test_a_stage_uses_the_noun_of_its_activity(opened, bot, changed):
    changed(activities=(replace(SUMMARISE, noun=Noun("article", "articles", "an article")), ANSWER))
    page = html.unescape(bot.client.get(bot.claim(opened, "summarise")).content.decode())
    assert "Skip this article" in page
    assert "You won’t get this article again." in page
    assert "this item" not in page


def test_the_end_of_a_block_uses_its_nouns(opened, bot, changed):
    changed(activities=(SUMMARISE, replace(ANSWER, block=True, noun=RIDDLE, whole="clipping")))
    bot.claim(opened, "answer")
    for held in Assignment.objects.all():
        bot.answer(reverse("work", args=[held.uuid]))
    assert "All riddles about this clipping are done. Thank you." in shown(bot.client, "home")


def test_a_project_with_several_nouns_has_items_and_each_of_its_pages_the_noun_of_its_kind(opened, lead, changed):
    changed(activities=(SUMMARISE, replace(ANSWER, noun=RIDDLE)))
    page = shown(lead, "project", args=[opened.slug])
    assert "items are done" in page
    assert 'scope="col">Item</th>' in shown(lead, "items", args=[opened.slug])
    of_kind = {"article": "item", "question": "riddle"}
    for item in Item.objects.all():
        page = shown(lead, "item", args=[opened.slug, item.pk])
        assert f"Nobody has worked on this {of_kind[item.kind]} yet" in page


def test_a_project_in_which_all_activities_share_a_noun_uses_it(opened, lead, changed):
    changed(activities=(replace(SUMMARISE, noun=RIDDLE), replace(ANSWER, noun=RIDDLE)))
    page = shown(lead, "project", args=[opened.slug])
    assert "riddles are done" in page
    assert 'scope="col">Riddle</th>' in shown(lead, "items", args=[opened.slug])


def test_an_empty_project_says_what_an_import_brings(clippings, client, changed):
    client.force_login(join(clippings, "lena", Role.LEAD))
    assert "Import items" in shown(client, "project", args=[clippings.slug])
    changed(material="articles and texts")
    assert "Import articles and texts" in shown(client, "project", args=[clippings.slug])


def test_a_refusal_on_the_page_of_an_item_links_back_to_it_by_its_noun(opened, lead, changed):
    changed(activities=(SUMMARISE, replace(ANSWER, noun=RIDDLE)))
    item = Item.objects.filter(kind="question").first()
    refused = lead.post(reverse("cancel", args=[opened.slug, item.pk]), NO_REASON)
    assert "Back to the riddle" in refused.content.decode()


@pytest.mark.parametrize(("named", "field"), [({}, "id"), ({"id_field": lambda kind: f"{kind}.name"}, "question.name")])
def test_an_existing_id_with_other_content_is_refused_by_the_field_of_the_file(opened, tmp_path, changed, named, field):
    changed(**named)
    other = {"text": WORDS, "questions": [question("one")]}
    with pytest.raises(run.LinesRefused) as error:
        import_articles(opened, tmp_path, article("Otters", other), published=False)
    assert [found.field for found in error.value.report.refused] == [field]
