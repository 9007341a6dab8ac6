"""What leads have decided about annotations, as a release freezes it."""

from __future__ import annotations

from collections import defaultdict

from django.db.models import Exists, OuterRef

from annotation.models import Case, CaseKind, CaseState, Project, Response
from annotation.values.records import Step


def flagged_steps(project: Project, *, using: str) -> dict[int, list[str]]:
    """Annotation key -> the addresses of its answers that were flagged, and a lead upheld it, in order.

    Only of answers that still count: a later revision was not flagged.
    """
    upheld = Case.objects.using(using).filter(
        kind=CaseKind.FLAG, state=CaseState.UPHELD, annotation__item__project=project
    )
    same_step = Response.objects.filter(
        annotation=OuterRef("annotation"), stage=OuterRef("response__stage"), turn=OuterRef("response__turn")
    )
    rows = upheld.exclude(Exists(same_step.filter(pk__gt=OuterRef("response")))).order_by("response")
    found: dict[int, list[str]] = defaultdict(list)
    for annotation, stage, turn in rows.values_list("annotation", "response__stage", "response__turn").distinct():
        found[annotation].append(Step(stage, turn).address)
    return dict(found)


def accepted(project: Project, *, using: str) -> set[int]:
    """The keys of the annotations that count because a lead has accepted them."""
    rows = Case.objects.using(using).filter(kind=CaseKind.ACCEPTANCE, state=CaseState.UPHELD)
    return set(rows.filter(annotation__item__project=project).values_list("annotation", flat=True))
