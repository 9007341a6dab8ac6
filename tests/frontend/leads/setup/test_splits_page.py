"""A lead sees what a division into splits would do before it is done, and why it is refused."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from annotation.models import Event, Item
from annotation.setup import changes
from tests.builders import Worker, open_with, project, questions
from tests.disagreeing import browser
from tests.people import NOON, join

TENTHS = {"by": "random", "sizes": "dev: 20 %, test: 2", "rest": "train", "only": "", "seed": "one"}


@pytest.fixture
def lights(nq, tmp_path):
    open_with(nq, tmp_path, questions(10))
    return nq


@pytest.fixture
def lead(lena):
    return browser(lena)


def send(lead, lights, **fields):
    return lead.post(reverse("splits", args=[lights.slug]), TENTHS | fields, follow=True)


def text(answer):
    page = re.sub(r"<svg.*?</svg>|<[^>]+>", " ", answer.content.decode(), flags=re.DOTALL)
    return html.unescape(" ".join(page.split()))


def test_a_preview_counts_and_does_nothing_and_the_same_form_then_divides(lights, lead, lena, alice):
    Worker(alice, lights).finish_bad()
    page = text(send(lead, lights, go="preview"))
    assert "4 would be moved" in page
    assert "Afterwards dev test train All 2 2 6 train → dev: 2 train → test: 2" in page
    assert set(Item.objects.values_list("split", flat=True)) == {"train"}
    assert "Divided. 4 were moved." in text(send(lead, lights, go="divide"))
    assert Item.objects.filter(split="dev").count() == Item.objects.filter(split="test").count() == 2
    assert Event.objects.get(kind="project.splits").by == lena.pk


def test_what_stays_although_it_would_be_moved_is_counted_with_the_reason(lights, lead, alice):
    Worker(alice, lights).finish_bad()
    page = text(send(lead, lights, go="preview", sizes="dev: 100 %", rest="test"))
    assert "1 stays where it is although it would be moved: somebody holds them, has held them" in page


def test_a_split_that_can_t_get_as_many_as_are_wanted_is_named(lights, lead, alice):
    for _each in range(9):
        Worker(alice, lights).finish_bad()
    page = text(send(lead, lights, go="preview", sizes="dev: 1, test: 2"))
    assert "test gets 0 of the 2 that are wanted: the others can’t be moved." in page
    assert "dev gets" not in page


def test_an_impossible_division_says_why_and_moves_nothing(lights, lead):
    for go, fields, why in (
        ("divide", {"sizes": "dev: 11"}, "11 are wanted, and there are only 10."),
        ("preview", {"sizes": "dev: 11"}, "11 are wanted, and there are only 10."),
        ("preview", {"sizes": "dev: lots"}, "The size of dev has to be a number, or a share such as 10 %."),
        ("preview", {"sizes": "dev"}, "Write it as a name, a colon and a value"),
        ("divide", {"sizes": ""}, "Say how large which split is to be."),
        ("preview", {"rest": "dev"}, "dev gets the rest, so it can’t have a size as well."),
    ):
        answer = send(lead, lights, go=go, **fields)
        assert answer.status_code == 422
        assert why in text(answer)
        assert set(Item.objects.values_list("split", flat=True)) == {"train"}


def test_the_form_begins_as_the_published_dataset_was_divided(lights, lead):
    page = lead.get(reverse("splits", args=[lights.slug])).content.decode()
    assert 'value="dev: 2.42 %, test: 2.43 %"' in page
    conversations = project("talks", "coqa")
    other = browser(join(conversations, "lotte", "lead"))
    page = other.get(reverse("splits", args=["talks"])).content.decode()
    assert 'value="reddit: test, science: test"' in page
    assert 'value="dev: 100, test: 100"' in page


def test_a_sequestered_split_is_marked(lights, lead, lena):
    assert "train 10" in text(lead.get(reverse("splits", args=[lights.slug])))
    changes.change(lights, config={"sequestered": ["train"]}, by=lena, now=NOON)
    assert "train sequestered 10" in text(lead.get(reverse("splits", args=[lights.slug])))
