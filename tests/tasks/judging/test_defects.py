"""What can't be judged is flagged before anybody marks it, and the next exhibit of the seal takes its place for all."""

from __future__ import annotations

from collections import Counter

import pytest
from django.db import DatabaseError, transaction

from annotation.errors import AlreadyClosed, WrongMove
from annotation.judging import draw, drawing, rounds
from annotation.judging.rules import Rules
from annotation.models import Defect, Exhibit, ExhibitUse, Role, RoundState
from annotation.protocols.nq.protocol import PROTOCOL as NQ
from tasks.judging import defects, looking, raters, working
from tests.builders import Worker, load, questions, write_lines
from tests.factories.judging import DefectFactory
from tests.factories.record import ResponseFactory
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork, answer, draft

AGAIN = {"stage": "judge", "schema": "judging.judgement/1", "payload": {"mark": "C", "part": "", "comment": ""}}
CUT = "The passage is cut off."


@pytest.fixture
def row(lights, lead, experts):
    """A round over two of the three answers, with one spare."""
    made = draft(lights, lead, sample=2)
    for expert in experts:
        raters.name(made, expert, by=lead, now=NOON)
    rounds.seal(made, by=lead, now=NOON)
    made.refresh_from_db()
    return made


def at(row, place) -> Exhibit:
    return row.exhibits.select_related("item", "round__project").get(place=place)


def flag(row, place, lead) -> Defect:
    return defects.flag(at(row, place), why=CUT, by=lead, now=NOON)


def places(row, person) -> list[int]:
    lease = working.begin(row, by=person, now=NOON)
    return sorted(working.work_in(lease).values_list("task__exhibit__place", flat=True))


def test_spares_are_sealed_and_hashed_after_the_draw_and_nobody_is_given_one(row, experts):
    every = row.exhibits.order_by("place")
    assert [each.use for each in every] == [ExhibitUse.DRAWN, ExhibitUse.DRAWN, ExhibitUse.SPARE]
    names = [(f"{each.annotation.uuid}/{each.turn}", each.sha256) for each in every]
    assert row.sha256 == rounds.sealed_hash(row, 3, names)
    assert places(row, experts[0]) == [0, 1]


def test_a_round_over_all_that_there_is_has_no_spare(sealed):
    assert not sealed.exhibits.filter(use=ExhibitUse.SPARE).exists()


def test_the_spare_takes_its_place_for_who_has_begun_and_who_will(row, lead, experts):
    erin, egon = experts
    assert places(row, erin) == [0, 1]
    made = flag(row, 0, lead)
    assert (made.replaced_by, made.why, made.by) == (at(row, 2), CUT, lead)
    assert places(row, erin) == places(row, egon) == [1, 2]
    assert sorted(draw.judged(row).values_list("place", flat=True)) == [1, 2]
    assert draw.told_defects(row) == [{"place": 0, "why": CUT, "replaced_by": 2}]


def test_without_a_spare_the_round_has_one_fewer(row, lead, experts):
    flag(row, 0, lead)
    assert flag(row, 2, lead).replaced_by is None
    assert places(row, experts[0]) == [1]
    for expert in experts:
        RaterAtWork(expert, row.project).judge_all(row, ["C"])
        working.lock(row, by=expert, now=NOON)
    row.refresh_from_db()
    assert row.state == RoundState.CLOSED


def test_what_somebody_has_marked_is_no_defect_any_more(row, lead, experts):
    erin = RaterAtWork(experts[0], row.project)
    work = working.work_in(working.begin(row, by=erin.user, now=NOON)).get(task__exhibit__place=0)
    erin.judge(work, "W")
    with pytest.raises(WrongMove, match="its mark counts"):
        flag(row, 0, lead)
    with pytest.raises(DatabaseError), transaction.atomic():
        DefectFactory.insert(exhibit=at(row, 0), by=lead)


def test_nobody_marks_a_defect_any_more(row, lead, experts):
    erin = RaterAtWork(experts[0], row.project)
    work = working.work_in(working.begin(row, by=erin.user, now=NOON)).get(task__exhibit__place=0)
    flag(row, 0, lead)
    with pytest.raises(AlreadyClosed):
        erin.judge(work, "C")
    with pytest.raises(DatabaseError), transaction.atomic():
        ResponseFactory.insert(annotation=work.annotation, **AGAIN)


def test_a_reason_is_needed_twice_is_once_and_spares_and_ended_rounds_are_refused(row, lead):
    with pytest.raises(WrongMove, match="what is wrong"):
        defects.flag(at(row, 0), why="?", by=lead, now=NOON)
    with pytest.raises(WrongMove, match="not judged"):
        flag(row, 2, lead)
    assert flag(row, 0, lead) == flag(row, 0, lead)
    row.refresh_from_db()
    defects.ending.stop(row, why="test", by=lead, now=NOON)
    with pytest.raises(WrongMove):
        flag(row, 1, lead)


def test_who_made_the_spare_or_has_looked_at_it_is_not_given_it(row, lead, experts, lights):
    ada = lights.memberships.get(user__username="ada").user
    join(lights, "ada", Role.EXPERT)
    raters.name(row, ada, by=lead, now=NOON)
    erin, egon = experts
    assert [places(row, each) for each in (erin, egon, ada)] == [[0, 1], [0, 1], []]
    looking.look(erin, "lights", at(row, 2).item_id, now=NOON)
    flag(row, 0, lead)
    assert [places(row, each) for each in (erin, egon, ada)] == [[1], [1, 2], []]


@pytest.fixture
def typed(lights, monkeypatch, tmp_path):
    """Of six questions with an answer, three ask for a date and three for a name."""
    load(lights, write_lines(tmp_path / "more.jsonl", questions(7, start=4)))
    ada = Worker(lights.memberships.get(user__username="ada").user, lights)
    for _ in range(3):
        answer(ada)
    asked = sorted(each.shown.prompt for each in drawing.population(lights, Rules(kind="long"), seed=""))
    of_type = {prompt: "date" if at % 2 else "name" for at, prompt in enumerate(asked)}
    monkeypatch.setattr(NQ, "item_types", {"date": "A date", "name": "A name"})
    monkeypatch.setattr(NQ, "type_of", lambda payload: of_type.get(payload["question_text"], ""))


def type_at(row, place) -> str:
    return NQ.type_of(at(row, place).item.payload)


def test_a_spare_is_of_the_type_of_the_defect_where_so_many_of_each_type_were_drawn(lights, lead, experts, typed):
    made = draft(lights, lead, strata={"date": 1, "name": 2})
    raters.name(made, experts[0], by=lead, now=NOON)
    rounds.seal(made, by=lead, now=NOON)
    made.refresh_from_db()
    spares = made.exhibits.filter(use=ExhibitUse.SPARE).order_by("place")
    assert sorted(type_at(made, each.place) for each in spares) == ["date", "date", "name"]
    last, first = [next(n for n in range(3) if type_at(made, n) == key) for key in ("name", "date")]
    for defect in (last, first):
        assert type_at(made, flag(made, defect, lead).replaced_by.place) == type_at(made, defect)
    other = next(n for n in range(3) if type_at(made, n) == "name" and n != last)
    assert flag(made, other, lead).replaced_by is None  # a spare is left, but asks for a date
    assert Counter(NQ.type_of(each.item.payload) for each in draw.judged(made)) == {"date": 1, "name": 1}
