"""What the page of a tutorial says of an item of the work screen: marks, scores and references."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from annotation import registry
from annotation.engine import loading
from annotation.models import Annotation
from annotation.protocol import Activity
from annotation.values.scores import Score, Wording
from frontend.courses.pages import points_for_people
from frontend.leads.items import overview
from frontend.markdown import document
from frontend.wording import noun_of_item
from qualification import tries
from qualification.courses import exam_tries, real_items
from qualification.courses.real_items import RealItem
from qualification.marks import BlockPoints
from qualification.models import Enrolment, Try


@dataclass(frozen=True)
class ShownScore:
    """A part of an answer beside the best reference: stage, turn or 0, points of 1, and what each says."""

    stage: str
    turn: int
    part: str
    points: str
    said: str
    wanted: str


def shown_scores(scores: Iterable[Score], activity: Activity) -> list[ShownScore]:
    """The scores in their order, in the person's language."""
    return [_shown_score(score, activity) for score in scores]


def _shown_score(score: Score, activity: Activity) -> ShownScore:
    title, points = gettext(activity.stage(score.step.stage).title), points_for_people(BlockPoints(score.points, 1))
    said, wanted = _in_words(score.said), _in_words(score.wanted)
    return ShownScore(title, score.step.turn, gettext(score.part.title), points, said, wanted)


def _in_words(wording: Wording) -> str:
    return str(wording.text) if wording.quoted or not wording.text else gettext(wording.text)


def tutorial_tries(enrolment: Enrolment, key: str) -> tuple[Try | None, Try | None]:
    """The person's open try at an item of the tutorial, and the last one that is finished."""
    rows = enrolment.tries.filter(course_item=key).select_related("annotation__item__project", "annotation__author")
    rows = rows.select_related("annotation__item__root").order_by("-pk")
    is_open = rows.filter(annotation__completed_at__isnull=True).first()
    return is_open, rows.filter(annotation__completed_at__isnull=False).first()


def marked_try(held: Try, real: RealItem) -> dict[str, Any]:
    """One's own answer beside the references, its scores, and why, stage by stage."""
    activity, item = tries.activity_of_try(held), held.annotation.item
    rows = Annotation.with_trials.select_related("author").prefetch_related("responses__author")
    columns = overview.columns_of(item, [rows.get(pk=held.annotation_id)])
    columns[0] = replace(columns[0], who=gettext("Your answer"), person="")
    columns += [_reference(real, n, activity, held) for n in range(len(real.references))]
    scores = exam_tries.scores_of(held, real)
    return {
        "columns": columns,
        "turns": overview.turns(item, columns),
        "turn_template": f"{item.project.protocol}/turn_read.html",
        "text": overview.text_of_document(item),
        "material": overview.material_beside(item, columns),
        "noun": noun_of_item(item),
        "scores": shown_scores(scores, activity),
        "whole": bool(scores) and all(score.points == 1 for score in scores),
        "reasons": reasons_of(real, activity),
    }


def reasons_of(real: RealItem, activity: Activity) -> list[tuple[str, Any]]:
    """Of each stage that is explained, its title and the explanation."""
    return [
        (gettext(stage.title), document(real.explanations[stage.key]).html)
        for stage in activity.stages
        if real.explanations.get(stage.key)
    ]


def _reference(real: RealItem, n: int, activity: Activity, held: Try) -> overview.AnnotationColumn:
    item = held.annotation.item
    protocol, record = registry.get(item.project.protocol), loading.item_record(item)
    said = real_items.reference_record(activity, real.references[n]).answers
    several = len(real.references) > 1
    who = gettext("Reference %(n)s") % {"n": n + 1} if several else gettext("Reference")
    return overview.AnnotationColumn(who, said, overview.readable_answers(protocol, activity, said, record))
