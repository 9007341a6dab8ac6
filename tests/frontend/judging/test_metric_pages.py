"""Leads see how metrics go with the scores of a round, and bring metrics of their own."""

from __future__ import annotations

import csv
import io

import orjson
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.judging import drawing, rounds
from annotation.judging.rules import Rules
from annotation.models import Event, JudgingRound, Role, User
from frontend import downloads
from frontend.server import file_sender
from tasks import jobs
from tasks.judging import raters, working
from tasks.models import MetricColumn
from tests.builders import project, write_lines
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork

ITEMS = 12
GOOD, BAD = "It burned rape oil from the mill.", "Nobody knows."
SCORES = {GOOD: "5", "It burned rape oil.": "4", BAD: "1"}


def row_of(number):
    """A published row with three answers, of which the first two say the same."""
    return {
        "question_id": number,
        "question": f"which oil did lamp {number} burn",
        "question_type": "DESCRIPTION" if number % 2 else "YES_NO",
        "fact_or_opinion": "FACT",
        "documents": [{"title": "Lamps", "paragraphs": ["Lamps burned rape oil."], "is_selected": True}],
        "answers": list(SCORES),
        **({} if number % 2 else {"yesno_answers": ["Yes", "Yes", "No"]}),
    }


@pytest.fixture(scope="module")
def judged_once(shared_rows, tmp_path_factory):
    """A judge scores all answers, better ones more; all tests read, or add to, this round."""
    lamps = project("lamps", "dureader")
    file = write_lines(tmp_path_factory.mktemp("lamps") / "search.dev.json", map(row_of, range(ITEMS)))
    call_command("import_release", lamps.slug, str(file), verbosity=0)
    lead = join(lamps, "lena", Role.LEAD)
    kind = drawing.kind_of(lamps, "answers")
    rules = Rules(kind="answers", of_an_item="all")
    row = rounds.make(lamps, title="Lamps", rubric=kind.rubric(), rules=rules, by=lead, now=NOON, seed="3")
    erin = RaterAtWork(join(lamps, "erin", Role.EXPERT), lamps)
    raters.name(row, erin.user, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    for work in working.work_in(working.begin(row, by=erin.user, now=NOON)).select_related("annotation__exhibit"):
        erin.judge(work, SCORES[work.annotation.exhibit.shown["answers"][0]])
    working.lock(row, by=erin.user, now=NOON)
    jobs.measure_judging_rounds()
    return row.pk


@pytest.fixture
def judged(judged_once, db):
    return JudgingRound.objects.get(pk=judged_once)


@pytest.fixture
def lamps(judged):
    return judged.project


@pytest.fixture
def lena(judged):
    client = Client()
    client.user = User.objects.get(username="lena")
    client.force_login(client.user)
    return client


def page(name, row):
    return reverse(name, args=["lamps", row.uuid])


def figures(lena, row):
    return orjson.loads(lena.get(page("answer_metrics_json", row)).content)["metrics"]


def sent(lena, row, text, name="judge.csv"):
    file = SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())
    return lena.post(page("answer_metrics", row), {"file": file})


def exhibits(lena, row):
    """The file that a lead fills in, by column."""
    return list(csv.DictReader(io.StringIO(lena.get(page("exhibits_csv", row)).content.decode("utf-8-sig"))))


def test_the_metrics_of_the_protocol_stand_beside_the_published_ones(lena, judged):
    text = lena.get(reverse("judging_round", args=["lamps", judged.uuid])).content.decode()
    assert page("answer_metrics", judged) in text
    text = lena.get(page("answer_metrics", judged)).content.decode()
    for words in ("ROUGE-L, adapted", "BLEU-4", "published 0.57", "Yes or no", "alpha", "beta", "in use"):
        assert words in text
    found = figures(lena, judged)
    assert (found["answers"], found["left_out"]) == (3 * ITEMS, 0)
    assert set(found["correlations"]["rouge"]) == {"all", "YES_NO", "DESCRIPTION"}
    assert found["correlations"]["rouge"]["all"][0] > 0.9
    pairs = [(each["one"], each["other"]) for each in found["tests"]]
    assert pairs == [("adapted_rouge", "rouge"), ("adapted_bleu", "bleu")]
    assert [value for value, _r in found["sweeps"]["alpha"]["all"]] == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]


def test_the_csv_has_every_figure_with_the_published_one(lena, judged):
    lines = list(csv.DictReader(io.StringIO(lena.get(page("answer_metrics_csv", judged)).content.decode("utf-8-sig"))))
    found = figures(lena, judged)
    (line,) = [each for each in lines if (each["metric"], each["of"]) == ("rouge", "all")]
    assert float(line["value"]) == pytest.approx(found["correlations"]["rouge"]["all"][0])
    assert float(line["published"]) == 0.504
    assert sum(each["figure"] == "pearson by beta" for each in lines) == 3 * 7


def test_a_model_as_judge_is_placed_beside_the_metrics_and_compared_where_it_says_something(lena, judged):
    rows = exhibits(lena, judged)
    assert len(rows) == 3 * ITEMS
    assert set(rows[0]) == {"exhibit", "item", "asked", "answer"}
    text = "exhibit,judge,noise,partly\n" + "".join(
        f"{each['exhibit']},{SCORES[each['answer']]},{number % 7},{SCORES[each['answer']] if number < 20 else ''}\n"
        for number, each in enumerate(rows)
    )
    assert sent(lena, judged, text).status_code == 302
    assert "Reload the page" in lena.get(page("answer_metrics", judged)).content.decode()
    jobs.measure_judging_rounds()
    found = figures(lena, judged)
    assert found["uploaded"] == ["judge", "noise", "partly"]
    assert found["correlations"]["judge"]["all"][0] == pytest.approx(1)
    assert found["correlations"]["partly"]["all"][0] == pytest.approx(1)
    assert len(MetricColumn.objects.get(name="partly").values) == 20
    tests = {(each["one"], each["other"]): each["groups"]["all"] for each in found["tests"]}
    assert tests["judge", "noise"]["wins"] == 1
    assert ("judge", "rouge") in tests
    assert Event.objects.filter(kind="judging.metrics_added").exists()
    assert "Reload the page" not in lena.get(page("answer_metrics", judged)).content.decode()


def test_another_file_with_the_same_name_takes_its_place_and_a_metric_can_be_removed(lena, judged):
    sent(lena, judged, "exhibit,judge\n0,1\n1,2\n")
    sent(lena, judged, "exhibit,judge\n0,3\n")
    assert MetricColumn.objects.get().values == {"0": 3.0}
    lena.post(page("remove_metric", judged), {"name": "judge"})
    assert not MetricColumn.objects.exists()


def test_a_round_has_five_uploaded_metrics_and_a_sixth_is_refused(lena, judged):
    assert sent(lena, judged, "exhibit,a,b,c,d,e\n0,1,2,3,4,5\n").status_code == 302
    answer = sent(lena, judged, "exhibit,f\n0,1\n")
    assert answer.status_code == 422
    assert "5 uploaded metrics at most" in answer.content.decode()
    assert sent(lena, judged, "exhibit,e\n0,6\n").status_code == 302
    assert MetricColumn.objects.count() == 5


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("item,judge\n1,2\n", "no column “exhibit”"),
        ("", "no column “exhibit”"),
        ("exhibit,answer\n1,x\n", "no further column"),
        ("exhibit,judge,judge\n1,2,3\n", "no further column"),
        ("exhibit,judge\n999,2\n", "Line 2: no exhibit has this number."),
        ("exhibit,judge\n0,good\n", "Line 2: “judge” is no number."),
        ("exhibit,judge\n0,nan\n", "Line 2: “judge” is no number."),
        ("exhibit,judge\n0,1e999\n", "Line 2: “judge” is no number."),
        ("exhibit,judge\n0,\n", "“judge” has no figure at all."),
        ("exhibit," + "j" * 61 + "\n0,1\n", "too long"),
        (b"\xff\xfe", "no CSV in UTF-8"),
    ],
)
def test_a_file_with_faults_is_refused_with_the_lines(lena, judged, text, why):
    answer = sent(lena, judged, text)
    assert answer.status_code == 422
    assert why in answer.content.decode()
    assert not MetricColumn.objects.exists()


def test_no_file_is_asked_for_one(lena, judged):
    answer = lena.post(page("answer_metrics", judged))
    assert answer.status_code == 422
    assert "Choose a file." in answer.content.decode()


def test_a_round_without_scores_has_no_such_page(lena, lamps):
    from annotation.judging.rubrics import preset

    rubric = preset("Two", "Right?", ("right", "Right", ""), ("wrong", "Wrong", ""))
    rules = Rules(kind="answers", of_an_item="all")
    row = rounds.make(lamps, title="Lamps", rubric=rubric, rules=rules, by=lena.user, now=NOON, seed="3")
    raters.name(row, join(lamps, "erin", Role.EXPERT), by=lena.user, now=NOON)
    rounds.seal(row, by=lena.user, now=NOON)
    assert lena.get(page("answer_metrics", row)).status_code == 404


def test_the_file_of_exhibits_needs_the_right_to_the_project_for_as_long_as_it_is_sent(lena, judged):
    answer = lena.get(page("exhibits_csv", judged))
    assert answer.headers[file_sender.RIGHT] == downloads.right_to(lena.user, judged.project)


def test_a_lead_who_still_judges_sees_no_metrics(lena, lamps):
    kind = drawing.kind_of(lamps, "answers")
    rules = Rules(kind="answers", of_an_item="all")
    row = rounds.make(lamps, title="Lamps", rubric=kind.rubric(), rules=rules, by=lena.user, now=NOON, seed="3")
    raters.name(row, lena.user, by=lena.user, now=NOON)
    rounds.seal(row, by=lena.user, now=NOON)
    for name in ("answer_metrics", "exhibits_csv", "answer_metrics_csv", "answer_metrics_json"):
        assert lena.get(page(name, row)).status_code == 404
