"""Checks are kept with the mark: of copies those of the exhibit that they look like, of repeats the rater's own."""

from __future__ import annotations

import pytest

from annotation.errors import PayloadInvalid
from annotation.judging import draw, given_marks
from annotation.models import Response
from tasks.judging import working
from tasks.measuring import judging_rounds
from tests.builders import reload
from tests.people import NOON
from tests.tasks.judging.checked_rounds import checked, sealed_with_checks
from tests.tasks.judging.judged_rounds import RaterAtWork
from tests.tasks.judging.test_draws import alike

__all__ = ["alike", "checked"]


def judge(row, person, checks_of):
    """Judge all in the rater's order as C; `checks_of` gets an exhibit and whether it comes for the first time."""
    worker = RaterAtWork(person, row.project)
    for work in working.work_in(working.begin(row, by=person, now=NOON)).select_related("annotation__exhibit"):
        said = checks_of(work.annotation.exhibit, work.annotation.round == 1)
        worker.judge(reload(work), "C", **({"checks": said} if said else {}))
    working.lock(row, by=person, now=NOON)


def test_an_exhibit_that_looks_like_another_has_its_checks_too(lights, lead, experts, alike):
    row = sealed_with_checks(lights, lead, experts[:1])
    judge(row, experts[0], lambda exhibit, _first: {"dates": [exhibit.place, 9]})
    places = dict(draw.judged(row).values_list("pk", "place"))
    earlier = dict(draw.judged(row).exclude(same_as=None).values_list("place", "same_as__place"))
    said = {places[one.exhibit]: one.checks["dates"] for one in given_marks.of_round(row)}
    assert len(earlier) == 1
    assert said == {place: (earlier.get(place, place), 9) for place in places.values()}
    found = judging_rounds.measure(row)["checks"]["dates"]["all"]
    assert (found["n"], found["m"]) == (sum(n for n, _m in said.values()), 9 * len(said))


def test_what_is_judged_twice_keeps_both_and_only_the_first_is_counted(lights, lead, experts):
    row = sealed_with_checks(lights, lead, experts[:1], repeats=50)
    judge(row, experts[0], lambda _exhibit, first: {"named": first})
    pairs = given_marks.repeated(row)
    assert pairs
    assert {(first.checks["named"], again.checks["named"]) for first, again in pairs} == {(True, False)}
    assert judging_rounds.measure(row)["checks"]["named"]["all"] == {"yes": 3, "no": 0, "unanswered": 0}


def test_practice_counts_for_no_check(lights, lead, experts):
    row = sealed_with_checks(lights, lead, experts[:1], sample=2, practice=1)
    judge(row, experts[0], lambda exhibit, _first: {"named": exhibit.use != "practice"})
    assert judging_rounds.measure(row)["checks"]["named"]["all"] == {"yes": 2, "no": 0, "unanswered": 0}


@pytest.mark.parametrize(
    "said",
    [
        {"tone": True}, {"named": [1, 2]}, {"dates": True}, {"dates": [3, 2]}, {"dates": [1, 0]}, {"dates": [-1, 2]},
        {"dates": [1, 1000]},
    ],
)  # fmt: skip
def test_other_checks_are_refused_and_nothing_is_stored(checked, experts, said):
    held = working.work_in(working.begin(checked, by=experts[0], now=NOON)).first()
    with pytest.raises(PayloadInvalid):
        RaterAtWork(experts[0], checked.project).judge(reload(held), "C", checks=said)
    assert not Response.objects.filter(author=experts[0]).exists()


def test_a_round_without_checks_refuses_them_and_measures_none(sealed, experts):
    held = working.work_in(working.begin(sealed, by=experts[0], now=NOON)).first()
    with pytest.raises(PayloadInvalid):
        RaterAtWork(experts[0], sealed.project).judge(reload(held), "C", checks={"named": True})
    RaterAtWork(experts[0], sealed.project).judge_all(sealed, "CCC")
    working.lock(sealed, by=experts[0], now=NOON)
    assert "checks" not in judging_rounds.measure(sealed)


def test_the_last_answers_to_checks_count(checked, experts):
    rater = RaterAtWork(experts[0], checked.project)
    lease = working.begin(checked, by=experts[0], now=NOON)
    first = working.work_in(lease).first()
    rater.judge(reload(first), "C", checks={"named": False, "dates": [1, 2]})
    for work in working.work_in(lease):
        rater.judge(reload(work), "W", checks={"named": True})
    working.lock(checked, by=experts[0], now=NOON)
    assert [dict(one.checks) for one in given_marks.of_round(checked)] == [{"named": True}] * 3
