"""An expert decides a dispute for one of the answers or for their own, with a reason; the answers stay as they are."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from annotation import clock
from annotation.models import Adjudication, Annotation, Event, Role
from frontend.leads.items import listing
from frontend.leads.items.filters import Filter
from tasks.disputes import references, who
from tasks.models import Assignment, Task
from tests.boards import bring_up_to_date
from tests.disagreeing import BAD, NOTHING, answered, box, browser, lights
from tests.people import NOON, join

ANNOTATE = "annotate"


@pytest.fixture
def nq(db, tmp_path):
    return lights(tmp_path)


@pytest.fixture
def item(nq):
    return answered(nq, box(1), box(2), BAD)


@pytest.fixture
def erin(nq):
    return expert(nq, "erin")


@pytest.fixture
def lena(nq):
    return join(nq, "lena", Role.LEAD)


def expert(nq, name):
    user = join(nq, name, Role.EXPERT)
    who.begin(user, nq, now=NOON)
    return user


def at(name, item) -> str:
    return reverse(name, args=[item.project.slug, ANNOTATE, item.pk])


def dispute(user, item):
    return browser(user).get(at("dispute", item))


def sides(user, item):
    return dispute(user, item).context["dispute"].sides.sides


def decide(user, item, *, reason="The smallest box that answers it.", chosen=None):
    chosen = chosen or sides(user, item)[0].uuids[0]
    return browser(user).post(at("decide_dispute", item), {"chosen": chosen, "reason": reason})


def task(item) -> Task:
    return Task.objects.get(item=item, queue__activity=ANNOTATE)


def what_is_kept(item):
    rows = Annotation.objects.filter(item=item).order_by("pk")
    return [(row.uuid, row.purpose, row.completed_at, row.responses.count()) for row in rows]


def test_low_agreement_is_listed_for_an_expert_with_its_number(nq, item, erin):
    listed = browser(erin).get(reverse("disputes", args=[nq.slug])).content.decode()
    assert at("dispute", item) in listed
    page = html.unescape(dispute(erin, item).content.decode())
    assert "3 annotations" in page
    assert "agreement 0.00, wanted 0.60" in page


def test_a_decision_ends_the_dispute_and_leaves_the_annotations_alone(item, erin, lena):
    before, chosen = what_is_kept(item), sides(erin, item)[1].uuids[0]
    assert decide(erin, item, chosen=chosen).status_code == 302
    made = Adjudication.objects.get()
    assert (made.annotation.uuid, made.by, made.reason) == (chosen, erin, "The smallest box that answers it.")
    assert made.agreement == 0
    assert (task(item).state, what_is_kept(item)) == ("done", before)
    [event] = Event.objects.filter(kind="adjudication.decided")
    assert (event.by, event.data["reason"]) == (erin.pk, made.reason)
    assert f"Decided for {sides(erin, item)[1].letter}" in dispute(erin, item).content.decode()


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
def test_a_decision_needs_a_reason(item, erin, reason):
    assert decide(erin, item, reason=reason).status_code == 422
    assert task(item).state == "disputed"


@pytest.mark.parametrize("chosen", ["nonsense", "00000000-0000-4000-8000-000000000000"])
def test_what_is_none_of_the_answers_cannot_be_chosen(item, erin, chosen):
    assert decide(erin, item, chosen=chosen).status_code == 404
    assert task(item).state == "disputed"


def test_an_answer_to_something_else_cannot_be_chosen(nq, item, erin):
    other = answered(nq, NOTHING, NOTHING, NOTHING, names=["x", "y", "z"])
    assert decide(erin, item, chosen=other.annotations.first().uuid).status_code == 404


def test_a_lead_decides_too(item, lena):
    assert decide(lena, item).status_code == 302
    assert Adjudication.objects.get().by == lena


def test_whoever_has_worked_on_it_does_not_see_the_dispute(nq, tmp_path):
    item = answered(nq, box(1), box(2), BAD, names=["erin", "b", "c"])
    erin = expert(nq, "erin")
    assert dispute(erin, item).status_code == 404
    assert decide(erin, item, chosen=item.annotations.first().uuid).status_code == 404
    listed = browser(erin).get(reverse("disputes", args=[nq.slug])).content.decode()
    assert at("dispute", item) not in listed


def test_a_lead_who_has_worked_on_it_sees_it_and_does_not_decide(nq):
    item = answered(nq, box(1), box(2), BAD, names=["lena", "b", "c"])
    lena = join(nq, "lena", Role.LEAD)
    assert "You have worked on this yourself" in dispute(lena, item).content.decode()
    assert decide(lena, item).status_code == 409
    assert task(item).state == "disputed"


def test_the_second_of_two_experts_is_told_that_it_was_decided(nq, item, erin):
    other = expert(nq, "ernest")
    decide(erin, item)
    second = decide(other, item)
    assert second.status_code == 409
    assert "Somebody else has decided this dispute in the meantime" in html.unescape(second.content.decode())
    assert Adjudication.objects.get().by == erin


def test_after_a_decision_the_next_dispute_is_shown(nq, item, erin):
    other = answered(nq, box(1), BAD, box(2), names=["x", "y", "z"])
    assert decide(erin, item)["Location"] == at("dispute", other)
    assert decide(erin, other)["Location"] == reverse("disputes", args=[nq.slug])


def work_of(client, item):
    return client.post(at("write_reference", item))["Location"]


def commit(client, page, step, **fields):
    shown = client.get(page)
    tokens = {name: getattr(shown.context["work"], name) for name in ("submission_key", "seen", "client")}
    return client.post(f"{page}{step}/", {**tokens, "base": "", **fields})


def test_an_expert_gives_their_own_answer_on_the_screens_of_the_work_and_decides_for_it(monkeypatch, item, erin):
    monkeypatch.setattr(clock, "now", lambda: NOON)
    client, before = browser(erin), what_is_kept(item)
    page = work_of(client, item)
    assert client.get(page).status_code == 200
    commit(client, page, "question", verdict="good")
    sent = commit(client, page, "long_answer", kind="none", reason="page")
    assert sent["Location"] == at("dispute", item)
    written = Annotation.objects.get(author=erin)
    assert (written.purpose, written.completed_at is not None) == ("reference", True)
    mine = [side for side in sides(erin, item) if side.mine]
    assert [(side.n, side.references) for side in mine] == [(0, 1)]
    decide(erin, item, chosen=written.uuid)
    assert Adjudication.objects.get().annotation == written
    assert what_is_kept(item)[: len(before)] == before
    assert not written.made.exists()


def test_an_answer_of_the_expert_that_somebody_gave_already_is_on_the_same_side(monkeypatch, nq, erin):
    monkeypatch.setattr(clock, "now", lambda: NOON)
    item = answered(nq, box(1), box(2), NOTHING, names=["x", "y", "z"])
    client = browser(erin)
    page = work_of(client, item)
    commit(client, page, "question", verdict="good")
    commit(client, page, "long_answer", kind="none", reason="page")
    assert sorted((side.n, side.references) for side in sides(erin, item)) == [(1, 0), (1, 0), (1, 1)]
    assert [side.n for side in sides(erin, item) if side.mine] == [1]


def test_an_answer_that_was_left_is_continued_and_one_that_was_sent_can_be_changed(monkeypatch, item, erin):
    monkeypatch.setattr(clock, "now", lambda: NOON)
    client = browser(erin)
    page = work_of(client, item)
    commit(client, page, "question", verdict="good")
    assert work_of(client, item) == page
    assert "Go on with my answer" in client.get(at("dispute", item)).content.decode()
    commit(client, page, "long_answer", kind="none", reason="page")
    assert "Change my answer" in client.get(at("dispute", item)).content.decode()
    assert work_of(client, item) == page
    commit(client, page, "long_answer", kind="none", reason="spread")
    assert Annotation.objects.filter(author=erin).count() == 1
    [mine] = [side for side in sides(erin, item) if side.mine]
    assert "spread" in mine.in_short


def test_a_lead_can_give_their_own_answer_too(monkeypatch, item, lena):
    monkeypatch.setattr(clock, "now", lambda: NOON)
    client = browser(lena)
    page = work_of(client, item)
    commit(client, page, "question", verdict="bad", reasons=["ambiguous"])
    assert Annotation.objects.get(author=lena).completed_at is not None


def test_nobody_else_opens_an_experts_answer(item, erin, lena):
    page = work_of(browser(erin), item)
    assert browser(lena).get(page).status_code == 404


def test_what_is_begun_for_a_second_dispute_puts_the_first_aside(nq, item, erin):
    other = answered(nq, box(1), BAD, box(2), names=["x", "y", "z"])
    client = browser(erin)
    first = work_of(client, item)
    assert work_of(client, other) != first
    assert sorted(Assignment.objects.filter(annotator=erin).values_list("state", flat=True)) == ["leased", "returned"]
    work_of(client, item)
    assert Annotation.objects.filter(author=erin, item=item).count() == 1


def test_an_answer_begun_before_somebody_decided_is_kept_and_changes_nothing(monkeypatch, nq, item, erin):
    monkeypatch.setattr(clock, "now", lambda: NOON)
    client, other = browser(erin), expert(nq, "ernest")
    page = work_of(client, item)
    decide(other, item)
    commit(client, page, "question", verdict="bad", reasons=["ambiguous"])
    assert Annotation.objects.get(author=erin).completed_at is not None
    assert Adjudication.objects.get().by == other
    assert client.post(at("write_reference", item)).status_code == 409


def test_a_reference_is_in_no_count_of_the_project(monkeypatch, nq, item, erin, lena):
    monkeypatch.setattr(clock, "now", lambda: NOON)
    page = reverse("project", args=[nq.slug])

    def counts():
        bring_up_to_date(nq)
        context, rows = browser(lena).get(page).context, listing.listed(nq, Filter()).rows
        return context["board"].parts, [(row.finished, row.wanted) for row in rows]

    before = counts()
    client = browser(erin)
    commit(client, work_of(client, item), "question", verdict="bad", reasons=["ambiguous"])
    assert counts() == before


def test_in_an_activity_for_two_nobody_writes_alone(nq):
    from annotation.loading import activity_of

    assert references.can_be_written(activity_of("nq", ANNOTATE))
    assert not references.can_be_written(activity_of("coqa", "converse"))


def undo(user, item, reason="I misread the question."):
    return browser(user).post(at("undo_decision", item), {"reason": reason})


def test_a_decision_is_taken_back_with_a_reason_and_the_dispute_is_open_again(item, erin):
    decide(erin, item)
    assert undo(erin, item, reason="").status_code == 422
    assert undo(erin, item).status_code == 302
    assert task(item).state == "disputed"
    assert Adjudication.objects.get().taken_back_at is not None
    assert [event.data["reason"] for event in Event.objects.filter(kind="adjudication.taken_back")] == [
        "I misread the question."
    ]
    assert "I misread the question." in dispute(erin, item).content.decode()
    assert decide(erin, item, reason="Now read.").status_code == 302
    assert Adjudication.objects.filter(taken_back_at=None).get().reason == "Now read."


def test_another_expert_cannot_take_it_back_and_a_lead_can(nq, item, erin, lena):
    decide(erin, item)
    assert undo(expert(nq, "ernest"), item).status_code == 409
    assert undo(lena, item).status_code == 302
    assert undo(lena, item).status_code in (404, 409)


def test_decided_work_is_neither_reopened_nor_voided(item, erin, lena):
    decide(erin, item)
    row = item.annotations.first()
    said = browser(lena).post(reverse("reopen", args=[item.project.slug, item.pk, row.uuid]), {"reason": "Again"})
    assert said.status_code == 409
    assert Assignment.objects.get(annotation=row).state == "submitted"


def test_only_leads_read_who_has_decided(nq, item, erin, lena):
    decide(erin, item)
    assert "erin" in dispute(lena, item).content.decode()
    other = dispute(expert(nq, "ernest"), item).content.decode()
    assert "Decided for" in other
    assert "erin" not in other


def test_agreement_above_the_floor_is_no_dispute(nq, erin):
    item = answered(nq, box(1), box(1), box(1))
    assert task(item).state == "done"
    assert dispute(erin, item).status_code == 404


@pytest.mark.parametrize(("wanted", "state"), [(False, "done"), (True, "disputed")])
def test_on_evaluation_splits_disputes_are_off_unless_the_project_wants_them(db, tmp_path, wanted, state):
    nq = lights(tmp_path, split="dev", disputes_in_evaluation=wanted)
    assert task(answered(nq, box(1), box(2), BAD)).state == state


def test_the_second_page_of_decided_disputes_is_still_about_decided_ones(monkeypatch, nq, item, erin):
    monkeypatch.setattr("frontend.experts.disputes.PER_PAGE", 1)
    other = answered(nq, box(1), BAD, box(2), names=["x", "y", "z"])
    decide(erin, item)
    decide(erin, other)
    listed = browser(erin).get(reverse("disputes", args=[nq.slug]) + "?decided").content.decode()
    [following] = re.findall(r'href="(\?[^"]*page=2)"', listed)
    further = browser(erin).get(reverse("disputes", args=[nq.slug]) + html.unescape(following)).content.decode()
    assert (at("dispute", item) in listed) != (at("dispute", item) in further)
    assert (at("dispute", other) in listed) != (at("dispute", other) in further)
