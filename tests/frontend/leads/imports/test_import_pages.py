"""A lead follows an import in the browser, sees what was refused, downloads it, and imports the rest."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import clock
from annotation.imports import job, uploads
from annotation.models import Item, Job
from tasks.background import long_jobs
from tests.builders import load, project, questions, write_lines
from tests.factories.corpus import JobFactory
from tests.frontend.leads.imports.conftest import Browser
from tests.people import NOON, join
from tests.uploading import asked, done, imported, json_lines

BROKEN = [*questions(2), b'{"question_text": "cut off', questions(1, start=5)[0] | {"question_text": "=1+1", "x": 1}]


def see(lead, job, **query):
    return lead.get(reverse("import", args=[job.project.slug, job.pk]), query)


def text(page) -> str:
    return " ".join(page.content.decode().split())


def test_what_was_uploaded_is_imported_when_its_turn_comes(lead, nq, lena):
    uuid = lead.upload(nq.slug, "q.jsonl", json_lines(questions(2)))
    answer = lead.start(nq.slug, file=uuid, split="dev")
    job = nq.jobs.get()
    assert answer["Location"] == reverse("import", args=[nq.slug, job.pk])
    assert "It begins within a few seconds." in text(see(lead, job))
    long_jobs.run(job.pk)
    page = text(see(lead, job))
    assert "Imported q.jsonl" in page
    assert "<b>2</b> items" in page
    assert "by lena" in page
    assert set(Item.objects.values_list("split", flat=True)) == {"dev"}


def test_of_a_zip_taken_for_json_lines_nothing_can_be_imported(lead, nq, lena):
    job = asked(nq, lena, [b"PK\x03\x04", *questions(8), b"PK\x01\x02"], name="rows.jsonl")
    long_jobs.run(job.pk)
    page = see(lead, job)
    assert "rows.jsonl can&#x27;t be read as a zip" in page.content.decode()
    assert "Import the" not in text(page)
    assert "Upload it again" in text(page)
    assert not Item.objects.exists()


def test_a_second_import_waits_its_turn_and_says_so(lead, nq, lena):
    asked(nq, lena, questions(1))
    second = asked(nq, lena, questions(2), name="second.jsonl")
    assert "Another import of this project comes first." in text(see(lead, second))
    assert second.pk not in long_jobs._children


@pytest.mark.parametrize(("more", "is_short"), [(0, True), (1, False)])
def test_a_file_of_four_megabytes_waits_for_no_long_jobs_and_a_larger_one_says_that_it_does(lead, nq, more, is_short):
    data = b"x" * (job.SMALL + more)
    lead.start(nq.slug, file=lead.upload(nq.slug, "q.jsonl", data), mode="check")
    asked_for = nq.jobs.get()
    assert asked_for.report.get(long_jobs.SHORT, False) is is_short
    for number in range(long_jobs.LONG_AT_ONCE):
        other = JobFactory(project=project(f"other-{number}"), kind="build_release", key=f"other-{number}")
        Job.objects.filter(pk=other.pk).update(state=Job.State.RUNNING)
    waits = "It waits for one of 2 jobs of this site to end, and is next."
    assert ("It begins within a few seconds." if is_short else waits) in text(see(lead, asked_for))


def test_a_running_import_says_how_far_it_is(lead, nq, lena):
    job = asked(nq, lena, questions(1))
    report = job.report | {"step": "check", "step_at": (NOON - timedelta(seconds=10)).isoformat()}
    Job.objects.filter(pk=job.pk).update(state="running", report=report, done=2000, total=5000, heartbeat_at=NOON)
    page = text(see(lead, job))
    assert "<b>2,000</b> of 5,000" in page
    assert "about <b>15 s</b> left" in page
    assert "200 a second." in page


def test_the_refused_lines_are_a_table_with_number_field_and_reason(lead, nq, lena):
    page = see(lead, imported(nq, lena, BROKEN))
    assert [(row.line, row.field) for row in page.context["import"].refused] == [(3, "question_text"), (4, "x")]
    assert "2 lines were refused." in text(page)


def test_many_refused_lines_come_in_pages(lead, nq, lena):
    job = imported(nq, lena, [b"[]"] * 60)
    assert [row.line for row in see(lead, job, page="2").context["import"].refused] == list(range(51, 61))


def test_the_table_can_be_downloaded_without_formulas(lead, nq, lena):
    job = imported(nq, lena, BROKEN)
    answer = lead.get(reverse("refused_csv", args=[nq.slug, job.pk]))
    head, *rows = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert head == ["line", "field", "reason", "says"]
    assert [row[:2] for row in rows] == [["3", "question_text"], ["4", "x"]]
    formula = imported(nq, lena, [questions(1)[0] | {"=1+1": 1}], name="formula.jsonl")
    answer = lead.get(reverse("refused_csv", args=[nq.slug, formula.pk]))
    assert ",'=1+1," in answer.content.decode()


def test_the_refused_lines_can_be_downloaded_to_be_mended(lead, nq, lena):
    job = imported(nq, lena, BROKEN)
    answer = lead.get(reverse("refused_lines", args=[nq.slug, job.pk]))
    assert answer["X-Goldfinch-Send"] == f"/{job.pk}.jsonl"
    assert 'filename="refused-q.jsonl"' in answer["Content-Disposition"]


@pytest.mark.parametrize("mode", ["check", "all"])
def test_the_good_lines_can_be_imported_without_a_new_upload(lead, nq, lena, mode):
    job = imported(nq, lena, BROKEN, mode=mode)
    page = see(lead, job)
    assert page.context["import"].can_take_the_rest
    assert "Import the 2 good lines" in text(page)
    lead.start(nq.slug, file=job.report["asked"]["file"], mode="good")
    assert done(nq.jobs.get(kind=uploads.KIND, state="queued")).report["result"]["items"] == 2


def test_a_checked_file_without_a_fault_can_be_imported_without_a_new_upload(lead, nq, lena):
    page = see(lead, imported(nq, lena, questions(3), mode="check"))
    assert page.context["import"].can_begin
    assert "<b>3</b> new items" in text(page)


def test_the_board_names_the_last_import_and_no_file_that_was_only_checked(lead, nq, lena):
    board = reverse("project", args=[nq.slug])
    imported(nq, lena, BROKEN, mode="check")
    assert lead.get(board).context["latest_import"] is None
    imported(nq, lena, questions(1))
    imported(nq, lena, BROKEN, mode="check", name="bin.jsonl")
    page = lead.get(board)
    assert "q.jsonl" in text(page)
    assert "bin.jsonl" not in text(page)


def test_the_board_names_an_import_by_a_command_too(lead, nq, tmp_path):
    load(nq, write_lines(tmp_path / "by-command.jsonl", questions(1)))
    assert "by-command.jsonl" in text(lead.get(reverse("project", args=[nq.slug])))


def test_nothing_more_is_offered_once_the_file_is_gone(lead, nq, lena):
    job = imported(nq, lena, BROKEN)
    uploads.remove_old(now=clock.now() + 2 * uploads.KEPT)
    assert not see(lead, job).context["import"].can_take_the_rest


def test_a_waiting_import_can_be_cancelled_and_an_ended_one_cannot(lead, nq, lena):
    job = asked(nq, lena, questions(1))
    url = reverse("cancel_import", args=[nq.slug, job.pk])
    assert lead.post(url).status_code == 302
    assert lead.post(url).status_code == 409
    assert done(job).state == Job.State.CANCELLED


def test_a_file_that_an_import_reads_is_not_removed(lead, nq, lena):
    job = asked(nq, lena, questions(1))
    assert lead.get(reverse("imports", args=[nq.slug])).context["uploads"] == []
    assert lead.post(reverse("remove_upload", args=[nq.slug, job.report["asked"]["file"]])).status_code == 422


def test_a_form_that_makes_no_sense_is_refused(lead, nq):
    uuid = lead.upload(nq.slug, "q.jsonl", b"{}")
    for sent in ({"file": ""}, {"file": "x"}, {"split": "a/b"}):
        assert lead.start(nq.slug, **{"file": uuid} | sent).status_code in (404, 422), sent
        assert not nq.jobs.exists()


def test_imports_of_commands_have_no_page_here(lead, nq, lena):
    imported(nq, lena, questions(1))
    inner = nq.jobs.exclude(kind=uploads.KIND).get()
    assert lead.get(reverse("import", args=[nq.slug, inner.pk])).status_code == 404


def test_an_example_of_the_protocol_can_be_imported(lead, nq, lena):
    names = lead.get(reverse("imports", args=[nq.slug])).context["samples"]
    files = [lead.get(reverse("import_sample", args=[nq.slug, name])).content for name in names]
    file, beside = (lead.upload(nq.slug, name, data) for name, data in zip(names, files, strict=True))
    lead.start(nq.slug, file=file, beside=beside)
    assert done(nq.jobs.get()).state == Job.State.DONE
    assert Browser(join(nq, "alice")).get(reverse("import_sample", args=[nq.slug, names[0]])).status_code == 404
