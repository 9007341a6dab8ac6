"""A lead looks at every screen of work on an item that nobody has annotated; nothing is written, and nothing can be.

In a module of its own: the rows of what was looked at stay while its tests run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from django.apps import apps
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotation import registry
from annotation.engine import made_up
from annotation.models import Item
from annotation.values.activities import Activity
from tests.frontend.leads.items.as_seen import fresh, pages_of

OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/items/test_screens_as_seen.py"
    "::test_every_stage_of_every_seat_is_shown_without_any_annotation_and_nothing_is_written"
)
EACH_MERGE = {("nq", "annotate"), ("qasper", "ask"), ("qasper", "answer"), ("coqa", "guess"), ("toy", "talk")}
"""With a page, with items as a result, of items that people made, in turns, and in seats."""
WORKED_ON = [
    pytest.param(
        (protocol.key, activity.key),
        id=f"{protocol.key}-{activity.key}",
        marks=() if (protocol.key, activity.key) in EACH_MERGE else OTHERS,
    )
    for protocol in registry.all_protocols()
    for activity in protocol.activities
]


def rows() -> dict[str, int]:
    """How many rows each table has; sessions apart."""
    return {one.__name__: one.objects.count() for one in apps.get_models() if one.__name__ not in ("Session", "Usage")}


@dataclass(frozen=True)
class Looked:
    """What a lead was sent who looked at every screen of an activity once, and the rows there were before and after."""

    item: Item
    activity: Activity
    lead: Client
    pages: dict[str, HttpResponse]
    before: dict[str, int]
    after: dict[str, int]


@pytest.fixture(scope="module", params=WORKED_ON)
def looked(request, shared_rows):
    """For each activity of each protocol."""
    protocol, key = request.param
    with transaction.atomic():
        item, lead = fresh(protocol, key)
        before = rows()
        pages = pages_of(item, lead)
        yield Looked(item, registry.get(protocol).activity(key), lead, pages, before, rows())
        transaction.set_rollback(True)


def test_every_stage_of_every_seat_is_shown_without_any_annotation_and_nothing_is_written(looked):
    activity, item = looked.activity, looked.item
    pages = {link: page for link, page in looked.pages.items() if f"/{activity.key}/" in link}
    screens = made_up.screens_of(item, activity.key)
    assert {one.step.stage for one in screens if not one.is_wait} == {stage.key for stage in activity.stages}
    assert {one.seat for one in screens} == set(activity.seats)
    assert len(pages) == len(screens)
    for page in pages.values():
        text = page.content.decode()
        assert page.status_code == 200
        assert "data-as-seen" in text
        assert "data-work=" not in text
        assert text.count('aria-current="page"') == 1
        assert reverse("item", args=[item.project.slug, item.pk]) in text
    assert looked.after == looked.before


def test_it_may_send_nothing(looked):
    for page in looked.pages.values():
        policy = page["Content-Security-Policy"]
        assert "connect-src 'none'" in policy
        assert "form-action 'none'" in policy
        actions = re.findall(r'(?:action|hx-post|hx-get)="([^"]*)"', page.content.decode())
        assert all(each in ("", reverse("login")) or "/as-seen/" in each for each in actions)
    for link in (next(iter(looked.pages)), next(reversed(looked.pages))):
        assert looked.lead.post(link).status_code == 405
