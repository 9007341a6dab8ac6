"""Every change that a lead makes on the pages of a project's set-up can be undone, however the project was made."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django import forms
from django.test import Client
from django.urls import reverse

from annotation import events, projects, registry
from annotation.models import Event, Project
from annotation.setup import changes
from frontend.leads.setup import settings
from tasks.setup import opening
from tests.disagreeing import browser
from tests.frontend.leads.makers import MAKERS, by_command
from tests.people import NOON

REST = pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/setup/test_undoing_everything.py::test_every_setting_can_be_undone"
)


EACH_MERGE = {("older", "coqa")}
OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/setup/test_undoing_everything.py::test_texts_and_numbers_of_queues_can_be_undone"
)
WAYS = [
    pytest.param(maker, protocol, id=f"{maker}-{protocol}", marks=() if (maker, protocol) in EACH_MERGE else REST)
    for maker in MAKERS
    for protocol in ("nq", "coqa", "qasper", "squad", "dureader")
]


def sent(made: Project, **changed) -> dict:
    """The form of the settings as the page has it, with these changes; a box that is not ticked is not sent."""
    title, form = settings.forms_of(made)
    fields = {**form.data, **title.data, **changed}
    return {name: value for name, value in fields.items() if value is not False and value is not None}


def another(field: forms.Field, value):
    """A value for the field that it does not have yet."""
    if isinstance(field, forms.BooleanField):
        return not value
    if isinstance(field, forms.ChoiceField):
        return next(each for each, _label in field.choices if each != (value or ""))
    if isinstance(field, forms.IntegerField):
        return int(value or 0) + 1
    if isinstance(field, forms.FloatField):
        return 0.5 if value != 0.5 else 0.25
    return "test, gold"


def single_changes(made: Project) -> Iterator[dict]:
    """For each field of the settings what is sent when only it is changed; a share comes with its number."""
    _title, form = settings.forms_of(made)
    yield {"title": "Another title"}
    for name, field in form.fields.items():
        if name.endswith("-share"):
            yield {name: "40", name.removesuffix("share") + "more": "7"}
        elif not name.endswith("-more"):
            yield {name: another(field, form.data.get(name))}


def state(made: Project) -> dict:
    """All that the settings say; a number that is the protocol's may be written down or not."""
    return changes.fields_of(Project.objects.get(pk=made.pk))


def latest_undo(answer) -> str:
    """The button of the message that follows a change."""
    return re.findall(r'action="(/projects/[^"]*/settings/\d+/undo/)"', answer.content.decode())[0]


def pages_are_there(lead: Client, made: Project) -> None:
    for page in ("settings", "queues", "existing_items", "project"):
        assert lead.get(reverse(page, args=[made.slug])).status_code == 200


@pytest.mark.parametrize(("maker", "protocol"), WAYS)
def test_every_setting_can_be_undone(db, maker, protocol, monkeypatch):
    made, lena = MAKERS[maker](protocol)
    lead, before = browser(lena), state(made)
    address = reverse("settings", args=[made.slug])
    for change in single_changes(made):
        made.refresh_from_db()
        assert lead.post(address, sent(made, **change)).status_code == 302
        assert state(made) != before, change
        event = Event.objects.filter(kind=changes.CHANGED, subject=events.name(made)).latest("pk")
        assert lead.post(reverse("undo_setting", args=[made.slug, event.pk])).status_code == 302, change
        assert state(made) == before, change
    monkeypatch.setattr(settings, "LATEST", 500)  # all that was changed, in words
    pages_are_there(lead, made)


@pytest.mark.parametrize("maker", MAKERS)
def test_a_new_title_changes_nothing_else_and_is_undone(db, maker):
    made, lena = MAKERS[maker]("nq")
    lead, config = browser(lena), made.config
    lead.post(reverse("settings", args=[made.slug]), sent(made, title="Another title"))
    made.refresh_from_db()
    assert (made.title, made.config) == ("Another title", config)
    assert Event.objects.filter(kind=changes.CHANGED).latest("pk").data["after"] == {"title": "Another title"}


def test_a_change_that_an_older_version_recorded_is_undone(db):
    made, lena = by_command("nq")
    path = "config.activities.annotate.overlap.extra"
    changes.change(made, config={"activities": {"annotate": {"overlap": {"extra": 1}}}}, by=lena, now=NOON)
    events.record(changes.CHANGED, made, by=lena, now=NOON, before={path: None}, after={path: 2})
    Project.objects.filter(pk=made.pk).update(
        config=made.config | {"activities": {"annotate": {"overlap": {"extra": 2}}}}
    )
    lead, event = browser(lena), Event.objects.latest("pk")
    page = lead.get(reverse("settings", args=[made.slug])).content.decode()
    assert "people for each of extra: 1 → 2" in page
    lead.post(reverse("undo_setting", args=[made.slug, event.pk]))
    assert path not in changes.fields_of(Project.objects.get(pk=made.pk))


def test_a_share_of_items_gets_more_where_the_others_get_nobody(db):
    made, lena = by_command("nq")
    change = {"annotate-dev-base": "0", "annotate-dev-share": "40", "annotate-dev-more": "150"}
    browser(lena).post(reverse("settings", args=[made.slug]), sent(made, **change))
    overlap = projects.activity_config(Project.objects.get(pk=made.pk), "annotate").overlap["dev"]
    assert overlap.model_dump() == {"base": 0, "more": 150, "share": 0.4}


@pytest.mark.parametrize(
    "maker", ["older", *(pytest.param(maker, marks=OTHERS) for maker in MAKERS if maker != "older")]
)
def test_texts_and_numbers_of_queues_can_be_undone(db, maker):
    made, lena = MAKERS[maker]("nq")
    lead, before = browser(lena), projects.guidelines_of(made).text
    guidelines = {"text": "Read it all.", "seen": "1", "kind": "semantic", "fast_percent": "10", "go": "publish"}
    lead.post(latest_undo(lead.post(reverse("edit_guidelines", args=[made.slug]), guidelines, follow=True)))
    assert projects.guidelines_of(made).text == before
    consent = {"text": "We keep **all**.", "go": "publish"}
    lead.post(latest_undo(lead.post(reverse("consent_text", args=[made.slug]), consent, follow=True)))
    assert not Project.objects.get(pk=made.pk).consent_sha256
    for activity in registry.get("nq").activities:
        begin = {"lease_minutes": "30", "least_agreement": "0.6"}
        lead.post(reverse("open_queue", args=[made.slug, activity.key]), begin)
        for what in ("change_queue", "open_queue"):
            change = {"lease_minutes": "45", "least_agreement": ""}
            answer = lead.post(reverse(what, args=[made.slug, activity.key]), change, follow=True)
            lead.post(latest_undo(answer))
            assert opening.numbers_of(opening.queue_of(made, activity.key)) == opening.QueueSettings(30, 0.6)
    pages_are_there(lead, made)
