"""A file of predictions scored on the page of a release, by what `manage.py score` prints; nothing of it is kept."""

from __future__ import annotations

import gzip
import subprocess
import sys

import orjson
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation import registry, releases
from annotation.models import Event, Project, Release, User
from annotation.protocol_tools import ScoreRequest
from frontend.leads.releases import scoring
from tests.builders import load, project
from tests.people import NOON, join
from tests.protocols.dureader.builders import answered_row

OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/releases/test_scoring.py::test_what_can_not_be_scored_is_said_in_a_sentence"
)
"""Each is said by the same command, in a process of its own."""


@pytest.fixture(scope="module")
def released_once(shared_rows, tmp_path_factory):
    """A release of two published questions."""
    into = project("lamps", "dureader")
    path = tmp_path_factory.mktemp("lamps") / "search.dev.json"
    path.write_bytes(b"\n".join(orjson.dumps(answered_row(n, "YES_NO")) for n in (1, 2)))
    load(into, path, published=True)
    join(into, "lena", role="lead")
    return releases.build(into, format="v2.0", by=None, now=NOON).pk


@pytest.fixture
def release(released_once, db, client):
    """The release, and its lead in the browser."""
    client.force_login(User.objects.get(username="lena"))
    return Release.objects.select_related("project").get(pk=released_once)


def predictions(*rows, name="predictions.json"):
    return SimpleUploadedFile(name, b"\n".join(map(orjson.dumps, rows)))


RIGHT = [answered_row(n, "YES_NO", answers=["It burned rape oil."], yesno_answers=["Yes"]) for n in (1, 2)]


def post(client, release, file, gold=("dev.json",), **fields):
    url = reverse("score_release", args=[release.project.slug, release.version])
    return client.post(url, {"predictions": file, "gold": list(gold), **fields})


def tables(answer):
    return {title: dict(rows) for title, rows in answer.context["tables"]}


def test_a_lead_scores_a_packed_file_as_large_as_may_be_against_a_release_and_nothing_of_it_is_kept(
    client, release, monkeypatch, settings, tmp_path
):
    def kept():
        files = {path for path in settings.GOLDFINCH_DATA.rglob("*") if path.is_file()}
        return files, Event.objects.count(), Release.objects.count()

    rows = [RIGHT[0], RIGHT[1] | {"answers": ["It burned oil."]}]  # a right opinion, whose weight is alpha
    before, data, file = kept(), b"\n".join(map(orjson.dumps, rows)), tmp_path / "plain.json"
    file.write_bytes(data)
    shown = client.get(reverse("release", args=[release.project.slug, release.version]))
    assert reverse("score_release", args=[release.project.slug, release.version]) in shown.content.decode()
    limit(monkeypatch, "largest_unpacked", len(data))
    limit(monkeypatch, "largest", len(gzip.compress(data)))
    answer = post(client, release, SimpleUploadedFile("p.gz", gzip.compress(data)), **{"option-alpha": "0"})
    assert answer.status_code == 200
    found = tables(answer)
    assert found == scored_here(release, file, alpha="0")
    assert found["adapted, all"] == found["plain, all"] != scored_here(release, file)["adapted, all"]
    assert set(found) == {"adapted, all", "adapted, YES_NO", "plain, all", "plain, YES_NO"}
    assert "repository’s tasks are left out" in answer.content.decode()
    assert kept() == before


@pytest.mark.parametrize(
    ("file", "fields", "sentence"),
    [
        pytest.param(SimpleUploadedFile("p.json", b"{}"), {}, "there is no question_id", marks=OTHERS),
        (SimpleUploadedFile("p.json", b"not json"), {}, "predictions.json, line 1"),
        (SimpleUploadedFile("p.json.gz", b"not packed"), {}, "can’t be unpacked"),
        pytest.param(predictions(*RIGHT), {"option-level": "byte"}, "--level is char or word", marks=OTHERS),
        (predictions(*RIGHT), {"gold": ["../../secret"]}, "not one of the available choices"),
        (predictions(*RIGHT), {"gold": []}, "Choose at least one file"),
        ("", {}, "Choose a file of predictions"),
    ],
)
def test_what_can_not_be_scored_is_said_in_a_sentence(client, release, file, fields, sentence):
    answer = post(client, release, file, **fields)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert sentence in text
    assert "/tmp" not in text


def limit(monkeypatch, what, size):
    """Let the file of predictions have so many bytes at most."""
    field = scoring.ScoringForm.base_fields["predictions"]
    monkeypatch.setattr(field, what, (size, getattr(field, what)[1]))


def test_a_file_of_one_byte_more_is_refused(client, release, monkeypatch):
    data = b"\n".join(map(orjson.dumps, RIGHT))
    limit(monkeypatch, "largest", len(data) - 1)
    assert post(client, release, SimpleUploadedFile("p.json", data)).status_code == 422


def test_a_small_packed_file_can_not_unpack_to_any_size(client, release, monkeypatch):
    data = b"\n".join(map(orjson.dumps, RIGHT))
    limit(monkeypatch, "largest_unpacked", len(data) - 1)
    assert post(client, release, SimpleUploadedFile("p.gz", gzip.compress(data))).status_code == 422


def test_right_answers_score_a_hundred(release, tmp_path):
    file = tmp_path / "right.json"
    file.write_bytes(b"\n".join(map(orjson.dumps, RIGHT)))
    assert scored_here(release, file)["plain, all"] == {"ROUGE-L": 100.0, "BLEU-4": 100.0}


def scored_here(release, file, **options):
    """The same tables, in no other process."""
    scorer = registry.get(release.project.protocol).scorer
    gold = releases.folder_of(release) / "dev.json"
    found = scorer.run(ScoreRequest((gold,), file, options=options))
    found.pop("notes")
    return {title: dict(rows) for title, rows in scoring.tables_of(found)}


def test_what_takes_too_long_is_ended(client, release, monkeypatch):
    monkeypatch.setattr(scoring, "SECONDS", 0.01)
    answer = post(client, release, predictions(*RIGHT))
    assert (answer.status_code, "more than a minute" in answer.content.decode()) == (422, True)


def test_options_that_name_a_file_of_the_server_are_not_offered():
    form = scoring.ScoringForm(registry.get("squad").scorer, ["dev.json"])
    assert [field.html_name for field in form.options] == ["option-na-prob-thresh"]


def test_a_release_that_no_official_script_reads_has_no_such_page(client, release):
    other = releases.build(Project.objects.get(), format="provenance", by=None, now=NOON)
    assert client.get(reverse("score_release", args=["lamps", other.version])).status_code == 404
    assert b"/score/" not in client.get(reverse("release", args=["lamps", other.version])).content


def test_a_second_file_waits_until_the_first_is_scored_or_its_server_has_died(client, release, settings, monkeypatch):
    folder = settings.GOLDFINCH_DATA / "scoring"
    folder.mkdir()
    hold = (
        "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], 0), fcntl.LOCK_EX); print('held', flush=True); input()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", hold, str(folder)], **pipes) as other:
        assert other.stdout.readline() == b"held\n"
        answer = post(client, release, predictions(*RIGHT))
        assert (answer.status_code, "Another file is being scored" in answer.content.decode()) == (429, True)
        other.kill()
    monkeypatch.setattr(scoring, "SECONDS", 0.01)
    for _once_the_other_has_died_and_once_it_has_ended in range(2):
        assert "more than a minute" in post(client, release, predictions(*RIGHT)).content.decode()  # so it was begun
