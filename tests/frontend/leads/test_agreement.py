"""A lead's page of agreement: numbers with intervals, parts by address, files to keep, and words for what is empty."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Role
from frontend.leads.agreement import shown as shown_agreement
from frontend.leads.agreement.asked import AgreementQuery
from frontend.leads.board.cards import hundredths
from frontend.leads.estimates import no_interval
from tasks.measuring import agreement
from tests import builders
from tests.builders import Worker, open_with, questions
from tests.judged import judged, with_slips
from tests.people import NOON, join

WEEK = timedelta(days=7)


@pytest.fixture
def lights(db, tmp_path):
    made = builders.project("lights", activities={"annotate": {"overlap": {"train": 3, "dev": 3}, "draw": "in_order"}})
    open_with(made, tmp_path, questions(6))
    open_with(made, tmp_path, questions(2, split="dev", start=50))
    return made


@pytest.fixture
def people(lights):
    return {name: Worker(join(lights, name), lights) for name in ("alice", "bob", "carol")}


@pytest.fixture
def site(lights):
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(join(lights, "lena", Role.LEAD))
    return client


@pytest.fixture
def page(site, lights):
    return lambda route="agreement", **query: site.get(reverse(route, args=[lights.slug]), query)


@pytest.fixture
def answered(lights, people):
    """All eight items by three people, half of them a week later; carol says something else of every second one."""
    for number in range(8):
        now = NOON + (WEEK if number >= 4 else timedelta())
        for name, worker in people.items():
            other = name == "carol" and number % 2
            (worker.finish_without_answer if other or number % 3 == 0 else worker.finish_bad)(now=now)
    agreement.keep(lights, now=NOON + WEEK)
    return lights


def text(response):
    return " ".join(response.content.decode().split())


def value(found, measure, statistic):
    group = next(each for each in found.groups if each.key == measure)
    return next(number.estimate for number in group.numbers if number.key == statistic)


def test_before_anything_is_measured_the_page_says_when_it_will_be(page, people):
    shown = page()
    assert shown.status_code == 200
    assert "Nothing measured yet" in text(shown)
    assert page("agreement_csv").status_code == page("agreement_svg").status_code == 404


def test_with_nothing_to_compare_the_page_says_so(page, lights, people):
    people["alice"].finish_bad()
    agreement.keep(lights, now=NOON)
    shown = page()
    assert "no two annotations to compare yet" in text(shown)
    assert "finished, but nobody else has annotated the same item" in text(shown)
    assert page("agreement_svg").status_code == 404


def test_if_everybody_says_the_same_agreement_beyond_chance_is_undefined(page, lights, people):
    for worker in people.values():
        worker.finish_bad()
        worker.finish_bad()
    agreement.keep(lights, now=NOON)
    shown = page(measure="question")
    assert "everybody always said the same" in text(shown)
    assert value(shown.context["found"], "question", "observed").value == 1


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


def test_with_enough_items_every_number_has_its_interval(page, lights, people):
    judged(lights, with_slips({worker.user: 0.2 for worker in people.values()}, items=60))
    agreement.keep(lights, now=NOON)
    shown = page(measure="question")
    found = shown.context["found"]
    for number in found.groups[0].numbers:
        assert number.estimate.low < number.estimate.value < number.estimate.high
        assert f"{hundredths(number.estimate.low)} – {hundredths(number.estimate.high)}" in text(shown)
    assert "too few" not in text(shown)
    assert all(person.agrees.estimate.n == 60 for person in found.people)


def test_a_negative_number_has_a_real_minus_sign(page, lights, people):
    for number in range(4):
        for place, name in enumerate(("alice", "bob")):
            worker = people[name]
            (worker.finish_bad if number % 2 == place else worker.finish_without_answer)()
    agreement.keep(lights, now=NOON)
    shown = page(measure="question")
    alpha = value(shown.context["found"], "question", "alpha").value
    assert alpha < 0
    assert f"−{-alpha:.2f}" in text(shown)
    assert f"-{-alpha:.2f}" not in text(shown)


def test_the_address_names_the_part(page, answered, people):
    of_dev = page(split="dev", measure="question").context["found"]
    assert value(of_dev, "question", "observed").n == of_dev.sizes["items"] == 2
    early = page(until=NOON.date().isoformat(), measure="question").context["found"]
    assert value(early, "question", "observed").n == 4
    late = page(since=(NOON + WEEK).date().isoformat(), measure="question").context["found"]
    assert (value(late, "question", "observed").n, len(late.weeks)) == (4, 1)
    carol = page(person=people["carol"].user.worker_code, measure="question").context["found"]
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
    return people["alice"].user.worker_code


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
    assert rows[0].code == people["carol"].user.worker_code
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
        worker.user.worker_code for worker in people.values()
    }
    assert {row["name"] for row in rows if row["part"] == "split"} == {"train", "dev"}


def test_the_project_leads_to_it(site, answered):
    assert reverse("agreement", args=[answered.slug]) in text(site.get(reverse("project", args=[answered.slug])))


def test_a_query_is_read_back_as_it_was_written():
    asked = AgreementQuery(activity="annotate", split="dev & test", since=NOON.date())
    client_query = dict(pair.split("=") for pair in asked.query.split("&"))
    assert client_query == {"activity": "annotate", "split": "dev+%26+test", "since": "2026-11-20"}


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


def test_a_project_in_which_nothing_was_annotated_says_when_agreement_is_measured(lights, page):
    agreement.keep(lights, now=NOON)
    assert "Nothing measured yet" in text(page())
