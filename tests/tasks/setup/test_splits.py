"""Imported items are divided into splits: by what belongs together, by domain or at random; what was begun stays."""

from __future__ import annotations

from collections import Counter

import pytest
from django.core.management import CommandError, call_command

from annotation import registry
from annotation.models import Event, Item
from annotation.protocol_tools import Division
from annotation.protocols.coqa import demo as coqa_demo
from tasks.engine import queues
from tasks.models import Task
from tasks.setup import splits
from tasks.setup.splits import DivisionRefused
from tests.builders import Worker, load, open_papers, open_with, project, questions, write_lines
from tests.people import NOON, join

TENTHS = Division("random", {"dev": "20 %", "test": "3"})


@pytest.fixture
def lights(db, tmp_path):
    """Twenty questions with different texts, all of them in the split train; the queue is open."""
    made = project()
    open_with(made, tmp_path, questions(20))
    return made


def divide(into, division, **more):
    return splits.divide(into, division, by=None, now=NOON, **more)


def sizes(of, **which) -> dict[str, int]:
    return dict(Counter(Item.objects.filter(project=of, **which).values_list("split", flat=True)))


def drawn(of) -> dict[str, str]:
    return dict(Item.objects.filter(project=of).values_list("external_id", "split"))


def test_each_split_gets_its_number_or_share_and_the_rest_the_others(lights):
    plan = splits.plan(lights, TENTHS)
    assert sizes(lights) == {"train": 20}
    assert dict(plan.after[""]) == {"train": 13, "dev": 4, "test": 3}
    divide(lights, TENTHS)
    assert sizes(lights) == {"train": 13, "dev": 4, "test": 3}
    [event] = Event.objects.filter(kind="project.splits")
    assert (event.data["moved"], event.data["after"]) == (7, {"train": 13, "dev": 4, "test": 3})


def test_the_same_seed_divides_alike_and_another_one_does_not(lights):
    divide(lights, TENTHS, seed="one")
    first = drawn(lights)
    divide(lights, TENTHS, seed="two")
    second = drawn(lights)
    divide(lights, TENTHS, seed="one")
    assert first == drawn(lights) != second


def test_tasks_of_moved_items_get_the_places_that_their_split_wants(lights):
    divide(lights, TENTHS)
    assert Task.objects.count() == 20
    assert set(Task.objects.values_list("split", "slots")) == {("train", 1), ("dev", 5), ("test", 5)}
    assert all(task.split == task.item.split for task in Task.objects.select_related("item"))


def test_what_somebody_holds_or_has_finished_stays_and_counts_for_its_split(lights):
    worker = Worker(join(lights, "ada"), lights)
    kept = {worker.finish_bad().task.item_id, worker.claim().task.item_id}
    plan = divide(lights, Division("random", {"dev": "100 %"}, rest="test"))
    assert dict(plan.fixed) == {"worked": 2}
    assert set(Item.objects.filter(split="train").values_list("pk", flat=True)) == kept
    assert sizes(lights) == {"train": 2, "dev": 18}
    plan = divide(lights, Division("random", {"train": "2"}, rest="dev"))
    assert (plan.moved, plan.fixed) == (0, {})


def test_a_repeated_text_is_refused_where_it_would_be_parted_unless_that_is_allowed(db, tmp_path):
    twice = project()
    lines = [line | {"question_text": "Who tended the light?"} for line in questions(6)]
    load(twice, write_lines(tmp_path / "twice.jsonl", lines))
    half = Division("random", {"dev": "50 %"})
    with pytest.raises(DivisionRefused, match=r"6 of them ask the same.*Who tended the light\?"):
        divide(twice, half)
    assert sizes(twice) == {"train": 6}
    divide(twice, half, allow_repeated=True)
    assert sizes(twice) == {"train": 3, "dev": 3}


def test_a_paper_goes_with_all_its_questions(db):
    papers = open_papers()
    writer = Worker(join(papers, "wendy"), papers, "ask")
    asked = {"nlp_background": "two", "topic_background": "familiar", "paper_read": "no", "search_query": ""}
    writer.commit(
        writer.claim(),
        "questions",
        asked | {"questions": [{"text": "Which corpus is used?", "answerable_from_abstract": False}]},
    )
    divide(papers, Division("root", {"dev": "100 %"}))
    made = Item.objects.get(kind="question")
    assert made.split == made.root.split == "train"
    assert sizes(papers, kind="paper", root=None)["dev"] == Item.objects.filter(kind="paper").count() - 1


def test_paragraphs_of_an_article_stay_together_unless_they_are_drawn_one_by_one(db, tmp_path):
    squad = project("squad", "squad")
    load(squad, registry.get("squad").demo.items)
    divide(squad, Division("root", {"dev": "50 %"}))
    by_article = {}
    for payload, split in Item.objects.filter(project=squad).values_list("payload", "split"):
        by_article.setdefault(payload["article"], set()).add(split)
    assert len(by_article) > 1
    assert all(len(found) == 1 for found in by_article.values())
    assert set(sizes(squad)) == {"train", "dev"}


@pytest.fixture
def passages(db, tmp_path):
    """Four passages of each of two domains, and three of one that is in test only."""
    made = project("passages", "coqa")
    lines = [
        {"id": f"{domain}-{n}", "source": domain, "filename": f"{domain}-{n}.txt", "story": f"Story {n} of {domain}."}
        for domain, count in (("cnn", 4), ("race", 4), ("reddit", 3))
        for n in range(count)
    ]
    load(made, write_lines(tmp_path / "passages.jsonl", lines))
    for activity in ("converse", "converse_alone"):
        queues.open_queue(made, activity, by=None, now=NOON)
    return made


def test_each_domain_gives_as_many_and_some_go_into_one_split_as_a_whole(passages):
    plan = divide(passages, Division("domain", {"dev": "1", "test": "1"}, only={"reddit": "test", "science": "test"}))
    assert {domain: dict(counts) for domain, counts in plan.after.items()} == {
        "cnn": {"train": 2, "dev": 1, "test": 1},
        "race": {"train": 2, "dev": 1, "test": 1},
        "reddit": {"test": 3},
    }
    assert sizes(passages) == {"train": 4, "dev": 2, "test": 5}


def test_work_that_is_for_training_only_is_offered_for_no_item_outside_it(passages):
    assert Task.objects.filter(activity="converse_alone").count() == 11
    divide(passages, Division("domain", {"dev": "1", "test": "1"}, only={"reddit": "test"}))
    assert set(Task.objects.filter(activity="converse_alone").values_list("split", "item__split")) == {
        ("train", "train")
    }
    assert Task.objects.filter(activity="converse").count() == 11


def test_too_few_items_are_refused_by_domain_as_published_numbers_would_be(passages):
    with pytest.raises(DivisionRefused, match=r"200 are wanted \(cnn\), and there are only 4"):
        divide(passages, registry.get("coqa").division)


@pytest.mark.parametrize(
    ("size", "rest", "only"),
    [
        ({"dev": "many"}, "train", {}),
        ({"dev": "-1"}, "train", {}),
        ({"d e v": "1"}, "train", {}),
        ({"dev": "1"}, "dev", {}),
        ({"dev": "1"}, "", {}),
        ({"dev": "1"}, "train", {"reddit": "../x"}),
        ({"dev": "21"}, "train", {}),
        ({"dev": "60 %", "test": "60 %"}, "train", {}),
    ],
)
def test_an_impossible_division_is_refused_and_moves_nothing(lights, size, rest, only):
    with pytest.raises(DivisionRefused):
        divide(lights, Division("random", size, rest, only))
    assert sizes(lights) == {"train": 20}


def test_published_items_stay_in_the_split_they_were_published_in(db):
    published = project("published", "coqa")
    load(published, coqa_demo.PASSAGES)
    assert sizes(published)
    again = project("again", "squad")
    load(again, registry.get("squad").demo.items)
    assert splits.plan(again, Division("root", {"dev": "1"})).fixed == {}


def test_the_command_says_what_it_does_and_a_dry_run_does_nothing(lights, capsys):
    call_command("make_splits", lights.slug, "--by", "random", "--size", "dev=20%", "--dry-run")
    assert "dev 4, train 16" in capsys.readouterr().out
    assert sizes(lights) == {"train": 20}
    call_command("make_splits", lights.slug, "--by", "random", "--size", "dev=20%")
    assert sizes(lights) == {"train": 16, "dev": 4}
    with pytest.raises(CommandError, match="only 20"):
        call_command("make_splits", lights.slug, "--by", "random", "--size", "dev=21")
