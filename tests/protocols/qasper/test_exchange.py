"""Texts with questions of other tools are papers of one section: marks, choices and words of one's own come and go."""

from __future__ import annotations

import json

import pytest

from annotation import releases
from annotation.errors import ReleaseRefused
from annotation.models import Item, Response
from annotation.protocols.qasper.layouts.exchange import EXCHANGE
from annotation.values.records import ReleaseRecord
from tests.annotation.exchange.exports import annotations_of, chosen, mark, take_in, task
from tests.builders import load, project
from tests.people import NOON
from tests.protocols.qasper.builders import FIRST, SECOND, ours, question_item, sentences, span

TEXT = "We train on 12 corpora.\n\nIt is slow. We do not tune it."
CORPORA, SLOW = (12, 22), (31, 35)

pytestmark = pytest.mark.django_db(transaction=True, databases="__all__")


@pytest.fixture
def papers(db):
    return project("switched", "qasper")


def about(*annotations, **data):
    return task(*annotations, text=TEXT, title="Slow training", **data)


EXPORT = [
    about([mark(*CORPORA, "12 corpora"), mark(*SLOW, "slow")], question="What do they say?", item_id="q-1"),
    about([chosen("Yes")], [chosen("No")], question="Is it slow?"),
    about([chosen("No answer")], question="Who paid?"),
    about([{"type": "textarea", "value": {"text": ["Several corpora"]}}], question="In short?"),
]


def answers(into):
    rows = Response.objects.filter(annotation__item__project=into).order_by("pk").values_list("payload", flat=True)
    return list(rows)


def test_each_kind_of_answer_comes_in_with_its_evidence(papers, tmp_path):
    report = take_in(papers, tmp_path, EXPORT)
    assert (report.items, report.annotations) == (5, 5)
    marks, yes, no, none, words = answers(papers)
    assert marks["extractive_spans"] == ["12 corpora", "slow"]
    assert marks["evidence"] == ["We train on 12 corpora.", "It is slow. We do not tune it."]
    assert (yes["yes_no"], no["yes_no"]) == (True, False)
    assert none["unanswerable"]
    assert words["free_form_answer"] == "Several corpora"
    assert Item.objects.get(kind="paper").payload["title"] == "Slow training"
    assert Item.objects.get(external_id="q-1").root == Item.objects.get(kind="paper")


def test_as_items_to_work_on_they_come_without_answers(papers, tmp_path):
    take_in(papers, tmp_path, EXPORT, published=False)
    assert annotations_of(papers) == 0
    assert Item.objects.filter(kind="question").count() == 4


def test_a_refused_line_is_that_of_the_question_and_not_of_its_text(papers, tmp_path):
    take_in(papers, tmp_path, EXPORT)
    changed = [EXPORT[0], about([chosen("No")], question="Is it slow?")]
    with pytest.raises(Exception, match="some lines were refused") as refused:
        take_in(papers, tmp_path, changed)
    assert [one.line for one in refused.value.report.refused] == [2]


@pytest.mark.parametrize(("format", "kept"), [("label_studio", 5), ("doccano", 2), ("jsonl", 5), ("csv", 5)])
def test_a_release_has_the_answers_for_which_the_layout_has_a_place(papers, tmp_path, format, kept):
    take_in(papers, tmp_path, EXPORT)
    release = releases.build(papers, format=format, by=None, now=NOON, partial=True)
    manifest = releases.manifest_of(release)
    assert manifest["counts"]["train"]["annotations"] == kept
    assert manifest["counts"]["train"].get("left_out_by_format", 0) == 5 - kept
    assert sum("are no marks, and are left out" in note for note in manifest["notes"]) == (2 if kept == 2 else 0)


def test_a_release_for_label_studio_comes_back_equal(papers, tmp_path):
    take_in(papers, tmp_path, EXPORT)
    texts = []
    again = project("again", "qasper")
    for each in (papers, again):
        release = releases.build(each, format="label_studio", by=None, now=NOON, partial=True)
        texts.append((releases.folder_of(release) / "train-label-studio.json").read_bytes())
        if each is papers:
            take_in(again, tmp_path, texts[0], name="train-label-studio.json")
    assert texts[0] == texts[1]
    assert answers(again) == answers(papers)
    first = json.loads(texts[0])[0]["annotations"][0]["result"]
    assert [(one["value"]["start"], one["value"]["end"]) for one in first] == [CORPORA, SLOW]


def test_words_that_the_paper_does_not_have_are_left_out_with_a_note(papers, tmp_path):
    said = {"unanswerable": False, "extractive_spans": ["none of it"], "yes_no": None, "free_form_answer": ""}
    given = {"annotation_id": "a-1", "worker_id": "w", "answer": said | {"evidence": [], "highlighted_evidence": []}}
    section = {"section_name": "One", "paragraphs": [TEXT]}
    paper = {"title": "P", "abstract": "", "full_text": [section]}
    path = tmp_path / "qasper-train-v0.3.json"
    questions = [{"question": "What?", "question_id": "q-7", "answers": [given]}]
    path.write_text(json.dumps({"1": paper | {"qas": questions}}))
    load(papers, path, published=True)
    release = releases.build(papers, format="jsonl", by=None, now=NOON, partial=True)
    assert releases.manifest_of(release)["notes"] == [
        "Question q-7: the words of an answer are not in the paper; it is left out."
    ]


def test_marks_made_here_are_places_in_the_text_of_all_paragraphs():
    evidence = [sentences(2, 0, 1, "Some otters juggle.")]
    marks = {"kind": "extractive", "spans": [span(2, "juggle", SECOND), span(0, "kelp")], "evidence": evidence}
    said = [
        marks,
        {"kind": "yes_no", "value": False, "evidence": [], "by_absence": True},
        {"kind": "abstractive", "text": "They juggle.", "evidence": evidence},
        {"kind": "unanswerable"},
    ]
    item = question_item()
    given = tuple(ours(payload, number=number) for number, payload in enumerate(said, start=1))
    [found] = EXCHANGE.items(ReleaseRecord(item.root, children=(ReleaseRecord(item, given),)))
    assert found.text.startswith(f"{FIRST}\n\n{SECOND}\nWe count by hand.")
    first, *others = found.answers
    assert [found.text[start:end] for start, end in first.spans] == ["kelp", "juggle"]
    assert [(answer.kind, answer.words) for answer in others] == [("no", ""), ("words", "They juggle."), ("none", "")]
    assert [answer.annotation for answer in found.answers] == list(given)


def test_a_mark_whose_words_the_paper_no_longer_has_refuses_the_release():
    moved = span(2, "juggle", SECOND) | {"quote": "jugged"}
    payload = {"kind": "extractive", "spans": [moved], "evidence": [sentences(2, 0, 1, "Some otters juggle.")]}
    item = question_item()
    with pytest.raises(ReleaseRefused, match="The text at this place has changed"):
        list(EXCHANGE.items(ReleaseRecord(item.root, children=(ReleaseRecord(item, (ours(payload),)),))))
