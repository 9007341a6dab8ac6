"""How often what somebody says is flagged with good reason: from leads' decisions and authors' earlier flags."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock
from annotation.models import Role
from tasks.engine import claiming
from tasks.pairs import flag_rates, taking_back
from tests.builders import spend
from tests.people import join
from tests.protocols.coqa.deciding import decide, flag
from tests.protocols.coqa.pairs import Seated, answered, asked, seated, seated_still, talk, talk_project


@pytest.fixture(scope="module")
def talks(shared_rows, tmp_path_factory):
    """A project, and two people who have talked for two turns: four turns in the project, two of each."""
    made = talk_project(tmp_path_factory.mktemp("passages"), split="train", passages=3)
    pair = seated(made)
    talk(*pair, 2)
    return made, pair


@pytest.fixture
def project(talks, db):
    return talks[0]


@pytest.fixture
def pair(talks, db):
    return seated_still(talks[1])


def of(project, *people):
    found = flag_rates.of_people(project, [person.user.pk for person in people])
    return [found[person.user.pk] for person in people]


def words(answer):
    return " ".join(answer.content.decode().split())


def lead_of(project):
    browser = Client()
    browser.force_login(join(project, "lena", Role.LEAD))
    return browser


def mean(valid, *, turns, expected, of_all):
    """(1 + valid) / (1 / r + turns), where r = (expected + 1) / (of_all + 100)."""
    return pytest.approx((1 + valid) / ((of_all + 100) / (expected + 1) + turns))


def test_without_a_flag_somebody_is_where_the_project_is(project, pair):
    for person in of(project, *pair):
        assert (person.turns, person.flagged, person.rate.mean) == (2, 0, mean(0, turns=2, expected=0, of_all=4))


def test_an_open_flag_counts_as_far_as_its_author_is_reliable(project, pair):
    questioner, answerer = pair
    flag(questioner, "answer-1")
    asks, answers = of(project, questioner, answerer)
    assert (answers.turns, answers.flagged) == (2, 1)
    assert answers.rate.mean == mean(0.5, turns=2, expected=0.5, of_all=4)
    assert (asks.flagged, asks.rate.mean) == (0, mean(0, turns=2, expected=0.5, of_all=4))
    assert answers.rate.low < answers.rate.mean < answers.rate.high


@pytest.mark.parametrize(("verdict", "valid"), [("upheld", 1), ("dismissed", 0)])
def test_a_decision_takes_the_place_of_the_guess_until_it_is_taken_back(project, pair, verdict, valid):
    case = flag(pair[0], "answer-1")
    before = of(project, pair[1])
    decide(case, verdict, project=project)
    [found] = of(project, pair[1])
    assert found.rate.mean == mean(valid, turns=2, expected=valid, of_all=4)
    decide(case, "open", project=project)
    assert of(project, pair[1]) == before


def test_who_has_flagged_without_reason_is_believed_less(project, pair):
    questioner, answerer = pair
    decide(flag(questioner, "answer-1"), "dismissed", project=project)
    flag(questioner, "answer-2")
    # m = 1/3 of all flags are thought to be upheld; of theirs, (2/3 + 0) / (2 + 1).
    [found] = of(project, answerer)
    assert (found.flagged, found.rate.mean) == (2, mean(2 / 9, turns=2, expected=2 / 9, of_all=4))


def test_turns_are_what_a_partner_could_flag_and_what_was_said_anew_is_one(project, pair):
    questioner, answerer = pair
    questioner.say(asked("And then?"))
    taking_back.take_back(questioner.row(), "question-3", by=questioner.user, now=clock.now())
    questioner.say(asked("What then?"))
    solo = join(project, "solo")
    alone = Seated.at(claiming.claim(project, "converse_alone", by=solo, now=clock.now()), solo)
    alone.say(asked("Who built it?"))
    alone.say(answered("Anna"))
    assert [person.turns for person in of(project, questioner, answerer)] == [3, 2]
    assert flag_rates.of_people(project, [solo.pk]) == {}


def test_the_lead_reads_it_beside_the_case_by_code_and_nowhere_for_others(project, pair):
    questioner, answerer = pair
    flag(questioner, "answer-1")
    case = flag(answerer, "question-1", "vague")
    lead = lead_of(project)
    url = reverse("item", args=[project.slug, case.annotation.item_id])
    page = words(lead.get(url)).partition("How often they are flagged with good reason")[2].partition("</section>")[0]
    assert page.count("in 100 turns; with 95 % probability") == 2
    assert page.count("1 of 2 turns flagged.") == 2
    codes = sorted(person.user.worker_code for person in pair)
    assert page.index(codes[0]) < page.index(codes[1])
    assert questioner.client.get(url).status_code == 404
    assert "in 100 turns" not in words(lead.get(reverse("project", args=[project.slug])))


def test_it_is_on_the_page_of_a_persons_work_too(project, pair):
    for person in pair:
        spend(person.row(), now=clock.now(), ms=60_000)
    decide(flag(pair[0], "answer-1"), "upheld", project=project)
    url = reverse("project_time_of", args=[project.slug, pair[1].user.worker_code])
    page = words(lead_of(project).get(url))
    # (1 + 1) / (104 / 2 + 2) = 3.7 in 100; with Gamma(2, 54), 0.2422 / 54 to 5.5716 / 54.
    assert "about <b>3.7</b> in 100 turns; with 95 % probability 0.4 to 10.3." in page


def test_a_protocol_whose_answers_can_not_be_flagged_has_none(nq, alice):
    assert flag_rates.of_people(nq, [alice.pk]) == {}
