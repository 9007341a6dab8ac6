"""Every kind of event that the history of a queue or an item can show has words."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import annotation
import qualification
import tasks
from annotation.models import AgendaStep, CaseState, Event, RoundState
from frontend.leads import qualifications
from frontend.leads.courses import attempts, overview
from frontend.leads.items import history
from frontend.leads.judging import pages
from frontend.leads.prolific import page as prolific
from frontend.leads.setup import queues, webhooks
from tasks.models import Bonus
from tasks.models.states import AssignmentState, QueueState, TaskState
from tasks.setup import opening, overlap

STATES = {
    "queue": QueueState,
    "task": TaskState,
    "assignment": AssignmentState,
    "case": CaseState,
    "judginground": RoundState,
    "bonus": Bonus.State,
}
"""What moves records an event for each state that a row can move to (annotation/engine/state_machine.py)."""
AGENDA = {f"judging.{kind}" for kind in AgendaStep.Kind.values}
"""Of the steps of a meeting."""
UNTOLD = frozenset(
    f"judging.{kind}"
    for kind in (
        *("entered", "left", "argued", "marked_anew", "proposed", "withdrawn", "confirmed"),
        *("revealed", "parked", "resumed", "pulled_in", "taken_up"),
        "discarded",
    )
)
"""Of a judging round: what was said at a meeting stays in its room, where names are hidden until they are revealed;
and a draft that was removed has no page."""
OF_AN_ITEM = ("item.", "task.", "assignment.", "annotation.", "case.", "adjudication.", "chat.")


@cache
def recorded() -> frozenset[str]:
    """The kinds that stand in the code, and those of the states."""
    named: set[str] = set()
    for package in (annotation, qualification, tasks):
        for path in Path(package.__file__).parent.rglob("*.py"):
            text = path.read_text()
            if "events.record(" in text or re.search(r"^[A-Z_, ]+ = \"[a-z]+\.[a-z_]+\"", text, re.MULTILINE):
                named |= set(re.findall(r'events\.record\(\s*f?"([a-z]+\.[a-z_]+)"', text))
                for line in re.findall(r'^[A-Z_, ]+ = "[a-z]+\.[a-z_", .]+"$', text, re.MULTILINE):
                    named |= set(re.findall(r'"([a-z]+\.[a-z_]+)"', line))
    return frozenset(named | AGENDA | {f"{of}.{state}" for of, states in STATES.items() for state in states.values})


def test_the_kinds_of_events_are_found_in_the_code():
    assert {"queue.overlap", "queue.changed", "annotation.reopened", "item.reported", "task.done"} <= recorded()


def test_every_event_of_a_queue_has_words():
    kinds = {kind for kind in recorded() if kind.startswith("queue.")} - {"queue.draft"}  # it is never moved back
    assert kinds == set(queues.WORDS) | {opening.CHANGED, overlap.APPLIED}


def test_every_event_about_an_item_and_what_belongs_to_it_has_words():
    kinds = sorted(kind for kind in recorded() if kind.startswith(OF_AN_ITEM))
    assert len(kinds) > 30
    assert [kind for kind in kinds if history.event_in_words(Event(kind=kind, data={"count": 2})) == kind] == []


def test_every_event_about_a_qualification_its_course_and_its_exam_has_words():
    kinds = {kind for kind in recorded() if kind.startswith(("qualification.", "course.", "exam.", "grant."))}
    kinds -= {"course.taken"}  # what a candidate does is in the figures
    assert {"course.corrected", "exam.more_time", "course.published"} <= kinds
    assert kinds <= qualifications.WORDS.keys() | overview.WORDS.keys() | attempts.DECISIONS.keys()


def test_every_event_of_a_webhook_has_words():
    kinds = {kind for kind in recorded() if kind.startswith("webhook.")}
    assert {"webhook.made", "webhook.ended", "webhook.sent_again"} <= kinds
    assert kinds == webhooks.WORDS.keys()


def test_every_event_about_a_study_on_prolific_has_words():
    kinds = {kind for kind in recorded() if kind.startswith(("study.", "bonus.", "studygroup."))}
    assert {"study.approved", "bonus.confirmed", "bonus.unclear", "studygroup.filled"} <= kinds
    assert kinds == set(prolific.EVENTS)


def test_every_event_of_a_judging_round_has_words_or_stays_in_its_meeting():
    kinds = {kind for kind in recorded() if kind.startswith(("judging.", "judginground."))}
    kinds -= {"judginground.draft"}  # it is never moved back
    assert {"judging.begun", "judging.argued", "judging.parked", "judginground.closed"} <= kinds
    assert kinds == pages.WORDS.keys() | UNTOLD
    assert not pages.WORDS.keys() & UNTOLD
