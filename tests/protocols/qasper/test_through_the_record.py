"""Through the database and back: published papers survive a round trip, and two answer types can't be stored."""

import json

import pytest
from django.db import DatabaseError, transaction

from annotation import releases
from annotation.engine import loading
from annotation.imports import run
from annotation.models import Item
from annotation.releases import job
from frontend.leads.releases import shown
from tests.builders import load, project
from tests.factories.record import AnnotationFactory, ResponseFactory
from tests.people import NOON
from tests.protocols.qasper.builders import answer, paper, question


@pytest.fixture
def papers(db):
    return project("papers", "qasper")


def released(into):
    """The files of a release by name, as JSON."""
    release = releases.build(into, format="qasper", by=None, now=NOON)
    folder = releases.folder_of(release)
    return {
        entry["name"]: json.loads((folder / entry["name"]).read_bytes())
        for entry in releases.manifest_of(release)["files"]
    }


def test_the_real_papers_come_out_as_they_went_in(papers, shared):
    path = shared / "qasper/qasper-train-4papers-v0.3.json"
    report = load(papers, path, published=True)
    published = json.loads(path.read_bytes())
    asked = [one for record in published.values() for one in record["qas"]]
    assert report.items == 4 + len(asked)
    assert report.annotations == sum(len(one["answers"]) for one in asked)
    assert released(papers) == {"qasper-train-v0.3.json": published}


def test_odd_papers_come_out_as_they_went_in(papers, tmp_path):
    path = tmp_path / "qasper-dev-v0.3.json"
    odd = answer(2, "b" * 40, free_form_answer="too", yes_no=True, evidence=["elsewhere"])
    data = {"b": paper(qas=[question(1, answers=[answer(3), odd])]), "a": paper(qas=[question(2, answers=[answer(1)])])}
    path.write_text(json.dumps(data))
    report = load(papers, path, published=True)
    assert any("3 answer types" in note for _line, note, _count in report.notes)
    found = released(papers)["qasper-dev-v0.3.json"]
    assert found == data
    assert list(found) == ["b", "a"]


def test_authors_of_published_answers_are_in_the_manifest_but_are_not_people_who_made_it(papers, tmp_path):
    path = tmp_path / "qasper-dev-v0.3.json"
    path.write_text(json.dumps({"a": paper(qas=[question(1, answers=[answer(1)])])}))
    load(papers, path, published=True)
    release = releases.build(papers, format="qasper", by=None, now=NOON)
    assert len(releases.manifest_of(release)["annotations_by_person"]) == 1
    assert job.counted_preview(papers, format="qasper")["people"] == 0
    assert shown.detail(release)["people"] == 0


def test_a_question_knows_its_paper(papers, tmp_path):
    path = tmp_path / "papers.json"
    path.write_text(json.dumps({"1": paper(qas=[question()])}))
    load(papers, path)
    item = loading.item_record(Item.objects.get(project=papers, kind="question"))
    assert item.root.external_id == "1"
    assert item.root.documents[0].layout.blocks


def test_a_refused_paper_refuses_the_import(papers, tmp_path):
    path = tmp_path / "papers.json"
    path.write_text(json.dumps({"1": paper(), "2": paper(licence="closed")}))
    with pytest.raises(run.LinesRefused) as refused:
        load(papers, path)
    assert [(one.line, one.field) for one in refused.value.report.refused] == [(2, "licence")]
    assert not Item.objects.exists()


@pytest.mark.parametrize(
    ("changed", "fields"),
    [
        (paper(title="Other otters", qas=[question()]), {"paper_id"}),
        (paper(qas=[question(question="Why?")]), {"question_id"}),
    ],
)
def test_a_changed_paper_or_question_is_refused_by_the_name_of_its_id_in_the_file(papers, tmp_path, changed, fields):
    path = tmp_path / "qasper-dev-v0.3.json"
    for record in (paper(qas=[question()]), changed):
        path.write_text(json.dumps({"1": record}))
        if record is not changed:
            load(papers, path, published=True)
    with pytest.raises(run.LinesRefused) as refused:
        load(papers, path, published=True)
    assert {one.field for one in refused.value.report.refused} == fields


TWO_TYPES = [
    {"kind": "unanswerable", "value": True},
    {"kind": "abstractive", "text": "x", "evidence": [], "spans": []},
    {"kind": "yes_no", "value": True, "evidence": []},
    {"kind": "both", "text": "x", "evidence": []},
    {"text": "x"},
]


@pytest.mark.parametrize("payload", TWO_TYPES)
def test_the_database_refuses_an_answer_of_two_types_or_of_half_a_one(papers, tmp_path, payload):
    path = tmp_path / "papers.json"
    path.write_text(json.dumps({"1": paper(qas=[question()])}))
    load(papers, path)
    item = Item.objects.get(project=papers, kind="question")
    made = AnnotationFactory(item=item, activity="answer")
    row = {"annotation": made, "stage": "answer"}
    with pytest.raises(DatabaseError), transaction.atomic():
        ResponseFactory.insert(payload=payload, **row)
    ResponseFactory.insert(payload={"kind": "unanswerable"}, **row)
