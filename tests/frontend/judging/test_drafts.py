"""A lead chooses otherwise in a draft, and writes definitions of their own."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.judging import rounds
from annotation.judging.rules import Rules
from annotation.models import JudgingRound, RoundState
from tasks import jobs
from tasks.judging import raters, working
from tests.people import NOON
from tests.tasks.judging.judged_rounds import RaterAtWork, draft


@pytest.fixture
def lena(lead):
    client = Client()
    client.force_login(lead)
    return client


@pytest.fixture
def made(lights, lead, experts):
    row = draft(lights, lead, sample=2)
    raters.name(row, experts[0], by=lead, now=NOON)
    return row


def address(row: JudgingRound, name: str = "judging_definitions") -> str:
    return reverse(name, args=["lights", row.uuid])


def sent(*marks: tuple[str, str], go: str = "save", **more):
    """The form of definitions with these marks, each (title, definition)."""
    return {
        "title": "Tone",
        "asks": "How does it sound?",
        "order": "named",
        "mark_key": [""] * len(marks),
        "mark_title": [title for title, _says in marks],
        "mark_says": [says for _title, says in marks],
        "mark_parts": [""] * len(marks),
        "go": go,
    } | more


TWO = (("Kind", "It is friendly."), ("Curt", "It is short."))


def kept(row: JudgingRound):
    row.refresh_from_db()
    return rounds.rubric_of(row)


def test_definitions_from_nothing_are_kept_with_keys_made_of_their_names(lena, made):
    assert lena.get(address(made), {"from": "nothing"}).status_code == 200
    more = {
        "right": ["0"],
        "mark_parts": ["Warm\nPolite", ""],
        "check_key": [""],
        "check_title": ["Dates that are there"],
    }
    answer = lena.post(address(made), sent(*TWO, **more, counted=["0"]), follow=True)
    assert "Dates that are there" in answer.content.decode()
    rubric = kept(made)
    assert (rubric.title, rubric.asks, rubric.ordinal, rubric.right) == ("Tone", "How does it sound?", False, ("kind",))
    assert [(mark.key, mark.title, mark.says) for mark in rubric.marks] == [("kind", *TWO[0]), ("curt", *TWO[1])]
    assert [(part.key, part.title) for part in rubric.marks[0].parts] == [("warm", "Warm"), ("polite", "Polite")]
    assert [(check.title, check.counted) for check in rubric.checks] == [("Dates that are there", True)]


def test_a_changed_preset_keeps_the_keys_of_its_marks(lena, made):
    page = lena.get(address(made), {"from": "short"}).content.decode()
    assert 'name="mark_key" value="Cd"' in page
    marks = (("Correct", ""), ("Debatable", "Perhaps."), ("Wrong", ""))
    lena.post(address(made), sent(*marks, order="ordered", mark_key=["C", "Cd", "W"], right=["0", "1"]))
    rubric = kept(made)
    assert [mark.key for mark in rubric.marks] == ["C", "Cd", "W"]
    assert (rubric.ordinal, rubric.right) == (True, ("C", "Cd"))


def test_marks_of_a_scale_are_its_numbers_and_say_them(lena, made):
    lena.post(address(made), sent(("", "Nothing of it."), ("Enough", ""), ("", "All of it."), order="scale"))
    assert [(mark.key, mark.title) for mark in kept(made).marks] == [("1", "1"), ("2", "2 · Enough"), ("3", "3")]
    assert kept(made).ordinal
    page = lena.get(address(made)).content.decode()
    assert 'value="Enough"' in page
    lena.post(address(made), sent(("Low", ""), ("High", ""), mark_key=["1", "2"]))
    assert [mark.key for mark in kept(made).marks] == ["low", "high"]


@pytest.mark.parametrize(
    ("go", "titles"),
    [
        ("add-mark", ["A", "B", "C", ""]), ("up-2", ["A", "C", "B"]), ("without-0", ["B", "C"]),
        ("up-0", ["A", "B", "C"]), ("without-9", ["A", "B", "C"]), ("nonsense", ["A", "B", "C"]),
    ],
)  # fmt: skip
def test_rows_are_added_moved_and_left_out_without_keeping_anything(lena, made, go, titles):
    before = kept(made)
    answer = lena.post(address(made), sent(("A", ""), ("B", ""), ("C", ""), go=go))
    assert answer.status_code == 200
    assert [row.title for row in answer.context["rows"].marks] == titles
    assert kept(made) == before


def test_there_are_two_marks_at_least_and_nine_at_most(lena, made):
    two, nine = sent(*TWO, go="without-0"), sent(*((f"M{n}", "") for n in range(9)), go="add-mark")
    assert len(lena.post(address(made), two).context["rows"].marks) == 2
    page = lena.post(address(made), nine)
    assert len(page.context["rows"].marks) == 9
    assert 'value="add-mark"' not in page.content.decode()
    assert lena.post(address(made), nine | {"go": "save"}).status_code == 302
    assert len(kept(made).marks) == 9


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"asks": " "}, "Write something here."),
        ({"title": "x" * 81}, "At most 80 characters."),
        ({"mark_title": ["Kind", "kind"]}, "Another one has this name."),
        ({"mark_title": ["Kind", ""]}, "Write something here."),
        ({"mark_says": ["x" * 601, ""]}, "At most 600 characters."),
        ({"mark_parts": ["one\none", ""]}, "A line is there twice."),
        ({"mark_parts": ["\n".join(map(str, range(25))), ""]}, "At most 24 lines."),
        ({"check_key": [""], "check_title": [""]}, "Write something here."),
        ({"mark_title": ["Kind"]}, "A rubric has two marks at least"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_is_kept(lena, made, wrong, said):
    before = kept(made)
    answer = lena.post(address(made), sent(*TWO, **wrong))
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert kept(made) == before


def test_choices_of_a_draft_are_changed_and_definitions_of_its_own_stay(lena, made, lead, experts):
    page = lena.get(address(made, "change_judging_round")).content.decode()
    assert 'value="2"' in page
    lena.post(address(made), sent(*TWO))
    wanted = {"title": "Others", "kind": "long", "of_an_item": "all", "split": "", "sample": "", "raters": [lead.pk]}
    lena.post(address(made, "change_judging_round"), wanted | {"meeting": "on", "chair": lead.pk})
    made.refresh_from_db()
    assert (made.title, rounds.rules_of(made)) == ("Others", Rules(kind="long", of_an_item="all", meeting=True))
    assert [rater.person for rater in made.raters.all()] == [lead]
    assert made.chair == lead
    assert kept(made).title == "Tone"
    lena.post(address(made, "change_judging_round"), wanted | {"raters": [each.pk for each in experts]})
    made.refresh_from_db()
    assert made.chair is None
    assert [rater.number for rater in made.raters.order_by("pk")] == [1, 2]


def test_what_is_sealed_has_no_form_any_more(lena, made, lead):
    rounds.seal(made, by=lead, now=NOON)
    for name in ("judging_definitions", "change_judging_round"):
        assert lena.get(address(made, name)).status_code == 404
        assert lena.post(address(made, name), sent(*TWO)).status_code == 404
    made.refresh_from_db()
    assert made.state == RoundState.SEALED


def test_published_shares_stand_beside_marks_of_the_preset_only(lena, made, lead, lights, experts):
    lena.post(address(made), sent(*TWO))
    rounds.seal(made, by=lead, now=NOON)
    RaterAtWork(experts[0], lights).judge_all(made, ["kind", "curt"])
    working.lock(made, by=experts[0], now=NOON)
    jobs.measure_judging_rounds()
    page = lena.get(address(made, "judging_round")).content.decode()
    assert "Kind" in page.split("Results")[1]
    assert "NQ paper, Table 2" not in page
