"""An expert decides a dispute for one of the answers, with a reason; the answers stay as they are."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from annotation.engine import exclusion
from annotation.models import Adjudication, Event, Role
from tasks.models import Assignment
from tests.disagreeing import BAD, NOTHING, answered, box, browser, lights
from tests.frontend.experts.deciding import at, decide, dispute, expert, sides, task, what_is_kept
from tests.people import NOON, join


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


def test_a_decision_needs_a_reason(item, erin):
    chosen = sides(erin, item)[0].uuids[0]
    for reason in ("", "   ", "x" * 201):
        assert decide(erin, item, reason=reason, chosen=chosen).status_code == 422
        assert task(item).state == "disputed"


def test_a_decision_without_a_word_of_reason_comes_back_with_what_was_chosen(item, erin):
    chosen = sides(erin, item)[1].uuids[0]
    page = decide(erin, item, reason="... ?", chosen=chosen)
    assert re.search(rf'value="{chosen}" required\s+checked', page.content.decode())
    assert ">... ?</textarea>" in page.content.decode()
    assert "Give a reason" in page.content.decode()


def test_an_answer_that_was_excluded_meanwhile_is_not_chosen_and_the_reason_is_kept(item, erin):
    chosen = sides(erin, item)[0].uuids[0]
    exclusion.exclude(item.project, uuids=[chosen], by=None, reason="a slip", now=NOON)
    page = decide(erin, item, chosen=chosen, reason="The first box says it.")
    assert (page.status_code, task(item).state) == (409, "disputed")
    assert "it was excluded. Choose another one." in html.unescape(page.content.decode())
    assert ">The first box says it.</textarea>" in page.content.decode()


def test_where_all_answers_were_excluded_there_is_none_to_choose(item, erin):
    exclusion.exclude(item.project, uuids=[row.uuid for row in item.annotations.all()], by=None, reason="x y", now=NOON)
    page = dispute(erin, item).content.decode()
    assert "All answers were excluded, so there is none to choose." in page
    assert 'name="chosen"' not in page
    assert "agreement" not in page.split("facts-line", 1)[1].split("</p>", 1)[0]


def test_what_is_none_of_the_answers_cannot_be_chosen(item, erin):
    for chosen in ("nonsense", "00000000-0000-4000-8000-000000000000"):
        assert decide(erin, item, chosen=chosen).status_code == 404
        assert task(item).state == "disputed"


def test_an_answer_to_something_else_cannot_be_chosen(nq, item, erin):
    other = answered(nq, NOTHING, NOTHING, NOTHING, names=["x", "y", "z"])
    assert decide(erin, item, chosen=other.annotations.first().uuid).status_code == 404


def test_a_lead_decides_too(item, lena):
    assert decide(lena, item).status_code == 302
    assert Adjudication.objects.get().by == lena


def test_whoever_has_worked_on_it_does_not_see_the_dispute(nq):
    item = answered(nq, box(1), box(2), BAD, names=["ernest", "b", "c"])
    ernest = expert(nq, "ernest")
    assert dispute(ernest, item).status_code == 404
    assert decide(ernest, item, chosen=item.annotations.first().uuid).status_code == 404
    listed = browser(ernest).get(reverse("disputes", args=[nq.slug])).content.decode()
    assert at("dispute", item) not in listed


def test_a_lead_who_has_worked_on_it_sees_it_and_does_not_decide(nq):
    item = answered(nq, box(1), box(2), BAD, names=["lotte", "b", "c"])
    lotte = join(nq, "lotte", Role.LEAD)
    assert "You have worked on this yourself" in dispute(lotte, item).content.decode()
    assert decide(lotte, item).status_code == 409
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


def test_the_page_of_a_decided_item_leads_to_the_decision_and_offers_no_replacement(item, erin, lena):
    where = reverse("item", args=[item.project.slug, item.pk])
    before = browser(lena).get(where).content.decode()
    decide(erin, item)
    after = browser(lena).get(where).content.decode()
    assert ("Replace…" in before, "Replace…" in after) == (True, False)
    assert "A dispute about this was decided." in after
    assert at("dispute", item) in after


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
    evaluated = lights(tmp_path, split="dev", slug="evaluated", disputes_in_evaluation=wanted)
    assert task(answered(evaluated, box(1), box(2), BAD)).state == state


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
