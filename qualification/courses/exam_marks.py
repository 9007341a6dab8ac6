"""What answers in the work screen are worth against the references of their items: exact points, and each score."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from annotation import registry
from annotation.engine import loading
from annotation.models import Response
from annotation.values.records import AnnotationRecord
from annotation.values.scores import Score
from qualification import tries
from qualification.courses import exam_tries, real_items
from qualification.courses.content import Course
from qualification.courses.real_items import RealItem
from qualification.marks import item_points
from qualification.models import Attempt, Try


def worth_of(attempt: Attempt, course: Course) -> dict[int, Fraction]:
    """By place of the form, the points, 0 to 1, of what was answered in the work screen, as the course has it now."""
    items = course.items()
    found: dict[int, Fraction] = {}
    if not course.real_items():
        return found
    for held in exam_tries.tries_of(attempt):
        place = held.form_place
        real = items.get(attempt.form[place][1]) if place is not None else None
        if place is not None and isinstance(real, RealItem):
            found[place] = points_of(held, real)
    return found


def points_of(held: Try, real: RealItem) -> Fraction:
    """The points, 0 to 1, of what a try says by now."""
    return item_points(scores_of(held, real))


def scores_of(held: Try, real: RealItem) -> tuple[Score, ...]:
    """Each score of what a try says by now, against the best reference."""
    annotation, item = held.annotation, held.annotation.item
    activity = tries.activity_of_try(held)
    references = [real_items.reference_record(activity, each) for each in real.references]
    answer = AnnotationRecord(activity.key, loading.said_of(activity, _responses(held)))
    protocol = registry.get(item.project.protocol)
    return protocol.grade(annotation.activity, loading.item_record(item), answer, references)


def _responses(held: Try) -> Iterable[Response]:
    return Response.objects.filter(annotation=held.annotation_id).order_by("pk")
