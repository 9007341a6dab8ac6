"""The part of a project that the address of its board asks for, and addresses of lists behind its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import QueryDict
from django.urls import reverse

from annotation.imports import uploads
from annotation.models import Job, Project, TimeAmendment, User
from frontend.leads.agreement.asked import PartQuery
from frontend.leads.items.filters import place_in_list
from frontend.requests import parse_day
from tasks.models import WorkCount, WorkTime

Rows = TypeVar("Rows", bound=QuerySet[Any])


@dataclass(frozen=True)
class BoardQuery(PartQuery):
    """ "" and None: all of it. `queue`: the key of an activity, `person`: a worker code, `since` and `until`: days."""

    split: str = ""
    queue: str = ""
    person: str = ""
    since: date | None = None
    until: date | None = None

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> BoardQuery:
        """From an address; what is no date is as if it were not there."""
        texts = {name: query.get(name, "")[:40] for name in ("split", "queue", "person")}
        return cls(**texts, since=parse_day(query.get("since", "")), until=parse_day(query.get("until", "")))

    @property
    def is_part(self) -> bool:
        """Whether it is less than the whole project."""
        return self != BoardQuery()

    @property
    def is_of_work(self) -> bool:
        """Whether it is a part of the work, and not a part of the items."""
        return bool(self.person or self.since or self.until)

    def but(self, **changes: Any) -> BoardQuery:
        """The same with something else."""
        return replace(self, **changes)

    def narrow(self, rows: Rows) -> Rows:
        """Those daily counts or times that belong to this part."""
        if self.split:
            rows = rows.filter(split=self.split)
        if self.queue:
            rows = rows.filter(queue__activity=self.queue)
        if self.person:
            rows = rows.filter(person__in=User.objects.filter(worker_code=self.person).values("pk"))
        if self.since:
            rows = rows.filter(day__gte=self.since)
        if self.until:
            rows = rows.filter(day__lte=self.until)
        return rows

    def counts(self, project: Project) -> QuerySet[WorkCount]:
        """The daily counts of this part, without work on items that are set aside."""
        rows = WorkCount.objects.filter(project=project).exclude(outcome=WorkCount.SET_ASIDE)
        return self.narrow(rows.order_by())

    def times(self, project: Project) -> QuerySet[WorkTime]:
        """The daily times of this part."""
        return self.narrow(WorkTime.objects.filter(project=project).order_by())

    def amendments(self, project: Project) -> QuerySet[TimeAmendment]:
        """What people of this part have amended in its days; amendments belong to no split or queue."""
        rows = TimeAmendment.objects.filter(project=project).order_by()
        if self.split or self.queue:
            return rows.none()
        if self.person:
            rows = rows.filter(annotator__worker_code=self.person)
        if self.since:
            rows = rows.filter(day__gte=self.since)
        if self.until:
            rows = rows.filter(day__lte=self.until)
        return rows

    def items(self, project: Project, **also: Any) -> str:
        """The address of the list of the items of this part; `also`: state, skipped, reported and others."""
        found = {"activity" if name == "queue" else name: value for name, value in vars(self).items()}
        said = {name: str(value) for name, value in (found | also).items() if value}
        address = reverse("items", args=[project.slug])
        return f"{address}?{urlencode(said)}" if said else address


def import_page(project: Project, job: Job) -> str:
    """The address of an import; those by commands have no page of their own."""
    if job.kind == uploads.KIND:
        return reverse("import", args=[project.slug, job.pk])
    return reverse("imports", args=[project.slug])


def after_deciding(form: Mapping[str, str], slug: str, item_id: int, *, place: str = "") -> str:
    """Where a lead goes after deciding about an item: to the board, the reports or the item's place in a list."""
    if form.get("back") == "board":
        return f"{reverse('project', args=[slug])}#needs"
    if form.get("back") == "reports":
        shown = urlencode({name: form[name] for name in ("reason", "stage") if form.get(name)})
        return f"{reverse('reports', args=[slug])}{'?' if shown else ''}{shown}"
    at = place_in_list(QueryDict(form.get("list", "")))
    return f"{reverse('item', args=[slug, item_id])}{f'?{at.here}' if at else ''}{place}"
