"""A lead undoes an import while people claim its items, or a job fills the queue with them."""

from __future__ import annotations

from functools import partial

import pytest

from annotation.errors import WrongMove
from annotation.models import Annotation, Item
from tasks.engine import queues
from tasks.models import Task
from tasks.setup import opening, undoing_imports
from tests.builders import load, project, questions, write_lines
from tests.factories.work import QueueFactory, TaskFactory
from tests.people import NOON
from tests.proving import size
from tests.races.rigs.crowd import one_claim, people, together

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = size(5, 100)


def study(folder, slug):
    """Twelve imported questions in an open queue."""
    made = project(slug)
    load(made, write_lines(folder / f"{slug}.jsonl", questions(12)))
    QueueFactory(project=made, activity="annotate")
    return made


def undoes(study) -> str:
    try:
        undoing_imports.undo(study.jobs.get(), by=None, now=NOON)
    except WrongMove:
        return "stays"
    return "undone"


def fills(study) -> str:
    queues.look_again(study)
    queues.fill(opening.queue_of(study, "annotate"), now=NOON)
    return "filled"


def held_of_undone(study) -> bool:
    """Whether somebody was given an item of an import that was undone."""
    return Annotation.objects.filter(item__project=study, item__undone_at__isnull=False).exists()


def test_either_somebody_is_given_an_item_or_the_import_is_undone(tmp_path, crossings):
    for turn in range(ROUNDS):
        lights = study(tmp_path, f"lights-{turn}")
        crowd = people(lights, 4)
        came, *ledger = together([partial(undoes, lights), *(partial(one_claim, lights, each) for each in crowd)])
        given = [claim for claim in ledger if claim.task is not None]
        assert not held_of_undone(lights)
        assert (came == "undone") == (not given)
        assert lights.items.count() == (0 if came == "undone" else 12)
    assert crossings == []


def test_no_task_is_left_of_an_import_that_is_undone_while_its_queue_is_filled(tmp_path, crossings):
    for turn in range(ROUNDS):
        lights = study(tmp_path, f"lights-{turn}")
        Task.objects.filter(queue__project=lights).delete()
        came, _filled = together([partial(undoes, lights), partial(fills, lights)])
        assert came == "undone"
        assert not Task.objects.filter(queue__project=lights).exists()
    assert crossings == []


def test_the_control_an_undo_that_only_looks_first_takes_an_item_from_somebody_who_has_it(tmp_path):
    """Between its look and its writing somebody claims, as they can where nothing is locked."""
    lights = study(tmp_path, "lights")
    imported = lights.jobs.get()
    assert undoing_imports.why_not_undo(imported) == ""
    [claim] = together([partial(one_claim, lights, people(lights, 1)[0])])
    Item.objects.filter(job=imported).update(undone_at=NOON)
    assert claim.task is not None
    assert held_of_undone(lights)


def test_the_control_a_fill_that_does_not_look_again_leaves_tasks_of_an_undone_import(tmp_path):
    lights = study(tmp_path, "lights")
    Task.objects.filter(queue__project=lights).delete()
    queue = opening.queue_of(lights, "annotate")
    seen = list(queues.lacking(queue))
    assert undoes(lights) == "undone"
    TaskFactory.insert_many({"queue": queue, "item": item, "split": "train", "order": item.pk} for item in seen)
    assert Task.objects.filter(queue=queue).count() == 12
    Task.objects.all().delete()
    queues._create_tasks(queue, seen)
    assert not Task.objects.exists()
