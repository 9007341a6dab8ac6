"""Titles, descriptions and problems of a protocol are translated where they are shown, marked lazily or plainly."""

from __future__ import annotations

import html
from dataclasses import replace
from random import Random

import pytest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext_lazy, trans_real

from annotation import i18n, registry
from annotation.errors import PayloadInvalid, Problem
from annotation.models import Item, Role
from frontend.bots.bot import HIDDEN_FIELD, Bot
from frontend.errors import refused
from tests.builders import Worker, open_with, questions
from tests.people import join

GERMAN = {
    "Answer riddles": "Rätsel lösen",
    "Say what it is.": "Sag, was es ist.",
    "Riddle": "Rätsel",
    "This can't be.": "Das kann nicht sein.",
}


OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/work/test_translated_titles.py"
    "::test_home_translates_the_title_and_description_of_an_activity"
)
MARKS = [pytest.param(i18n._, id="marked", marks=OTHERS), pytest.param(gettext_lazy, id="lazy")]


@pytest.fixture(params=MARKS)
def riddles(request, nq, alice, tmp_path, monkeypatch):
    """A project whose titles and problems are in the German catalog."""
    mark, protocol = request.param, registry.get("nq")
    (activity,) = protocol.activities
    stages = tuple(replace(stage, title=mark("Riddle")) for stage in activity.stages)
    riddle = replace(activity, title=mark("Answer riddles"), description=mark("Say what it is."), stages=stages)
    monkeypatch.setattr(protocol, "activities", (riddle,), raising=False)
    problem = Problem("", "impossible", mark("This can't be."))
    monkeypatch.setattr(protocol, "check", lambda context, step, payload: [problem], raising=False)
    open_with(nq, tmp_path, questions(1))
    monkeypatch.setattr(trans_real, "_translations", {})
    with translation.override("de"):
        for english, german in GERMAN.items():
            trans_real.catalog()._catalog[english] = german
        yield nq


@pytest.fixture
def bot(riddles, alice):
    return Bot(alice, Random(1))


def shown(client, address: str) -> str:
    return html.unescape(client.get(address).content.decode())


@pytest.mark.parametrize("riddles", [i18n._, gettext_lazy], ids=["marked", "lazy"], indirect=True)
def test_home_translates_the_title_and_description_of_an_activity(riddles, bot):
    page = shown(bot.client, reverse("home"))
    assert "Rätsel lösen" in page
    assert "Sag, was es ist." in page
    bot.claim(riddles, "annotate")
    page = shown(bot.client, reverse("home"))
    assert "Rätsel lösen" in page
    assert "Answer riddles" not in page


def test_a_work_screen_translates_the_titles_of_stages_and_what_check_refuses(riddles, bot):
    page = bot.claim(riddles, "annotate")
    text = shown(bot.client, page)
    assert "Riddle" not in text
    assert text.count("Rätsel") >= 3
    fields = dict(HIDDEN_FIELD.findall(text)) | {"verdict": "good"}
    sent = bot.client.post(f"{page}question/", fields)
    assert sent.status_code == 422
    assert ">Das kann nicht sein.</p>" in sent.content.decode()


def test_a_refused_answer_without_a_form_is_translated_too(riddles, rf, alice):
    request = rf.post("/")
    request.user, request.htmx, request.resolver_match = alice, False, None
    problem = registry.get("nq").check(None, None, None)
    page = refused(request, PayloadInvalid(tuple(problem))).content.decode()
    assert "Das kann nicht sein." in html.unescape(page)


def test_the_page_of_an_item_translates_the_titles_of_its_answers(riddles, client, monkeypatch):
    monkeypatch.setattr(registry.get("nq"), "check", lambda context, step, payload: [])
    Worker(join(riddles, "bob"), riddles).finish_bad()
    client.force_login(join(riddles, "lead", Role.LEAD))
    page = shown(client, reverse("item", args=[riddles.slug, Item.objects.get().pk]))
    assert '<h2 class="small quiet">Rätsel</h2>' in page
