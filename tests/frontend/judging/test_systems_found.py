"""What a round found of two systems: their shares, their difference on the same items, and metrics beside them."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation import releases
from annotation.models import JudgingRound, PredictionSet, Role, User
from tasks import jobs
from tasks.judging import working
from tests.builders import project, reload, write_lines
from tests.frontend.judging.test_metric_pages import BAD, GOOD, SCORES, row_of
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork

FEWER = pytest.mark.in_test_all(
    shown_by="tests/frontend/judging/test_systems_found.py::test_metrics_of_systems_have_what_people_wrote_as_references"
)


def lamps(folder, items, slug="lamps"):
    """A project with so many published items, and its lead with a browser."""
    made = project(slug, "dureader")
    file = write_lines(folder / "search.dev.json", map(row_of, range(items)))
    call_command("import_release", made.slug, str(file), verbosity=0)
    return made, browser(join(made, "lena", Role.LEAD))


def browser(user):
    client = Client()
    client.user = user
    client.force_login(user)
    return client


def upload(made, client, system, answers):
    lines = [{"question_id": number, "answers": [text]} for number, text in enumerate(answers)]
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    file = SimpleUploadedFile("rows.jsonl", data)
    address = reverse("predictions", args=[made.slug])
    client.post(address, {"system": system, "layout": "dureader", "file": file})
    return str(PredictionSet.objects.get(project=made, system=system).uuid)


def judged(made, client, answers):
    """A round over these systems that one expert has judged, by what stands in SCORES, and its results."""
    systems = [upload(made, client, name, texts) for name, texts in answers.items()]
    expert = join(made, "erin", Role.EXPERT)
    fields = {"title": "Two systems", "kind": "answers", "of_an_item": "all", "systems": systems}
    client.post(reverse("new_judging_round", args=[made.slug]), fields | {"raters": [expert.pk], "sample": ""})
    row = JudgingRound.objects.get(project=made)
    client.post(reverse("seal_judging_round", args=[made.slug, row.uuid]))
    rater = RaterAtWork(expert, made)
    for work in working.work_in(working.begin(row, by=expert, now=NOON)):
        answer = work.annotation.exhibit.shown["answers"][0]
        rater.judge(reload(work), SCORES[answer])
    working.lock(row, by=expert, now=NOON)
    jobs.measure_judging_rounds()
    row.refresh_from_db()
    return row


def json_of(client, row, name="judging_results_json"):
    return json.loads(client.get(reverse(name, args=[row.project.slug, row.uuid])).content)


@pytest.fixture(scope="module")
def found_once(shared_rows, tmp_path_factory) -> int:
    made, client = lamps(tmp_path_factory.mktemp("lamps"), 12)
    return judged(made, client, {"Alpha": [GOOD] * 12, "Beta": [GOOD] * 6 + [BAD] * 6}).pk


@pytest.fixture
def found(found_once, db):
    """Twelve items: Alpha answers all of them well, Beta the second half badly. (client, round)"""
    return browser(User.objects.get(username="lena")), JudgingRound.objects.get(pk=found_once)


def test_systems_are_compared_on_the_same_items(found):
    client, row = found
    said = json_of(client, row)["results"]["systems"]
    means = {name: (each["mean"][0], each["exhibits"]) for name, each in said["by"].items()}
    assert means == {"Alpha": (5.0, 12), "Beta": (3.0, 12)}
    [pair] = said["pairs"]
    assert (pair["one"], pair["other"], pair["items"]) == ("Alpha", "Beta", 12)
    assert [pair[name][0] for name in ("difference", "better", "worse", "equal")] == [2.0, 0.5, 0.0, 0.5]
    page = client.get(reverse("judging_round", args=["lamps", row.uuid])).content.decode()
    assert "By system" in page
    assert "<bdi>Alpha</bdi> against <bdi>Beta</bdi>" in page
    text = client.get(reverse("judging_results_csv", args=[row.project.slug, row.uuid])).content.decode("utf-8-sig")
    rows = {(line[0], line[1], line[2]): line for line in csv.reader(io.StringIO(text))}
    assert float(rows["share", "1", "system Beta"][4]) == 0.5
    assert float(rows["paired difference", "", "system Alpha against Beta"][4]) == 2.0
    assert {len(line) for line in rows.values()} == {len(next(iter(rows.values())))}


def test_a_release_says_of_which_system_each_exhibit_is(found):
    client, row = found
    made = releases.build(row.project, format="v2.0", by=None, now=NOON, partial=True)
    folder = releases.folder_of(made)
    lines = [json.loads(line) for line in (folder / "rounds/two-systems.jsonl").read_bytes().splitlines()]
    assert sorted((line["system"], line["item"]) for line in lines) == sorted(
        (name, str(number)) for name in ("Alpha", "Beta") for number in range(12)
    )
    [entry] = json.loads((folder / "manifest.json").read_bytes())["rounds"]
    assert entry["round"]["results"]["systems"] == json_of(client, row)["results"]["systems"]


def test_metrics_of_systems_have_what_people_wrote_as_references(found):
    client, row = found
    said = json_of(client, row, "answer_metrics_json")["metrics"]
    assert (said["answers"], said["left_out"]) == (24, 0)
    # Every answer is also one of the published ones, of which each bad one is a reference of its own: all are perfect.
    assert said["correlations"]["rouge"]["all"][0] is None
    assert said["sets"]["rouge"] == {}


@pytest.mark.parametrize(("items", "groups"), [pytest.param(29, [], marks=FEWER), (30, ["all"])])
def test_sets_need_as_many_items_as_were_published(db, tmp_path, items, groups):
    made, client = lamps(tmp_path, items, slug="more-lamps")
    texts = [GOOD, "It burned rape oil."] * items
    row = judged(made, client, {"Alpha": texts[:items], "Beta": [BAD] * items})
    said = json_of(client, row, "answer_metrics_json")["metrics"]
    assert list(said["sets"]["bleu"]) == groups
    page = client.get(reverse("answer_metrics", args=[row.project.slug, row.uuid])).content.decode()
    assert ("Correlation for sets of answers" in page) == bool(groups)
