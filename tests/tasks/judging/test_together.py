"""The answers to an item on one screen: what is drawn, who judges what, and marks that are written all or none."""

from __future__ import annotations

from itertools import pairwise

import pytest

from annotation import randomness
from annotation.engine.drafts import PageLoad
from annotation.errors import KeyReused, PayloadInvalid, StalePage, TakenOver, WrongMove
from annotation.judging import drawing, given_marks
from annotation.judging.rules import Rules, letter_of
from annotation.models import Draft, ExhibitUse, Response, Role, RoundState, TimeSpan
from frontend import access
from tasks.judging import defects, looking, raters, together, working
from tasks.measuring import judging_rounds
from tasks.models.states import AssignmentState
from tests.factories.record import AnnotationFactory, ResponseFactory, TimeSpanFactory
from tests.people import NOON, join
from tests.tasks.judging.judged_once import judges, lamps, lamps_once, lena
from tests.tasks.judging.together_rounds import (
    ANSWERS,
    ITEMS,
    mark,
    row_of,
    screens_of_rater,
    seal_together,
    take_in,
)

__all__ = ["judges", "lamps", "lamps_once", "lena"]


@pytest.fixture
def row(lamps, lena, judges):
    return seal_together(lamps, lena, judges[:2])


@pytest.fixture
def screens(row, judges):
    """What is on Erin's screens."""
    return screens_of_rater(row, judges[0])


def places(screen):
    return [each.annotation.exhibit.place for each in screen]


def items(exhibits):
    """The items of exhibits, each where it comes first, and how often it changes."""
    keys = [each.item_id for each in exhibits]
    return list(dict.fromkeys(keys)), sum(one != other for one, other in pairwise(keys))


def marks_of(person):
    return [each.payload["mark"] for each in Response.objects.filter(author=person, stage="judge").order_by("pk")]


def test_whole_items_are_drawn_and_stay_together_in_the_seal(lamps, lena):
    row = seal_together(lamps, lena, [], sample=2)
    found, changes = items(row.exhibits.order_by("place"))
    assert (len(found), changes, row.exhibits.count()) == (2, 1, 2 * ANSWERS)
    assert row.population == ITEMS * ANSWERS
    assert not row.exhibits.filter(use=ExhibitUse.SPARE).exists()


def test_places_within_an_item_say_nothing_about_who_answered(lamps):
    rules = Rules(kind="answers", of_an_item="all", together=True)
    turns = [each.turn for each in drawing.draw_of(lamps, rules, seed="7").exhibits]
    assert turns != [0, 1, 2] * ITEMS


def test_strata_and_practice_are_of_items(lamps, lena):
    row = seal_together(lamps, lena, [], strata={"YES_NO": 1, "DESCRIPTION": 1}, practice=1)
    drawn = row.exhibits.filter(use=ExhibitUse.DRAWN).select_related("item")
    assert sorted({each.item.payload["question_type"] for each in drawn}) == ["DESCRIPTION", "YES_NO"]
    assert drawn.count() == 2 * ANSWERS
    assert row.exhibits.filter(use=ExhibitUse.PRACTICE).count() == ANSWERS


def test_more_items_than_there_are_are_refused_and_as_many_are_not(lamps, lena):
    with pytest.raises(WrongMove, match=f"only {ITEMS}"):
        seal_together(lamps, lena, [], sample=ITEMS + 1)
    assert seal_together(lamps, lena, [], sample=ITEMS).exhibits.count() == ITEMS * ANSWERS


def test_one_answer_of_each_item_is_refused(lamps, lena):
    with pytest.raises(WrongMove, match="alone on its screen"):
        seal_together(lamps, lena, [], of_an_item="one")


def test_each_rater_has_the_items_in_an_order_of_their_own_and_the_answers_in_that_of_the_seal(row, judges, screens):
    his = screens_of_rater(row, judges[1])
    assert [len(screen) for screen in screens] == [ANSWERS] * ITEMS
    assert [places(screen) for screen in screens] != [places(screen) for screen in his]
    assert sorted(map(places, screens)) == sorted(map(places, his))
    assert all(places(screen) == sorted(places(screen)) for screen in screens)


def test_letters_are_the_same_for_all_raters_whoever_is_left_out(screens):
    exhibit = screens[0][1].annotation.exhibit
    rest = [each for each in screens[0] if each.annotation.exhibit != exhibit]
    assert together.work_of(screens[0]).letters == ("A", "B", "C")
    assert together.work_of(rest).letters == ("A", "C")


def test_letters_go_on_after_z():
    assert [letter_of(number) for number in (0, 25, 26, 51, 52)] == ["A", "Z", "AA", "AZ", "BA"]


def test_each_mark_is_a_judgement_of_its_own(row, judges, screens):
    mark(screens[0], "5", "4", "1")
    rows = Response.objects.filter(author=judges[0])
    stored = {each.annotation.exhibit.place: each.payload["mark"] for each in rows}
    assert stored == dict(zip(places(screens[0]), ("5", "4", "1"), strict=True))
    assert {each.state for each in screens_of_rater(row, judges[0])[0]} == {AssignmentState.SUBMITTED}
    assert working.left_to_judge(screens[0][0].lease).count() == (ITEMS - 1) * ANSWERS


def test_if_one_mark_is_refused_none_is_written(judges, screens):
    with pytest.raises(PayloadInvalid) as refused:
        mark(screens[0], "5", "4", "9")
    assert [problem.field for problem in refused.value.problems] == [f"e{places(screens[0])[2]}-mark"]
    assert not marks_of(judges[0])
    again = [access.own_assignment(each.annotator, each.uuid) for each in screens[0]]
    assert {each.state for each in again} == {AssignmentState.LEASED}


def test_the_same_sent_twice_counts_once_and_another_under_its_key_is_refused(judges, screens):
    key = randomness.handle()
    assert not mark(screens[0], "5", "4", "1", key=key, seen=0).replayed
    assert mark(screens[0], "5", "4", "1", key=key, seen=0).replayed
    assert marks_of(judges[0]) == ["5", "4", "1"]
    with pytest.raises(KeyReused):
        mark(screens[0], "5", "4", "2", key=key, seen=0)


def test_only_what_was_changed_is_written_again(judges, screens):
    mark(screens[0], "5", "4", "1")
    mark(screens[0], "5", "3", "1")
    assert marks_of(judges[0]) == ["5", "4", "1", "3"]


def test_a_page_that_has_not_seen_a_mark_is_refused(judges, screens):
    mark(screens[0], "5", "4", "1")
    with pytest.raises(StalePage):
        mark(screens[0], "5", "4", "2", seen=0)
    assert marks_of(judges[0]) == ["5", "4", "1"]


def save(screen, tab, *, seq=1, **fields):
    by = screen[0].annotator
    return together.save_draft(screen, "judge", fields, by=by, tab=tab, seq=seq, seen=0, now=NOON)


def test_each_exhibit_has_its_draft_and_the_screen_has_them_all(screens):
    prefixes = together.work_of(screens[0]).prefixes
    fields = {f"{prefix}-mark": str(number) for number, prefix in enumerate(prefixes, start=3)}
    save(screens[0], PageLoad(client=randomness.handle()), **fields, _view={"candidate": 1})
    stored = {each.annotation.exhibit.place: each.data for each in Draft.objects.all()}
    assert {place: data["mark"] for place, data in stored.items()} == dict(zip(places(screens[0]), "345", strict=True))
    restored = together.work_of(screens[0]).draft("judge")
    assert restored.data == fields | {"_view": {"candidate": 1}}
    mark(screens[0], "3", "4", "5")
    assert not Draft.objects.exists()


def test_a_newer_page_takes_all_of_them_over(judges, screens):
    old, new = (PageLoad(client=randomness.handle()) for _ in range(2))
    save(screens[0], old)
    together.take_over(screens[0], client=new.client, by=judges[0], now=NOON)
    with pytest.raises(TakenOver):
        mark(screens[0], "5", "4", "1", tab=old)
    assert not marks_of(judges[0])


@pytest.fixture
def hers(lamps, judges):
    """An answer to one of the questions that Erin has written."""
    published = Response.objects.filter(annotation__item__project=lamps, stage="answers").order_by("pk").first()
    made = AnnotationFactory(item=published.annotation.item, author=judges[0], activity="compose", completed_at=NOON)
    payload = published.payload | {"answers": ["None."], "yesno_answers": ["No"]}
    ResponseFactory(annotation=made, stage="answers", schema=published.schema, payload=payload)
    return made


def test_who_wrote_an_answer_judges_the_others_only(lamps, lena, judges, hers):
    row = seal_together(lamps, lena, judges[:2])
    exhibit = row.exhibits.get(annotation=hers)
    for person, n in ((judges[0], ANSWERS), (judges[1], ANSWERS + 1)):
        [screen] = [each for each in screens_of_rater(row, person) if each[0].task.item_id == hers.item_id]
        assert len(screen) == n
        assert (exhibit.place in places(screen)) == (person == judges[1])


def test_who_takes_turns_in_place_of_one_who_wrote_an_answer_judges_that_one_alone(lamps, lena, judges, hers):
    row = seal_together(lamps, lena, judges, judged_by=2)
    on_each = [
        len(screen)
        for person in judges
        for screen in screens_of_rater(row, person)
        if screen[0].task.item_id == hers.item_id
    ]
    assert sorted(on_each) in ([1, ANSWERS, ANSWERS + 1], [ANSWERS + 1, ANSWERS + 1])
    assert sum(on_each) == 2 * (ANSWERS + 1)


def test_a_defect_leaves_the_others_on_the_screen_with_their_letters(row, lena, judges, screens):
    gone = screens[0][0].annotation.exhibit
    defect = defects.flag(gone, why="Cut off.", by=lena, now=NOON)
    assert defect.replaced_by is None
    left = together.on_screen_of(access.own_assignment(judges[0], screens[0][1].uuid))
    assert places(left) == places(screens[0])[1:]
    assert together.work_of(left).letters == ("B", "C")
    mark(left, "5", "4")
    assert len(marks_of(judges[0])) == ANSWERS - 1


def test_a_defect_that_is_flagged_while_a_page_is_open_takes_nothing_from_the_others(lena, judges, screens):
    held = screens[0]
    gone = held[1].annotation.exhibit
    work = together.work_of(held)
    answers = {prefix: {"mark": "4", "part": "", "comment": ""} for prefix in work.prefixes}
    defects.flag(gone, why="Cut off.", by=lena, now=NOON)
    together.commit(held, "judge", answers, by=judges[0], key=randomness.handle(), seen=0, now=NOON)
    marked = Response.objects.filter(author=judges[0]).values_list("annotation__exhibit__place", flat=True)
    assert sorted(marked) == [places(held)[0], places(held)[2]]


def test_who_looks_at_the_item_judges_none_of_it_and_keeps_what_is_marked(row, judges, screens):
    mark(screens[0], "5", "4", "1")
    for screen in screens[:2]:
        looking.look(judges[0], "lamps", screen[0].task.item_id, now=NOON)
    assert together.on_screen_of(access.own_assignment(judges[0], screens[0][0].uuid)) == []
    assert working.left_to_judge(screens[0][0].lease).count() == (ITEMS - 2) * ANSWERS
    assert len(marks_of(judges[0])) == ANSWERS


def test_what_is_there_twice_is_on_the_screen_once(db, tmp_path):
    same = row_of(0) | {"answers": ["Gas.", "Oil.", "Gas."]}
    made = take_in(tmp_path, [same, same | {"question_id": 9}], slug="twice")
    lead = join(made, "lena", Role.LEAD)
    row = seal_together(made, lead, [lead])
    assert row.exhibits.filter(same_as__isnull=False).count() == 2  # one in each item, none across them
    screens = screens_of_rater(row, lead)
    assert [len(screen) for screen in screens] == [2, 2]
    assert [together.work_of(screen).letters for screen in screens] == [("A", "B"), ("A", "B")]
    for screen in screens:
        mark(screen, "5", "1")
    working.lock(row, by=lead, now=NOON)
    assert len(given_marks.of_round(row)) == 6


def test_raters_in_turns_have_whole_items(lamps, lena, judges):
    row = seal_together(lamps, lena, judges, judged_by=2)
    given = [raters.given_to(row, rater) for rater in row.raters.all()]
    counts = {}
    for one in given:
        for each in one:
            counts[each.item_id] = counts.get(each.item_id, 0) + 1
    assert set(counts.values()) == {2 * ANSWERS}
    assert all(len(one) % ANSWERS == 0 for one in given)


def test_whole_items_come_again(lamps, lena, judges):
    row = seal_together(lamps, lena, judges[:1], repeats=50)
    screens = screens_of_rater(row, judges[0])
    assert [len(screen) for screen in screens] == [ANSWERS] * (ITEMS + 2)
    numbers = [{each.task.round for each in screen} for screen in screens]
    assert sorted(number for each in numbers for number in each) == [1] * ITEMS + [2, 2]
    for screen in screens:
        mark(screen, "5", "4", "1")
    working.lock(row, by=judges[0], now=NOON)
    assert len(given_marks.repeated(row)) == 2 * ANSWERS
    row.refresh_from_db()
    assert row.state == RoundState.CLOSED


def test_the_time_of_a_screen_is_that_of_all_its_exhibits(row, judges, screens):
    for screen in screens:
        mark(screen, "5", "4", "1")
        TimeSpanFactory(annotation=screen[0].annotation, annotator=judges[0], project=row.project, seconds=30)
    working.lock(row, by=judges[0], now=NOON)
    assert TimeSpan.objects.count() == ITEMS
    assert judging_rounds.measure(row)["seconds"]["1"] == {"n": ITEMS * ANSWERS, "median": 10.0, "mean": 10.0}


def test_other_rounds_have_a_screen_for_each(lamps, lena, judges):
    row = seal_together(lamps, lena, judges[:1], together=False)
    assert screens_of_rater(row, judges[0]) == [[]] * (ITEMS * ANSWERS)
