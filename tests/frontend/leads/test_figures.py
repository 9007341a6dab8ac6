"""The project's page shows its figures beside the published ones, in words."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import registry
from annotation.models import Project, Role, User
from annotation.statistics import clustered_means
from frontend.leads import figures
from tasks.measuring.figures import keep, measure_due, of_page
from tests.builders import Worker, open_with, project, questions
from tests.disagreeing import browser
from tests.people import NOON, join

REPORTS = [protocol for protocol in registry.all_protocols() if protocol.report is not None]


@pytest.fixture(scope="module")
def opened_once(shared_rows, tmp_path_factory):
    """Four questions, alice, who may work on them, and their lead."""
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(4))
    join(made, "alice")
    join(made, "lena", Role.LEAD)


@pytest.fixture
def lights(opened_once, db):
    return Project.objects.get()


@pytest.fixture
def alice(lights):
    return User.objects.get(username="alice")


@pytest.fixture
def page(lights):
    lead = browser(User.objects.get(username="lena"))
    return lambda: lead.get(reverse("project", args=[lights.slug]))


def test_each_figure_stands_beside_the_published_one(page, lights, alice):
    worker = Worker(alice, lights)
    for _ in range(3):
        worker.finish_bad()
    worker.finish_without_answer()
    keep(lights, now=NOON)
    shown = page()
    groups = {group.heading: group.rows for group in shown.context["compared"].groups}
    bad = next(row for row in groups["How annotations end"] if row.label == "Bad question")
    assert (bad.ours, bad.published, bad.share) == ("75.0 %", "14.0 %", 0.75)
    [count] = groups[""]
    assert (count.label, count.ours, count.published) == ("Annotations measured", "4", "–")
    assert "Bad question" in shown.content.decode()


def test_each_share_says_of_how_many_it_is_and_how_far_off_it_may_be(page, lights, alice):
    worker = Worker(alice, lights)
    for _ in range(4):
        worker.finish_bad()
    keep(lights, now=NOON)
    groups = {group.heading: group.rows for group in page().context["compared"].groups}
    bad, none, *_ = groups["How annotations end"]
    assert (bad.ours, bad.interval, bad.of, bad.items) == ("100.0 %", "[51.0–100.0]", 4, 4)
    assert (none.ours, none.interval, none.of) == ("0.0 %", "[0.0–49.0]", 4)
    assert [(row.interval, row.of) for row in groups[""]] == [("", None)]  # a count


def test_figures_of_an_older_version_are_shown_without_n_and_measured_again(page, lights, alice):
    Worker(alice, lights).finish_bad()
    keep(lights, now=NOON)
    kept = of_page(lights)
    del kept.values["means"]
    kept.save()
    rows = [row for group in page().context["compared"].groups for row in group.rows if row.share is not None]
    assert [(row.ours, row.of) for row in rows[:1]] == [("100.0 %", None)]
    assert measure_due(now=NOON + timedelta(hours=1)) == 1
    assert "means" in of_page(lights).values


def test_figures_are_rounded_and_not_cut_off(page, lights, alice):
    worker = Worker(alice, lights)
    worker.finish_bad()
    worker.finish_bad()
    worker.finish_without_answer()
    keep(lights, now=NOON)
    rows = [row for group in page().context["compared"].groups for row in group.rows]
    [bad] = [row for row in rows if row.label == "Bad question"]
    assert bad.ours == "66.7 %"


def test_the_page_says_when_they_are_measured_if_they_have_not_been_yet(page):
    shown = page()
    assert shown.context["compared"].groups == []
    assert "measured within a minute" in shown.content.decode()


@pytest.mark.parametrize("protocol", REPORTS, ids=lambda protocol: protocol.key)
def test_every_figure_of_every_protocol_has_a_label(protocol):
    report = protocol.report
    measured = clustered_means.plain_values(report.figures([]))
    for values in (measured, report.published):
        keys = set(values) | {
            f"{key}.{name}" for key, group in values.items() if isinstance(group, dict) for name in group
        }
        assert keys <= set(report.labels)
    assert report.numbers <= set(report.labels)
    rows = [row for group in figures._groups(report, measured, {}) for row in group.rows]
    assert len(rows) >= 5
