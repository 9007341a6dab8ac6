"""Until its last answer an exam does the same for right and wrong ones: statements, and the rows that they leave."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from annotation.models import Event
from qualification.courses import sitting
from qualification.models import Attempt, AttemptAnswer, Grant, Outcome
from tests.people import NOON
from tests.qualification.courses.building import RIGHT, WRONG, prepare

PLACES = 6
BETWEEN = pytest.mark.in_test_all(
    shown_by="tests/qualification/courses/test_right_and_wrong.py"
    "::test_before_the_last_answer_statements_and_rows_are_equal"
)
EARLY = [0, *(pytest.param(place, marks=BETWEEN) for place in range(1, PLACES - 2)), PLACES - 2]
"""The places before the last; for each merge the first of them and the last."""
OWN = {"outcome", "marks", "blocks"}
"""Columns of an attempt that say how it went."""


class Undone(Exception):
    """Raised to take back what was done."""


def rows() -> dict[str, set[str]]:
    """All rows of all tables as text, without the numbers that a database counts up by itself."""
    return {
        model._meta.label: {
            str({name: value for name, value in row.items() if name != "id"}) for row in model._base_manager.values()
        }
        for model in apps.get_models()
    }


def told(act, chosen) -> tuple[list[str], dict[str, set[str]]]:
    """The statements of an act with their values, and the rows that it added or changed; it is taken back.

    Names of savepoints and what was chosen are masked.
    """
    statements: list[str] = []

    def note(execute, sql, params, many, context):
        if not re.match(r"(SAVEPOINT|RELEASE)", sql):
            statements.append(masked(f"{sql} {params}", chosen))
        return execute(sql, params, many, context)

    before, after = rows(), {}
    try:
        with transaction.atomic():
            with connection.execute_wrapper(note):
                act()
            after = rows()
            raise Undone
    except Undone:
        pass
    made = {label: {masked(row, chosen) for row in after[label] - before[label]} for label in after}
    return statements, {label: found for label, found in made.items() if found}


def masked(text: str, chosen: list[int]) -> str:
    # A driver may show a JSON value by where it is in memory.
    return re.sub(r"<[\w. ]*Jsonb? object at 0x[0-9a-f]+>", "[chosen]", text.replace(f"[{chosen[0]}]", "[chosen]"))


@pytest.fixture
def attempt(published, reading, alice) -> Attempt:
    prepare(alice, reading)
    return sitting.issue(alice, reading, now=NOON)


def answered(attempt: Attempt, n: int) -> Attempt:
    for place in range(n):
        attempt = sitting.answer(attempt, place, RIGHT, now=NOON)
    return attempt


def at(attempt: Attempt, place: int, chosen: list[int]):
    return told(lambda: sitting.answer(Attempt.objects.get(pk=attempt.pk), place, chosen, now=NOON), chosen)


@pytest.mark.parametrize("place", EARLY)
def test_before_the_last_answer_statements_and_rows_are_equal(attempt, place):
    assert len(attempt.form) == PLACES
    answered(attempt, place)
    right, wrong = at(attempt, place, RIGHT), at(attempt, place, WRONG)
    assert right == wrong
    assert right[1] == {AttemptAnswer._meta.label: right[1][AttemptAnswer._meta.label]}


@pytest.mark.parametrize("place", EARLY)
def test_so_they_are_where_earlier_answers_were_wrong(attempt, place):
    for before in range(place):
        sitting.answer(attempt, before, WRONG, now=NOON)
    assert at(attempt, place, RIGHT) == at(attempt, place, WRONG)


def test_the_control_another_place_is_another_statement(attempt):
    first = at(attempt, 0, RIGHT)
    sitting.answer(attempt, 0, RIGHT, now=NOON)
    assert at(attempt, 1, RIGHT) != first


def test_the_last_answer_differs_in_outcome_and_grant_alone(attempt):
    answered(attempt, PLACES - 1)
    (right, made), (wrong, made_wrong) = (at(attempt, PLACES - 1, chosen) for chosen in (RIGHT, WRONG))
    shapes = [[statement.split(" (", 1)[0].split(" {", 1)[0] for statement in each] for each in (right, wrong)]
    assert shapes[0][: len(wrong)] == shapes[1]
    grants = right[len(wrong) :]
    assert grants
    for statement in grants:
        assert re.search(r"qualification_(grant|qualification)|annotation_(membership|event)", statement)
    assert made.keys() - made_wrong.keys() == {Grant._meta.label}
    assert made[AttemptAnswer._meta.label] == made_wrong[AttemptAnswer._meta.label]
    kinds = [sorted(re.findall(r"'kind': '([\w.]+)'", str(each[Event._meta.label]))) for each in (made, made_wrong)]
    assert kinds[0] == sorted([*kinds[1], "grant.given"])


def test_in_the_attempt_itself_only_what_says_how_it_went_differs(attempt):
    answered(attempt, PLACES - 1)
    found: list[dict[str, Any]] = []
    for chosen in (RIGHT, WRONG):
        with transaction.atomic():
            sitting.answer(attempt, PLACES - 1, chosen, now=NOON)
            found.append(Attempt.objects.values().get())
            transaction.set_rollback(True)
    right, wrong = found
    assert {name for name in right if right[name] != wrong[name]} == OWN
    assert (right["outcome"], wrong["outcome"]) == (Outcome.ADMITTED, Outcome.EXTRA_TRAINING)


@pytest.mark.parametrize("place", EARLY)
def test_the_page_that_follows_asks_the_same_and_says_the_same(attempt, alice, place):
    answered(attempt, place)
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(alice)
    address = reverse("exam", args=[attempt.uuid])
    seen = []
    for shown in (0, 1, 2):  # in the order of the screen: one of them is right
        pages = []

        def send(shown=shown, pages=pages):
            sent = browser.post(address, {"place": place, "option": str(shown)})
            pages.append((sent.status_code, sent["Location"], len(browser.get(address).content)))

        statements, _made = told(send, [shown])
        seen.append((len(statements), pages))
    assert seen[0] == seen[1] == seen[2]
