"""Undo an import while nobody has worked on its items: they are seen nowhere any more, and their ids are free."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import events
from annotation.engine import job_leases
from annotation.errors import WrongMove
from annotation.imports import run
from annotation.imports.job import IMPORTED_BY
from annotation.models import Adjudication, Agreement, Annotation, Exhibit, Item, Job, Project, Purpose, Release, User
from tasks.engine.transactions import service
from tasks.models import ItemSimilarity, Queue, Task

UNDONE = "import.undone"


def imported_by(asked: Job) -> Job | None:
    """The job under which the items of an uploaded file came in; None if none did, or an older version brought them."""
    key = asked.report.get(IMPORTED_BY)
    return Job.objects.filter(pk=key, project=asked.project_id, state=Job.State.DONE).first() if key else None


def why_not_undo(imported: Job) -> str:
    """A sentence for the lead, or "". Frozen releases name items of the project, so those must not be in any."""
    if imported.undone_at is not None:
        return _("This import has been undone.")
    begun = Annotation.objects.filter(item__job=imported).exclude(purpose=Purpose.IMPORT)
    if n := begun.order_by().values("item").distinct().count():
        words = ngettext("%(n)s of its items has been worked on.", "%(n)s of its items have been worked on.", n)
        return words % {"n": f"{n:,}"}
    if Adjudication.objects.filter(item__job=imported).exists():
        return _("An expert has decided about its items.")
    if Exhibit.objects.filter(item__job=imported).exists():
        return _("A judging round is about its items.")
    if Item.objects.filter(root__job=imported).exclude(job=imported).exists():
        return _("Items of a later import belong to its items. Undo that one first.")
    since = Release.objects.filter(project=imported.project_id, at__gte=imported.finished_at)
    if version := since.exclude(state=Release.State.FAILED).values_list("version", flat=True).first():
        return _("Release %(version)s was made with its items.") % {"version": version}
    return ""


@service
def undo(imported: Job, *, by: User | None, now: datetime) -> int:
    """Undo the import and return how many items it had. WrongMove with the reason if it can't be.

    Tasks that nobody has held are no part of the record: they are deleted. The locks come in the order of
    docs/architecture.md, and then those of the items: creating a task and beginning an annotation wait for these.
    """
    Project.objects.select_for_update(no_key=True).get(pk=imported.project_id)
    try:
        job_leases.keep_free(run.import_lease(imported.project))
    except job_leases.Taken:
        raise WrongMove(_("Another file is being imported. Wait until it is in."), reason="busy") from None
    list(Queue.objects.select_for_update(no_key=True).filter(project=imported.project_id).order_by("pk"))
    list(Task.objects.select_for_update(of=("self",)).filter(item__job=imported).order_by("pk").values_list("pk"))
    items = list(Item.objects.select_for_update(of=("self",)).filter(job=imported).order_by("pk").values_list("pk"))
    imported.refresh_from_db()
    if why := why_not_undo(imported):
        raise WrongMove(why, reason="worked")
    Task.objects.filter(item__job=imported).delete()
    ItemSimilarity.objects.filter(item__job=imported).delete()
    Agreement.objects.filter(project=imported.project_id).delete()  # a cache: it is measured anew
    Item.objects.filter(job=imported).update(undone_at=now)
    asked = Q(project=imported.project_id, **{f"report__{IMPORTED_BY}": imported.pk})
    Job.objects.filter(Q(pk=imported.pk) | asked).update(undone_at=now)
    imported.undone_at = now
    events.record(UNDONE, imported, by=by, now=now, file=imported.subject, items=len(items))
    return len(items)
