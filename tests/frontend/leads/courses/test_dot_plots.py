"""What known people have scored stands beside the mark of each block: who they are, and who would pass at another."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from qualification.courses import item_figures, sitting
from qualification.models import Attempt
from tests.builders import Worker, open_with, questions
from tests.people import NOON, join
from tests.qualification.courses.building import RIGHT, WRONG, block, prepare, sit


@pytest.fixture
def known(published, lena, nq, tmp_path):
    """Lena tries the exam twice, at last without a mistake; bob, who works here, fails the task; carol passes."""
    open_with(nq, tmp_path, questions(2))
    bob, carol = join(nq, "bob"), join(nq, "carol")
    Worker(bob, nq).finish_bad()
    for chosen in (WRONG, RIGHT):
        attempt = sitting.issue_trial(lena, published.qualification, published, now=NOON)
        for place in range(len(attempt.form)):
            sitting.answer(attempt, place, chosen, now=NOON)
    for person, fail in ((bob, ("task",)), (carol, ())):
        prepare(person, published.qualification)
        sit(person, published.qualification, fail=fail)
    return bob


def scores(published, key: str, known) -> dict[str, list[int]]:
    asked = next(each for each in (block("background"), block("task")) if each.key == key)
    found = item_figures.known_scores(published.qualification, asked, working={known.pk})
    return {each.group: [int(points) for points in each.points] for each in found}


def test_of_trials_the_last_counts_of_exams_the_first_and_who_worked_here_is_apart(published, known):
    assert scores(published, "task", known) == {"leads": [2], "working": [0], "candidates": [2]}
    assert scores(published, "background", known) == {"leads": [2], "working": [2], "candidates": [2]}


def test_voided_and_open_sittings_and_those_of_another_length_say_nothing(published, known):
    Attempt.objects.filter(user=known).update(voided_at=NOON)
    assert scores(published, "task", known)["working"] == []
    longer = item_figures.known_scores(published.qualification, block("task", draw=3), working=set())
    assert not any(each.points for each in longer)


def test_whoever_reaches_the_mark_exactly_passes():
    group = item_figures.KnownScores("candidates", (Fraction(7, 10), Fraction(69, 100)))
    share = group.passing(Fraction("0.7"))
    assert (share.value, share.n) == (0.5, 2)
    assert item_figures.KnownScores("candidates", ()).passing(Fraction(1)) is None


def test_the_page_has_a_dot_for_each_person_and_says_who_passes_at_another_mark(desk, known):
    page = desk.text("exam_figures")
    task = page[page.index("Scores: Task") :]
    assert task.count('class="score"') == 3
    assert "Leads and experts, in trials" in task
    assert "of 1 person reaches 2" in task
    assert "chosen, not drawn" in task
    page = desk.text("exam_figures", **{"mark-task": "0"})
    other = re.search(r"People who have worked here: .*?100 %.*?of 1 person reaches 0", page)
    assert other
    assert "Use this mark" not in page
    desk.send("edit_course")
    page = desk.text("exam_figures", **{"mark-task": "1,5"})
    address = desk.url("course_block", "task")
    assert f"{address}?mark=1.5" in page
    assert 'value="1.5"' in desk.text("course_block", "task", mark="1.5")


def test_what_is_no_mark_is_the_one_that_the_block_has(desk, known):
    def reached(**marks):
        return re.findall(r"of \d+ \w+ reach(?:es)? [\d.]+", desk.text("exam_figures", **marks))

    here = reached()
    assert "of 1 person reaches 2" in here
    assert reached(**{"mark-background": "3", "mark-reading": "much", "mark-task": "1/0"}) == here
    assert reached(**{"mark-task": "-1"}) == here


def test_where_nobody_has_sat_it_the_page_says_what_to_do(desk, published):
    assert "Nobody has sat it yet" in desk.text("exam_figures")
