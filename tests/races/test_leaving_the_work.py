"""Items leave the work (undone imports, items set aside) while people claim them or a queue is filled with them."""

from __future__ import annotations

from functools import partial

import pytest

from annotation.errors import WrongMove
from annotation.models import Annotation, Item, Role
from tasks.engine import queues
from tasks.items import setting_aside
from tasks.models import Task
from tasks.models.states import TaskState
from tasks.setup import opening, undoing_imports
from tests.builders import load, project, questions, write_lines
from tests.factories.work import QueueFactory, TaskFactory
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import one_claim, people, together

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = size(3, 100)


WHY = "for the exam"


def study(folder, slug, *, of=12):
    """So many imported questions in an open queue."""
    made = project(slug)
    load(made, write_lines(folder / f"{slug}.jsonl", questions(of)))
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


def takes(item, lead) -> str:
    try:
        setting_aside.set_aside([item], by=lead, reason=WHY, now=NOON)
    except WrongMove:
        return "stays"
    return "set aside"


def held_of_set_aside(study) -> bool:
    """Whether somebody was given an item that is set aside."""
    return Annotation.objects.filter(item__project=study, item__set_aside_at__isnull=False).exists()


def test_each_item_is_given_to_somebody_or_set_aside_and_never_both(tmp_path, crossings):
    for turn in range(ROUNDS):
        lights = study(tmp_path, f"lights-{turn}", of=4)
        lena = join(lights, f"lena-{turn}", Role.LEAD)
        crowd, items = people(lights, 3), list(lights.items.order_by("pk"))
        ledger = together(
            [*(partial(takes, item, lena) for item in items), *(partial(one_claim, lights, each) for each in crowd)]
        )
        taken, claims = ledger[: len(items)], ledger[len(items) :]
        assert not held_of_set_aside(lights)
        given = [claim for claim in claims if claim.task is not None]
        assert len(given) + taken.count("set aside") >= len(items) or len(given) == len(crowd)
        assert lights.items.count() == taken.count("stays")
        assert not Task.objects.filter(item__set_aside_at__isnull=False).exclude(state=TaskState.CANCELLED).exists()
    assert crossings == []


def test_no_task_is_left_of_an_item_that_is_set_aside_while_its_queue_is_filled(tmp_path, crossings):
    for turn in range(ROUNDS):
        lights = study(tmp_path, f"lights-{turn}", of=4)
        lena = join(lights, f"lena-{turn}", Role.LEAD)
        Task.objects.filter(queue__project=lights).delete()
        item = lights.items.order_by("pk").first()
        came, _filled = together([partial(takes, item, lena), partial(fills, lights)])
        assert came == "set aside"
        assert not Task.objects.filter(item=item).exclude(state=TaskState.CANCELLED).exists()
        assert Task.objects.filter(queue__project=lights, state=TaskState.OPEN).count() == 3
    assert crossings == []


def test_the_control_setting_aside_that_only_looks_first_takes_an_item_from_somebody_who_has_it(tmp_path):
    """Between its look and its writing somebody claims, as they can where nothing is locked."""
    lights = study(tmp_path, "lights", of=4)
    assert all(setting_aside.why_not_set_aside(item) == "" for item in lights.items.all())
    [claim] = together([partial(one_claim, lights, people(lights, 1)[0])])
    Item.objects.filter(project=lights).update(set_aside_at=NOON)
    assert claim.task is not None
    assert held_of_set_aside(lights)


def test_the_control_a_fill_that_does_not_look_again_leaves_tasks_of_what_is_set_aside(tmp_path):
    lights = study(tmp_path, "lights", of=4)
    Task.objects.filter(queue__project=lights).delete()
    queue, lena = opening.queue_of(lights, "annotate"), join(lights, "lena", Role.LEAD)
    seen = list(queues.lacking(queue))
    setting_aside.set_aside(seen, by=lena, reason=WHY, now=NOON)
    TaskFactory.insert_many({"queue": queue, "item": item, "split": "train", "order": item.pk} for item in seen)
    assert Task.objects.filter(queue=queue, state=TaskState.OPEN).count() == 4
    Task.objects.all().delete()
    queues._create_tasks(queue, seen)
    assert not Task.objects.exists()
