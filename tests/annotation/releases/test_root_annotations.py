"""A record of an item with items under it has its own annotations too, chosen alike and counted separately."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from annotation import releases
from annotation.engine import recording
from annotation.models import Annotation, Purpose
from annotation.releases import rebuild
from tasks.engine import queues
from tests.builders import Worker, open_papers
from tests.clippings import FORMATS, article, import_articles, question
from tests.people import NOON, join

WORDS = "Otters sleep on kelp."
FORMAT = "clippings-summed-up"
SUMMARIES = ("They sleep.", "They float.")


def text(*names):
    return {"text": WORDS, "questions": [question(name, WORDS, "kelp") for name in names]}


@pytest.fixture
def published(clippings, tmp_path):
    """Two articles with answers: one with two summaries, one without."""
    import_articles(clippings, tmp_path, article("A", text("q1", "q2"), summaries=SUMMARIES), article("B", text("q3")))
    return clippings


def build(project, **kwargs):
    return releases.build(project, format=FORMAT, by=None, now=NOON, **kwargs)


def rows(release):
    [entry] = releases.manifest_of(release)["files"]
    return [orjson.loads(line) for line in (releases.folder_of(release) / entry["name"]).read_bytes().splitlines()]


def counts(release):
    return releases.manifest_of(release)["counts"]["train"]


def test_annotations_of_the_root_come_along_in_order(published):
    assert [row["summaries"] for row in rows(build(published))] == [list(SUMMARIES), []]


def test_roots_are_counted_separately_from_what_is_under_them(published):
    found = counts(build(published))
    assert (found["items"], found["annotations"], found["root_annotations"]) == (3, 3, 2)


def summarise(project, name):
    """A summary of the first article by that person; the queue is opened for it."""
    queues.open_queue(project, "summarise", by=None, now=NOON)
    worker = Worker(join(project, name), project, "summarise")
    held = worker.claim()
    worker.commit(held, "summary", {"text": f"By {name}"})
    return held.annotation


@pytest.fixture
def summed_up(clippings, tmp_path):
    """An article with a question answered in the file, summarised here by alice."""
    clippings.config |= {"activities": {"summarise": {"overlap": {"train": 3}}}}
    clippings.save(update_fields=["config"])
    import_articles(clippings, tmp_path, article("A", text("q1"), summaries=["Imported."]))
    summarise(clippings, "alice")
    return clippings


def test_our_own_come_after_the_imported_under_a_pseudonym_that_the_manifest_counts(summed_up):
    release = build(summed_up)
    [row] = rows(release)
    assert row["summaries"] == ["Imported.", "By alice"]
    assert releases.manifest_of(release)["annotations_by_person"] == {row["writers"][1]: 1}
    assert row["writers"][0] == ""


def test_unfinished_and_excluded_annotations_and_other_purposes_stay_out(summed_up):
    bob = summarise(summed_up, "bob")
    Worker(join(summed_up, "carol"), summed_up, "summarise").claim()
    recording.exclude(bob, by=None, reason="test", now=NOON)
    release = build(summed_up)
    assert [row["summaries"] for row in rows(release)] == [["Imported.", "By alice"]]
    assert counts(release)["left_out_excluded"] == 1


def test_work_for_another_purpose_than_the_recipes_stays_out(summed_up):
    item = summed_up.items.get(kind="article")
    studied = recording.open_annotation(
        item_id=item.pk,
        author=join(summed_up, "dora"),
        activity="summarise",
        round=1,
        guidelines_id=None,
        now=NOON,
        purpose=Purpose.STUDY,
    )
    recording.complete(studied, now=NOON)
    assert [row["summaries"] for row in rows(build(summed_up))] == [["Imported.", "By alice"]]


def test_a_frozen_release_keeps_the_annotations_of_its_roots(summed_up, tmp_path):
    release = build(summed_up)
    recording.exclude(Annotation.objects.get(author__username="alice"), by=None, reason="test", now=NOON)
    (tmp_path / "again").mkdir()
    rebuild.rebuild(release, tmp_path / "again")
    assert (tmp_path / "again" / "train.jsonl").read_bytes() == (
        releases.folder_of(release) / "train.jsonl"
    ).read_bytes()


@pytest.mark.parametrize(("wanted", "summaries"), [((), []), (("summarise",), list(SUMMARIES)), (("answer",), [])])
def test_a_format_may_say_which_activities_they_are_of(published, changed, wanted, summaries):
    changed(formats=[replace(found, root_activities=wanted) for found in FORMATS if found.key == FORMAT])
    release = build(published)
    assert rows(release)[0]["summaries"] == summaries
    assert counts(release).get("root_annotations") == (len(summaries) if wanted else None)


def test_an_article_of_ours_without_an_answered_question_is_not_released_for_its_summary_alone(clippings, tmp_path):
    import_articles(clippings, tmp_path, article("A", text("q1")), published=False)
    summarise(clippings, "alice")
    import_articles(clippings, tmp_path, article("B", text("q2")))
    assert [row["title"] for row in rows(build(clippings))] == ["B"]


def test_a_format_may_have_articles_for_their_summaries_alone(clippings, tmp_path, changed):
    changed(formats=[replace(found, without_children=True) for found in FORMATS if found.key == FORMAT])
    import_articles(clippings, tmp_path, article("A", text("q1")), article("C", text("q3")), published=False)
    summarise(clippings, "alice")
    [row] = rows(build(clippings))
    assert (row["summaries"], row["answers"]) == (["By alice"], {})


def test_a_release_of_papers_has_their_answers_and_not_what_created_their_questions(db):
    papers = open_papers()
    wendy = Worker(join(papers, "wendy"), papers, "ask")
    background = {"nlp_background": "two", "topic_background": "familiar", "paper_read": "no", "search_query": ""}
    written = [{"text": "Which corpus was it?", "answerable_from_abstract": False}]
    wendy.commit(wendy.claim(), "questions", background | {"questions": written})
    adam = Worker(join(papers, "adam"), papers, "answer")
    adam.commit(adam.claim().lease.assignments.get(), "answer", {"kind": "unanswerable"})
    release = releases.build(papers, format="qasper", by=None, now=NOON)
    [member] = map(orjson.loads, (releases.folder_of(release) / "members.jsonl").read_bytes().splitlines())
    assert member["annotations"] == []
    assert [len(child["annotations"]) for child in member["children"]] == [1]
    assert "root_annotations" not in counts(release)
