"""The same text or question in two splits is told, or refused where the project says so; repeated ones are counted."""

from __future__ import annotations

import pytest

from annotation import clock
from annotation.imports import run
from annotation.imports.run import LinesRefused, Mode
from annotation.models import Item
from annotation.parsing import sources
from tests.builders import PAGE, project, questions, write_lines

LONG = "who was the first keeper of the light on the southern reef"
"""A question of more than 8 words, which nothing is said about."""


@pytest.fixture
def bring(tmp_path):
    """Import lines into a project; returns the notes as (line, text, count)."""

    def bring(into, *lines, mode=Mode.ALL):
        path = write_lines(tmp_path / "lines.jsonl", lines)
        source = sources.FileSource(path)
        report = run.run(
            into, source, sha256=source.sha256(), by=None, clock=clock.now, progress=lambda *seen: None, mode=mode
        )
        return list(report.notes)

    return bring


def asked(number, *, split="train", text="", page=PAGE):
    [line] = questions(1, split=split, start=number, page=page)
    return line | {"question_text": text or f"{LONG} number {number}"}


def page(number):
    return PAGE.replace("Anna Berg", f"Anna Berg the {number}th")


IN_DEV = "The same text is in the split dev, too."


def test_a_text_in_two_splits_of_a_file_is_told_once_with_a_count(db, bring):
    lines = [asked(0, split="dev"), asked(1), asked(2), asked(3, page=page(3)), asked(4, split="dev")]
    assert bring(project(), *lines) == [(2, IN_DEV, 2)]


def test_a_text_that_the_project_has_in_another_split_is_told(db, bring):
    nq = project()
    bring(nq, asked(0, split="dev"))
    assert bring(nq, asked(2, split="dev"), asked(3, split="dev", page=page(3))) == []
    assert bring(nq, asked(1)) == [(1, IN_DEV, 1)]
    assert bring(project("other"), asked(1)) == []


def test_it_counts_where_an_item_is_now_and_not_where_it_came_in(db, bring):
    nq = project()
    bring(nq, asked(0, split="dev"))
    Item.objects.update(split="train")
    assert bring(nq, asked(1)) == []


def test_a_question_in_two_splits_is_told_whatever_its_page(db, bring):
    lines = [asked(0, split="dev", text=f"{LONG}?"), asked(1, text=LONG.upper(), page=page(1))]
    assert bring(project(), *lines) == [(2, "The same question is in the split dev, too.", 1)]


def test_questions_that_come_again_in_their_split_and_short_ones_are_counted(db, bring):
    lines = [asked(number, text=text, page=page(number)) for number, text in enumerate([LONG, LONG, LONG, "why is it"])]
    assert bring(project(), *lines) == [
        (2, "The same question came before, in the same split.", 2),
        (4, "The question has fewer than 8 words; in the NQ paper, all have at least as many.", 1),
    ]


@pytest.mark.parametrize(("words", "told"), [(7, 1), (8, 0), (9, 0)])
def test_a_question_of_eight_words_is_long_enough(db, bring, words, told):
    assert len(bring(project(), asked(0, text=" ".join(LONG.split()[:words])))) == told


def test_the_same_file_again_says_nothing_of_what_is_there_already(db, bring):
    nq = project()
    bring(nq, asked(0), asked(1))
    assert bring(nq, asked(0), asked(1), asked(2)) == []


def test_a_project_may_refuse_it(db, bring):
    nq = project(one_split=True)
    lines = [asked(0, split="dev"), asked(1), asked(2, page=page(2)), asked(3, text=LONG, split="dev", page=page(3))]
    with pytest.raises(LinesRefused) as refused:
        bring(nq, *lines, asked(4, text=LONG, page=page(4)))
    assert [(found.line, found.reason.partition(". ")[0]) for found in refused.value.report.refused] == [
        (2, "The same text is in the split dev"),
        (5, "The same question is in the split dev"),
    ]
    assert not Item.objects.exists()
    bring(nq, *lines, asked(4, text=LONG, page=page(4)), mode=Mode.GOOD)
    assert Item.objects.count() == 3
