"""Agreement is measured from finished work, kept up to date from what has changed, and what is left out is counted."""

from __future__ import annotations

import io
import random
import subprocess
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.engine import exclusion
from annotation.models import Agreement, Annotation, Role
from annotation.processes import children
from annotation.statistics.estimates import Estimate
from tasks import corrections, jobs
from tasks.engine import assignments
from tasks.engine.no_work import NoWork
from tasks.measuring import agreement, tables
from tests import builders
from tests.builders import GOOD, Worker, open_with, questions
from tests.people import NOON, join
from tests.protocols.toy.building import Pair, toy_project

LATER = NOON + timedelta(minutes=1)
PEOPLE = ("alice", "bob", "carol")


@pytest.fixture
def lights(db, tmp_path):
    made = builders.project("lights", activities={"annotate": {"overlap": {"train": 3}, "draw": "in_order"}})
    open_with(made, tmp_path, questions(6))
    return made


@pytest.fixture
def lena(lights):
    return join(lights, "lena", Role.LEAD)


@pytest.fixture
def people(lights):
    return {name: Worker(join(lights, name), lights) for name in PEOPLE}


def numbers(project, activity="annotate"):
    return agreement.of_page(project, activity).numbers


def measured(project, measure, statistic, *, now=LATER, **how):
    agreement.keep(project, now=now, **how)
    return numbers(project)["all"][measure][statistic]


def test_values_of_the_same_items_are_compared(lights, people):
    for worker in people.values():
        worker.finish_bad()
    people["alice"].finish_bad()
    people["bob"].finish_without_answer()
    people["carol"].finish_without_answer()
    found = Estimate.from_list(measured(lights, "question", "observed"))
    assert (found.value, found.n) == (pytest.approx((1 + 1 / 3) / 2, abs=1e-5), 2)
    assert (found.low, found.differing, found.more) == (None, 1, 18)
    assert numbers(lights)["sizes"] == {"items": 2, "annotations": 6, "people": 3}


def test_what_is_left_out_is_counted_by_its_reason(lights, people, lena):
    people["alice"].finish_bad()
    excluded = people["bob"].finish_bad()
    people["carol"].commit(people["carol"].claim(), "question", GOOD)
    exclusion.exclude(lights, uuids=[excluded.annotation.uuid], by=lena, reason="not read", now=NOON)
    agreement.keep(lights, now=LATER)
    counts = numbers(lights)["not_counted"]["train"]
    assert {name: n for name, n in counts.items() if n} == {"counted": 1, "unfinished": 1, "excluded": 1}
    assert numbers(lights)["sizes"]["annotations"] == 0  # nothing to compare with


def test_an_exclusion_and_its_end_change_the_numbers(lights, people, lena):
    work = [people["alice"].finish_bad(), people["bob"].finish_bad(), people["carol"].finish_without_answer()]
    assert measured(lights, "question", "observed")[0] == pytest.approx(1 / 3, abs=1e-5)
    exclusion.exclude(lights, uuids=[work[2].annotation.uuid], by=lena, reason="not read", now=LATER)
    assert measured(lights, "question", "observed")[0] == 1
    exclusion.restore(lights, uuids=[work[2].annotation.uuid], by=lena, reason="read after all", now=LATER)
    assert measured(lights, "question", "observed")[0] == pytest.approx(1 / 3, abs=1e-5)


def test_a_revised_answer_is_read_again_and_a_half_revised_one_counts_as_it_was(lights, people, lena):
    people["alice"].finish_without_answer()
    work = people["bob"].finish_without_answer()
    assert measured(lights, "long_answer", "observed")[0] == 1
    held = corrections.reopen(lights, work.annotation.uuid, by=lena, reason="look again", now=LATER)
    box = assignments.work_of(builders.reload(held)).sheet("long_answer").boxes[0]
    payload = {"kind": "box", "candidate": box.index, "quote": box.excerpt[:200]}
    people["bob"].commit(held, "long_answer", payload, now=LATER)
    assert measured(lights, "long_answer", "observed")[0] == 1
    people["bob"].commit(held, "short_answer", {"kind": "none"}, now=LATER)
    assert measured(lights, "long_answer", "observed")[0] == 0


def test_more_revised_answers_take_no_more_queries(lights, people, lena):
    def queries(revised: int) -> int:
        for _ in range(revised):
            people["bob"].finish_without_answer()
            work = people["alice"].finish_without_answer()
            corrections.reopen(lights, work.annotation.uuid, by=lena, reason="look again", now=NOON)
            people["alice"].commit(work, "long_answer", {"kind": "none", "reason": "spread"})
        with CaptureQueriesContext(connection) as asked:
            agreement.keep(lights, now=LATER, anew=True)
        return len(asked)

    queries(1)  # the first one makes the rows in which the numbers are kept
    assert queries(1) == queries(3)


MORE = pytest.mark.in_test_all(
    shown_by="tests/tasks/test_kept_agreement.py::test_what_has_changed_gives_the_same_numbers_as_the_whole_record"
)
SEEDS = [0, *(pytest.param(seed, marks=MORE) for seed in (1, 2))]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_has_changed_gives_the_same_numbers_as_the_whole_record(lights, people, lena, seed, monkeypatch):
    rng = random.Random(seed)
    agreement.keep(lights, now=NOON)
    for step in range(20):
        now = NOON + timedelta(minutes=step)
        worker = people[rng.choice(PEOPLE)]
        done = list(Annotation.objects.filter(completed_at__isnull=False, excluded_at=None).order_by("pk"))
        if done and rng.random() < 0.15:
            exclusion.exclude(lights, uuids=[rng.choice(done).uuid], by=lena, reason="not read", now=now)
        elif not isinstance(worker.claim(now=now), NoWork):
            (worker.finish_bad if rng.random() < 0.5 else worker.finish_without_answer)(now=now)
        if rng.random() < 0.5:
            monkeypatch.setattr(tables, "MOST", rng.choice((0, 1)))  # 0: the next pass is another process's
            agreement.keep(lights, now=now, whole=rng.random() < 0.3)
    agreement.keep(lights, now=now, whole=True)
    kept = numbers(lights)
    agreement.keep(lights, now=now, anew=True)
    assert kept == numbers(lights)
    assert kept["sizes"]["items"] > 1


def test_the_next_pass_of_a_process_reads_neither_the_table_nor_items_that_it_has(lights, people):
    people["alice"].finish_bad()
    people["bob"].finish_bad()
    agreement.keep(lights, now=LATER)
    hour = LATER + timedelta(hours=1)
    people["carol"].finish_bad(now=LATER)
    agreement.keep(lights, now=hour, whole=False)
    with CaptureQueriesContext(connection) as seen:
        agreement.keep(lights, now=hour, whole=False)
    assert not [query for query in seen.captured_queries if "agreementtable" in query["sql"]]
    assert numbers(lights)["sizes"] == {"items": 1, "annotations": 3, "people": 3}


def test_each_turn_is_compared_by_itself_and_n_counts_conversations(db):
    toys = toy_project("turns", activities={"talk": {"overlap": {"train": 2}}})
    for names in (("ann", "tom"), ("eve", "jim")):
        Pair.seated(toys, *names).talk()
    agreement.keep(toys, now=LATER)
    kept = numbers(toys, "talk")
    assert kept["all"]["told"]["mean"] == [1, None, None, 1, 0]
    for person in kept["people"].values():
        assert person["told"]["mean"][3] in (0, 1)


def test_numbers_by_person_split_and_week(lights, people):
    for worker in people.values():
        for _ in range(3):
            worker.finish_bad()
    people["alice"].finish_bad(now=NOON + timedelta(days=7))
    people["bob"].finish_without_answer(now=NOON + timedelta(days=7))
    agreement.keep(lights, now=LATER + timedelta(days=7))
    found = numbers(lights)
    assert found["splits"] == {"train": found["all"]}
    assert list(found["weeks"]) == ["2026-11-16", "2026-11-23"]
    alice, carol = (str(people[name].user.pk) for name in ("alice", "carol"))
    assert found["people"][alice]["question"]["observed"][0] == pytest.approx(3 / 4)
    assert found["people"][carol]["question"]["observed"][0] == 1
    assert found["quality"]["question"][carol][3] == 3
    [worst] = found["worst"]["question"]
    assert worst[1:] == [0, 2]


def test_a_project_is_measured_again_only_if_something_has_happened(lights, people):
    assert agreement.measure_due(now=NOON) == 0
    people["alice"].finish_bad()
    assert jobs.measure_agreement() == 1
    soon = Agreement.objects.get().measured_at + timedelta(minutes=2)
    while agreement.measure_due(now=soon):
        soon += timedelta(minutes=2)
    assert agreement.measure_due(now=soon) == 0
    people["bob"].finish_bad(now=soon)
    assert agreement.measure_due(now=soon) == 1
    assert agreement.of_page(lights, "annotate").measured_at == soon


def test_the_work_of_other_projects_is_not_searched_again_and_again(lights, people, tmp_path, monkeypatch):
    monkeypatch.setattr(agreement, "FAR", 1)
    people["alice"].finish_bad()
    agreement.keep(lights, now=LATER)
    before = agreement.of_page(lights, "annotate")
    other = builders.project("other")
    open_with(other, tmp_path, questions(3))
    worker = Worker(join(other, "dora"), other)
    for _ in range(3):
        worker.finish_bad(now=LATER)
    agreement.measure_due(now=LATER + timedelta(hours=1))
    after = agreement.of_page(lights, "annotate")
    assert after.responses_seen >= before.responses_seen + 3
    assert after.responses_up_to >= before.responses_up_to + 3
    assert after.numbers == before.numbers
    people["bob"].finish_bad(now=LATER + timedelta(hours=1))
    assert measured(lights, "question", "observed", now=LATER + timedelta(hours=1))[3] == 1


def test_much_work_is_measured_in_a_process_of_its_own(lights, people, monkeypatch):
    started = []

    def run(command, **how):
        started.append(command[2:])
        call_command(*command[2:], stdout=io.StringIO())

    monkeypatch.setattr(children, "run", run)
    monkeypatch.setattr(agreement, "SMALL", 1)
    people["alice"].finish_bad()
    people["bob"].finish_bad()
    assert agreement.measure_due(now=NOON) == 1
    assert started == [["measure_agreement", lights.slug]]
    assert numbers(lights)["sizes"]["annotations"] == 2


def test_a_project_whose_process_fails_keeps_no_other_from_being_measured(lights, people, tmp_path, monkeypatch):
    def fail(command, **how):
        raise subprocess.CalledProcessError(1, command)

    (tmp_path / "after").mkdir()
    after = builders.project("zebra")
    open_with(after, tmp_path / "after", questions(1))
    Worker(join(after, "zoe"), after).finish_bad()
    people["alice"].finish_bad()
    monkeypatch.setattr(children, "run", fail)
    monkeypatch.setattr(agreement, "_is_quick", lambda one, now: one == after)
    assert agreement.measure_due(now=NOON) == 1
    assert Agreement.objects.get().project == after


def test_the_cache_can_be_dropped(lights, people):
    for worker in people.values():
        worker.finish_bad()
    before = measured(lights, "question", "observed")
    Agreement.objects.all().delete()
    assert measured(lights, "question", "observed") == before
