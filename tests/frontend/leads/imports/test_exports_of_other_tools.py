"""A lead brings the export of another tool: it is recognised, shown as it was read, and refused by line."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from annotation.imports import uploads
from annotation.models import Item, Job
from annotation.models.people import Role
from tasks.background import long_jobs
from tests.annotation.exchange.exports import ASKED, HOLT, TEXT, collection, mark, questions_of, task
from tests.builders import project
from tests.frontend.leads.imports.conftest import Browser
from tests.people import join


@pytest.fixture
def squad(db, lena):
    made = project("switched", "squad")
    join(made, lena, Role.LEAD)
    return made


@pytest.fixture
def lead(squad, lena):
    return Browser(lena)


def bring(lead, into, name, data, **sent):
    """The page of an import, after its turn."""
    lead.start(into.slug, file=lead.upload(into.slug, name, data), **sent)
    job = into.jobs.filter(kind=uploads.KIND).latest("pk")
    long_jobs.run(job.pk)
    page = lead.get(reverse("import", args=[into.slug, job.pk]))
    assert page.status_code == 200
    return Job.objects.get(pk=job.pk), " ".join(page.content.decode().split())


def as_json(*tasks):
    return json.dumps(list(tasks)).encode()


GOOD = task([mark(*HOLT, "Anna Holt")])


def test_the_form_offers_the_tools_only_where_the_protocol_takes_their_exports(lead, squad, nq, lena):
    said = lead.get(reverse("imports", args=[squad.slug])).content.decode()
    assert "From Label Studio, doccano or brat" in said
    assert "From Label Studio, doccano or brat" not in lead.get(reverse("imports", args=[nq.slug])).content.decode()


def test_a_check_shows_the_first_items_as_they_were_read(lead, squad):
    job, page = bring(lead, squad, "project-3.json", as_json(GOOD), mode="check", what="release")
    assert job.state == Job.State.DONE
    assert "Read as an export of Label Studio, with what is asked in the field question." in page
    assert f'<h3 dir="auto">{ASKED}</h3>' in page
    assert "“Anna Holt”" in page
    assert not Item.objects.exists()


def test_as_items_to_work_on_the_preview_shows_no_answer(lead, squad):
    _job, page = bring(lead, squad, "project-3.json", as_json(GOOD), mode="check")
    assert "“Anna Holt”" not in page
    assert "Its answers stay in the file, since your people are to answer." in page


def test_what_was_checked_is_imported_as_it_was_checked(lead, squad):
    sent = {"text_field": "body", "prompt": "Who?", "label": "Answer", "apart": "on", "what": "release"}
    marks = [mark(*HOLT, "Anna Holt"), mark(4, 8, "mill"), mark(0, 3, "The", label="Hint")]
    export = [{"data": {"body": TEXT}, "annotations": [{"result": marks}]}]
    job, page = bring(lead, squad, "project-3.json", as_json(*export), mode="check", **sent)
    form = page[page.index("Nothing is refused") - 2000 : page.index("Import it")]
    for name, value in (sent | {"apart": "on"}).items():
        assert f'name="{name}" value="{value}"' in form
    again = {**{key: str(value) for key, value in job.report["asked"].items() if key in ("file", "beside")}, **sent}
    lead.start(squad.slug, **again)
    long_jobs.run(squad.jobs.filter(kind=uploads.KIND).latest("pk").pk)
    assert questions_of(squad) == {"Who?": ["4:mill", "38:Anna Holt"]}


def test_the_refusals_stand_with_their_record_field_and_reason(lead, squad):
    job, page = bring(lead, squad, "project-3.json", as_json(GOOD, task([mark(0, 9, "Anna Holt")])), what="release")
    assert (job.state, job.error) == (Job.State.FAILED, "1 line was refused.")
    assert "annotations[0].result[0].value" in page
    assert "The text has “The mill ” at 0–9, and not the words of the mark, “Anna Holt”." in page
    assert "Refused records" in page
    assert not Item.objects.exists()


def test_a_collection_of_brat_is_brought_in(lead, squad, tmp_path):
    data = collection(tmp_path, m_txt=TEXT, m_ann="T1\tA 38 47\tAnna Holt\n").read_bytes()
    job, page = bring(lead, squad, "mill.zip", data, prompt="Who?", what="release")
    assert job.state == Job.State.DONE
    assert "Read as an export of brat, asking “Who?” about each text." in page
    assert questions_of(squad) == {"Who?": ["38:Anna Holt"]}


def test_refused_lines_of_json_lines_can_be_downloaded_to_be_mended(lead, squad):
    lines = [{"text": TEXT, "question": ASKED, "label": [[4, 8, "A"]]}, {"text": TEXT, "label": [[4, 8, "A"]]}]
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    job, _page = bring(lead, squad, "all.jsonl", data, what="release")
    answer = lead.get(reverse("refused_lines", args=[squad.slug, job.pk]))
    assert 'filename="refused-all.jsonl"' in answer["Content-Disposition"]


def test_options_that_can_not_be_meant_are_refused_before_anything_is_read(lead, squad):
    uuid = lead.upload(squad.slug, "project-3.json", as_json(GOOD))
    for sent in ({"tool": "prodigy"}, {"prompt": "q" * 10_001}, {"text_field": "t" * 101}, {"label": "l" * 101}):
        assert lead.start(squad.slug, file=uuid, **sent).status_code == 422, sent
        assert not squad.jobs.exists()


def test_a_named_tool_whose_files_look_otherwise_is_refused_by_line(lead, squad):
    job, page = bring(lead, squad, "project-3.json", as_json(GOOD), tool="doccano", prompt="Who?")
    assert job.state == Job.State.FAILED
    assert "The field is missing." in page
