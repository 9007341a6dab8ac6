"""A lead chooses otherwise in a draft, and writes definitions of their own."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.errors import WrongMove
from annotation.judging import rounds
from annotation.judging.rules import Rules
from annotation.models import Job, JudgingRound, RoundState
from frontend.leads.judging import counting, exhibits, pages
from tasks import jobs
from tasks.background import long_jobs
from tasks.judging import raters, working
from tests.factories.record import TimeSpanFactory
from tests.people import NOON
from tests.tasks.judging.judged_rounds import RaterAtWork, draft
from tests.tasks.judging.test_draws import typed

__all__ = ["typed"]


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
    if go == "add-mark":  # browsers give no field the focus by itself at an address with a fragment
        page = answer.content.decode()
        assert page.count("autofocus") == 1
        assert not re.search(r'value="add-mark"[^>]*formaction', page)


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
    assert f'action="{address(made, "change_judging_round")}"' in page
    assert f'href="{address(made, "judging_round")}">Cancel' in page
    new = reverse("new_judging_round", args=["lights"])
    assert f'action="{new}"' in lena.get(new).content.decode()
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


def test_three_are_previewed_as_raters_see_them_and_leave_the_draw(lena, made, lead):
    lena.post(address(made, "change_judging_round"), choices(made, sample=""))
    page = lena.get(address(made, "judging_preview")).content.decode()
    assert "Nothing is previewed yet." in page
    page = lena.post(address(made, "judging_preview"), follow=True).content.decode()
    assert page.count("who tended light number") == 3
    assert "3 exhibits have been left out so far." in page
    shown = lena.get(reverse("judging_preview_page", args=["lights", made.uuid, 0])).content.decode()
    assert "Cordouan" in shown
    assert lena.get(reverse("judging_preview_page", args=["lights", made.uuid, 3])).status_code == 404
    assert (
        "There is nothing more to preview." in lena.post(address(made, "judging_preview"), follow=True).content.decode()
    )
    answer = lena.post(address(made, "seal_judging_round"), follow=True)
    assert "nothing to judge" in answer.content.decode()


def test_other_previews_are_drawn_until_enough_were(lena, made, monkeypatch):
    monkeypatch.setattr(exhibits, "PREVIEWED", 1)
    monkeypatch.setattr(exhibits, "MOST_PREVIEWED", 2)
    seen = [lena.post(address(made, "judging_preview"), follow=True).context["previewed"] for _time in range(3)]
    names = [[each.drawn.name for each in found] for found in seen]
    assert [len(each) for each in names] == [1, 1, 1]
    assert names[0] != names[1] == names[2]
    made.refresh_from_db()
    assert rounds.rules_of(made).without == (*names[0], *names[1])


def choices(row: JudgingRound, **more):
    people = list(row.raters.values_list("person", flat=True))
    return {
        "title": row.title,
        "kind": "long",
        "of_an_item": "one",
        "split": "",
        "sample": "2",
        "raters": people,
    } | more


def test_what_matches_and_how_long_it_takes_is_said_while_choosing(lena, made, lights, experts):
    asked = reverse("estimate_judging_round", args=["lights"])
    said = " ".join(lena.post(asked, choices(made, practice="1", repeats="50")).content.decode().split())
    assert '<dd class="num"> 3 </dd>' in said
    assert "about 4 minutes" in said  # two, one again, one for practice
    assert "nobody has judged any yet" in said
    assert "not possible yet" in lena.post(asked, {"kind": "none_such"}).content.decode()


def test_time_is_estimated_from_earlier_rounds_of_the_kind(lena, made, lead, lights, experts):
    other = draft(lights, lead)
    raters.name(other, experts[0], by=lead, now=NOON)
    rounds.seal(other, by=lead, now=NOON)
    RaterAtWork(experts[0], lights).judge_all(other, ["C", "C", "W"])
    for work in working.work_in(working.begin(other, by=experts[0], now=NOON)):
        TimeSpanFactory(project=lights, annotation=work.annotation, annotator=experts[0], begun_at=NOON, seconds=240)
    page = " ".join(lena.get(address(made, "judging_round")).content.decode().split())
    assert "240 s each, as 3 judgements took" in page
    assert "about 8 minutes" in page


@pytest.mark.parametrize(("limit", "exact", "n"), [(4, True, {3}), (3, False, {3, 4})])
def test_more_items_than_are_looked_at_are_counted_by_a_part(lights, monkeypatch, limit, exact, n):
    monkeypatch.setattr(counting, "LOOKED_AT", limit)
    found = counting.count_of(lights, Rules(kind="long"))
    assert found.exact is exact
    assert found.n in n


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"practice": "2"}, "There are only 3 to judge."),
        ({"practice": "21"}, "At most 20."),
        ({"repeats": "51"}, "At most 50."),
        ({"judged_by": "2"}, "There are only 1 raters."),
        ({"judged_by": "0"}, "At least 1."),
        ({"of_type_date": "2", "sample": ""}, "There are only 1 to judge."),
    ],
)
def test_rules_that_are_not_possible_are_refused_at_their_field(lena, made, typed, wrong, said):
    answer = lena.post(address(made, "change_judging_round"), choices(made, **wrong))
    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_rules_are_shown_in_the_draft_and_once_it_is_sealed(lena, made, lead, typed):
    wanted = choices(made, practice="1", repeats="10", judged_by="1", of_type_name="1", of_type_date="0", sample="")
    assert lena.post(address(made, "change_judging_round"), wanted).status_code == 302
    for _time in range(2):
        page = " ".join(lena.get(address(made, "judging_round")).content.decode().split())
        assert "1 of this type" in page
        assert "10 of 100" in page
        assert "1 of 1, in turns" in page
        lena.post(address(made, "seal_judging_round"))


@pytest.fixture
def by_job(monkeypatch):
    monkeypatch.setattr(pages, "IN_REQUEST", 2)


def test_a_large_project_is_sealed_by_a_job_which_the_draft_shows(lena, made, by_job):
    for _twice in range(2):
        page = lena.post(address(made, "seal_judging_round"), follow=True).content.decode()
        assert "Waiting to begin" in page
        assert "Seal the round" not in page
    job = Job.objects.get(kind="seal_round")
    long_jobs.run(job.pk)
    made.refresh_from_db()
    job.refresh_from_db()
    assert made.state == RoundState.SEALED
    assert job.report["result"] == {"sha256": made.sha256}
    assert (job.done, job.total) == (4, 4)
    assert made.sha256 in lena.get(address(made, "judging_round")).content.decode()


def test_a_job_that_can_not_seal_says_why_and_the_draft_can_be_changed(lena, made, lead, by_job):
    rounds.change(made, rules=Rules(kind="long", sample=4), by=lead, now=NOON)
    lena.post(address(made, "seal_judging_round"))
    long_jobs.run(Job.objects.get(kind="seal_round").pk)
    page = lena.get(address(made, "judging_round")).content.decode()
    assert "It could not be sealed: There are only 3 to judge" in page
    assert "Seal the round" in page


def test_what_is_changed_while_it_is_drawn_is_not_sealed_as_it_was(made, lead):
    changed = lambda _done, _total: rounds.change(made, rules=Rules(kind="long"), by=lead, now=NOON)  # noqa: E731
    with pytest.raises(WrongMove, match="changed meanwhile"):
        rounds.seal(made, by=lead, now=NOON, progress=changed)
    made.refresh_from_db()
    assert made.state == RoundState.DRAFT
