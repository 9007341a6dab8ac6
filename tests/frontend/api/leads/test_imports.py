"""A lead's script uploads a file in parts, imports it, reads what was refused, and takes it back."""

from __future__ import annotations

import zlib

import pytest
from django.http import HttpResponse

from annotation.imports import uploads
from annotation.models import Item, Job, Project, Upload, User
from tests.builders import project, questions
from tests.frontend.api.callers import Caller, leading, reader
from tests.people import join
from tests.uploading import asked, done, imported, json_lines, uploaded

BROKEN = [*questions(2), b'{"question_text": "cut off', questions(1, start=5)[0] | {"question_text": "=1+1", "x": 1}]


@pytest.fixture
def script(nq: Project, lena: User) -> Caller:
    return leading(lena, nq)


def begin(script: Caller, data: bytes, **other: object) -> HttpResponse:
    """Announce a file."""
    sent = {"name": "q.jsonl", "size": len(data), "beginning": zlib.crc32(data[: uploads.PART])}
    return script.post("projects/lights/uploads/", sent | other)


def part(script: Caller, uuid: str, data: bytes, start: int, end: int, **headers: str) -> HttpResponse:
    """Send the bytes from `start` to `end`."""
    place = {"Upload_Offset": str(start), "Upload_Checksum": str(zlib.crc32(data[:end]))}
    return script.send("PATCH", f"projects/lights/uploads/{uuid}/", data[start:end], **(place | headers))


def test_a_file_is_uploaded_imported_and_followed_to_its_end(nq: Project, script: Caller):
    data = json_lines(questions(2))
    begun = begin(script, data)
    assert (begun.status_code, begun.json()["received"]) == (201, 0)
    uuid = begun.json()["uuid"]
    assert part(script, uuid, data, 0, 10).json()["received"] == 10
    assert part(script, uuid, data, 10, len(data)).json()["checksum"] == zlib.crc32(data)
    answer = script.post("projects/lights/imports/", {"file": uuid, "split": "dev"})
    assert (answer.status_code, answer.json()["state"]) == (202, "queued")
    assert answer.json()["waits_for"] == "It begins within a few seconds."
    done(nq.jobs.get())
    told = script.get(f"projects/lights/imports/{answer.json()['id']}/").json()
    assert (told["state"], told["step"], told["items"], told["refused"], told["error"]) == ("done", "end", 2, 0, "")
    assert set(Item.objects.values_list("split", flat=True)) == {"dev"}
    assert [row["id"] for row in script.get("projects/lights/imports/").json()["results"]] == [told["id"]]


def test_an_upload_goes_on_where_it_was_cut_and_a_part_that_comes_twice_changes_nothing(script: Caller):
    data = json_lines(questions(2))
    uuid = begin(script, data).json()["uuid"]
    part(script, uuid, data, 0, 10)
    assert part(script, uuid, data, 0, 10).json()["received"] == 10
    assert begin(script, data).json() == script.get(f"projects/lights/uploads/{uuid}/").json()
    early = part(script, uuid, data, 20, 30)
    assert (early.status_code, early.json()["type"]) == (409, "part_elsewhere")
    damaged = part(script, uuid, data, 10, 20, Upload_Checksum="1")
    assert (damaged.status_code, damaged.json()["type"]) == (422, "damaged")
    assert part(script, uuid, data, 10, 20, Upload_Offset="ten").status_code == 422


def test_a_part_may_have_a_mebibyte_and_not_a_byte_more(script: Caller):
    data = b"x" * (uploads.PART + 1)
    uuid = begin(script, data).json()["uuid"]
    assert part(script, uuid, data, 0, uploads.PART + 1).status_code == 422
    assert part(script, uuid, data, 0, uploads.PART).json()["received"] == uploads.PART


def test_uploads_are_listed_and_removed_by_their_person_only(nq: Project, script: Caller, lena: User):
    upload = uploaded(nq, lena, "q.jsonl", b"{}")
    other = leading(join(nq, "leo", "lead"), nq)
    assert [row["uuid"] for row in script.get("projects/lights/uploads/").json()["results"]] == [str(upload.uuid)]
    assert other.get("projects/lights/uploads/").json()["results"] == []
    assert other.call("DELETE", f"projects/lights/uploads/{upload.uuid}/").status_code == 404
    assert script.call("DELETE", f"projects/lights/uploads/{upload.uuid}/").status_code == 204
    assert not Upload.objects.exists()


def test_a_token_that_reads_uploads_and_imports_nothing(nq: Project, lena: User):
    upload = uploaded(nq, lena, "q.jsonl", b"{}")
    script = reader(lena)
    assert begin(script, b"{}").status_code == 403
    assert part(script, str(upload.uuid), b"{}", 0, 2).status_code == 403
    assert script.post("projects/lights/imports/", {"file": str(upload.uuid)}).status_code == 403
    assert script.get("projects/lights/imports/").status_code == 200


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "file"),
        ({"mode": "most"}, "mode"),
        ({"what": "pages"}, "what"),
        ({"modus": "check"}, "modus"),
        ({"split": "a\x00b"}, "split"),
    ],
)
def test_what_an_import_does_not_know_is_refused_by_name(
    nq: Project, lena: User, script: Caller, body: dict, field: str
):
    known = {} if not body else {"file": str(uploaded(nq, lena, "q.jsonl", b"{}").uuid)}
    answer = script.post("projects/lights/imports/", known | body)
    assert (answer.status_code, [one["field"] for one in answer.json()["errors"]]) == (400, [field])
    assert not Job.objects.exists()


def test_a_file_that_has_not_arrived_is_not_imported(script: Caller):
    uuid = begin(script, b"{}").json()["uuid"]
    answer = script.post("projects/lights/imports/", {"file": uuid})
    assert (answer.status_code, answer.json()["detail"]) == (422, "q.jsonl has not arrived as a whole yet.")


def test_an_import_that_is_sent_twice_with_one_key_is_one(nq: Project, lena: User, script: Caller):
    body = {"file": str(uploaded(nq, lena, "q.jsonl", json_lines(questions(1))).uuid)}
    first, second = (script.post("projects/lights/imports/", body, Idempotency_Key="one") for _ in range(2))
    assert (first.status_code, first.json()) == (second.status_code, second.json())
    assert second["Idempotency-Replayed"] == "true"
    other = script.post("projects/lights/imports/", body | {"mode": "check"}, Idempotency_Key="one")
    assert (other.status_code, other.json()["type"]) == (422, "key_reused")
    assert Job.objects.count() == 1


def test_refused_lines_are_listed_in_pages_and_can_be_downloaded(nq: Project, lena: User, script: Caller):
    job = imported(nq, lena, BROKEN)
    told = script.get(f"projects/lights/imports/{job.pk}/").json()
    assert (told["state"], told["refused"], told["error"]) == ("failed", 2, "2 lines were refused.")
    first = script.get(f"projects/lights/imports/{job.pk}/refused/", {"limit": 1}).json()
    rest = script.get(f"projects/lights/imports/{job.pk}/refused/", {"cursor": first["next"]}).json()
    assert [(row["line"], row["field"]) for row in first["results"] + rest["results"]] == [
        (3, "question_text"),
        (4, "x"),
    ]
    assert rest["next"] is None
    file = script.get(f"projects/lights/imports/{job.pk}/refused/file")
    assert file["X-Goldfinch-Send"] == f"/{job.pk}.jsonl"


def test_a_waiting_import_is_cancelled_and_an_ended_one_is_not(nq: Project, lena: User, script: Caller):
    job = asked(nq, lena, questions(1))
    assert script.post(f"projects/lights/imports/{job.pk}/cancel/").json()["state"] == "cancelled"
    assert script.post(f"projects/lights/imports/{job.pk}/cancel/").status_code == 409


def test_an_import_is_undone_once(nq: Project, lena: User, script: Caller):
    job = imported(nq, lena, questions(2))
    assert script.get(f"projects/lights/imports/{job.pk}/").json()["can_be_undone"]
    assert script.post(f"projects/lights/imports/{job.pk}/undo/").json()["undone_at"] is not None
    assert not Item.objects.filter(undone_at=None).exists()
    assert script.post(f"projects/lights/imports/{job.pk}/undo/").status_code == 409


def test_uploads_and_imports_of_another_project_do_not_exist(nq: Project, lena: User, script: Caller):
    other = project("others")
    join(other, lena.username, "lead")
    upload, job = uploaded(other, lena, "q.jsonl", b"{}"), imported(other, lena, questions(1))
    for address in (f"uploads/{upload.uuid}/", f"imports/{job.pk}/", f"imports/{job.pk}/refused/"):
        assert script.get(f"projects/lights/{address}").status_code == 404
        assert script.get(f"projects/others/{address}").status_code == 404
    assert script.post("projects/lights/imports/", {"file": str(upload.uuid)}).status_code == 404
