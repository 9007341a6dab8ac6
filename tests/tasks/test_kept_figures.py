"""The figures of a project's page are measured by a job, again when something has happened, and not too often."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
from django.core.management import call_command

from annotation.engine import exclusion
from annotation.errors import ReleaseRefused
from annotation.processes import children
from tasks import jobs
from tasks.measuring import figures, human_bound
from tasks.models import Figures, HumanFigures
from tests.builders import Worker, open_with, project, questions
from tests.people import NOON

LATER = NOON + timedelta(minutes=1)


@pytest.fixture
def lights(nq, tmp_path):
    open_with(nq, tmp_path, questions(4))
    return nq


def paths(project):
    return figures.of_page(project).values["paths"]


def test_the_job_measures_what_was_finished(lights, alice):
    Worker(alice, lights).finish_bad()
    assert jobs.measure_figures() == 1
    assert paths(lights)["bad"] == 1


def test_a_project_is_measured_again_only_if_something_has_happened(lights, alice):
    assert figures.measure_due(now=NOON) == 1
    assert paths(lights) is None
    assert figures.measure_due(now=LATER) == 0
    Worker(alice, lights).finish_without_answer()
    assert figures.measure_due(now=LATER) == 1
    assert paths(lights)["no_answer"] == 1
    assert figures.of_page(lights).measured_at == LATER


def test_a_measurement_that_took_long_is_not_repeated_soon(lights, alice, monkeypatch):
    monkeypatch.setattr(figures, "QUICK", 60)
    figures.measure_due(now=NOON)
    Figures.objects.update(seconds=30)
    Worker(alice, lights).finish_bad()
    assert figures.measure_due(now=NOON + timedelta(minutes=9)) == 0
    assert figures.measure_due(now=NOON + timedelta(minutes=10)) == 1


def test_what_is_not_small_is_measured_in_a_process_of_its_own(lights, alice, monkeypatch):
    started = []

    def run(command, **how):
        started.append(command[2:])
        call_command(*command[2:], stdout=io.StringIO())

    monkeypatch.setattr(children, "run", run)
    monkeypatch.setattr(figures, "SMALL", 1)
    Worker(alice, lights).finish_bad()
    Worker(alice, lights).finish_bad()
    assert jobs.measure_figures() == 1
    assert started == [["report", "--keep", lights.slug]]
    assert paths(lights)["bad"] == 1
    Figures.objects.update(measured_at=NOON, seconds=figures.QUICK)
    Worker(alice, lights).finish_bad()
    assert jobs.measure_figures() == 1
    assert len(started) == 1


def test_excluded_work_leaves_the_figures(lights, alice, lena):
    work = Worker(alice, lights).finish_bad()
    figures.measure_due(now=NOON)
    exclusion.exclude(lights, uuids=[work.annotation.uuid], by=lena, reason="not read", now=LATER)
    assert figures.measure_due(now=LATER) == 1
    assert paths(lights) is None


def test_a_project_that_is_refused_keeps_no_other_waiting_and_is_tried_again_when_something_happens(
    lights, alice, monkeypatch, caplog
):
    other, why, measured = project("other-lights"), "Conversation 7 is another one.", human_bound.measure

    def refuse_lights(found):
        if found == lights:
            raise ReleaseRefused(why)
        return measured(found)

    monkeypatch.setattr(human_bound, "measure", refuse_lights)
    assert human_bound.measure_due(now=NOON) == 1
    assert "splits" in human_bound.of_page(other).values
    assert human_bound.of_page(lights).values == {"refused": why}
    assert why in caplog.text
    caplog.clear()
    assert human_bound.measure_due(now=LATER) == 0
    assert caplog.text == ""
    monkeypatch.setattr(human_bound, "measure", measured)
    Worker(alice, lights).finish_bad()
    HumanFigures.objects.update(seconds=0)
    assert human_bound.measure_due(now=LATER) == 1
    assert set(human_bound.of_page(lights).values) == {"splits", "not_measured", "method"}
