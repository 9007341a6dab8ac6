"""Raw questions without an id are known by their paper and what they ask, wherever the file has them."""

import json
from dataclasses import replace
from hashlib import sha1

import pytest

from annotation.imports import run
from annotation.models import Item
from annotation.protocols.qasper import formats
from annotation.protocols.qasper.protocol import PROTOCOL
from tests.builders import Worker, load, project
from tests.factories.corpus import ItemFactory
from tests.factories.record import AnnotationFactory
from tests.factories.work import QueueFactory
from tests.people import join
from tests.protocols.qasper.builders import paper
from tests.tasks import test_blocks


@pytest.fixture
def papers(db):
    return project("papers", "qasper")


def asked(text, **fields):
    return {"question": text} | fields


def take_in(into, tmp_path, *asked, name="1"):
    path = tmp_path / "papers.json"
    path.write_text(json.dumps({name: paper(qas=list(asked))}))
    return load(into, path)


def by_place(source):
    """The items of a file with the ids that earlier versions gave to questions: made of their places."""
    place = 0
    for item in formats.read(source):
        place = 0 if item.kind == "paper" else place + 1
        if item.kind == "question":
            said = f"{item.parent[1]}\n{place - 1}\n{item.payload['question']}"
            item = replace(item, external_id=sha1(said.encode(), usedforsecurity=False).hexdigest())
        yield item


def test_questions_that_older_versions_named_by_place_are_known(papers, tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(PROTOCOL, "read", by_place, raising=False)
        patched.setattr(PROTOCOL, "unnamed", {}, raising=False)
        assert take_in(papers, tmp_path, asked("Why?"), asked("How?"), asked("Why?")).items == 4
    before = set(Item.objects.values_list("external_id", flat=True))
    report = take_in(papers, tmp_path, asked("When?"), asked("How?"), asked("Why?"), asked("Why?"), asked("Why?"))
    assert (report.items, report.adopted) == (2, 4)
    assert before < set(Item.objects.values_list("external_id", flat=True))


def test_the_same_question_about_another_paper_is_another_one(papers, tmp_path):
    take_in(papers, tmp_path, asked("Why?"))
    assert take_in(papers, tmp_path, asked("Why?"), name="2").items == 2


def test_a_question_that_came_with_an_id_is_known_without_it(papers, tmp_path):
    take_in(papers, tmp_path, asked("Why?", question_id="q1"))
    report = take_in(papers, tmp_path, asked("How?"), asked("Why?"))
    assert (report.items, report.adopted) == (1, 2)


def test_what_somebody_wrote_here_is_not_what_a_file_brings(papers, tmp_path):
    take_in(papers, tmp_path)
    root = Item.objects.get()
    made = AnnotationFactory(item=root, activity="ask")
    ItemFactory(project=papers, kind="question", root=root, payload={"question": "Why?"}, made_from=made)
    assert take_in(papers, tmp_path, asked("Why?")).items == 1


def test_a_question_that_was_asked_here_is_known_by_its_id_and_refused_if_its_words_differ(papers, tmp_path):
    take_in(papers, tmp_path)
    QueueFactory(project=papers, activity="ask")
    wendy = Worker(join(papers, "wendy"), papers, "ask")
    wendy.commit(wendy.claim(), "questions", test_blocks.asked("Why is that so?"))
    made = Item.objects.get(kind="question")
    said = made.payload | {"question_id": made.external_id}
    report = take_in(papers, tmp_path, said)
    assert (report.items, report.adopted) == (0, 2)
    with pytest.raises(run.LinesRefused, match="some lines were refused"):
        take_in(papers, tmp_path, said | {"question": "How is that so?"})


def test_a_question_with_something_else_said_of_it_is_refused_as_a_change(papers, tmp_path):
    take_in(papers, tmp_path, asked("Why?", nlp_background="two"))
    with pytest.raises(run.LinesRefused) as refused:
        take_in(papers, tmp_path, asked("How?"), asked("Why?", nlp_background="five"))
    [found] = refused.value.report.refused
    assert (found.field, "different content" in found.reason) == ("question_id", True)
