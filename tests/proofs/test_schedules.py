"""Whatever people do in whatever order, no slot is lost or stuck, nothing stale is accepted, no input is lost."""

from __future__ import annotations

from collections import Counter
from functools import partial
from types import SimpleNamespace

import pytest
from django.db import connection
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from annotation.engine import committing, drafts
from annotation.models import Role
from annotation.values.records import Step
from tasks.engine import late_work, skip_and_return, transitions
from tasks.items import reports
from tasks.models.states import TaskState
from tests.builders import BAD, GOOD, NO_ANSWER, open_with, project, questions
from tests.people import join
from tests.proofs.rigs.reporting import Reporting
from tests.proofs.rigs.schedules import Schedules
from tests.proving import size
from tests.races.rigs.papers import BY_ABSENCE, UNANSWERABLE, asked, library

pytestmark = pytest.mark.django_db

SPREAD = {"kind": "none", "reason": "spread"}
ASKED = ("Which corpus was it?", "How many otters took part?")
OF_PAGES = {"taken over", "draft: TakenOver", "extend", "extend: TakenOver"}
ALWAYS = {"late", "adopted", "replayed", "in time", "AlreadyClosed", "draft"} | OF_PAGES
WANTED = {
    "questions": ALWAYS | {"taken up again"},
    "blocks": ALWAYS | {"StalePage"},
    "cards": ALWAYS | {"sent away"},
    "reported questions": {"reported", "frozen", "let go", "taken out", "late"},
    "reported blocks": {"reported", "frozen", "let go", "taken out", "late"},
    "reported cards": {"reported", "taken out"},
}
"""What must have happened at least once, or the schedules showed nothing."""
SEED = 21111
STEPS = 20
COUNTS = {
    "questions": (8, 4),
    "blocks": (5, 3),
    "cards": (4, 4),
    "reported questions": (4, 3),
    "reported blocks": (4, 3),
    "reported cards": (3, 3),
}
"""Numbers of schedules of a batch on SQLite and on PostgreSQL."""
BATCHES = 6
"""Batches run, each with a seed of its own, until all of `WANTED` has happened; at most so many."""


ON_SQLITE, ON_POSTGRESQL = pytest.mark.one_database_for_a_merge, pytest.mark.one_database_for_a_merge("postgresql")
"""What the database does in schedules of questions it does in those of blocks with reports too."""
CARDS = pytest.mark.in_test_all(
    shown_by="tests/proofs/test_claims.py::test_claims_are_never_given_twice_and_nobody_is_wrongly_sent_away"
)
"""Of cards there are few, so that people are often sent away; all else in their schedules is in those of questions."""
REPORTS = pytest.mark.in_test_all(
    shown_by="tests/proofs/test_schedules.py::test_slots_are_conserved_and_nothing_is_lost_in_any_schedule"
)
"""What a lead does about a report is the same for questions, cards and blocks; blocks have several tasks besides."""
BLOCKS = pytest.mark.in_test_all(
    shown_by="tests/proofs/test_schedules.py::test_slots_are_conserved_and_nothing_is_lost_in_any_schedule"
)
"""Blocks with reports are the same blocks."""
MARKS = {
    "questions": ON_SQLITE,
    "blocks": (ON_SQLITE, BLOCKS),
    "cards": (ON_SQLITE, CARDS),
    "reported blocks": ON_POSTGRESQL,
    "reported questions": REPORTS,
    "reported cards": REPORTS,
}


@pytest.fixture(params=[pytest.param(name, marks=MARKS[name]) for name in COUNTS])
def schedules(request, db, tmp_path) -> type[Schedules]:
    """Three people who share four slots of three questions, eight of four questions about two papers, or four cards."""
    *reported, material = request.param.split()
    if material == "questions":
        made = project("study", activities={"annotate": {"overlap": {"train": 1, "dev": 2}}})
        open_with(made, tmp_path, [*questions(2), *questions(1, split="dev", start=2)])
        activity, answers = "annotate", {"question": (BAD, GOOD), "long_answer": (NO_ANSWER, SPREAD)}
    elif material == "cards":
        made, activity = library(tmp_path, papers=2, questions=0), "ask"
        answers = {"questions": (asked(*ASKED), asked(*reversed(ASKED)))}
    else:
        made, activity = library(tmp_path, papers=2, questions=2, slots=2), "answer"
        answers = {"answer": (UNANSWERABLE, BY_ABSENCE)}

    class Found(Reporting if reported else Schedules):
        name = request.param

    Found.project, Found.activity, Found.answers, Found.met = made, activity, answers, Counter()
    Found.people, Found.newcomer = [join(made, name) for name in ("adam", "berta", "carl")], join(made, "nora")
    if reported:
        Found.lead = join(made, "lena", Role.LEAD)
    return Found


def run(schedules: type[Schedules], count: int, *, batch=0, phases=tuple(Phase)) -> None:
    """Run so many schedules; a failing one is shrunk and printed."""
    how = settings(
        max_examples=count, stateful_step_count=STEPS, database=None, phases=phases,
        report_multiple_bugs=False, suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    run_state_machine_as_test(seed(SEED + batch)(schedules), settings=how)


def test_slots_are_conserved_and_nothing_is_lost_in_any_schedule(schedules, record_property):
    place = connection.vendor != "sqlite"
    count, batch = size(COUNTS[schedules.name][place], (5000, 1000)[place]), 0
    while batch < BATCHES and not WANTED[schedules.name] <= set(schedules.met):
        run(schedules, count, batch=batch)
        batch += 1
    record_property("size", count * batch)
    record_property("seed", SEED)
    print(f"{connection.vendor}, {schedules.name}: {dict(schedules.met)}")
    assert WANTED[schedules.name] <= set(schedules.met)


def without_the_fence(monkeypatch):
    monkeypatch.setattr(committing, "_fresh", lambda work, address, seen: Step.at(address))


def without_the_count_of_responses(monkeypatch):
    real = committing._fresh
    monkeypatch.setattr(committing, "_fresh", lambda work, address, seen: real(work, address, work.seen_at(address)))


def without_a_look_at_other_tabs(monkeypatch):
    monkeypatch.setattr(drafts, "check_tab", lambda counts, tab: None)


def without_the_judgement_of_late_work(monkeypatch):
    monkeypatch.setattr(
        late_work, "adopt", lambda row, *, now: "taken" if transitions.free_slot(row.task) is None else ""
    )


def without_freeing_slots(monkeypatch):
    monkeypatch.setattr(transitions, "set_open_or_full", lambda row, *, by, now: None)


def with_drafts_thrown_away(monkeypatch):
    real = skip_and_return._leave

    def leave(assignment, *args, **kwargs):
        assignment.annotation.drafts.all().delete()
        real(assignment, *args, **kwargs)

    monkeypatch.setattr(skip_and_return, "_leave", leave)


def without_freezing(monkeypatch):
    monkeypatch.setattr(reports, "freeze_tasks", lambda item, *, by, now: None)


def without_settling_the_reports(monkeypatch):
    monkeypatch.setattr(reports, "_settle_flags", lambda item, outcome, *, by, now, **said: None)


def with_slots_for_what_was_taken_out(monkeypatch):
    real = transitions.free_slot
    as_if_open = partial(SimpleNamespace, state=TaskState.OPEN)
    monkeypatch.setattr(
        transitions, "free_slot", lambda row: real(as_if_open(slots=row.slots, assignments=row.assignments))
    )


MORE = pytest.mark.in_test_all(shown_by="tests/proofs/test_schedules.py::test_control_a_wrong_build_is_caught")
"""For each merge one wrong build for each part of the promise: stale answers, stuck slots, lost input, reports."""
CONTROLS = [
    ("questions", without_the_fence),
    pytest.param("blocks", without_the_count_of_responses, marks=MORE),
    pytest.param("cards", without_a_look_at_other_tabs, marks=MORE),
    pytest.param("questions", without_the_judgement_of_late_work, marks=MORE),
    ("blocks", without_freeing_slots),
    ("questions", with_drafts_thrown_away),
    ("reported blocks", without_freezing),
    pytest.param("reported blocks", without_settling_the_reports, marks=MORE),
    pytest.param("reported blocks", with_slots_for_what_was_taken_out, marks=MORE),
]


@pytest.mark.sqlite_only  # the builds are wrong in Python
@pytest.mark.parametrize(("schedules", "build"), CONTROLS, indirect=["schedules"])
def test_control_a_wrong_build_is_caught(schedules, build, monkeypatch):
    build(monkeypatch)
    with pytest.raises(AssertionError):
        run(schedules, 50, batch=1, phases=[Phase.generate])
