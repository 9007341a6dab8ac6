"""A reader names the activity of an imported annotation; items imported before that was required are still adopted."""

from __future__ import annotations

import dataclasses

import pytest

from annotation.models import Annotation, Item, Job
from annotation.parsing.incoming import IncomingAnnotation
from tests import clippings as toy
from tests.builders import load
from tests.clippings import article, import_articles, question

WORDS = "Otters sleep on kelp."
GIVEN = article("A", {"text": WORDS, "questions": [question("q1", WORDS, "kelp")]}, summaries=["They sleep."])


def test_each_annotation_has_the_activity_that_its_reader_names(clippings, tmp_path):
    import_articles(clippings, tmp_path, GIVEN)
    found = Annotation.objects.values_list("item__kind", "activity")
    assert sorted(found) == [("article", "summarise"), ("question", "answer")]


@pytest.mark.parametrize("activity", ["guess", "summarise", ""])
def test_an_activity_that_the_kind_of_item_does_not_have_is_a_bug_of_the_reader(clippings, changed, tmp_path, activity):
    def read(source):
        for item in toy.read(source):
            wrong = tuple(dataclasses.replace(found, activity=activity) for found in item.annotations)
            yield dataclasses.replace(item, annotations=wrong) if item.kind == "question" else item

    changed(read=read)
    with pytest.raises(ValueError, match=rf"reader of clippings .* q1/0 .* activity '{activity}'.*\['answer'\]"):
        import_articles(clippings, tmp_path, GIVEN)
    assert not Item.objects.exists()
    assert not Job.objects.exists()


def test_a_reader_can_not_leave_it_out():
    with pytest.raises(TypeError):
        IncomingAnnotation(external_id="1", responses=())


def test_items_imported_while_readers_could_leave_it_out_are_adopted(nq, shared):
    path = shared / "nq" / "nq-dev-00.jsonl.gz"
    load(nq, path, published=True)
    then = "b93c3f14caeff80793cb9f4e9e73f9ffbc948d34678113fad62a4843889f363e"
    assert Item.objects.update(content_sha256=then) == 1
    Job.objects.update(key="that of an import which read other lines")
    again = load(nq, path, published=True)
    assert (again.items, again.adopted) == (0, 1)
