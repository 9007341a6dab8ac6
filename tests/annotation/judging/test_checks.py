"""What raters say to checks beside the mark: what is taken, how it is stored, and how often it was said."""

from __future__ import annotations

import orjson
import pytest
from django.utils.datastructures import MultiValueDict

from annotation.engine import committing
from annotation.judging.checks import problems_of
from annotation.judging.forms import JudgeForm
from annotation.judging.protocol import JUDGE, JUDGING
from annotation.judging.results import GivenMark, round_results
from annotation.judging.rubrics import CHECK_KEYS, PART_KEYS, preset
from annotation.values.records import ItemRecord

ASKED = (("opinion", "The opinion is right", False), ("entities", "Entities that are there", True))
GRADES = preset("Grades", "How good is it?", ("1", "Poor", ""), ("2", "Good", ""), checks=ASKED)
PLAIN = preset("Grades", "How good is it?", ("1", "Poor", ""), ("2", "Good", ""))


def item(rubric=GRADES) -> ItemRecord:
    return ItemRecord("exhibit", "e1", "", {"rubric": rubric.model_dump(mode="json")})


def form_of(rubric=GRADES, **fields: str) -> JudgeForm:
    return JudgeForm.for_item(item(rubric))(MultiValueDict({"mark": ["2"]} | {k: [v] for k, v in fields.items()}))


def stored(payload: dict) -> dict:
    return JUDGE.schema.validate_json(orjson.dumps(payload)).model_dump(mode="json")


def test_a_judgement_without_checks_is_stored_and_hashed_as_before_there_were_any():
    for rubric in (PLAIN, GRADES):
        form = form_of(rubric, comment="Thin.")
        assert form.is_valid()
        assert form.payload() == {"mark": "2", "part": "", "comment": "Thin."}
        assert stored(form.payload()) == form.payload()
        assert committing.body_hash("judge", form.payload()) == committing.body_hash(
            "judge", {"mark": "2", "part": "", "comment": "Thin."}
        )


@pytest.mark.parametrize(
    ("fields", "checks"),
    [
        ({"check-opinion": "yes"}, {"opinion": True}),
        ({"check-opinion": "no", "check-entities": "2", "check-entities-of": "3"},
         {"opinion": False, "entities": [2, 3]}),
        ({"check-entities": "0", "check-entities-of": "1"}, {"entities": [0, 1]}),
        ({"check-entities": "3", "check-entities-of": "3"}, {"entities": [3, 3]}),
        ({"check-entities": "999", "check-entities-of": "999"}, {"entities": [999, 999]}),
        ({"check-entities": " 2 ", "check-entities-of": "3", "check-opinion": ""}, {"entities": [2, 3]}),
    ],
)  # fmt: skip
def test_answered_checks_are_in_the_payload_and_give_the_same_fields_again(fields, checks):
    form = form_of(**fields)
    assert form.is_valid(), form.errors
    assert form.payload()["checks"] == checks
    assert stored(form.payload()) == form.payload()
    again = JudgeForm.fields_of(form.payload())
    assert {name: again[name] for name in again if name.startswith("check-")} == {
        name: value.strip() for name, value in fields.items() if value
    }


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"check-entities": "4", "check-entities-of": "3"}, "the first number is at most the second"),
        ({"check-entities": "2"}, "say how many of how many, or leave both empty"),
        ({"check-entities-of": "2"}, "say how many of how many, or leave both empty"),
        ({"check-entities": "0", "check-entities-of": "0"}, "write a number from 1 to 999"),
        ({"check-entities": "1", "check-entities-of": "1000"}, "write a number from 1 to 999"),
        ({"check-entities": "-1", "check-entities-of": "1"}, "write a number from 0 to 999"),
        ({"check-entities": "two", "check-entities-of": "3"}, "write a number from 0 to 999"),
        ({"check-opinion": "perhaps"}, "perhaps is not one of the available choices"),
        ({"check-tone": "yes"}, "This round does not ask for that check."),
    ],
)
def test_other_answers_are_refused_with_a_sentence(fields, why):
    form = form_of(**fields)
    assert not form.is_valid()
    assert why in " ".join(problem.message for problem in form.problems())


@pytest.mark.parametrize(
    ("checks", "why"),
    [
        ({"opinion": True, "entities": (3, 3)}, None),
        ({"tone": True}, "This round does not ask for that check."),
        ({"entities": True}, "say how many of how many"),
        ({"opinion": (1, 2)}, "say yes or no"),
        ({"entities": (4, 3)}, "the first number is at most the second"),
    ],
)
def test_a_payload_is_refused_too(checks, why):
    found = [problem.message % (problem.values or {}) for problem in problems_of(GRADES, checks)]
    assert [why in each for each in found] == ([True] if why else [])


def test_readers_see_the_titles_and_what_was_said():
    given = JUDGE.schema.validate_json(b'{"mark": "2", "checks": {"entities": [2, 3], "opinion": false}}')
    view = JUDGING.view("judge", given, item())
    assert view["checks"] == [("The opinion is right", False, None, None), ("Entities that are there", False, 2, 3)]


def test_keys_of_checks_are_those_of_no_part():
    parts = tuple((f"p{n}", f"Part {n}") for n in range(len(PART_KEYS)))
    assert [key for key, _check in GRADES.keyed_checks] == list(CHECK_KEYS[:2])
    for n in (0, 12, len(PART_KEYS) - 1, len(PART_KEYS)):
        rubric = preset("Kinds", "Which?", ("a", "A", "", parts[:n]), ("b", "B", ""), checks=ASKED)
        keys = [key for key, _check in rubric.keyed_checks]
        assert not {*keys} & {*PART_KEYS[:n]}
        assert len([key for key in keys if key]) == min(2, len(PART_KEYS) - n)


def given(mark: str, kind: str = "", **checks) -> GivenMark:
    return GivenMark(item=1, exhibit=1, rater=1, mark=mark, type=kind, checks=checks)


def test_results_say_how_often_each_check_was_said_in_all_by_mark_and_by_type():
    found = round_results(
        GRADES,
        [
            given("1", "ENTITY", opinion=False, entities=(1, 4)),
            given("2", "ENTITY", opinion=True, entities=(3, 4)),
            given("2", "YES_NO", opinion=True),
            given("2", "YES_NO"),
        ],
    ).as_json()["checks"]
    assert found["opinion"] == {
        "all": {"yes": 2, "no": 1, "unanswered": 1},
        "by_mark": {"1": {"yes": 0, "no": 1, "unanswered": 0}, "2": {"yes": 2, "no": 0, "unanswered": 1}},
        "by_type": {"ENTITY": {"yes": 1, "no": 1, "unanswered": 0}, "YES_NO": {"yes": 1, "no": 0, "unanswered": 1}},
    }
    assert found["entities"]["all"] == {"n": 4, "m": 8, "mean": 0.5, "answered": 2, "unanswered": 2}
    assert found["entities"]["by_mark"]["1"] == {"n": 1, "m": 4, "mean": 0.25, "answered": 1, "unanswered": 0}
    assert found["entities"]["by_type"]["YES_NO"] == {"n": 0, "m": 0, "mean": None, "answered": 0, "unanswered": 2}


def test_no_other_figure_depends_on_what_was_said_to_checks():
    with_checks = [given("1", opinion=True, entities=(1, 9)), given("2", opinion=False)]
    found = round_results(GRADES, with_checks).as_json()
    del found["checks"]
    assert found == round_results(PLAIN, [given("1"), given("2")]).as_json()
