"""No page about courses, rounds, webhooks, studies, releases or imports fails with none, a draft, one or few."""

from __future__ import annotations

import pytest

from annotation import releases
from annotation.judging import rounds
from annotation.models import Role
from qualification.courses import editing
from tasks.judging import ending, raters, working
from tests.factories.prolific import StudyFactory
from tests.factories.qualification import QualificationFactory
from tests.factories.webhooks import DeliveryFactory, WebhookFactory
from tests.frontend.leads.every_page import look_at_all
from tests.people import NOON, join
from tests.qualification.courses.building import block, course, prepare, sit
from tests.tasks.judging.judged_rounds import RaterAtWork, draft, experts, lead, lights
from tests.uploading import imported

__all__ = ["experts", "lead", "lights"]
OF_THESE = {
    *("qualification", "course", "course_draft", "course_rules", "course_version", "course_block", "course_part"),
    *("course_item", "exam_attempts", "exam_attempts_csv", "exam_figures", "exam_figures_csv"),
    *("judging_round", "judging_exhibits", "judging_preview", "judging_definitions"),
    *("webhook", "import", "release", "release_changes", "release_changes_csv"),
}


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


@pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/test_every_page.py::test_no_page_of_a_lead_fails_whatever_there_is"
)
def test_no_page_fails_with_none_one_or_few_of_what_it_is_about(lights, lead, experts):
    opened = look_at_all(lights, lead)
    for steps in (with_a_course(lights), with_a_round(lights, lead, experts), with_others(lights, lead)):
        for _ in steps:
            opened |= look_at_all(lights, lead)
    assert opened >= OF_THESE
