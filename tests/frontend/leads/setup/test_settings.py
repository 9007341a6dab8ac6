"""A lead changes a project's settings: each change is an event, is shown with who made it, and can be undone."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from annotation import membership, projects
from annotation.models import Event, GuidelineVersion, Project
from annotation.setup import changes, files
from frontend.leads.setup import settings
from tasks import queues
from tasks.models import Task
from tasks.no_work import NoWork
from tasks.setup import outline
from tasks.states import TaskState
from tests.builders import Worker, load, open_with, project, questions, reload, write_lines
from tests.disagreeing import browser
from tests.people import NOON, join


@pytest.fixture
def lead(lena):
    return browser(lena)


def fields(nq, **changed):
    """The form of the settings as it is, with these changes; a box that is not ticked is not sent."""
    title, form = settings.forms_of(nq)
    sent = {**form.data, **title.data, **{name.replace("__", "-"): value for name, value in changed.items()}}
    return {name: value for name, value in sent.items() if value is not False and value is not None}


def save(lead, nq, **changed):
    return lead.post(reverse("settings", args=[nq.slug]), fields(nq, **changed), follow=True)


def text(answer):
    page = re.sub(r"<svg.*?</svg>|<[^>]+>", " ", answer.content.decode(), flags=re.DOTALL)
    return html.unescape(" ".join(page.split()))


def test_a_change_is_one_event_with_who_what_was_before_and_what_is_after(nq, lena, lead):
    page = text(save(lead, nq, title="Harbour lights", pay="12 EUR an hour", tells_decisions="on"))
    nq.refresh_from_db()
    assert (nq.title, projects.project_config(nq).pay) == ("Harbour lights", "12 EUR an hour")
    [event] = Event.objects.filter(kind=changes.CHANGED)
    assert event.by == lena.pk
    paths = ("title", "config.pay", "config.tells_decisions")
    assert event.data["before"] == dict(zip(paths, ("Lights", "", False), strict=True))
    assert event.data["after"] == dict(zip(paths, ("Harbour lights", "12 EUR an hour", True), strict=True))
    assert "Title: Lights → Harbour lights" in page
    assert "Pay: none → 12 EUR an hour" in page
    assert "Tell people how disputes about their work were decided: no → yes" in page


def test_saving_without_a_change_changes_nothing(nq, lead):
    before = Project.objects.get().config
    assert "Nothing was different." in text(save(lead, nq))
    assert Project.objects.get().config == before
    assert not Event.objects.filter(kind=changes.CHANGED).exists()


@pytest.mark.parametrize("wrong", [{"title": ""}, {"annotate__dev__base": "x"}, {"annotate__test__share": "7"}])
def test_an_impossible_setting_changes_nothing_at_all(nq, lead, wrong):
    assert save(lead, nq, pay="1 EUR an hour", **wrong).status_code == 422
    assert projects.project_config(Project.objects.get()).pay == ""


def test_a_change_can_be_undone_until_it_is_changed_again(nq, lead):
    save(lead, nq, title="First")
    save(lead, nq, title="Second", pay="1 EUR an hour")
    first, second = Event.objects.filter(kind=changes.CHANGED).order_by("pk").values_list("pk", flat=True)
    assert lead.post(reverse("undo_setting", args=[nq.slug, first])).status_code == 409
    assert "As before." in text(lead.post(reverse("undo_setting", args=[nq.slug, second]), follow=True))
    after = Project.objects.get()
    assert (after.title, projects.project_config(after).pay) == ("First", "")
    assert Event.objects.filter(kind=changes.CHANGED).count() == 3


def test_only_events_of_the_project_can_be_undone(nq, lead, lena):
    other = project("other")
    changes.change(other, title="Mine", by=lena, now=NOON)
    event = Event.objects.get(kind=changes.CHANGED)
    assert lead.post(reverse("undo_setting", args=[nq.slug, event.pk])).status_code == 404
    assert Project.objects.get(slug="other").title == "Mine"


def slots(**which):
    return sorted(Task.objects.filter(**which).values_list("state", "slots"))


def test_after_a_change_of_overlap_the_lead_reads_what_it_means_for_items_that_exist(nq, lead, alice, tmp_path):
    open_with(nq, tmp_path, questions(3))
    Worker(alice, nq).finish_bad()
    Worker(alice, nq).claim()
    page = text(save(lead, nq, annotate__train__base="2"))
    assert "Answer questions from a page 3 1 0 0" in page  # more, of them done, fewer, kept
    assert slots() == [("done", 1), ("full", 1), ("open", 1)]
    lead.post(reverse("existing_items", args=[nq.slug]))
    assert slots() == [("open", 2), ("open", 2), ("open", 2)]
    [event] = Event.objects.filter(kind="queue.overlap")
    assert event.data == {"more": 3, "again": 1, "fewer": 0, "kept": 0}


def test_an_item_that_was_done_is_handed_out_again_but_not_to_the_same_person(nq, lead, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(1))
    Worker(alice, nq).finish_bad()
    assert Worker(bob, nq).claim() == NoWork("all_done")
    save(lead, nq, annotate__train__base="2")
    lead.post(reverse("existing_items", args=[nq.slug]))
    assert Worker(alice, nq).claim() == NoWork("done_all_you_may")
    Worker(bob, nq).finish_bad()
    assert slots() == [("done", 2)]


def test_with_fewer_only_items_that_nobody_has_begun_lose_places(nq, lead, alice, tmp_path):
    open_with(nq, tmp_path, questions(3, split="dev"))
    Worker(alice, nq).finish_bad()
    Worker(alice, nq).claim()
    page = text(save(lead, nq, annotate__dev__base="3"))
    assert "Answer questions from a page 0 0 1 2" in page
    lead.post(reverse("existing_items", args=[nq.slug]))
    assert slots() == [("open", 3), ("open", 5), ("open", 5)]


def test_items_that_nobody_was_to_work_on_are_opened_by_a_higher_number(nq, lead, tmp_path):
    changes.change(nq, config={"activities": {"annotate": {"overlap": {"train": 0}}}}, by=None, now=NOON)
    open_with(nq, tmp_path, questions(2))
    assert slots() == [("done", 1), ("done", 1)]
    save(lead, nq, annotate__train__base="1")
    lead.post(reverse("existing_items", args=[nq.slug]))
    assert {state for state, _slots in slots()} == {TaskState.OPEN}


def test_a_new_item_gets_the_new_number_in_any_case(nq, lead, lena, tmp_path):
    open_with(nq, tmp_path, questions(1))
    save(lead, nq, annotate__train__base="4")
    load(nq, write_lines(tmp_path / "more.jsonl", questions(1, start=7)))
    queues.look_again(nq)
    queues.fill(nq.queues.select_related("project").get(), now=NOON)
    assert slots() == [("open", 1), ("open", 4)]


def test_a_new_version_counts_for_new_claims_and_held_work_stays_on_its_own(nq, lead, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(3))
    held = Worker(alice, nq).claim()
    form = {"text": "# Judge\r\nbriefly", "kind": "semantic", "fast_percent": "10", "seen": "1", "go": "publish"}
    page = text(lead.post(reverse("edit_guidelines", args=[nq.slug]), form, follow=True))
    assert "In force for what is claimed from now on." in page
    assert "Guidelines, version 2 (semantic) " in page
    version = GuidelineVersion.objects.get(number=2)
    assert (version.text, version.fast_share, version.kind) == ("# Judge\nbriefly\n", 0.1, "semantic")
    assert reload(held).annotation.guidelines.number == 1
    assert Worker(bob, nq).claim().annotation.guidelines == version


def test_a_preview_shows_text_and_differences_and_publishes_nothing(nq, lead):
    old = projects.guidelines_of(nq).text
    form = {"text": old + "\nRead **all** of it.\n", "kind": "", "fast_percent": "20", "seen": "1", "go": "preview"}
    answer = lead.post(reverse("edit_guidelines", args=[nq.slug]), form)
    assert "<strong>all</strong>" in answer.content.decode()
    assert "<ins>Read **all** of it.</ins>" in answer.content.decode()
    assert GuidelineVersion.objects.count() == 1


@pytest.mark.parametrize("wrong", [{"text": " \r\n"}, {"kind": ""}, {"fast_percent": "51"}])
def test_an_impossible_version_is_refused_and_its_text_is_kept(nq, lead, wrong):
    form = {"text": "My text", "kind": "editorial", "fast_percent": "20", "seen": "1", "go": "publish"} | wrong
    answer = lead.post(reverse("edit_guidelines", args=[nq.slug]), form)
    assert answer.status_code == 422
    assert form["text"].strip() in answer.content.decode()
    assert GuidelineVersion.objects.count() == 1


def test_a_version_from_an_outdated_page_overwrites_nothing_and_its_text_is_shown(nq, lead):
    form = {"text": "Mine", "kind": "editorial", "fast_percent": "20", "seen": "1", "go": "publish"}
    lead.post(reverse("edit_guidelines", args=[nq.slug]), form)
    answer = lead.post(reverse("edit_guidelines", args=[nq.slug]), form | {"text": "Somebody else’s words"})
    assert answer.status_code == 409
    assert "Somebody else’s words" in html.unescape(answer.content.decode())
    assert projects.guidelines_of(nq).text == "Mine\n"


def test_an_earlier_version_can_be_begun_from_again(nq, lead):
    form = {"text": "Second", "kind": "editorial", "fast_percent": "20", "seen": "1", "go": "publish"}
    lead.post(reverse("edit_guidelines", args=[nq.slug]), form)
    page = lead.get(reverse("edit_guidelines", args=[nq.slug]), {"version": "1"}).content.decode()
    assert html.escape(GuidelineVersion.objects.get(number=1).text.splitlines()[2][:30]) in page
    assert 'name="seen" value="2"' in page


def test_a_new_consent_text_is_asked_of_everybody_and_the_old_one_stays_in_the_record(nq, lead, alice):
    address = reverse("consent_text", args=[nq.slug])
    assert "1 person has agreed" in text(lead.get(address)) or "people have agreed" in text(lead.get(address))
    lead.post(address, {"text": "We keep **all**.", "go": "publish"})
    nq.refresh_from_db()
    assert not membership.has_consented(alice, nq)
    membership.accept_consent(user=alice, project=nq, now=NOON)
    assert membership.has_consented(alice, nq)
    lead.post(address, {"text": "", "go": "publish"})
    nq.refresh_from_db()
    assert nq.consent_sha256 == ""
    assert membership.has_consented(alice, nq)
    assert nq.consent_texts.count() == 1
    assert Event.objects.filter(kind="project.consent", by=lead.get(address).wsgi_request.user.pk).count() == 2


def test_a_claim_asks_for_the_projects_own_consent_text(nq, lead, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    worker = browser(alice)
    lead.post(reverse("consent_text", args=[nq.slug]), {"text": "We keep all.", "go": "publish"})
    claim = reverse("claim", args=[nq.slug, "annotate"])
    assert worker.post(claim)["Location"].startswith(reverse("consent", args=[nq.slug]))
    worker.post(reverse("consent", args=[nq.slug]))
    assert "/work/" in worker.post(claim)["Location"]


def test_the_set_up_is_downloaded_as_a_file_that_is_read_back(nq, lead):
    answer = lead.get(reverse("setup_file", args=[nq.slug]))
    assert answer["Content-Disposition"] == f'attachment; filename="{nq.slug}.yaml"'
    assert files.read(answer.content) == outline.setup_of(nq)


def test_the_estimate_is_of_what_is_left(nq, lead, alice, tmp_path):
    open_with(nq, tmp_path, questions(3, split="dev"))
    Worker(alice, nq).finish_bad()
    join(nq, "lotte", "lead")
    page = text(lead.get(reverse("settings", args=[nq.slug])))
    assert "What is left to do Answer questions from a page 14 annotations of 80 s" in page
