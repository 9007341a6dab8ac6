"""What rules make of a draw: types, practice, exhibits that look the same, raters in turns, and judging twice."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from annotation.errors import WrongMove
from annotation.judging import drawing, given_marks, rounds
from annotation.judging.rules import Rules
from annotation.models import Exhibit, ExhibitUse, JudgingRound, Rater, Role, RoundState
from annotation.protocols.nq.protocol import PROTOCOL as NQ
from annotation.values.exhibits import ShownExhibit
from tasks.judging import raters, working
from tasks.judging.meeting import agenda
from tasks.judging.raters import rotation_at
from tasks.measuring import judging_rounds
from tests.builders import reload
from tests.factories.record import AdjudicationFactory
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork, draft


@pytest.fixture
def typed(lights, monkeypatch):
    """One of the questions with an answer asks for a date, the others for a name."""
    monkeypatch.setattr(NQ, "item_types", {"date": "A date", "name": "A name"})
    found = min(drawing.population(lights, Rules(kind="long"), seed=""), key=lambda each: each.shown.prompt)
    asks = lambda payload: "date" if payload["question_text"] == found.shown.prompt else "name"  # noqa: E731
    monkeypatch.setattr(NQ, "type_of", asks)


@pytest.fixture
def alike(monkeypatch):
    """Two of the four answers look the same."""

    def exhibits_of(kind, item, record):
        asked = item.payload["question_text"]
        yield 0, ShownExhibit(prompt="Who tended it?", answers=(asked if asked[-1] in "12" else "Ada",))

    monkeypatch.setattr(NQ, "exhibits_of", exhibits_of)


def sealed_with(lights, lead, people, **rules) -> JudgingRound:
    made = draft(lights, lead, **rules)
    for person in people:
        raters.name(made, person, by=lead, now=NOON)
    rounds.seal(made, by=lead, now=NOON)
    made.refresh_from_db()
    return made


def judge(row, person, mark_of):
    """Judge all in the rater's order; `mark_of` gets an exhibit and whether it comes for the first or second time."""
    worker = RaterAtWork(person, row.project)
    held = working.work_in(working.begin(row, by=person, now=NOON)).select_related("annotation__exhibit")
    for work in held:
        worker.judge(reload(work), mark_of(work.annotation.exhibit, work.annotation.round))
    return working.lock(row, by=person, now=NOON)


def test_so_many_are_drawn_of_each_type(lights, lead, typed):
    row = sealed_with(lights, lead, [], strata={"date": 1, "name": 1})
    asked = [NQ.type_of(each.item.payload) for each in row.exhibits.filter(use="drawn").select_related("item")]
    assert sorted(asked) == ["date", "name"]
    assert row.population == 3


def test_more_of_a_type_than_there_are_is_refused_and_as_many_are_not(lights, lead, typed):
    with pytest.raises(WrongMove, match="too few"):
        sealed_with(lights, lead, [], strata={"date": 2, "name": 1})
    assert sealed_with(lights, lead, [], strata={"date": 1, "name": 2}).exhibits.count() == 3


def test_what_was_previewed_is_not_drawn(lights, lead):
    first = sealed_with(lights, lead, [])
    gone = f"{first.exhibits.select_related('annotation').get(place=0).annotation.uuid}/0"
    row = sealed_with(lights, lead, [], without=(gone,))
    assert row.population == 2
    assert gone not in [f"{each.annotation.uuid}/0" for each in row.exhibits.select_related("annotation")]


def test_practice_comes_first_for_everybody_and_counts_nowhere(lights, lead, experts):
    row = sealed_with(lights, lead, experts, practice=1, meeting=True)
    practice = row.exhibits.get(use=ExhibitUse.PRACTICE)
    assert practice.place == 2  # the last of the order: what is drawn is the same draw as without
    for person, mark in zip(experts, "CW", strict=True):
        first = working.work_in(working.begin(row, by=person, now=NOON)).first()
        assert first.annotation.exhibit == practice
        judge(row, person, lambda exhibit, _number, own=mark: own if exhibit == practice else "C")
    given = given_marks.of_round(row)
    assert Counter(one.mark for one in given) == {"C": 4}
    assert judging_rounds.measure(row)["exhibits"] == 2
    row.refresh_from_db()
    assert row.state == RoundState.MEETING
    assert not agenda.agenda_of(row).items
    assert practice.pk not in [item.exhibit for item in agenda.agenda_of(row).unanimous]


def test_practice_takes_nothing_from_a_sample_and_is_refused_if_too_little_is_left(lights, lead):
    assert sealed_with(lights, lead, [], sample=2, practice=1).exhibits.count() == 3
    with pytest.raises(WrongMove, match="only 3"):
        sealed_with(lights, lead, [], sample=2, practice=2)
    with pytest.raises(WrongMove, match="too few"):
        sealed_with(lights, lead, [], practice=3)


def test_what_looks_the_same_is_judged_once_and_its_mark_copied(lights, lead, experts, alike):
    row = sealed_with(lights, lead, experts[:1])
    copy = row.exhibits.get(same_as__isnull=False)
    assert copy.same_as.place < copy.place
    assert working.work_in(working.begin(row, by=experts[0], now=NOON)).count() == 3
    judge(row, experts[0], lambda exhibit, _number: "W" if exhibit == copy.same_as else "C")
    given = {one.exhibit: one for one in given_marks.of_round(row)}
    assert len(given) == 4
    assert (given[copy.pk].mark, given[copy.pk].item) == ("W", copy.item_id)
    assert [one.mark for one in given_marks.of_round(row, exhibits=[copy.pk])] == ["W"]
    found = judging_rounds.measure(row)
    assert (found["copied"], found["exhibits"], found["shares"]["W"]["marks"]) == (1, 4, 2)


def test_whoever_decided_about_an_answer_does_not_judge_one_that_looks_the_same(lights, lead, alike):
    row = sealed_with(lights, lead, [lead])
    copy = row.exhibits.get(same_as__isnull=False)
    AdjudicationFactory(item=copy.item, annotation=copy.annotation, by=lead)
    assert raters.left_out(row, lead) == {copy.pk: raters.DECIDED, copy.same_as_id: raters.DECIDED}


def test_a_box_of_another_document_looks_otherwise(sealed):
    assert not sealed.exhibits.filter(same_as__isnull=False).exists()


@pytest.fixture
def four(lights, experts):
    return [*experts, join(lights, "edda", Role.EXPERT), join(lights, "elif", Role.EXPERT)]


@pytest.mark.parametrize(("judged_by", "people"), [(1, 1), (1, 2), (2, 3), (3, 4), (2, 2)])
def test_raters_take_turns(lights, lead, four, judged_by, people):
    row = sealed_with(lights, lead, four[:people], judged_by=judged_by)
    given = [raters.given_to(row, rater) for rater in row.raters.all()]
    assert set(Counter(each.pk for one in given for each in one).values()) == {judged_by}
    assert max(map(len, given)) - min(map(len, given)) <= 1


def test_the_rotation_is_even_and_brings_everybody_together():
    row = JudgingRound(seed="7", rules=Rules(kind="long").model_dump(mode="json"))
    orders = [rotation_at(row, at, [1, 2, 3, 4], 2)[:2] for at in range(200)]
    assert set(Counter(number for each in orders for number in each).values()) == {100}
    assert {frozenset(each) for each in orders} == set(map(frozenset, combinations([1, 2, 3, 4], 2)))


def test_who_is_left_out_has_the_next_one_in_their_place_and_nobody_joins_once_somebody_has_begun(lights, lead, four):
    ada = lights.memberships.get(user__username="ada").user
    join(lights, "ada", Role.EXPERT)
    row = sealed_with(lights, lead, [ada, *four[:2]], judged_by=2)
    given = {rater.person: raters.given_to(row, rater) for rater in row.raters.all()}
    assert {person: len(each) for person, each in given.items()} == {ada: 0, four[0]: 3, four[1]: 3}
    working.begin(row, by=four[0], now=NOON)
    with pytest.raises(WrongMove, match="has begun"):
        raters.name(row, four[2], by=lead, now=NOON)
    assert raters.name(row, four[1], by=lead, now=NOON).person == four[1]


@pytest.mark.parametrize(("n", "repeats", "again"), [(100, 10, 10), (30, 10, 3), (30, 1, 1), (3, 50, 2), (1, 50, 0)])
def test_some_come_again_later_and_apart(n, repeats, again):
    row = JudgingRound(seed="7", rules=Rules(kind="long", repeats=repeats).model_dump(mode="json"))
    exhibits = [Exhibit(pk=place + 1, place=place) for place in range(n)]
    order = working.in_order(row, Rater(number=1), exhibits)
    first = {each.pk: at for at, (each, number) in enumerate(order) if number == 1}
    second = {each.pk: at for at, (each, number) in enumerate(order) if number == 2}
    assert (len(first), len(second)) == (n, again)
    assert all(at - first[key] >= min(working.APART, n // 2) for key, at in second.items())
    other = working.in_order(row, Rater(number=2), exhibits)
    assert n < 30 or {each.pk for each, number in other if number == 2} != set(second)


def test_the_second_mark_is_only_compared_with_the_first(lights, lead, experts):
    row = sealed_with(lights, lead, experts, repeats=50)
    for person, second in zip(experts, "CW", strict=True):
        judge(row, person, lambda _exhibit, number, own=second: "C" if number == 1 else own)
    found = judging_rounds.measure(row)
    assert found["shares"]["C"]["share"][0] == 1
    assert found["by_rater"] == {"1": {"C": 3, "Cd": 0, "W": 0}, "2": {"C": 3, "Cd": 0, "W": 0}}
    same = {key: (each["n"], each["same"][0], each["apart"]) for key, each in found["self_consistency"].items()}
    assert same == {"": (4, 0.5, 1.0), "1": (2, 1.0, 0.0), "2": (2, 0.0, 2.0)}


def test_what_is_previewed_next_is_of_items_that_were_not(lights, monkeypatch):
    def two_turns(kind, item, record):
        yield from ((turn, ShownExhibit(prompt="Who?", answers=(str(turn),))) for turn in range(2))

    monkeypatch.setattr(NQ, "exhibits_of", two_turns)
    first = drawing.preview(lights, Rules(kind="long"), seed="7", n=3)
    without = tuple(each.name for each in first)
    second = drawing.preview(lights, Rules(kind="long", without=without), seed="7", n=3)
    items = [[each.annotation.item_id for each in found] for found in (first, second)]
    assert [len(set(found)) for found in items] == [3, 3]
    assert second[0].annotation.item_id not in items[0]
    assert not set(without) & {each.name for each in second}
