"""People who answer see nothing of the answers that came along with the export of another tool."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Annotation, Purpose
from tests.annotation.exchange.exports import HOLT, chosen, mark, take_in, task
from tests.builders import Worker, project
from tests.factories.work import QueueFactory
from tests.people import join

NAMES = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{20,}|[A-Za-z0-9_-]{20,}")
"""Tokens, ids and keys, which differ between any two pages."""


def page_of(slug, tmp_path, *annotations, published):
    """The page on which somebody is to answer, without what differs between any two pages."""
    made = project(slug, "squad", activities={"answer": {"overlap": {"train": 2}}})
    take_in(made, tmp_path, [task(*annotations)], published=published)
    QueueFactory(project=made, activity="answer")
    alice = join(made, f"alice-{slug}")
    held = Worker(alice, made, "answer").claim()
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(alice)
    page = browser.get(reverse("work", args=[held.uuid]), follow=True)
    assert page.status_code == 200
    return NAMES.sub("…", re.sub(slug, "…", page.content.decode(), flags=re.IGNORECASE))


@pytest.mark.parametrize("said", [mark(*HOLT, "Anna Holt"), mark(4, 8, "mill"), chosen("No answer")])
def test_the_page_is_the_same_whatever_was_answered_before_and_whether_it_was(db, tmp_path, said):
    without = page_of("without", tmp_path, [said], published=False)
    answered = page_of("answered", tmp_path, [said], published=True)
    assert answered == without
    came = Annotation.objects.filter(purpose=Purpose.IMPORT).count()
    assert came == ("labels" in said["value"])
