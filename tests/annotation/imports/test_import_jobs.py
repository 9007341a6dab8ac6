"""An uploaded file is imported by a job: all or nothing, or its good lines; what it refuses is kept with it."""

from __future__ import annotations

import gzip
import io
import subprocess
import zipfile
from contextlib import ExitStack

import orjson
import pytest

from annotation.engine import job_leases
from annotation.errors import ImportRefused
from annotation.imports import refused_lines, run, uploads
from annotation.imports.insert import ImportNotes
from annotation.imports.run import Mode
from annotation.models import Event, Item, Job, LineRemark, Upload
from tasks.background import long_jobs
from tasks.engine.queues import visible
from tests.builders import PAGE, questions
from tests.people import NOON
from tests.uploading import asked, done, imported, json_lines, uploaded

BROKEN = [*questions(2), b'{"question_text": "cut off', questions(1, start=5)[0] | {"question_text": 7}]


def shown(nq):
    return Item.objects.filter(visible(), project=nq)


def remarks(job, *, refused=True):
    rows = job.remarks.filter(refused=refused).order_by("line")
    return [(row.line, row.field, row.text, row.says) for row in rows]


def test_a_file_is_imported_and_removed(nq, lena, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        job = imported(nq, lena, questions(3))
    assert (job.state, job.report["result"]) == (Job.State.DONE, {"items": 3, "adopted": 0, "annotations": 0})
    assert shown(nq).count() == 3
    assert not Upload.objects.exists()
    assert list(uploads.folder().iterdir()) == []
    assert Event.objects.get(kind="job.queued").by == lena.pk


def test_if_a_line_is_refused_nothing_is_imported_and_the_file_stays(nq, lena):
    job = imported(nq, lena, BROKEN)
    assert job.state == Job.State.FAILED
    assert job.error == "2 lines were refused."
    assert not shown(nq).exists()
    assert Upload.objects.exists()
    [(_, field, why, says), _fourth] = remarks(job)
    assert [row[0] for row in remarks(job)] == [3, 4]
    assert why.startswith("Cut off at byte 26")
    assert (field, says) == ("question_text", '{"question_text": "cut off')


def test_the_refused_lines_are_kept_to_be_mended(nq, lena):
    job = imported(nq, lena, BROKEN)
    assert refused_lines.path_of(job).read_bytes() == json_lines(BROKEN[2:])
    assert remarks(job)[1][3] == "7"


def test_the_good_lines_are_imported_if_that_is_asked_for(nq, lena):
    job = imported(nq, lena, BROKEN, mode=Mode.GOOD)
    assert (job.report["result"]["items"], job.report["refused"]) == (2, 2)
    assert sorted(shown(nq).values_list("external_id", flat=True)) == ["1", "2"]
    assert refused_lines.path_of(job).read_bytes() == json_lines(BROKEN[2:])


def test_an_id_that_comes_twice_leaves_the_first_line_in(nq, lena):
    twice = questions(1)[0]
    job = imported(nq, lena, [twice, twice | {"question_text": "another"}], mode=Mode.GOOD)
    assert [line for line, *_ in remarks(job)] == [2]
    assert shown(nq).get().payload["question_text"] == twice["question_text"]


def test_if_every_line_is_refused_there_is_nothing_good(nq, lena):
    assert imported(nq, lena, BROKEN[2:], mode=Mode.GOOD).state == Job.State.FAILED


def test_a_check_counts_and_imports_nothing(nq, lena):
    imported(nq, lena, questions(2))
    lines = [*questions(4), *BROKEN[2:], questions(1, start=3)[0] | {"question_text": "the same id"}]
    job = imported(nq, lena, lines, mode=Mode.CHECK, name="more.jsonl")
    assert job.state == Job.State.DONE
    assert job.report["result"] | {"refused": job.report["refused"]} == {
        "items": 2, "adopted": 2, "annotations": 0, "refused": 3,
    }  # fmt: skip
    assert shown(nq).count() == 2
    assert Upload.objects.get().name == "more.jsonl"


def test_what_is_mended_is_imported_afterwards(nq, lena):
    imported(nq, lena, BROKEN, mode=Mode.GOOD)
    mended = [questions(1, start=3)[0], questions(1, start=5)[0]]
    assert imported(nq, lena, mended, name="mended.jsonl").report["result"]["items"] == 2
    assert shown(nq).count() == 4


def test_pages_come_from_a_zip_that_is_uploaded_too(nq, lena):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("pages/light.html", PAGE)
    line = {key: value for key, value in questions(1)[0].items() if key != "document_html"}
    line["document_file"] = "pages/light.html"
    job = imported(nq, lena, [line], beside=uploaded(nq, lena, "pages.zip", buffer.getvalue()))
    assert job.report["result"]["items"] == 1


def test_a_line_cannot_name_the_file_of_another_upload(nq, lena):
    other = uploaded(nq, lena, "secret.html", PAGE.encode())
    line = {key: value for key, value in questions(1)[0].items() if key != "document_html"}
    job = imported(nq, lena, [line | {"document_file": f"../{other.uuid}/secret.html"}])
    assert remarks(job)[0][2].endswith("points outside the folder.")


def test_the_name_of_an_uploaded_file_says_the_split_of_published_data(nq, lena, shared):
    data = gzip.decompress((shared / "nq" / "nq-dev-00.jsonl.gz").read_bytes())
    job = imported(nq, lena, [orjson.loads(line) for line in data.splitlines()[:1]], name="nq-dev-00.jsonl",
                   published=True)  # fmt: skip
    assert (job.report["result"]["annotations"], shown(nq).get().split) == (5, "dev")


def test_a_split_that_is_asked_for_is_that_of_all_lines(nq, lena):
    imported(nq, lena, questions(2, split="train"), split="dev")
    assert set(shown(nq).values_list("split", flat=True)) == {"dev"}


LONG_QUESTION = "who was the first keeper of the light on the reef"


def test_notes_are_kept_with_the_import(nq, lena):
    line = questions(1, page=PAGE.replace("Anna Berg", '<img src="none.png">Anna'))[0]
    job = imported(nq, lena, [line | {"question_text": LONG_QUESTION}])
    [(number, _field, text, _says)] = remarks(job, refused=False)
    assert (number, job.report["noted"]) == (1, 1)
    assert "none.png" in text


def test_equal_notes_become_one_with_a_count(nq, lena):
    odd, other = (PAGE.replace("Anna Berg", f'<img src="{name}.png">Anna') for name in ("none", "lost"))
    lines = [
        questions(1, start=number, page=page)[0] | {"question_text": f"{LONG_QUESTION} {number}"}
        for number, page in enumerate([PAGE, odd, other, odd, odd])
    ]
    job = imported(nq, lena, lines)
    found = job.remarks.filter(refused=False, text__contains=".png").order_by("line")
    assert [(row.line, "none.png" in row.text, row.count) for row in found] == [(2, True, 3), (3, False, 1)]
    assert (job.report["noted"], job.report["not_kept"]) == (4, 0)


def test_what_is_said_beyond_the_limit_is_counted(monkeypatch):
    monkeypatch.setattr("annotation.imports.insert.NOTES_AT_MOST", 2)
    said = ImportNotes()
    said.add(1, ["a", "b", "c"])
    said.add(2, ["a", "c", "a"])
    assert list(said) == [(1, "a", 3), (1, "b", 1)]
    assert (said.total, said.not_kept) == (6, 2)


def test_a_file_that_is_gone_is_said_to_be(nq, lena):
    job = asked(nq, lena, questions(1))
    Upload.objects.get().delete()
    assert done(job).state == Job.State.FAILED


def test_an_import_that_is_cancelled_shows_nothing_and_can_be_asked_for_again(nq, lena, monkeypatch):
    monkeypatch.setattr(long_jobs, "EVERY", 0)
    insert = run.insert.insert

    def cancelled_meanwhile(*args, **kwargs):
        insert(*args, **kwargs)
        long_jobs.cancel(Job.objects.get(kind=uploads.KIND, state="running"), by=lena, now=NOON)

    with monkeypatch.context() as patch:
        patch.setattr(run.insert, "insert", cancelled_meanwhile)
        job = imported(nq, lena, questions(3))
    assert job.state == Job.State.CANCELLED
    assert not shown(nq).exists()
    assert Event.objects.get(kind="job.cancelled").by == lena.pk
    assert imported(nq, lena, questions(3)).state == Job.State.DONE
    assert shown(nq).count() == 3


class Killed(BaseException):
    """The end of a process."""


def test_an_import_whose_process_is_killed_resumes_and_brings_each_line_in_once(nq, lena, monkeypatch):
    monkeypatch.setattr(run.insert, "BATCH", 1)
    insert, batches = run.insert.insert, []

    def killed_in_the_second_batch(*args, **kwargs):
        insert(*args, **kwargs)
        batches.append(args)
        if len(batches) == 2:
            raise Killed

    job = asked(nq, lena, questions(4))
    monkeypatch.setattr(run.insert, "insert", killed_in_the_second_batch)
    with pytest.raises(Killed):
        long_jobs.run(job.pk)
    assert not shown(nq).exists()
    monkeypatch.setattr(long_jobs, "_child", lambda job: subprocess.Popen(["true"]))
    assert long_jobs.start_due() == 1
    assert done(job).state == Job.State.DONE
    assert shown(nq).count() == Item.objects.count() == 4


def test_a_job_that_starts_again_says_each_line_once(nq, lena):
    job = imported(nq, lena, BROKEN)
    Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED)
    assert len(remarks(done(job))) == LineRemark.objects.filter(refused=True).count() == 2
    assert LineRemark.objects.filter(refused=False).count() == 1


def test_an_import_waits_for_a_command_that_imports_something_else(nq, lena, monkeypatch):
    real, refused = run.run, []

    def end_the_command_once_refused(*args, **kwargs):
        try:
            return real(*args, **kwargs)
        except ImportRefused as busy:
            refused.append(busy.reason)
            command.close()
            raise

    monkeypatch.setattr(run, "run", end_the_command_once_refused)
    monkeypatch.setattr("annotation.engine.job_leases.SECONDS_BETWEEN_TRIES", 0)
    with ExitStack() as command:
        command.enter_context(run.alone(nq))
        job = imported(nq, lena, questions(1))
    assert refused == [job_leases.BUSY]
    assert (job.state, shown(nq).count()) == (Job.State.DONE, 1)
