"""Every figure of a project with items that are set aside is that of a project which never had them, but for pay."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation import randomness, search
from annotation.engine import exclusion
from annotation.models import Item, Project, Role, User
from annotation.models.case import FlagReason
from annotation.releases import building, job
from annotation.worktime import taken
from frontend.leads import led, members, person
from frontend.leads.board.asked import BoardQuery
from frontend.leads.board.numbers import BoardNumbers
from frontend.leads.items import listing
from frontend.leads.items import reports as reported
from frontend.leads.items.filters import Filter
from frontend.work import finished
from frontend.work.beginning import offers
from tasks.board import counting, kept
from tasks.disputes import deciding
from tasks.engine import assignments, claiming, similarity, skip_and_return
from tasks.engine.no_work import NoWork
from tasks.items import reports, setting_aside
from tasks.measuring import agreement, figures, human_bound
from tasks.models import ItemSimilarity, Queue
from tasks.people import earnings
from tasks.setup import numbers, remaining
from tests.builders import (
    BAD,
    GOOD,
    NO_ANSWER,
    Worker,
    load,
    open_papers,
    project,
    questions,
    reload,
    spend,
    write_lines,
)
from tests.disagreeing import browser
from tests.factories.work import QueueFactory
from tests.people import NOON, join

ASIDE = (1, 3, 5, 6)
"""What one project sets aside and the other never had: questions disputed, agreed about, reported, and skipped."""
NAMES = ("alice", "bob", "carol")
LAST = NOON + timedelta(days=9)


def study(folder, slug, *, without=()):
    """Eight questions, each for two people: disputed, done, half done, excluded, reported, skipped and untouched ones.

    What people do with a question is the same in a project that has only some of them; each
    project has its own alice, bob and carol, since nobody's time counts twice.
    """
    made = project(slug, activities={"annotate": {"overlap": {"train": 2}, "draw": "in_order"}}, pay="12 EUR an hour")
    numbered = [number for number in range(8) if number not in without]
    load(made, write_lines(folder / f"{slug}.jsonl", [questions(8)[number] for number in numbered]))
    QueueFactory(project=made, least_agreement=0.9)
    people = [Worker(join(made, f"{name} of {slug}"), made) for name in NAMES]
    for number, item in zip(numbered, made.items.order_by("pk"), strict=True):
        at = NOON + timedelta(days=number)
        _play(number, item, people, at=at)
    return made


def _play(number, item, people, *, at):
    alice, bob, carol = people
    if number < 5:
        _answer(alice, item, bad=number == 2, at=at)
    if number < 4:
        held = _answer(bob, item, bad=number == 2, differs=number in (0, 1), at=at)
        if number == 2:
            exclusion.exclude(item.project, uuids=[held.annotation.uuid], by=None, reason="a slip", now=at)
    if number == 5:
        reports.report(_claim(carol, item, at=at), by=carol.user, reason=FlagReason.OTHER, text="odd", now=at)
    if number == 6:
        skip_and_return.skip(_claim(carol, item, at=at), by=carol.user, reason="hard", text="", now=at)


def _claim(worker, item, *, at):
    return claiming.claim(worker.project, "annotate", by=worker.user, now=at, item=item)


def _answer(worker, item, *, bad, at, differs=False):
    held = _claim(worker, item, at=at)
    spend(held, now=at + timedelta(minutes=1), ms=60_000, active=50_000, client=randomness.handle())
    said = [("question", BAD)] if bad else [("question", GOOD), ("long_answer", NO_ANSWER)]
    for stage, answer in said:
        if differs and stage == "long_answer":
            box = assignments.work_of(reload(held)).sheet(stage).boxes[1]
            answer = {"kind": "box", "candidate": box.index, "quote": box.excerpt[:200]}
        worker.commit(held, stage, answer, now=at + timedelta(minutes=1))
    if differs:
        worker.commit(held, "short_answer", {"kind": "none"}, now=at + timedelta(minutes=1))
    return held


def measured(made: Project) -> dict[str, object]:
    """Every figure of the project, as pages and jobs read them; keys of rows and times of measuring aside."""
    counting.count(now=LAST)
    similarity.measure_due()
    agreement.keep(made, now=LAST)
    board = BoardNumbers(made, BoardQuery(), now=LAST)
    queue = numbers.of_project(made)["annotate"]
    alice, lena = User.objects.get(username=f"alice of {made.slug}"), User.objects.get(username="lena")
    named = dict(User.objects.values_list("worker_code", "username"))
    preview = job.counted_preview(made, format="", partial=True)
    [home] = [one for one in led.led_by(lena) if one.slug == made.slug]
    found = agreement.of_page(made, "annotate").numbers
    page = members.members_page(made, by=lena, page="1")
    return {
        "queue": (queue.total, queue.done, queue.held_back, queue.filled, queue.leased, queue.free, queue.skipped),
        "left": remaining.left_with_unopened(made),
        "progress": asdict(board.progress),
        "outcomes": board.outcomes,
        "skips": board.skips,
        "done by day": board.done_by_day,
        "finished by people": {
            named[row.code].split()[0]: (row.finished, row.skipped, row.ended) for row in board.people
        },
        "wanted": sum(kept.measure(made)["wanted"][str(queue.queue.pk)].values()),
        "times": [row["n"] for row in kept.measure(made)["times"]["annotate"]["rows"]],
        "taken": sum(1 for _row in taken.seconds_by_stage(taken._latest(made, "annotate"))),
        "fast": taken.below_floor(made, "annotate"),
        "agreement": {name: value for name, value in found.items() if name not in ("people", "quality", "worst")},
        "disputes": (deciding.disputes_of(made).count(), deciding.count_disputed_items(made, ["train"])),
        "alike": sorted(ItemSimilarity.objects.filter(item__project=made).values_list("item__external_id", "value")),
        "bound": human_bound.measure(made),
        "report": figures.measure(made)[0],
        "release": (preview["members"], preview["people"], preview["counts"], preview["left_out"]),
        "listed": sorted(row.external_id for row in listing.listed(made, Filter()).rows),
        "found": listing.listed(made, Filter(q="number 1")).count,
        "reports": reported.count(made),
        "home": (home.total, home.done, home.disputed, home.reported, home.needs),
        "people": {row.name.split()[0]: row.finished for row in page.object_list},
        "person": {
            key: value
            for key, value in person.figures(made, alice).items()
            if key in ("finished", "skipped", "excluded")
        },
        "offer": [(one["total"], one["done"], one["left"]) for one in offers.offers_in(made, alice)],
    }


@pytest.fixture(scope="module")
def studied_once(shared_rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("studies")
    for slug, without in (("whole", ()), ("lacking", ASIDE)):
        join(study(folder, slug, without=without), "lena", Role.LEAD)


@pytest.fixture
def pair(studied_once, db):
    """A project that sets some of its questions aside, and one that never had them; and the lead of both."""
    whole, lacking = (Project.objects.get(slug=slug) for slug in ("whole", "lacking"))
    return whole, lacking, User.objects.get(username="lena")


def put_aside(made, lena):
    chosen = [item for item in made.items.order_by("pk") if int(item.external_id) - 1 in ASIDE]
    return setting_aside.set_aside(chosen, by=lena, reason="for the exam", now=LAST)


def test_every_figure_is_that_of_a_project_without_them_and_returned_they_are_in_all_again(pair):
    whole, lacking, lena = pair
    before = measured(whole)
    chosen = put_aside(whole, lena)
    after, wanted = measured(whole), measured(lacking)
    assert {key: after[key] for key in wanted if after[key] != wanted[key]} == {}
    assert {key for key in wanted if before[key] == wanted[key]} <= {"fast"}
    setting_aside.return_to_work(chosen, by=lena, reason="the exam is over", now=LAST)
    again = measured(whole)
    assert {key: again[key] for key in before if again[key] != before[key]} == {}


def test_releases_and_claims_are_those_of_a_project_without_them(pair):
    whole, lacking, lena = pair
    put_aside(whole, lena)
    made = [building.build(one, format="", by=None, now=LAST, partial=True) for one in (whole, lacking)]
    first, second = (building.manifest_of(release) for release in made)
    assert first["counts"] == second["counts"]
    assert all(release.state == release.State.READY for release in made)
    given = []
    for one in (whole, lacking):
        worker, names = Worker(join(one, "dora"), one), set()
        while not isinstance(held := worker.claim(now=LAST), NoWork):
            names.add(held.task.item.external_id)
            worker.commit(held, "question", BAD, now=LAST)
        given.append(names)
    assert given[0] == given[1]


def test_pay_and_what_people_see_of_their_own_work_stay(pair):
    whole, _lacking, lena = pair
    alice = User.objects.get(username="alice of whole")
    period = earnings.Period.between(None, LAST + timedelta(days=1))
    counting.count(now=LAST)
    paid, own = earnings.earned(whole, period), finished.finished_work(alice, "1")[0].paginator.count
    assert paid[alice.pk].finished == 5
    put_aside(whole, lena)
    counting.count(now=LAST)
    assert earnings.earned(whole, period) == paid
    assert finished.finished_work(alice, "1")[0].paginator.count == own
    counting.rebuild(now=LAST)
    assert earnings.earned(whole, period) == paid
    rows = browser(lena).get(reverse("pay", args=[whole.slug])).content.decode()
    assert alice.worker_code in rows


def test_writers_do_not_find_them(db):
    papers = open_papers()
    lena, paper = join(papers, "lena", Role.LEAD), papers.items.first()
    words = paper.search_text.title.split()[0]
    assert paper.pk in search.find(papers.pk, words)
    setting_aside.set_aside([paper], by=lena, reason="for the exam", now=LAST)
    assert paper.pk not in search.find(papers.pk, words)


def test_a_claim_costs_as_many_statements_as_without_them(pair):
    whole, lacking, lena = pair
    put_aside(whole, lena)
    costs = []
    for one in (lacking, whole):
        for queue in Queue.objects.filter(project=one):
            Queue.objects.filter(pk=queue.pk).update(filled_at=LAST)
        worker = Worker(join(one, "dora"), one)
        worker.finish_bad(now=LAST)
        with CaptureQueriesContext(connection) as spent:
            held = worker.claim(now=LAST)
        assert Item.objects.filter(pk=held.task.item_id).exists()
        costs.append([query["sql"][:12] for query in spent.captured_queries])
    assert costs[0] == costs[1]
