"""Finished work in which its person sent an answer by script, not from a page of the site."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Project, Response
from tasks.models import NO_DATA, Assignment
from tasks.models.states import AssignmentState


def finished_by_script(project: Project) -> QuerySet[Assignment]:
    """Such work of the project; read at once that there is none, where nobody works by script."""
    sent = Response.objects.filter(by_script=True)
    if not sent.filter(annotation__item__project=project).exists():
        return Assignment.objects.none()
    rows = Assignment.objects.filter(task__queue__project=project, state=AssignmentState.SUBMITTED).order_by()
    mine = sent.filter(annotation=OuterRef("annotation"), author=OuterRef("annotator"))
    return rows.exclude(task__queue__activity__in=NO_DATA).filter(Exists(mine))
