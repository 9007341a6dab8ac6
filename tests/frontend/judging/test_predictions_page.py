"""A lead adds the predictions of a model to a project."""

from __future__ import annotations

import gzip
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.judging import predictions
from annotation.models import Event, Prediction, PredictionSet

ADDRESS = "/projects/lights/judging/predictions/"
ROWS = [
    {"question_id": 1, "question_type": "ENTITY", "answers": ["Anna.", "Olaf."]},
    {"question_id": 2, "question_type": "DESCRIPTION", "answers": ["A tower."]},
    {"question_id": 99, "answers": ["Of no question here."]},
]


@pytest.fixture
def lena(lead):
    client = Client()
    client.force_login(lead)
    return client


def lines(rows):
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def send(client, data, *, system="Alpha", layout="dureader", split="", name="rows.jsonl"):
    fields = {"system": system, "layout": layout, "split": split, "file": SimpleUploadedFile(name, data)}
    return client.post(ADDRESS, fields, follow=True)


def test_the_page_is_found_from_the_rounds_and_begins_empty(lena):
    assert reverse("predictions", args=["lights"]) == ADDRESS
    assert ADDRESS in lena.get("/projects/lights/judging/").content.decode()
    assert "There are none yet." in lena.get(ADDRESS).content.decode()


@pytest.mark.parametrize(("name", "packed"), [("rows.jsonl", False), ("rows.jsonl.gz", True)])
def test_answers_are_kept_beside_their_items_with_their_places(lena, name, packed):
    data = lines(ROWS)
    page = send(lena, gzip.compress(data) if packed else data, name=name).content.decode()
    assert "3 answers are kept. 1 to items that are not there were left out." in page
    assert "Alpha" in page
    assert "to 2 items" in page
    kept = Prediction.objects.order_by("pk").values_list("item__external_id", "place", "payload__answer")
    assert list(kept) == [("1", 0, "Anna."), ("1", 1, "Olaf."), ("2", 0, "A tower.")]
    event = Event.objects.get(kind="predictions.added")
    assert event.data["sha256"] == PredictionSet.objects.get().sha256
    assert event.data["answers"] == 3


def test_only_answers_to_the_chosen_split_are_kept(lena, lights):
    lights.items.filter(external_id="2").update(split="dev")
    assert "1 answer is kept. 3 to items" in send(lena, lines(ROWS), split="dev").content.decode()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (lines(ROWS[2:]), "No answer of the file is to anything in the project."),
        (b"", "The file is empty."),
        (b"\n", "No answer of the file is to anything in the project."),
        (b'{"question_id": 1, "answers": ["Anna."]}\n{"question', "line 2: This is not JSON"),
        (lines([ROWS[0], {"answers": []}]), "row 2: there is no question_id."),
        (lines([ROWS[0], ROWS[0]]), "row 2: question 1 is there twice."),
        (b"\xff\xfe", "line 1: Not UTF-8"),
        (b"[" * 100_000, "line 1: Nested deeper than"),
        (b"x" * (2 * 1024 * 1024 + 1), "The file has more than 2 MB."),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_a_sentence(lena, data, sentence):
    answer = send(lena, data)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not PredictionSet.objects.exists()
    assert not Event.objects.filter(kind="predictions.added").exists()


def test_what_is_packed_has_a_limit_too(lena):
    answer = send(lena, gzip.compress(b" " * (8 * 1024 * 1024 + 1)), name="rows.gz")
    assert "The unpacked file has more than 8 MB." in answer.content.decode()
    assert "its name says that it is gzip" in send(lena, b"no gzip", name="rows.gz").content.decode()
    assert not PredictionSet.objects.exists()


def test_a_file_has_at_most_so_many_answers(lena, monkeypatch):
    monkeypatch.setattr(predictions, "MOST", 4)
    assert send(lena, lines(ROWS)).status_code == 200
    monkeypatch.setattr(predictions, "MOST", 3)
    answer = send(lena, lines(ROWS), system="Beta")
    assert "A file has 3 answers at most." in answer.content.decode()
    assert PredictionSet.objects.count() == 1


def test_a_system_comes_once(lena):
    send(lena, lines(ROWS))
    answer = send(lena, lines(ROWS[:1]))
    assert answer.status_code == 422
    assert "There are predictions of a system with this name." in answer.content.decode()
    assert Prediction.objects.count() == 3


def test_a_name_is_escaped(lena):
    assert "<b>Alpha" not in send(lena, lines(ROWS), system="<b>Alpha").content.decode()


def test_raters_and_strangers_have_no_such_page(experts, lena):
    client = Client()
    client.force_login(experts[0])
    assert client.get(ADDRESS).status_code == 404
    assert send(client, lines(ROWS)).status_code == 404
    assert not PredictionSet.objects.exists()
