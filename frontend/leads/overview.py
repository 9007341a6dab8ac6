"""Figures and rows of the lead's pages. Every count is computed, none is stored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from annotation import events, loading, registry
from annotation.models import Annotation, Event, Item, Job, Project, Release
from annotation.protocol import Activity
from frontend.leads import decisions
from tasks import corrections, settling
from tasks.models import ADJUDICATE, Assignment, Task
from tasks.pairs.figures import figures as figures_together
from tasks.states import AssignmentState, TaskState

ENDED = (TaskState.DONE, TaskState.DISPUTED)
"""Tasks that nobody works on any more: their annotations are complete, whether or not they agree."""
OF_EXPERTS = Q(queue__activity=ADJUDICATE)
"""Tasks in which experts write references: no part of what is to be done."""


def figures(project: Project) -> dict[str, Any]:
    """What the project's page shows besides its items and what people report."""
    return {
        "material": material_of(project),
        "splits": splits(project),
        "at_work": people_at_work(project),
        "queues": queues(project),
        "together": figures_together(project),
        "imports": imports(project),
        "latest_release": project.releases.filter(state=Release.State.READY).order_by("-version").first(),
    }


def splits(project: Project) -> list[dict[str, Any]]:
    """Per split: items, tasks done, people's assignments in work, annotations finished and wanted.

    Activities that people do only for want of a partner count where something was done, not in what is wanted.
    """
    protocol = registry.get(project.protocol)
    seats = {activity.key: len(activity.seats) for activity in protocol.activities}
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    every = Task.objects.filter(queue__project=project).exclude(OF_EXPERTS).exclude(activity__in=protocol.substitutes)
    for task in every.values("split", "state").annotate(n=Count("pk")):
        rows[task["split"]]["tasks"] += task["n"]
        rows[task["split"]]["done"] += task["n"] if task["state"] in ENDED else 0
    # A task that was done from the start wanted nothing: the item came with enough, or nobody is to work on it.
    untouched = ~Exists(Assignment.objects.filter(task=OuterRef("pk")))
    begun = every.exclude(untouched, state=TaskState.DONE)
    for slots in begun.values("split", "activity", "slots").annotate(n=Count("pk")):
        rows[slots["split"]]["wanted"] += (slots["slots"] or 0) * slots["n"] // seats[slots["activity"]]
    held = Assignment.objects.filter(task__queue__project=project).exclude(task__queue__activity=ADJUDICATE)
    for work in held.values("task__split", "task__activity", "state").annotate(n=Count("pk")):
        counts = rows[work["task__split"]]
        counts["in_work"] += work["n"] if work["state"] == AssignmentState.LEASED else 0
        if work["state"] == AssignmentState.SUBMITTED:
            counts["submitted"] += work["n"] // seats[work["task__activity"]]
            counts["wanted"] += work["n"] if work["task__activity"] in protocol.substitutes else 0
    found = _visible(project).order_by().values("split").annotate(items=Count("pk"))
    keys = ("done", "tasks", "in_work", "submitted", "wanted")
    return [
        {"name": row["split"], "items": row["items"]} | {key: rows[row["split"]][key] for key in keys}
        for row in sorted(found, key=lambda row: row["split"])
    ]


def people_at_work(project: Project) -> int:
    """How many people hold work of the project now."""
    held = Assignment.objects.filter(task__queue__project=project, state=AssignmentState.LEASED)
    return held.aggregate(people=Count("annotator", distinct=True))["people"]


def queues(project: Project) -> list[dict[str, Any]]:
    """The project's queues with their tasks."""
    found = project.queues.exclude(activity=ADJUDICATE).annotate(
        tasks_total=Count("tasks"), tasks_done=Count("tasks", filter=Q(tasks__state__in=ENDED))
    )
    protocol = registry.get(project.protocol)
    return [
        {
            "activity": gettext(protocol.activity(row.activity).title),
            "name": row.name,
            "state": row.get_state_display(),
            "total": row.tasks_total,
            "done": row.tasks_done,
        }
        for row in found.order_by("pk")
    ]


def imports(project: Project) -> list[Job]:
    """The latest 10 imports with their progress."""
    return list(project.jobs.filter(kind__startswith="import").order_by("-pk")[:10])


def material_of(project: Project) -> str:
    """What the project imports, in words."""
    return gettext(registry.get(project.protocol).material)


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
        "text": text_of(item),
    }


def comparable(item: Item) -> list[tuple[str, str]]:
    """The activities (key, title) in which several annotations of the item can be compared."""
    protocol = registry.get(item.project.protocol)
    rows = item.annotations.filter(completed_at__isnull=False).values("activity").annotate(n=Count("pk"))
    several = {row["activity"] for row in rows if row["n"] > 1}
    return [(each.key, gettext(each.title)) for each in protocol.activities if each.key in several]


def columns(item: Item) -> list[dict[str, Any]]:
    """Each annotation of the item as a column: worker code, purpose, and its effective answers stage by stage."""
    protocol, record = registry.get(item.project.protocol), loading.item_record(item)
    found = item.annotations.select_related("author").prefetch_related("responses__author")
    columns, shown = [], list(found.order_by("-purpose", "position", "opened_at", "pk"))
    notes, decided = _notes(shown), decisions.annotation_decisions(item, shown)
    for row in shown:
        activity = protocol.activity(row.activity)
        said = loading.said_of(activity, sorted(row.responses.all(), key=lambda response: response.pk))
        columns.append(
            {
                "who": who_made(row, activity),
                "person": row.author.worker_code if row.author and row.author.imported_as is None else "",
                "purpose": row.get_purpose_display(),
                "uuid": row.uuid,
                "deciding": decided[row.pk],
                "external_id": row.external_id,
                "completed_at": row.completed_at,
                "excluded": row.exclusion_reason,
                "notes": notes.get(events.name(row), ()),
                "answers": [
                    {
                        "template": f"{protocol.key}/{entry.stage}_read.html",
                        "title": gettext(activity.stage(entry.stage).title),
                        "turn": entry.turn,
                        "view": protocol.view(entry.stage, entry.payload, record),
                    }
                    for entry in said
                ],
            }
        )
    return columns


def who_made(row: Annotation, activity: Activity) -> str:
    """The author's worker code, or those of several with the titles of their seats; "" for an imported annotation."""
    if row.author is not None:
        return row.author.worker_code
    held = row.assignments.select_related("annotator").order_by("slot", "pk") if activity.seat_titles else ()
    codes = {each.seat: each.annotator.worker_code for each in held}
    return " · ".join(f"{gettext(activity.seat_title(seat))} {code}" for seat, code in codes.items())


def turns(item: Item, columns: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A row for each turn of the item or of its annotations: `about`, and what each column says; [] without turns."""
    protocol = registry.get(item.project.protocol)
    about: dict[int, Any] = dict(enumerate(protocol.turns_of(loading.item_record(item)), start=1))
    said = [[answer for answer in column["answers"] if answer["turn"]] for column in columns]
    numbers = set(about) | {answer["turn"] for answers in said for answer in answers}
    return [
        {
            "number": number,
            "about": about.get(number),
            "cells": [[answer for answer in answers if answer["turn"] == number] for answers in said],
        }
        for number in sorted(numbers)
    ]


def text_of(item: Item) -> str:
    """The plain text that the item, or else its root, is about; "" if it has another type."""
    documents = loading.item_record(item.root or item).documents
    return documents[0].text if documents and documents[0].media_type == "text/plain" else ""


def _notes(shown: list[Annotation]) -> dict[str, list[str]]:
    """The authors' later notes on their sealed answers, by the annotation's name in events."""
    names = [events.name(row) for row in shown]
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


def sources(item: Item) -> Sequence[Mapping[str, Any]]:
    """Title, URL and licence ("" if not stated) of the item's own texts, or else of its root's."""
    return _texts(item) or (_texts(item.root) if item.root else [])


def _texts(item: Item) -> list[Mapping[str, Any]]:
    found = item.item_documents.exclude(document__media_type__startswith="image/")
    return list(found.order_by("position").values("title", "url", "licence"))


def _visible(project: Project) -> QuerySet[Item]:
    return Item.objects.filter(Q(job__isnull=True) | Q(job__state=Job.State.DONE), project=project)
