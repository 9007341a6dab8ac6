"""The lead's page of the human upper bound: each metric beside the paper, and in words what can't be computed yet."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import clock, registry
from annotation.engine import exclusion
from annotation.models import Annotation, Project, Role
from annotation.statistics.human_bound import BoundReason
from frontend.leads.human_bound import sentence
from tasks.measuring import human_bound
from tests.builders import load, open_with, project, questions
from tests.frontend.leads.conftest import scored_project
from tests.frontend.leads.pages import page_of, rows_of
from tests.people import NOON, join

SPLITS = {"nq": "dev", "coqa": "dev", "qasper": "test"}
BOUNDS = [protocol for protocol in registry.all_protocols() if protocol.human is not None]


@pytest.fixture(scope="module")
def measured_once(shared_rows, shared):
    return {key: scored_project(shared, key, split) for key, split in SPLITS.items()}


@pytest.fixture
def scored(measured_once, db):
    """Return a function: the project of a protocol, measured, and its lead; made once for all tests here."""

    def found(key):
        made, lead = measured_once[key]
        return Project.objects.get(pk=made.pk), lead

    return found


def test_each_metric_has_our_figure_its_interval_n_and_the_paper_s(scored):
    found, lena = scored("nq")
    shown = page_of(found, lena)
    row = rows_of(shown)["single", "Long answer: F1"]
    kept = human_bound.of_page(found).values["splits"]["dev"]["figures"]["single.long_f1"]
    assert row.ours == f"{100 * kept['value']:.1f}"
    assert row.interval == f"{100 * kept['low']:.1f} – {100 * kept['high']:.1f}"
    assert (row.published, row.n) == ("73.4", ("64", "320"))
    text = shown.content.decode()
    for words in (row.ours, row.interval, "Questions", "Annotations", "the NQ paper (2019), table 3"):
        assert words in text


def test_what_cannot_be_computed_yet_says_why(scored):
    found, lena = scored("nq")
    shown = page_of(found, lena)
    [group] = [one for one in shown.context["bound"].groups if one.key == "super"]
    assert "at least six" in group.why_not
    assert "more than 5" in group.why_not
    assert {(row.ours, row.published) for row in group.rows if "F1" in row.label} == {("–", "87.2"), ("–", "75.7")}
    assert group.why_not in shown.content.decode()
    assert "By threshold" not in shown.content.decode()


def test_conversations_are_shown_by_domain_with_the_figures_that_the_script_prints(scored):
    found, lena = scored("coqa")
    rows = rows_of(page_of(found, lena))
    overall = rows["f1", "Overall"]
    assert (overall.ours, overall.published, overall.n) == ("76.4", "88.8", ("14", "94", "380"))
    assert rows["f1", "Literature"].ours == "76.7"
    assert rows["em", "Overall"].ours == "53.3"


def test_figures_of_few_clusters_have_no_interval_and_say_how_many_more_would_give_one(scored):
    few = re.compile("too few for an interval: about [0-9]+ more would do")
    shown = page_of(*scored("coqa"))
    rows = rows_of(shown)
    assert few.fullmatch(rows["f1", "Literature"].interval)
    assert few.search(shown.content.decode())
    assert rows["f1", "Literature"].width is None
    assert " – " in rows["f1", "Overall"].interval


def test_figures_that_an_older_version_kept_are_shown(scored):
    found, lena = scored("coqa")
    kept = human_bound.of_page(found)
    for figure in kept.values["splits"]["dev"]["figures"].values():
        del figure["differing"]
    kept.save()
    assert rows_of(page_of(found, lena))["f1", "Literature"].interval == "too few for an interval"


def test_papers_are_shown_with_the_figures_of_the_evaluator(scored):
    found, lena = scored("qasper")
    rows = rows_of(page_of(found, lena))
    assert (rows["all", "Answer F1"].ours, rows["all", "Answer F1"].published) == ("66.2", "60.9")
    assert (rows["all", "Evidence F1"].ours, rows["all", "Evidence F1"].published) == ("81.0", "71.6")


def test_work_that_is_not_measured_is_counted(scored):
    found, lena = scored("nq")
    one = Annotation.objects.filter(item__project=found).first()
    exclusion.exclude(found, uuids=[one.uuid], by=lena, reason="not read", now=NOON)
    human_bound.keep(found, now=clock.now())
    shown = page_of(found, lena)
    assert shown.context["bound"].not_measured == ["1 excluded annotation"]
    assert shown.context["bound"].left_out == ["1 question is left out because it has fewer than five annotations."]
    assert "1 excluded annotation" in shown.content.decode()
    assert rows_of(shown)["single", "Long answer: F1"].n == ("63", "315")


def test_the_page_says_how_long_ago_it_was_measured(scored):
    found, lena = scored("nq")
    human_bound.keep(found, now=clock.now() - timedelta(minutes=12, seconds=5))
    assert "measured 12 min ago" in page_of(found, lena).content.decode()


def test_before_it_is_measured_the_page_says_when_that_will_be(nq, lena):
    shown = page_of(nq, lena)
    assert shown.context["bound"].groups == []
    assert "Not measured yet" in shown.content.decode()
    assert "within a minute" in shown.content.decode()
    assert page_of(nq, lena, "human_bound_csv").status_code == 404


def test_a_project_without_work_says_why_there_are_no_figures(nq, lena, tmp_path):
    open_with(nq, tmp_path, questions(1))
    human_bound.keep(nq, now=clock.now())
    shown = page_of(nq, lena)
    assert {group.why_not for group in shown.context["bound"].groups} == {"No question is complete yet."}
    assert "1 item that lacks annotations" in shown.content.decode()


def test_a_split_can_be_chosen(nq, lena, shared):
    load(nq, shared / "nq" / "nq-dev-00.jsonl.gz", published=True)
    human_bound.keep(nq, now=clock.now())
    kept = human_bound.of_page(nq)
    kept.values["splits"] = {"": kept.values["splits"]["dev"], **kept.values["splits"]}
    kept.save()
    shown = page_of(nq, lena, split="dev").context["bound"]
    assert (shown.splits, shown.chosen) == (["", "dev"], "dev")
    assert page_of(nq, lena, split="nowhere").context["bound"].chosen == ""


def test_the_figures_can_be_downloaded_at_full_precision(scored):
    found, lena = scored("nq")
    answer = page_of(found, lena, "human_bound_csv")
    assert answer["Content-Disposition"] == 'attachment; filename="scored-nq-human-bound.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    figures = human_bound.of_page(found).values["splits"]["dev"]["figures"]
    by_key = {row["figure"]: row for row in rows}
    assert {key for key, row in by_key.items() if row["value"]} == set(figures)
    for key, figure in figures.items():
        assert float(by_key[key]["value"]) == figure["value"]
        assert by_key[key]["low"] == ("" if figure["low"] is None else str(figure["low"]))
        assert bool(by_key[key]["no_interval"]) == (figure["low"] is None)
        assert int(by_key[key]["questions"]) == 64
    assert by_key["single.long_f1"]["published"] == "0.734"
    assert "at least six" in by_key["super"]["why_not"]


def test_the_project_s_page_links_to_it_where_the_protocol_has_one(nq, lena):
    address = reverse("human_bound", args=[nq.slug])
    assert f'href="{address}"' in page_of(nq, lena, "project").content.decode()
    plain = project("paragraphs", "squad")
    lead = join(plain, "lead-of-squad", Role.LEAD)
    assert "human-bound" not in page_of(plain, lead, "project").content.decode()
    assert page_of(plain, lead).status_code == 404


def test_nobody_but_leads_sees_it(scored):
    found, _lena = scored("nq")
    for name in ("human_bound", "human_bound_csv"):
        assert page_of(found, join(found, f"annotator-{name}"), name).status_code == 404


@pytest.mark.parametrize("protocol", BOUNDS, ids=lambda protocol: protocol.key)
def test_every_group_and_figure_of_every_protocol_has_its_words(protocol):
    bound = protocol.human
    groups = {key for key in bound.labels if "." not in key}
    assert groups == set(bound.procedures)
    assert {key.partition(".")[0] for key in bound.labels} == groups
    assert set(bound.published) <= set(bound.labels)
    assert set(bound.sweeps) <= groups
    numbers = dict.fromkeys(("n", "long_low", "long_high", "short_low", "short_high"), 1234)
    for code in bound.reasons:
        assert sentence(bound, code, numbers) == bound.sentence(code, numbers).replace("1234", "1,234")
    empty = bound.measure([], "seed")
    assert set(empty.why_not) == groups
    assert all(isinstance(reason, BoundReason) and reason.code in bound.reasons for reason in empty.why_not.values())
