"""Through the database and back: published files come out as they went in, and our work is released."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction

from annotation import releases
from annotation.models import Item
from tasks.engine import queues
from tasks.engine.no_work import NoWork
from tasks.models import Task
from tests.builders import Worker, load, project
from tests.factories.record import AnnotationFactory, ResponseFactory
from tests.people import NOON, join
from tests.protocols.squad.builders import (
    CONTEXT,
    NONE,
    answer,
    article,
    asked,
    file_v1,
    file_v2,
    marked,
    paragraph,
    question,
    question_v1,
)


@pytest.fixture
def articles(db):
    return project("articles", "squad", activities={"answer": {"draw": "in_order"}})


def take_in(into, tmp_path, data, name="dev-v2.0.json", **options):
    path = tmp_path / name
    path.write_text(json.dumps(data))
    return load(into, path, **options)


def released(from_, format="v2.0", **options):
    """The files of a release by name, as JSON, and its manifest."""
    release = releases.build(from_, format=format, by=None, now=NOON, **options)
    manifest = releases.manifest_of(release)
    folder = releases.folder_of(release)
    return {entry["name"]: json.loads((folder / entry["name"]).read_bytes()) for entry in manifest["files"]}, manifest


def test_each_question_of_a_paragraph_is_given_by_itself(articles, tmp_path):
    take_in(articles, tmp_path, file_v2(article(paragraph(question(1), question(2)))))
    queues.open_queue(articles, "answer", by=None, now=NOON)
    first, second = (Worker(join(articles, name), articles, "answer").claim() for name in ("ada", "ben"))
    assert first.task.item.root == second.task.item.root
    assert [held.lease.assignments.count() for held in (first, second)] == [1, 1]


def test_an_odd_file_of_2_0_comes_out_as_it_went_in(articles, tmp_path):
    many = [paragraph(question(n), context=f"{CONTEXT} {n}", n=n) for n in range(40)]
    data = file_v2(
        article(title="empty", note=[1]),
        article(*many, title="Same", url="https://example.org"),
        article(
            paragraph(question(101, answer(answer_start=7), answer(), answer()), question(102, impossible=True)),
            paragraph(),
            title="Same",
        ),
        article(title="last"),
    )
    report = take_in(articles, tmp_path, data, published=True)
    assert report.items == 42 + 42
    assert any("is not at offset 7" in note for _line, note, _count in report.notes)
    files, manifest = released(articles)
    assert files == {"dev-v2.0.json": data}
    assert manifest["files"][0]["records"] == 4


def test_a_file_of_1_1_comes_out_as_it_went_in(articles, tmp_path):
    data = file_v1([question_v1(1, answer(), answer("Holt"), answer())], [])
    take_in(articles, tmp_path, data, name="train-v1.1.json", published=True)
    files, _ = released(articles, "v1.1")
    assert json.dumps(files) == json.dumps({"train-v1.1.json": data})


def test_the_same_file_can_be_imported_twice(articles, tmp_path):
    data = file_v2(article(paragraph(question(1)), paragraph()))
    take_in(articles, tmp_path, data, published=True)
    take_in(articles, tmp_path, data, published=True)
    assert Item.objects.count() == 3


ASKED = asked(("Who built it?", "Anna Holt"), ("When was it lit?", "1871", "impossible"))


def work(into, name, activity, payload):
    """Claim and finish an assignment; `payload` is the answer, or a function from the item to it."""
    worker = Worker(join(into, name), into, activity)
    held = worker.claim()
    said = payload(held.task.item) if callable(payload) else payload
    worker.commit(held, {"ask": "questions", "answer": "answer"}[activity], said)


def right(item):
    """A correct answer to either question."""
    return NONE if item.payload["is_impossible"] else marked("Holt")


def test_what_is_asked_is_answered_by_two_others_and_released(articles, tmp_path):
    take_in(articles, tmp_path, file_v2(article(paragraph())))
    for activity in ("ask", "answer"):
        queues.open_queue(articles, activity, by=None, now=NOON)
    work(articles, "ada", "ask", ASKED)
    assert isinstance(Worker(join(articles, "ada"), articles, "answer").claim(), NoWork)
    for name in ("bob", "cleo"):
        for _ in range(2):
            work(articles, name, "answer", right)
    files, manifest = released(articles)
    [one, two] = files["dev-v2.0.json"]["data"][0]["paragraphs"][0]["qas"]
    assert [found["text"] for found in one["answers"]] == ["Anna Holt", "Holt", "Holt"]
    assert (two["is_impossible"], two["answers"]) == (True, [])
    assert manifest["counts"]["dev"]["annotations"] == 4
    old, manifest = released(articles, "v1.1")
    assert [found["id"] for found in old["dev-v1.1.json"]["data"][0]["paragraphs"][0]["qas"]] == [one["id"]]
    assert f"Question {two['id']} has no answer in its paragraph; SQuAD 1.1 leaves it out." in json.dumps(manifest)


def test_training_questions_need_only_the_writer_s_answer(articles, tmp_path):
    take_in(articles, tmp_path, file_v2(article(paragraph())), name="train-v2.0.json")
    queues.open_queue(articles, "ask", by=None, now=NOON)
    work(articles, "ada", "ask", ASKED)
    queues.open_queue(articles, "answer", by=None, now=NOON)
    assert set(Task.objects.filter(activity="answer").values_list("state", flat=True)) == {"done"}
    assert isinstance(Worker(join(articles, "bob"), articles, "answer").claim(), NoWork)
    files, _ = released(articles)
    asked_here = files["train-v2.0.json"]["data"][0]["paragraphs"][0]["qas"]
    assert [[found["text"] for found in one["answers"]] for one in asked_here] == [["Anna Holt"], []]


def test_people_never_ask_about_a_paragraph_that_they_answered_about(articles, tmp_path):
    take_in(articles, tmp_path, file_v2(article(paragraph(question(1)))))
    for activity in ("ask", "answer"):
        queues.open_queue(articles, activity, by=None, now=NOON)
    work(articles, "bob", "answer", NONE)
    assert isinstance(Worker(join(articles, "bob"), articles, "ask").claim(), NoWork)


def test_a_report_has_the_figures_beside_those_of_the_papers(articles, tmp_path):
    asked_twice = question(1, answer(), answer("Holt"))
    take_in(articles, tmp_path, file_v2(article(paragraph(asked_twice, question(2, impossible=True)))), published=True)
    said = StringIO()
    call_command("report", articles.slug, "--json", stdout=said)
    found = json.loads(said.getvalue())["figures"]
    assert (found["impossible"], found["questions_per_paragraph"]) == (0.5, 2)
    assert found["human_f1"] == pytest.approx(2 / 3)


IMPOSSIBLE = [
    {"kind": "unanswerable", "span": {}},
    {"kind": "span"},
    {"kind": "yes"},
    {"span": {}},
]


@pytest.mark.parametrize("payload", IMPOSSIBLE)
def test_the_database_refuses_an_answer_of_two_kinds_or_of_half_a_one(articles, tmp_path, payload):
    take_in(articles, tmp_path, file_v2(article(paragraph(question(1)))))
    item = Item.objects.get(project=articles, kind="question")
    made = AnnotationFactory(item=item, activity="answer")
    row = {"annotation": made, "stage": "answer"}
    with pytest.raises(DatabaseError), transaction.atomic():
        ResponseFactory.insert(payload=payload, **row)
    ResponseFactory.insert(payload=NONE, **row)
