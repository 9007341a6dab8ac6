"""Work on a plain text, and on an item without any document, goes through the same pages as work on a page."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation import releases
from annotation.models import Item, Role
from annotation.parsing.plain_text import text_document
from annotation.values.sheets import PageFrame
from frontend.bots.bot import Bot, Rates
from frontend.bots.crowd import Crowd
from tasks.engine import queues
from tasks.models import Assignment
from tests import clippings as toy
from tests.clippings import article, import_articles, question
from tests.people import NOON, join

WORDS = "Otters sleep on 🦊 kelp, and they hold hands. Otters rest."
ACTIVITIES = ("summarise", "answer")


@pytest.fixture
def opened(clippings, tmp_path):
    """One article with two questions about one text, with both queues open."""
    text = {"text": WORDS, "questions": [question("q1"), question("q2")]}
    import_articles(clippings, tmp_path, article("Otters", text), published=False)
    for activity in ACTIVITIES:
        queues.open_queue(clippings, activity, by=None, now=NOON)
    return clippings


@pytest.fixture
def bot(opened):
    return Bot(join(opened, "alice"), Random(1))


@pytest.fixture
def lead(opened, client):
    client.force_login(join(opened, "lena", Role.LEAD))
    return client


def addresses(assignment, stage):
    """Every URL that returns material of a stage besides its page."""
    picture = {"uuid": assignment.uuid, "step": stage, "token": "guessed", "place": 0}
    yield reverse("frame", args=[assignment.uuid, stage])
    yield reverse("image", args=[assignment.uuid, stage, 0])
    yield reverse("picture", kwargs=picture)


@pytest.mark.parametrize(
    ("activity", "stage", "shown"), [("summarise", "summary", "Otters"), ("answer", "span", WORDS)]
)
def test_the_stage_shows_it_and_there_is_no_frame_and_no_image(opened, bot, activity, stage, shown):
    page = bot.claim(opened, activity)
    assert shown in bot.client.get(page).content.decode()
    for url in addresses(Assignment.objects.get(), stage):
        assert bot.client.get(url).status_code == 404, url


def test_a_pasted_quote_is_located_in_code_points_of_the_text(opened, bot):
    bot.claim(opened, "answer")
    url = reverse("find_quote", args=[Assignment.objects.get().uuid, "span"])
    [found] = bot.client.get(url, {"text": "“KELP, and”"[1:-1]}).json()["matches"]
    assert (found["text"], WORDS[found["start"] : found["end"]]) == (0, "kelp, and")
    assert len(bot.client.get(url, {"text": "otters"}).json()["matches"]) == 2


def test_an_item_without_a_document_has_nowhere_to_look_for_a_quote(opened, bot):
    bot.claim(opened, "summarise")
    url = reverse("find_quote", args=[Assignment.objects.get().uuid, "summary"])
    assert bot.client.get(url, {"text": "Otters"}).status_code == 404


def test_a_sheet_that_would_frame_a_text_is_a_bug_with_a_clear_message(opened, bot, changed):
    bot.claim(opened, "answer")
    changed(sheet=lambda stage, *of: replace(toy.sheet(stage, *of), frame=PageFrame()))
    with pytest.raises(ValueError, match="text/plain is not a page"):
        bot.client.get(next(addresses(Assignment.objects.get(), "span")))


def test_a_span_with_other_words_is_refused_and_a_right_one_is_released(opened, bot):
    page = bot.claim(opened, "answer")
    uuid = Assignment.objects.get().uuid
    url, form = bot.filled(page, uuid, "clippings", "span", {"start": 7, "end": 12, "quote": "slept"})
    assert bot.client.post(url, form).status_code == 422
    assert bot.post(url, bot.filled(page, uuid, "clippings", "span", span("kelp"))[1])
    release = releases.build(opened, format="clippings", by=None, now=NOON)
    assert '"text":"kelp"' in (releases.folder_of(release) / "train.json").read_text()


def span(words):
    start = WORDS.index(words)
    return {"start": start, "end": start + len(words), "quote": words}


def test_bots_can_do_all_of_it(opened, capsys):
    crowd = Crowd(opened, [toy.PROTOCOL.activity(key) for key in ACTIVITIES], 2, Rates(0.5, 0, 0, 0), "seed")
    crowd.run(progress=lambda *told: None)
    assert crowd.tally["taken"] == 3
    assert releases.manifest_of(releases.build(opened, format="clippings-summed-up", by=None, now=NOON))["files"]
    call_command("report", opened.slug)
    assert re.search(r"records +2", capsys.readouterr().out)


def test_a_lead_sees_the_work_on_it_with_the_source_of_its_text(opened, bot, lead):
    for activity in ACTIVITIES:
        while bot.finish_one(opened, activity):
            pass
    releases.build(opened, format="clippings", by=None, now=NOON)
    assert "release 1, frozen" in lead.get(reverse("project", args=[opened.slug])).content.decode()
    for item in Item.objects.all():
        shown = lead.get(reverse("item", args=[opened.slug, item.pk])).content.decode()
        assert ("licence: our own" in shown) == (item.kind == "question")
        assert {"article": "About Otters", "question": '<q dir="auto">O'}[item.kind] in shown


def test_a_text_without_a_title_has_no_name(opened, lead):
    item = Item.objects.filter(kind="question").first()
    shown = lead.get(reverse("item", args=[opened.slug, item.pk])).content.decode()
    assert "<bdi></bdi>" not in shown


def test_a_text_with_its_own_title_has_that_and_not_the_article_s(opened, lead, tmp_path, changed):
    titles = {"article": "the article", "question": "the text"}

    def read(source):
        for item in toy.read(source):
            yield replace(item, documents=(text_document(WORDS, "text", title=titles[item.kind]),))

    changed(read=read)
    import_articles(opened, tmp_path, article("Foxes", {"text": WORDS, "questions": [question("q9")]}), published=False)
    item = Item.objects.get(external_id="q9")
    shown = lead.get(reverse("item", args=[opened.slug, item.pk])).content.decode()
    assert "the text" in shown
    assert "the article" not in shown
