"""A person's data as a file: all rows that are theirs, by table, without what others did or what they may not see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import Model, Q, QuerySet
from django.db.models.constants import LOOKUP_SEP

from annotation.models import Annotation, Response, User
from frontend.accounts.own_tables import OWN_TABLES
from frontend.courses.pages import block_rows
from frontend.courses.shown import numbers_shown
from qualification.courses import editing
from qualification.courses.content import ChoiceItem
from qualification.models import Attempt, AttemptAnswer, AttemptDraft, Try, TutorialAnswer
from tasks.models import Assignment
from tasks.models.states import AssignmentState

ACCOUNT = ("username", "first_name", "last_name", "email", "date_joined", "last_login")
COURSE_TABLES: dict[str, str] = {
    "qualification.TutorialAnswer": "each answer with its points",
    "qualification.AttemptAnswer": "options as they were shown, or an annotation; no mark of an item: it tells the key",
    "qualification.AttemptDraft": "the options that were chosen and not sent",
    "qualification.Try": "which annotation an answer is",
}
"""Tables that point at a person through an enrolment or an attempt, and what of them is in the data."""


def own_data(user: User) -> dict[str, Any]:
    """Everything, ready for JSON: `account`, and below `rows` for each table the person's rows, the oldest first."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for place, table in OWN_TABLES.items():
        label, column = place.rsplit(".", 1)
        if table.columns and label != Attempt._meta.label:
            rows.setdefault(label, []).extend(_rows(apps.get_model(label), column, table.columns, user))
    for row in _unfinished(rows.get(Response._meta.label, []), user):
        row.pop("payload")
    return {
        "account": {name: getattr(user, name) for name in ACCOUNT},
        "rows": {
            **{label: found for label, found in sorted(rows.items()) if found},
            **{label: found for label, found in _of_courses(user).items() if found},
        },
    }


def _unfinished(answers: Iterable[dict[str, Any]], user: User) -> Iterator[dict[str, Any]]:
    """Those in work that the person has not handed in: answers quote the material, which they may see no longer."""
    sent = Assignment.objects.filter(annotator=user, state=AssignmentState.SUBMITTED).values("annotation")
    tried = Try.objects.filter(annotation__author=user, annotation__completed_at__isnull=False).values("annotation")
    rows = Annotation.with_trials.filter(Q(pk__in=sent) | Q(pk__in=tried))
    finished = set(rows.values_list("uuid", flat=True))
    yield from (row for row in answers if row["annotation_uuid"] not in finished)


def _rows(model: type[Model], column: str, columns: tuple[str, ...], user: User) -> Iterator[dict[str, Any]]:
    rows: QuerySet[Model] = QuerySet(model)
    for row in rows.filter(**{column: user}).order_by("pk").values(*columns):
        yield {name.replace(LOOKUP_SEP, "_"): value for name, value in row.items()}


def _of_courses(user: User) -> dict[str, list[dict[str, Any]]]:
    tutorials = TutorialAnswer.objects.filter(enrolment__user=user).select_related("enrolment__course__qualification")
    columns = OWN_TABLES["qualification.Attempt.user"].columns
    attempts = list(Attempt.objects.filter(user=user).select_related("course").order_by("pk"))
    stored = {row["uuid"]: row for row in _rows(Attempt, "user", columns, user)}
    of_work = dict(Try.objects.filter(enrolment__user=user).values_list("annotation", "annotation__uuid"))
    return {
        TutorialAnswer._meta.label: [
            {
                "qualification_key": row.enrolment.course.qualification.key,
                "item": row.item,
                **_tutorial_answer(row, of_work),
                "points": row.points,
                "at": row.at,
            }
            for row in tutorials.order_by("pk")
        ],
        Attempt._meta.label: [{**stored[row.uuid], **_said_in(row)} for row in attempts],
    }


def _tutorial_answer(row: TutorialAnswer, of_work: dict[int, UUID]) -> dict[str, Any]:
    """The chosen options, or the annotation that was made on the work screen."""
    if isinstance(row.answer, dict):
        return {"annotation": of_work.get(row.answer["annotation"])}
    return {"answer": row.answer}


def _said_in(row: Attempt) -> dict[str, Any]:
    """The form by its blocks, what was answered and chosen at each place, and the points of each block."""
    course = editing.read(row.course)
    items = course.items()
    blocks = [each for each in block_rows(course, row) if each.points]

    of_work = dict(row.tries.values_list("form_place", "annotation__uuid"))

    def answer_shown(choice: AttemptAnswer | AttemptDraft) -> dict[str, Any]:
        item = items.get(row.form[choice.place][1])
        if isinstance(item, ChoiceItem):
            return {"options": numbers_shown(item, choice.answer, seed=row.seed)}
        return {"annotation": of_work.get(choice.place)}

    return {
        "form": [block for block, _item in row.form],
        "answers": [
            {"place": each.place + 1, **answer_shown(each), "at": each.at} for each in row.answers.order_by("place")
        ],
        "chosen": [
            {"place": each.place + 1, **answer_shown(each), "at": each.saved_at}
            for each in row.drafts.order_by("place")
        ],
        "blocks": [{"title": each.title, "points": each.points, "needed": each.needed} for each in blocks],
    }
