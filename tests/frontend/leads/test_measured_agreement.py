"""A lead's page of agreement about eight items: intervals, parts by address, people, the worst items, files to keep."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import pytest
from django.urls import reverse

from annotation.models import Project, Role, User
from frontend.leads.agreement import shown as shown_agreement
from frontend.leads.estimates import no_interval
from tasks.measuring import agreement
from tests import builders
from tests.builders import Worker, open_with, questions
from tests.disagreeing import browser
from tests.frontend.leads.agreed import text, value
from tests.people import NOON, join

WEEK = timedelta(days=7)


@pytest.fixture(scope="module")
def answered_once(shared_rows, tmp_path_factory):
    """All eight items by three people, half of them a week later; carol says something else of every second one."""
    folder = tmp_path_factory.mktemp("lights")
    made = builders.project("lights", activities={"annotate": {"overlap": {"train": 3, "dev": 3}, "draw": "in_order"}})
    open_with(made, folder, questions(6))
    open_with(made, folder, questions(2, split="dev", start=50))
    people = {name: Worker(join(made, name), made) for name in ("alice", "bob", "carol")}
    for number in range(8):
        now = NOON + (WEEK if number >= 4 else timedelta())
        for name, worker in people.items():
            other = name == "carol" and number % 2
            (worker.finish_without_answer if other or number % 3 == 0 else worker.finish_bad)(now=now)
    agreement.keep(made, now=NOON + WEEK)
    join(made, "lena", Role.LEAD)
    return {name: worker.user for name, worker in people.items()}


@pytest.fixture
def answered(answered_once, db):
    return Project.objects.get(slug="lights")


@pytest.fixture
def people(answered_once):
    return answered_once


@pytest.fixture
def site(answered):
    return browser(User.objects.get(username="lena"))


@pytest.fixture
def page(site, answered):
    return lambda route="agreement", **query: site.get(reverse(route, args=[answered.slug]), query)


def test_every_number_has_its_n_and_with_few_items_says_how_many_more_would_give_an_interval(page, answered):
    shown = page(measure="question")
    found = shown.context["found"]
    observed = value(found, "question", "observed")
    agree = [1 / 3 if number % 2 and number % 3 else 1 for number in range(8)]
    assert (observed.value, observed.n) == (pytest.approx(sum(agree) / 8, abs=1e-4), 8)
    assert (observed.low, observed.more) == (None, 19)  # three of eight differ
    assert "too few for an interval: about 19 more would do" in text(shown)
    assert found.headline.estimate == value(found, "question", "alpha")
    assert f"<small>({no_interval(found.headline.estimate)})</small>" in text(shown)
    assert [number.key for number in found.groups[0].numbers] == ["observed", "cohen", "fleiss", "alpha"]
    assert "Measured" in text(page())


def test_the_address_names_the_part(page, answered, people):
    of_dev = page(split="dev", measure="question").context["found"]
    assert value(of_dev, "question", "observed").n == of_dev.sizes["items"] == 2
    early = page(until=NOON.date().isoformat(), measure="question").context["found"]
    assert value(early, "question", "observed").n == 4
    late = page(since=(NOON + WEEK).date().isoformat(), measure="question").context["found"]
    assert (value(late, "question", "observed").n, len(late.weeks)) == (4, 1)
    carol = page(person=people["carol"].worker_code, measure="question").context["found"]
    assert [number.key for number in carol.groups[0].numbers] == ["observed"]
    differs = sum(1 for number in range(8) if number % 2 and number % 3)
    assert value(carol, "question", "observed").value == pytest.approx(1 - differs / 8, abs=1e-4)
    everything = page(split="", person="nobody", since="yesterday").context["found"]
    assert not everything.asked.is_part


def test_a_part_without_anything_says_so(page, answered, people):
    for query in ({"since": "2030-01-01"}, {"split": "nosuch"}, {"until": "2020-01-01", "person": _code(people)}):
        shown = page(**query)
        assert shown.status_code == 200
        assert "no two annotations to compare in this part" in text(shown)
        assert shown.context["found"].sizes["items"] == 0


def _code(people):
    return people["alice"].worker_code


def test_a_part_is_measured_as_the_whole_is(page, answered):
    whole = page(measure="question").context["found"]
    part = page(measure="question", since="2000-01-01").context["found"]
    assert part.asked.is_part
    assert part.groups == [_with_query(group, part) for group in whole.groups]
    assert part.weeks == whole.weeks


def _with_query(group, part):
    found = next(each for each in part.groups if each.key == group.key)
    return replace(group, query=found.query)


def test_the_worst_items_come_first_and_lead_to_their_annotations_side_by_side(page, answered):
    shown = page(measure="question")
    found = shown.context["found"].worst
    assert [low.agreed for low in found] == [pytest.approx(1 / 3, abs=1e-4)] * 3
    assert reverse("compare", args=[answered.slug, "annotate", found[0].item]) in text(shown)


def test_people_are_listed_with_their_accuracy_the_lowest_first(page, answered, people):
    shown = page(measure="question")
    rows = shown.context["found"].people
    assert rows[0].code == people["carol"].worker_code
    assert rows[0].accuracy.estimate.value < rows[-1].accuracy.estimate.value
    assert {row.accuracy.estimate.n for row in rows} == {8}
    assert "it sends nobody anything by itself" in text(shown)


def test_the_plot_is_drawn_without_a_script_and_can_be_kept(page, answered):
    shown = page(measure="question")
    plot = shown.context["plot"]
    assert len(plot.points) == 2
    assert plot.points[0].x < plot.points[1].x
    assert "Krippendorff’s alpha by week" in plot.label
    kept = page("agreement_svg", measure="question")
    assert kept["Content-Type"] == "image/svg+xml"
    assert "attachment" in kept["Content-Disposition"]
    drawing = ElementTree.fromstring(kept.content)
    assert len(drawing.findall(".//{http://www.w3.org/2000/svg}circle")) == 2


def test_the_numbers_can_be_kept_as_csv(page, answered, people):
    kept = page("agreement_csv", measure="question")
    rows = list(csv.DictReader(io.StringIO(kept.content.decode("utf-8-sig"))))
    wanted = ("all", "question", "observed")
    [observed] = [row for row in rows if (row["part"], row["measure"], row["statistic"]) == wanted]
    assert (observed["low"], observed["high"], observed["n"]) == ("", "", "8")
    assert observed["no_interval"] == "too few for an interval: about 19 more would do"
    assert {row["name"] for row in rows if row["part"] == "week"} == {"2026-11-16", "2026-11-23"}
    assert {row["name"] for row in rows if row["part"] == "person"} == {
        worker.worker_code for worker in people.values()
    }
    assert {row["name"] for row in rows if row["part"] == "split"} == {"train", "dev"}


@pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/board/test_standing_out.py"
    "::test_a_careless_annotator_is_named_with_the_interval_and_a_link_to_their_row"
)
def test_the_project_leads_to_it(site, answered):
    assert reverse("agreement", args=[answered.slug]) in text(site.get(reverse("project", args=[answered.slug])))


def test_many_people_are_listed_page_by_page_and_the_part_stays(answered, page, monkeypatch):
    monkeypatch.setattr(shown_agreement, "PEOPLE", 2)
    first = page(split="train")
    assert len(first.context["people"]) == 2
    link = re.search(r'href="\?([^"#]*page=2)#people"', first.content.decode())
    assert link
    query = dict(parse_qsl(link[1].replace("&amp;", "&")))
    assert query["split"] == "train"
    second = page(**query)
    codes = [one.code for answer in (first, second) for one in answer.context["people"]]
    assert len(set(codes)) == 3
