"""No page about courses, rounds, webhooks, studies, releases or imports fails with none, a draft, one or few."""

from __future__ import annotations

from datetime import timedelta
from itertools import chain

import pytest

from annotation import clock, releases
from annotation.judging import rounds
from annotation.models import Role
from annotation.setup import changes
from frontend.leads.items import bulk_job
from frontend.leads.items.bulk_decisions import BulkDecision
from frontend.leads.items.filters import Filter
from qualification.courses import editing, pictures
from tasks.background import long_jobs
from tasks.engine import skip_and_return
from tasks.judging import ending, raters, working
from tests.builders import BAD, Worker, questions, spend
from tests.factories.prolific import StudyFactory
from tests.factories.qualification import QualificationFactory
from tests.factories.webhooks import DeliveryFactory, WebhookFactory
from tests.frontend.leads.every_page import LEFT_OUT, look_at_all, pages
from tests.people import NOON, join
from tests.pictures import png
from tests.qualification.courses.building import block, course, prepare, sit
from tests.tasks.judging.judged_rounds import RaterAtWork, draft, experts, lead, lights
from tests.uploading import imported, uploaded

__all__ = ["experts", "lead", "lights"]
OF_THESE = {
    *("qualification", "course", "course_draft", "course_rules", "course_version", "course_block", "course_part"),
    *("course_item", "exam_attempts", "exam_attempts_csv", "exam_figures", "exam_figures_csv"),
    *("judging_round", "judging_exhibits", "judging_preview", "judging_definitions"),
    *("webhook", "import", "release", "release_changes", "release_changes_csv", "release_file"),
    *("upload", "decided_items", "course_picture"),
    *(f"board_csv/{card}" for card in ("progress", "work", "time", "skips", "pay")),
    *(f"board_svg/{card}" for card in ("progress", "work", "time", "skips", "pay")),
}
NOT_MEASURED, NO_RESULTS = "No job has measured anything.", "Its round was stopped, or nobody has sent a file for it."
ELSEWHERE = {
    **dict.fromkeys(("agreement_csv", "agreement_svg", "human_bound_csv"), NOT_MEASURED),
    **dict.fromkeys(("judging_results_csv", "judging_results_json", "judging_results_svg", "exhibits_csv"), NO_RESULTS),
    **dict.fromkeys(("answer_metrics", "answer_metrics_csv", "answer_metrics_json"), NO_RESULTS),
    "as_seen_first": "It leads on to the first screen.",
    "as_seen_image": "Its pages have their images inside: tests/frontend/leads/items/test_as_seen.py has a figure.",
    "course_guidelines": "A lead takes no course.",
    "dispute": "Nobody answered the same question.",
    "join_open": "It is not open to everybody.",
    "lobby": "Nobody works in pairs.",
    "search": "Nobody chooses what to work on.",
    "tried": "Nobody has tried a question.",
}
"""Pages that this project does not have, and why."""


def with_a_course(lights):
    """A qualification; with a draft of a course, a published one, one person who takes it, and a graded exam."""
    reading = QualificationFactory(project=lights)
    yield
    draft = editing.edit(reading, start=course(block("task")), by=None, now=NOON)
    yield
    editing.publish(draft, edits=draft.edits, by=None, now=NOON)
    yield
    pupil = join(lights, "pupil", Role.ANNOTATOR)
    prepare(pupil, reading)
    yield
    sit(pupil, reading)
    yield


def with_a_round(lights, lead, experts):
    """A draft of a round; sealed; begun by one rater; with one mark; and stopped."""
    made = draft(lights, lead)
    yield
    for expert in experts:
        raters.name(made, expert, by=lead, now=NOON)
    rounds.seal(made, by=lead, now=NOON)
    yield
    lease = working.begin(made, by=experts[0], now=NOON)
    yield
    RaterAtWork(experts[0], lights).judge(working.work_in(lease)[0], "C")
    yield
    ending.stop(made, why="Enough.", by=lead, now=NOON)
    yield


def with_others(lights, lead):
    """A webhook, then with a delivery; a study; an import without a line; a release."""
    hook = WebhookFactory(project=lights, by=lead)
    yield
    DeliveryFactory(webhook=hook)
    StudyFactory(project=lights, by=lead)
    yield
    imported(lights, lead, [b"nothing"])
    releases.build(lights, format="nq", by=lead, now=NOON, partial=True)
    yield
    releases.build(lights, format="nq", by=lead, now=NOON, partial=True)
    yield
    recipe = {"format": "nq", "splits": [], "partial": True, "until": None}
    long_jobs.ask(lights, "build_release", subject="All of it", asked=recipe, by=lead, now=NOON)
    long_jobs.ask(lights, "rehearsal", subject="3", asked={"items": 3}, by=lead, now=NOON)
    uploaded(lights, lead, "more.jsonl", b"{}")
    pictures.keep(lights, png(), by=lead, now=NOON)
    bulk_job.ask(lights, Filter(), BulkDecision("exclude", "", "copied from a friend", 0), by=lead, now=NOON)
    yield


def with_more_work(lights, lead):
    """A project that pays; time of somebody at work; and a skip."""
    changes.change(lights, config={"pay": "12 EUR an hour"}, by=lead, now=NOON)
    imported(lights, lead, questions(6))
    yield
    bob, now = Worker(join(lights, "bob"), lights), clock.now()
    held = bob.claim(now=now)
    spend(held, now=now + timedelta(minutes=11), ms=600_000, active=600_000)
    bob.commit(held, "question", BAD, now=now + timedelta(minutes=12))
    yield
    skip_and_return.skip(bob.claim(now=now), by=bob.user, reason="hard", text="", now=now)
    yield


@pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/test_every_page.py::test_no_page_of_a_lead_fails_whatever_there_is"
)
def test_no_page_fails_with_none_one_or_few_of_what_it_is_about(lights, lead, experts, settings):
    settings.GOLDFINCH_PROLIFIC = "https://api.prolific.example"
    opened = look_at_all(lights, lead)
    ways = (with_a_course(lights), with_a_round(lights, lead, experts), with_others(lights, lead))
    for _ in chain(*ways, with_more_work(lights, lead)):
        opened |= look_at_all(lights, lead)
    assert opened >= OF_THESE
    assert pages().keys() - LEFT_OUT.keys() - opened == ELSEWHERE.keys()
