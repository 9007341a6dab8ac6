"""An expert gives an answer of their own to what is disputed, and decides for it; it is in no count."""

from __future__ import annotations

from django.urls import reverse

from annotation import clock
from annotation.models import Adjudication, Annotation
from frontend.leads.items import listing
from frontend.leads.items.filters import Filter
from tasks.disputes import references
from tasks.items import reports
from tasks.models import Assignment
from tests.boards import bring_up_to_date
from tests.disagreeing import BAD, NOTHING, answered, box, browser
from tests.frontend.experts.deciding import ANNOTATE, at, decide, expert, sides, what_is_kept
from tests.people import NOON


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


def test_next_one_leads_from_an_item_that_was_withdrawn_to_the_disputes(item, erin, lena):
    client = browser(erin)
    page = work_of(client, item)
    reports.cancel(item, by=lena, reason="a stub", now=clock.now())
    shown = client.get(page)
    assert shown.status_code == 410
    form = shown.content.decode().partition("Next one")[0].rpartition("<form ")[2]
    assert form.startswith(f'method="get" action="{reverse("disputes", args=[item.project.slug])}"')
    assert client.get(reverse("disputes", args=[item.project.slug])).status_code == 200


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


def test_in_an_activity_for_two_nobody_writes_alone():
    from annotation.engine.loading import activity_of

    assert references.can_be_written(activity_of("nq", ANNOTATE))
    assert not references.can_be_written(activity_of("coqa", "converse"))
