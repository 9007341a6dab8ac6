"""Rows of the lead's pages: an item's annotations side by side, and what is below a board."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Q, prefetch_related_objects
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from annotation import events, registry
from annotation.engine import loading
from annotation.imports.run import Mode
from annotation.models import Adjudication, Annotation, Event, Item, Project, Release
from annotation.protocol import Activity, Protocol
from annotation.releases import selection
from annotation.values.records import GivenAnswer, ItemRecord
from frontend.leads.board.asked import import_page
from frontend.leads.items import decisions
from tasks import corrections
from tasks.corrections import more_annotations
from tasks.engine import settling
from tasks.measuring.pairs import pair_figures as figures_together
from tasks.models import NO_DATA, Assignment, Task
from tasks.models.states import AssignmentState, QueueState, TaskState


class ReadableAnswer(NamedTuple):
    """An answer as a column shows it: the title of its stage, its turn or 0, and the template that shows its `view`."""

    template: str
    title: str
    turn: int
    view: Any


@dataclass(frozen=True)
class AnnotationColumn:
    """An annotation, or what else is beside it: whose it is (`person`: a worker code with a page, or ""), and its
    answers, stage by stage. `excluded`: the reason, or "". `deciding`: what a lead can decide about it.
    """

    who: str
    said: Sequence[GivenAnswer]
    answers: Sequence[ReadableAnswer]
    person: str = ""
    purpose: str = ""
    can_be_reference: bool = False
    uuid: uuids.UUID | None = None
    external_id: str = ""
    completed_at: datetime | None = None
    excluded: str = ""
    notes: Sequence[str] = ()
    deciding: decisions.AnnotationDecisions | None = None


class TurnRow(NamedTuple):
    """A turn: what the item says in it, and for each column its answers there."""

    number: int
    about: Any
    cells: list[list[ReadableAnswer]]


def beside(project: Project) -> dict[str, Any]:
    """What the project's page shows below its board. A file that was only checked is no import: it brings nothing."""
    brings = ~Q(report__asked__mode=Mode.CHECK) | Q(report__asked__mode__isnull=True)  # commands don't say a mode
    latest = project.jobs.filter(brings, kind__contains="import", undone_at=None).order_by("-pk").first()
    return {
        "material": gettext(registry.get(project.protocol).material),
        "together": figures_together(project),
        "latest_import": latest,
        "latest_import_page": import_page(project, latest) if latest else "",
        "latest_release": project.releases.filter(state=Release.State.READY).order_by("-version").first(),
    }


def has_items(project: Project) -> bool:
    """Whether an import has brought anything."""
    return Item.with_set_aside.filter(selection.known_items(), project=project).exists()


def prompt_of(item: Item) -> str:
    """The caption by which people recognize the item."""
    return registry.get(item.project.protocol).caption(item.kind, item.payload)


def side_by_side(item: Item) -> dict[str, Any]:
    """What an item's page shows of its annotations, side by side and, if they have turns, turn by turn."""
    shown = columns(item)
    return {
        "columns": shown,
        "comparable": comparable(item),
        "turns": turns(item, shown),
        "turn_template": f"{item.project.protocol}/turn_read.html",
        "text": text_of_document(item),
        "material": material_beside(item, shown),
    }


def comparable(item: Item) -> list[tuple[str, str]]:
    """The activities (key, title) in which several annotations of the item can be compared."""
    protocol = registry.get(item.project.protocol)
    rows = item.annotations.filter(completed_at__isnull=False).values("activity").annotate(n=Count("pk"))
    several = {row["activity"] for row in rows if row["n"] > 1}
    return [(each.key, gettext(each.title)) for each in protocol.activities if each.key in several]


def columns(item: Item) -> list[AnnotationColumn]:
    """Each annotation of the item as a column: worker code, purpose, and its effective answers stage by stage."""
    found = item.annotations.select_related("author").prefetch_related("responses__author")
    shown = list(found.order_by("-purpose", "position", "opened_at", "pk"))
    decided = decisions.annotation_decisions(item, shown)
    pairs = zip(shown, columns_of(item, shown), strict=True)
    return [replace(column, deciding=decided[row.pk]) for row, column in pairs]


def columns_of(item: Item, annotations: list[Annotation]) -> list[AnnotationColumn]:
    """The same of these annotations, loaded with their authors and responses, without what can be decided."""
    protocol, record = registry.get(item.project.protocol), loading.item_record(item)
    columns: list[AnnotationColumn] = []
    notes, who = _notes(annotations), who_made(annotations, protocol)
    for row in annotations:
        activity = protocol.activity(row.activity)
        said = loading.said_of(activity, sorted(row.responses.all(), key=lambda response: response.pk))
        columns.append(
            AnnotationColumn(
                who[row.pk],
                said,
                readable_answers(protocol, activity, said, record),
                person=row.author.worker_code if row.author and row.author.imported_as is None else "",
                purpose=row.get_purpose_display(),
                can_be_reference=row.completed_at is not None and activity.can_be_examined,
                uuid=row.uuid,
                external_id=row.external_id,
                completed_at=row.completed_at,
                excluded=row.exclusion_reason,
                notes=notes.get(events.name(row), ()),
            )
        )
    return columns


def readable_answers(
    protocol: Protocol, activity: Activity, answers: Iterable[GivenAnswer], item: ItemRecord
) -> list[ReadableAnswer]:
    """Answers as a column shows them."""
    return [
        ReadableAnswer(
            f"{protocol.key}/{entry.stage}_read.html",
            gettext(activity.stage(entry.stage).title),
            entry.turn,
            protocol.view(entry.stage, entry.payload, item),
        )
        for entry in answers
    ]


def who_made(rows: Sequence[Annotation], protocol: Protocol) -> dict[int, str]:
    """By annotation, its author's worker code, or those of several with the titles of their seats; "" if imported."""
    prefetch_related_objects(rows, "author")
    together = {row.pk: protocol.activity(row.activity) for row in rows if row.author is None}
    codes: dict[int, dict[str, str]] = {key: {} for key, activity in together.items() if activity.seat_titles}
    if codes:
        held = Assignment.objects.filter(annotation__in=codes).select_related("annotator")
        for each in held.order_by("slot", "pk"):
            codes[each.annotation_id][each.seat] = each.annotator.worker_code
    of_several = {
        key: " · ".join(f"{gettext(together[key].seat_title(seat))} {code}" for seat, code in found.items())
        for key, found in codes.items()
    }
    return {row.pk: row.author.worker_code if row.author else of_several.get(row.pk, "") for row in rows}


def turns(item: Item, columns: Sequence[AnnotationColumn]) -> list[TurnRow]:
    """A row for each turn of the item or of its annotations; [] without turns."""
    protocol = registry.get(item.project.protocol)
    about: dict[int, Any] = dict(enumerate(protocol.turns_of(loading.item_record(item)), start=1))
    said = [[answer for answer in column.answers if answer.turn] for column in columns]
    numbers = set(about) | {answer.turn for answers in said for answer in answers}
    return [
        TurnRow(number, about.get(number), [[one for one in answers if one.turn == number] for answers in said])
        for number in sorted(numbers)
    ]


def text_of_document(item: Item) -> str:
    """The plain text that the item, or else its root, is about; "" if it has another type."""
    documents = loading.item_record(item.root or item).documents
    return documents[0].text if documents and documents[0].media_type == "text/plain" else ""


def material_beside(item: Item, columns: Sequence[AnnotationColumn]) -> str:
    """The documents of an item as its protocol shows them beside these columns; "" if it leaves that to the page."""
    return rendered_material(item, [(each.who or each.external_id, each.said) for each in columns])


def rendered_material(item: Item, answers: Sequence[tuple[str, Sequence[GivenAnswer]]]) -> str:
    """The same beside answers, each under what the page calls whose they are."""
    protocol = registry.get(item.project.protocol)
    view = protocol.material_of(loading.item_record(item), answers)
    return "" if view is None else render_to_string(f"{protocol.key}/material_read.html", {"view": view})


def _notes(annotations: list[Annotation]) -> dict[str, list[str]]:
    """The authors' later notes on their sealed answers, by the annotation's name in events."""
    names = [events.name(row) for row in annotations]
    found: dict[str, list[str]] = {}
    for event in Event.objects.filter(subject__in=names, kind=corrections.RECONSIDERED).order_by("pk"):
        found.setdefault(event.subject, []).append(event.data["text"])
    return found


def disputes(item: Item) -> list[dict[str, Any]]:
    """For each disputed task of the item, its activity, the agreement of its annotations, and the queue's minimum."""
    rows = item.tasks.filter(state=TaskState.DISPUTED).select_related("queue").order_by("pk")
    return [
        {"activity": row.activity, "agreed": settling.agreement_of(row), "least": row.queue.least_agreement}
        for row in rows
    ]


def decided_activities(item: Item) -> list[str]:
    """The activities in which a dispute about the item was decided, and the decision counts."""
    return sorted({row.activity for row in Adjudication.of_item(item)})


def sources(item: Item) -> Sequence[Mapping[str, Any]]:
    """Title, URL and licence ("" if not stated) of the item's own texts, or else of its root's."""
    return _texts(item) or (_texts(item.root) if item.root else [])


def _texts(item: Item) -> list[Mapping[str, Any]]:
    found = item.item_documents.exclude(document__media_type__startswith="image/")
    return list(found.order_by("position").values("title", "url", "licence"))


@dataclass(frozen=True)
class More:
    """A task: how many annotations it `wants` and `has`, `excluded` of them; `why_not` and `undo` (a URL) may be ""."""

    title: str
    url: str
    wants: int
    has: int
    sent_back: int
    excluded: int
    why_not: str
    ended: bool
    closed: bool
    undo: str
    asked: int


def tasks_in_words(item: Item) -> list[More]:
    """Each task in which people annotate the item, but for those that nobody has to do."""
    protocol = registry.get(item.project.protocol)
    tasks = Task.objects.filter(item=item).exclude(queue__activity__in=NO_DATA)
    tasks = tasks.exclude(activity__in=protocol.substitutes).select_related("queue__project", "item__project")
    return [_more(task) for task in tasks.order_by("pk")]


def _more(task: Task) -> More:
    activity = registry.get(task.queue.project.protocol).activity(task.activity)
    names = [task.queue.project.slug, task.item_id]
    last = more_annotations.last_asked(task)
    # The first answer of who has it again counts until they have finished anew.
    again = task.assignments.filter(state=AssignmentState.LEASED, annotation__completed_at__isnull=False).count()
    may_undo = last is not None and more_annotations.may_take_back(task)
    return More(
        title=_(activity.title),
        url=reverse("more_of_item", args=[*names, task.pk]),
        wants=(task.slots or 0) // len(activity.seats),
        has=(len(more_annotations.submitted(task)) + again) // len(activity.seats),
        sent_back=again // len(activity.seats),
        excluded=sum(row.excluded_at is not None for row in settling.finished(task)),
        why_not=str(more_annotations.why_not_more(task) or ""),
        ended=task.state in (TaskState.DONE, TaskState.DISPUTED),
        closed=task.queue.state != QueueState.OPEN,
        undo=reverse("no_more_of_item", args=[*names, task.pk]) if may_undo else "",
        asked=last.data["count"] if last is not None else 0,
    )
