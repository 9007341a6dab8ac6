"""Small courses for tests: items whose first option is right, in blocks of two drawn items each; and taking them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from annotation import randomness
from annotation.models import Annotation, User
from qualification.courses import enrolling, real_items, sitting, standing
from qualification.courses.content import ChoiceItem, Course, CourseItem, ExamBlock, ItemPicture, Option
from qualification.courses.real_items import ItemName, RealItem
from qualification.models import Attempt, Enrolment, Qualification
from tasks.items import setting_aside
from tests.builders import Worker
from tests.factories.base import NOON

RIGHT, WRONG = [0], [1]


def choice(key: str, *, concept: str = "", right: tuple[int, ...] = (0,), options: int = 3) -> ChoiceItem:
    """An item in which the options at these places are right."""
    return ChoiceItem(
        key=key,
        concept=concept,
        stem=f"Stem of {key}",
        options=tuple(
            Option(text=f"Option {n} of {key}", right=n in right, explanation=f"Explanation {n} of {key}")
            for n in range(options)
        ),
        note=f"Note of {key}",
    )


def with_pictures(asked: Course, *hashes: str) -> Course:
    """The course in which every item of multiple choice shows these pictures."""
    shown = tuple(ItemPicture(sha256=each, alt=f"A picture, {n}") for n, each in enumerate(hashes, 1))

    def of(items: tuple[CourseItem, ...]) -> tuple[CourseItem, ...]:
        return tuple(
            each.model_copy(update={"pictures": shown}) if isinstance(each, ChoiceItem) else each for each in items
        )

    blocks = tuple(each.model_copy(update={"pool": of(each.pool)}) for each in asked.blocks)
    return asked.model_copy(update={"tutorial": of(asked.tutorial), "blocks": blocks})


def real_item(reference: Annotation, key: str, **said: Any) -> RealItem:
    """The item of an annotation (loaded with its item and project) on its real screen, graded against it."""
    item = reference.item
    return RealItem(
        kind="item",
        key=key,
        title=f"Title of {key}",
        activity=reference.activity,
        item=ItemName(kind=item.kind, id=item.external_id),
        references=(real_items.reference_of(reference),),
        **said,
    )


def rejected_for_exams(worker: Worker, *, by: User, now: datetime) -> Annotation:
    """What somebody says who finds a question ambiguous, which a lead then sets aside."""
    mine = worker.finish_bad(now=now).annotation
    mine = Annotation.objects.select_related("item__project", "item__root").get(pk=mine.pk)
    setting_aside.set_aside([mine.item], by=by, reason="For the exam.", now=now)
    return mine


def with_spare(reference: Annotation, **said: Any) -> tuple[CourseItem, ...]:
    """The pool of an exam that asks one item in its one attempt: that of the annotation, and one in reserve."""
    return real_item(reference, "a", **said), choice("spare")


def seed_that_draws(key: str, *, block: str, pool: Sequence[CourseItem]) -> str:
    """A seed with which an attempt draws this one item of a pool."""
    keys = [each.key for each in pool]
    return next(seed for seed in map(str, range(1000)) if randomness.rng(seed, block).sample(keys, 1) == [key])


def block(key: str, *, draw: int = 2, mark: str = "2", pool: int = 6, **said: Any) -> ExamBlock:
    """A block whose items are called `key-0`, `key-1` and so on, each about the concept `about key`."""
    items = tuple(choice(f"{key}-{n}", concept=f"about {key}") for n in range(pool))
    return ExamBlock(key=key, title=key.capitalize(), draw=draw, mark=mark, pool=items, **said)


def course(*blocks: ExamBlock, tutorial: int = 1, **rules: Any) -> Course:
    """With that many tutorial items, the first of which is about what the block `task` asks."""
    items = tuple(choice(f"tutorial-{n}", concept="about task" if n == 0 else "") for n in range(tutorial))
    return Course(tutorial=items, blocks=blocks or (block("task"),), **rules)


def three_blocks(**rules: Any) -> Course:
    """As QASPER's: whoever fails only the third is led into extra training."""
    return course(block("background"), block("reading"), block("task", extra=True), **{"tutorial": 2, **rules})


def answers_for(attempt: Attempt, *, fail: tuple[str, ...] = ()) -> list[list[int]]:
    """An answer for each place: right ones, but in these blocks wrong ones."""
    return [WRONG if key in fail else RIGHT for key, _item in attempt.form]


def prepare(person: User, qualification: Qualification, *, now: datetime = NOON) -> Enrolment:
    """Enrolled, the guidelines read, and all of the tutorial that is left answered."""
    enrolment = enrolling.enrol(person, qualification, now=now)
    enrolling.mark_read(enrolment, now=now)
    for item in standing.of_person(person, qualification, now=now).to_do:
        enrolling.answer_tutorial(enrolment, item.key, RIGHT, now=now)
    return enrolment


def sit(person: User, qualification: Qualification, *, fail: tuple[str, ...] = (), now: datetime = NOON) -> Attempt:
    """An attempt answered to its end, with wrong answers in the blocks `fail`."""
    attempt = sitting.issue(person, qualification, now=now)
    for place, chosen in enumerate(answers_for(attempt, fail=fail)):
        attempt = sitting.answer(attempt, place, chosen, now=now)
    return attempt
