"""A lead changes a project's settings: each change is an event, is shown with who made it, and can be undone."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import projects
from annotation.models import Event, Project
from annotation.setup import changes, files
from annotation.statistics import bootstrap
from frontend.leads.setup import settings
from tasks.engine import queues
from tasks.engine.no_work import NoWork
from tasks.models import Task
from tasks.models.states import TaskState
from tasks.setup import estimate, outline, remaining
from tests.builders import Worker, load, open_with, project, questions, spend, write_lines
from tests.disagreeing import browser
from tests.people import NOON, join
from tests.protocols.toy.building import Pair, toy_project


@pytest.fixture
def lead(lena):
    return browser(lena)


def fields(nq, **changed):
    """The form of the settings as it is, with these changes; a box that is not ticked is not sent."""
    title, form = settings.forms_of(nq)
    sent = {**form.data, **title.data, **{name.replace("__", "-"): value for name, value in changed.items()}}
    return {name: value for name, value in sent.items() if value is not False and value is not None}


def save(lead, nq, *, follow=True, **changed):
    return lead.post(reverse("settings", args=[nq.slug]), fields(nq, **changed), follow=follow)


def test_the_order_of_the_files_counts_for_tasks_that_exist_and_goes_with_an_undo(lead, nq, tmp_path):
    open_with(nq, tmp_path, [questions(1, start=number)[0] for number in (3, 1, 2, 0)])
    queues.fill(nq.queues.get(), now=NOON)

    def order():
        return list(Task.objects.order_by("order").values_list("item__external_id", flat=True))

    shuffled = order()
    save(lead, nq, annotate__draw="in_order", follow=False)
    assert order() == ["4", "2", "3", "1"] != shuffled
    lead.post(reverse("undo_setting", args=[nq.slug, Event.objects.filter(kind=changes.CHANGED).last().pk]))
    assert order() == shuffled


def of_what_is_left(of):
    return estimate.of_project(of, remaining.left_in_queues(of))


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


def test_work_by_script_is_off_until_a_lead_turns_it_on_and_is_in_the_set_up(nq, lead):
    assert projects.project_config(nq).work_by_script is False
    page = text(save(lead, nq, work_by_script="on"))
    assert "Let annotators work by script: no → yes" in page
    nq.refresh_from_db()
    assert projects.project_config(nq).work_by_script is True
    assert "work_by_script: true" in files.write(outline.setup_of(nq), heading="Lights")


def test_a_choice_is_shown_in_words_before_and_after_it_was_changed(nq, lead):
    page = text(save(lead, nq, annotate__draw="in_order"))
    assert "By how many annotate an item → In order" in page


def test_saving_without_a_change_changes_nothing(nq, lead):
    before = Project.objects.get().config
    assert "Nothing was different." in text(save(lead, nq))
    assert Project.objects.get().config == before
    assert not Event.objects.filter(kind=changes.CHANGED).exists()


@pytest.mark.parametrize("wrong", [{"title": ""}, {"annotate__dev__base": "x"}, {"annotate__test__share": "7"}])
def test_an_impossible_setting_changes_nothing_at_all(nq, lead, wrong):
    assert save(lead, nq, pay="1 EUR an hour", **wrong).status_code == 422
    assert projects.project_config(Project.objects.get()).pay == ""


def test_a_sequestered_split_without_items_is_named_however_its_capital_letters_are(nq, lead, tmp_path):
    open_with(nq, tmp_path, questions(2, split="gold"))
    assert "Changed. No item is in “dev” so far." in text(save(lead, nq, sequestered="dev, Gold"))
    assert projects.project_config(Project.objects.get()).sequestered == ("dev", "Gold")
    plan = lead.get(reverse("splits", args=[nq.slug])).context["sizes"]
    assert [(row["split"], row["sequestered"]) for row in plan] == [("gold", True)]


def test_a_change_can_be_undone_until_it_is_changed_again(nq, lead):
    save(lead, nq, title="First", follow=False)
    save(lead, nq, title="Second", pay="1 EUR an hour", follow=False)
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
    save(lead, nq, annotate__train__base="2", follow=False)
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
    save(lead, nq, annotate__train__base="1", follow=False)
    lead.post(reverse("existing_items", args=[nq.slug]))
    assert {state for state, _slots in slots()} == {TaskState.OPEN}


def test_a_new_item_gets_the_new_number_in_any_case(nq, lead, lena, tmp_path):
    open_with(nq, tmp_path, questions(1))
    save(lead, nq, annotate__train__base="4", follow=False)
    load(nq, write_lines(tmp_path / "more.jsonl", questions(1, start=7)))
    queues.look_again(nq)
    queues.fill(nq.queues.select_related("project").get(), now=NOON)
    assert slots() == [("open", 1), ("open", 4)]


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


def test_the_estimate_of_shared_work_is_of_the_time_that_one_of_its_people_spends(db, monkeypatch):
    """Where six people in three pairs are too few for an interval, the range is the one that is assumed."""
    monkeypatch.setattr(estimate, "ENOUGH", 3)
    toys, later = toy_project(), NOON + timedelta(minutes=5)
    for number in range(3):
        pair = Pair.seated(toys, f"ann-{number}", f"tom-{number}")
        for seat, step, seconds in (("asker", "ask-1", 60), ("teller", "tell-1", 120)):
            spend(pair.row(seat), now=later, ms=1000 * seconds, active=1000 * seconds, stage=step)
        pair.talk(now=later)
    for enough, source in ((10, "few"), (3, "measured")):
        monkeypatch.setattr(bootstrap, "ENOUGH", enough)
        part = next(part for part in of_what_is_left(toys).parts if part.activity.key == "talk")
        assert (part.seconds.source, part.seconds.n, part.seconds.mean) == (source, 3, 90)
        assert part.seconds.low < 90 < part.seconds.high  # as people differ, not their talks
        assert (part.seconds.high == pytest.approx(135)) == (source == "few")
        assert part.annotations > 0
        assert part.hours() == pytest.approx(part.annotations * (60 + 120) / 3600)


def test_shared_work_that_was_not_measured_of_all_its_people_is_no_estimate(db, monkeypatch):
    monkeypatch.setattr(estimate, "ENOUGH", 1)
    toys, later = toy_project(), NOON + timedelta(minutes=5)
    for number in range(2):
        pair = Pair.seated(toys, f"ann-{number}", f"tom-{number}")
        spend(pair.row("asker"), now=later, ms=60_000, active=60_000, stage="ask-1")
        pair.talk(now=later)
    assert all(part.seconds is None for part in of_what_is_left(toys).parts)


def test_a_project_may_refuse_to_import_what_another_split_has(nq, lead):
    assert "Refuse to import what another split has: no → yes" in text(save(lead, nq, one_split="on"))
    assert projects.project_config(Project.objects.get()).one_split
