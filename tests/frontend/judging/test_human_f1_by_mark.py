"""The marks of a round over questions or free answers split the human F1, beside the published figures."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.test import Client
from django.urls import reverse

from annotation.engine import exclusion
from annotation.judging import drawing, rounds
from annotation.judging.rules import Rules
from annotation.models import Annotation, Project, Role
from annotation.protocols.coqa.exhibits import KINDS
from tasks import jobs
from tasks.judging import raters, working
from tasks.measuring import human_bound
from tests.builders import load, project
from tests.people import NOON, join
from tests.protocols.coqa.builders import answer, dialogue, file_of
from tests.tasks.judging.judged_rounds import RaterAtWork

MARKS = {("a", 1): "none", ("a", 2): "none", ("b", 1): "explicit", ("c", 1): "explicit"}
"""What the rater says of each turn. The answers to a1 have the F1 2/3, to a2 1, and to b1 0; c was never played."""


def about(name, *turns):
    """A conversation: in each turn the original answer, and then those of the players."""
    original, *games = zip(*turns, strict=True)
    played = {str(n): [answer(turn, text) for turn, text in enumerate(each, start=1)] for n, each in enumerate(games)}
    said = [answer(turn, text) for turn, text in enumerate(original, start=1)]
    fields = {"id": name, "filename": name, "name": name, "answers": said}
    return dialogue(len(turns), **fields) | ({"additional_answers": played} if played else {})


def take_in(talks, tmp_path, name, *turns):
    path = tmp_path / f"{name}.json"
    path.write_text(json.dumps(file_of(about(name, *turns))))
    load(talks, path, published=True, split="dev")


@pytest.fixture(scope="module")
def talks_once(shared_rows, tmp_path_factory) -> int:
    made, folder = project("talks", "coqa"), tmp_path_factory.mktemp("talks")
    take_in(made, folder, "a", ("Anna", "Anna Holt", "Holt"), ("yes", "yes", "yes"))
    take_in(made, folder, "b", ("yes", "no"))
    take_in(made, folder, "c", ("Holt",))
    return made.pk


@pytest.fixture
def talks(talks_once, db):
    return Project.objects.get(pk=talks_once)


@pytest.fixture
def lead(talks):
    return join(talks, "lena", Role.LEAD)


def judged(talks, lead, *, kind="history", marks=MARKS, rubric=None):
    """A round over all turns, as one rater marks them."""
    asked = rubric or drawing.kind_of(talks, kind).rubric()
    row = rounds.make(talks, title="Turns", rubric=asked, rules=Rules(kind=kind), by=lead, now=NOON, seed="7")
    ruth = RaterAtWork(join(talks, "ruth", Role.EXPERT), talks)
    raters.name(row, ruth.user, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    for work in working.work_in(working.begin(row, by=ruth.user, now=NOON)):
        exhibit = work.annotation.exhibit
        ruth.judge(work, marks[exhibit.annotation.external_id, exhibit.turn])
    working.lock(row, by=ruth.user, now=NOON)
    jobs.measure_judging_rounds()
    return row


def shown(lead, row, name="judging_round"):
    client = Client()
    client.force_login(lead)
    return client.get(reverse(name, args=[row.project.slug, row.uuid])).content.decode()


def scores_in(lead, row):
    """Mark -> [score, published] in the CSV; the last key is "" for all."""
    lines = csv.DictReader(io.StringIO(shown(lead, row, "judging_results_csv").lstrip("\ufeff")))
    return {each["mark"]: each for each in lines if each["figure"] == "mean score"}


def test_the_page_has_the_human_f1_of_each_mark_beside_the_published_one(talks, lead):
    row = judged(talks, lead)
    page = " ".join(shown(lead, row).split())
    table = page.partition("Human F1 by mark")[2].partition("</section>")[0]
    assert "1 exhibit is left out" in table
    assert "CoQA paper, Table 8" in table
    cells = [each.partition("</td>")[0].partition(">")[2] for each in table.split("<td")[1:]]
    assert cells[0::4] == ["83.3", "0.0", "–", "55.6"]  # none: (2/3 + 1) / 2; explicit: b1; implicit: never; all: 5/9
    assert cells[2::4] == ["90.3", "87.1", "88.7", "–"]
    assert cells[3::4] == ["2", "1", "0", "3"]


def test_its_files_have_the_same_at_full_precision(talks, lead):
    row = judged(talks, lead)
    found = scores_in(lead, row)
    assert {key: float(each["value"]) for key, each in found.items()} == pytest.approx(
        {"none": 5 / 6, "explicit": 0, "": 5 / 9}, abs=1e-6
    )
    assert [found[key]["marks"] for key in ("none", "explicit", "")] == ["2", "1", "3"]
    assert (found["none"]["published"], found[""]["published"]) == ("0.903", "")
    file = json.loads(shown(lead, row, "judging_results_json"))
    assert file["published"]["score_by_mark"]["scores"] == {"none": 0.903, "explicit": 0.871, "implicit": 0.887}
    assert file["results"]["score_by_mark"]["marks"][""]["marks"] == 3


def test_it_is_measured_anew_when_the_human_bound_has_changed(talks, lead):
    row = judged(talks, lead)
    jobs.measure_human_bounds()
    assert [jobs.measure_judging_rounds(), jobs.measure_judging_rounds()] == [1, 0]  # first without any bound
    game = Annotation.objects.get(activity="guess", item__root__external_id="b")
    exclusion.exclude(talks, uuids=[game.uuid], by=lead, reason="A copy.", now=NOON)
    human_bound.keep(talks, now=NOON)
    assert [jobs.measure_judging_rounds(), jobs.measure_judging_rounds()] == [1, 0]
    found = scores_in(lead, row)
    assert list(found) == ["none", ""]
    assert found[""]["marks"] == "2"


def test_definitions_of_ones_own_split_it_too_but_have_nothing_published_beside_them(talks, lead):
    preset = drawing.kind_of(talks, "history").rubric()
    own = preset.model_copy(update={"marks": preset.marks[:2]})
    found = scores_in(lead, judged(talks, lead, rubric=own))
    assert list(found) == ["none", "explicit", ""]
    assert {each["published"] for each in found.values()} == {""}


def test_before_anybody_has_played_the_page_says_so(db, tmp_path):
    talks = project("new-talks", "coqa")
    take_in(talks, tmp_path, "c", ("Anna",))
    lead = join(talks, "lena", Role.LEAD)
    page = shown(lead, judged(talks, lead))
    assert "Nothing that was judged has answers of several people yet." in page


def test_a_kind_without_published_scores_has_no_such_table(talks, lead):
    marks = dict.fromkeys(MARKS, "right")
    row = judged(talks, lead, kind="answers", marks=marks)
    assert "by mark" not in shown(lead, row)
    assert scores_in(lead, row) == {}


def test_what_is_published_is_of_the_marks_of_each_preset():
    split = {kind.key: kind.mark_scores for kind in KINDS if kind.mark_scores}
    assert {key: dict(each.published) for key, each in split.items()} == {
        "questions": {"lexical": 0.917, "paraphrase": 0.888, "pragmatics": 0.842},
        "history": {"none": 0.903, "explicit": 0.871, "implicit": 0.887},
        "free_answers": {"yes": 0.977, "no": 0.968, "fluency": 0.772, "counting": 0.883, "choice": 0.943},
    }
    for kind in KINDS:
        if kind.mark_scores:
            assert set(kind.mark_scores.published) == {mark.key for mark in kind.rubric().marks}
