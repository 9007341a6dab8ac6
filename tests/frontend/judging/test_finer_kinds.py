"""The finer kinds of a mark are shown as shares of that mark, beside the published ones."""

from __future__ import annotations

import csv
import io
import json

import pytest

from annotation.judging import drawing, rounds
from annotation.judging.rules import Rules
from annotation.models import Role
from tasks import jobs
from tasks.judging import raters, working
from tests.builders import project
from tests.frontend.judging.test_human_f1_by_mark import shown, take_in
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork

SAID = {
    1: ("fluency", "multiple"),
    2: ("fluency", "multiple"),
    3: ("fluency", "noun_added"),
    4: ("yes", ""),
}


@pytest.fixture
def talks(db, tmp_path):
    """A conversation of four answers that are no words of its passage."""
    made = project("talks", "coqa")
    take_in(made, tmp_path, "a", ("Holt, Anna",), ("Skerrow lighthouse",), ("The fox lighthouse",), ("Yes",))
    return made


@pytest.fixture
def lead(talks):
    return join(talks, "lena", Role.LEAD)


@pytest.fixture
def row(talks, lead):
    rubric = drawing.kind_of(talks, "free_answers").rubric()
    made = rounds.make(
        talks, title="Free answers", rubric=rubric, rules=Rules(kind="free_answers"), by=lead, now=NOON, seed="7"
    )
    ruth = RaterAtWork(join(talks, "ruth", Role.EXPERT), talks)
    raters.name(made, ruth.user, by=lead, now=NOON)
    rounds.seal(made, by=lead, now=NOON)
    for work in working.work_in(working.begin(made, by=ruth.user, now=NOON)):
        mark, part = SAID[work.annotation.exhibit.turn]
        ruth.judge(work, mark, part=part)
    working.lock(made, by=ruth.user, now=NOON)
    jobs.measure_judging_rounds()
    return made


def test_each_has_its_share_of_the_mark_beside_the_published_one_and_the_most_often_given_is_first(lead, row):
    page = " ".join(shown(lead, row).split())
    table = page.partition('id="parts-fluency"')[2].partition("</section>")[0]
    assert "CoQA paper, Table 6" in table
    rows = table.split("<tr>")[2:]
    lines = [[cell.partition("</td>")[0].partition(">")[2] for cell in each.split("<td")[1:]] for each in rows]
    titles = [each.partition('<th scope="row">')[2].partition("<")[0] for each in rows]
    assert titles[:2] == ["Several edits", "Noun inserted"]
    # 2 of 3 and 1 of 3; Wilson by hand, z = 1.96, of 2 of 3: centre (2/3 + .64027) / 2.28053 = .57308, half .36539
    assert lines[0] == ["66.7 %", "41.4 %", "2", "too few for an interval", "21 % – 94 %"]
    assert lines[1] == ["33.3 %", "1.3 %", "1", "too few for an interval", "6 % – 79 %"]
    assert len(lines) == 14
    assert 'id="parts-yes"' not in page


def test_the_csv_has_them_at_full_precision_with_the_published_share(lead, row):
    rows = csv.DictReader(io.StringIO(shown(lead, row, "judging_results_csv").lstrip("\ufeff")))
    found = {each["mark"]: each for each in rows if each["figure"] == "share" and "/" in each["mark"]}
    assert float(found["fluency/multiple"]["value"]) == pytest.approx(2 / 3, abs=1e-6)
    assert (found["fluency/multiple"]["marks"], found["fluency/multiple"]["published"]) == ("3", "0.414")
    kept = json.loads(shown(lead, row, "judging_results_json"))["results"]
    assert kept["parts"]["fluency"]["multiple"] == kept["part_shares"]["fluency"]["multiple"]["marks"] == 2
