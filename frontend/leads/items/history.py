"""The history of an item: every version of every answer and every event about it, tasks and their work, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Sum
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation import events, registry
from annotation.engine import loading
from annotation.models import ASIDE, Adjudication, Annotation, Case, Event, Item, Response, TimeSpan, User
from annotation.models.case import FlagReason
from annotation.models.time import COUNTED
from annotation.values.records import ItemRecord
from tasks.models import Assignment

PER_PAGE = 50
Key = tuple[datetime, int, type]
"""When a line happened, and its key as an Event or a Response."""


@dataclass(frozen=True)
class HistoryLine:
    """What happened: when, in words, and who did it (a worker code, or a lead's name; "" if nobody did).

    `why`: the reason that was given. `answer`: what was sent, with its read-only template; None for other events.
    `by_script`: it was done through the API.
    """

    at: datetime
    what: str
    who: str
    why: str
    about: str
    answer: dict[str, Any] | None = None
    by_script: bool = False


def history_page(item: Item, *, page: str) -> Page[HistoryLine]:
    """A page of the history, newest first; only its own lines are read whole."""
    subjects = _subjects(item)
    found = Event.objects.filter(subject__in=list(subjects)).exclude(kind__in=UNTOLD)
    sent = Response.objects.filter(annotation__item=item).exclude(annotation__purpose__in=ASIDE)
    keys: list[Key] = [(at, pk, Event) for at, pk in found.values_list("at", "pk")]
    keys += [(at, pk, Response) for at, pk in sent.values_list("created_at", "pk")]
    keys.sort(key=lambda key: (key[0], key[2] is Event, key[1]), reverse=True)
    shown: Page[Any] = Paginator(keys, PER_PAGE).get_page(page)
    shown.object_list = _lines(item, list(shown.object_list), subjects)
    return shown


def _subjects(item: Item) -> dict[str, str]:
    """The names in events of all that belongs to the item; with whose work it is, as a worker code, or ""."""
    annotations = list(Annotation.objects.filter(item=item).select_related("author"))
    found = {events.name(item): ""}
    found |= {events.name(row): row.author.worker_code if row.author else "" for row in annotations}
    held = Assignment.objects.filter(task__item=item, task__exhibit=None).select_related("annotator")
    found |= {events.name(row): row.annotator.worker_code for row in held}
    beside: list[Iterable[Any]] = [
        item.tasks.filter(exhibit=None),
        Case.objects.filter(annotation__item=item),
        Adjudication.objects.filter(item=item),
    ]
    return found | {events.name(row): "" for rows in beside for row in rows}


def _lines(item: Item, keys: Sequence[Key], subjects: dict[str, str]) -> list[HistoryLine]:
    told = Event.objects.in_bulk([pk for _at, pk, kind in keys if kind is Event])
    rows = Response.objects.select_related("author", "annotation__item__project")
    sent = rows.in_bulk([pk for _at, pk, kind in keys if kind is Response])
    people = User.objects.only("worker_code", "username").in_bulk({event.by for event in told.values() if event.by})
    done_by, record = set(subjects.values()), loading.item_record(item)
    return [
        _of_response(sent[pk], item, record) if kind is Response else _of_event(told[pk], people, subjects, done_by)
        for _at, pk, kind in keys
    ]


def _of_event(event: Event, people: dict[int, User], subjects: dict[str, str], done_by: set[str]) -> HistoryLine:
    """Who worked on the item is named by code, and a lead or expert, who did not, by name."""
    person, about = people.get(event.by or 0), subjects[event.subject]
    who = "" if person is None else person.worker_code if person.worker_code in done_by else person.username
    words, why = event_in_words(event), reason(event)
    by_script = event.data.get("ui_build") == events.API
    return HistoryLine(event.at, words, who, why, "" if about == who else about, by_script=by_script)


def _of_response(row: Response, item: Item, record: ItemRecord) -> HistoryLine:
    protocol = registry.get(item.project.protocol)
    activity = protocol.activity(row.annotation.activity)
    title = gettext(activity.stage(row.stage).title)
    words = {"stage": title, "turn": row.turn, "revision": row.revision}
    if row.schema == loading.TAKEN_BACK:
        return HistoryLine(
            row.created_at, gettext("Took back: %(stage)s") % words, _code(row), "", "", by_script=row.by_script
        )
    said = gettext("%(stage)s, turn %(turn)s") if row.turn else gettext("%(stage)s")
    if row.revision > 1:
        said = gettext("%(said)s, version %(revision)s") % {"said": said, "revision": row.revision}
    view = protocol.view(row.stage, loading.parse(activity, row.stage, row.schema, row.payload), record)
    answer = {"template": f"{protocol.key}/{row.stage}_read.html", "view": view, "seconds": row.seconds}
    return HistoryLine(row.created_at, said % words, _code(row), "", "", answer, row.by_script)


def _code(row: Response) -> str:
    return row.author.worker_code if row.author else ""


def times(item: Item) -> list[dict[str, Any]]:
    """For each annotation with measured time: whose it is, and the time at each stage and in all."""
    spans = TimeSpan.objects.filter(annotation__item=item, kind__in=COUNTED).order_by()
    sums = spans.values_list("annotation", "annotator__worker_code", "annotation__activity", "stage")
    protocol, found = registry.get(item.project.protocol), dict[tuple[int, str], dict[str, Any]]()
    for annotation, code, key, stage, seconds in sums.annotate(seconds=Sum("seconds")).order_by("annotation", "stage"):
        activity = protocol.activity(key)
        row = found.setdefault((annotation, code), {"who": code, "stages": {}, "whole": 0.0})
        row["stages"][stage] = seconds
        row["whole"] += seconds
        row["titles"] = {each.key: gettext(each.title) for each in activity.stages}
    return [row | {"stages": _in_order(row["stages"], row["titles"])} for row in found.values()]


def _in_order(spent: dict[str, float], titles: dict[str, str]) -> list[tuple[str, float]]:
    """(Title, seconds) of each stage, in the order of the activity."""
    order = [*titles, *(key for key in spent if key not in titles)]
    return [(titles.get(key, key), spent[key]) for key in order if key in spent]


UNTOLD = ("screen.traced",)
"""Kinds that are left out: what the screen measured while somebody worked; the times at the stages sum it up."""

WORDS: dict[str, Any] = {
    "item.reported": _("Reported"),
    "item.unfrozen": _("Reports settled, open again"),
    "item.cancelled": _("Withdrawn"),
    "item.brought_back": _("Brought back"),
    "item.tried": _("Began to try the task, which counts nowhere"),
    "item.set_aside": _("Set aside for an exam"),
    "item.returned": _("Returned to the work"),
    "task.open": _("Free places: it can be given to people"),
    "task.full": _("No place is free"),
    "task.frozen": _("Frozen: nobody is given it"),
    "task.settling": _("Its annotations are compared"),
    "task.disputed": _("Disputed: the annotations agree too little"),
    "task.done": _("Done"),
    "task.cancelled": _("No one will get it"),
    "assignment.claimed": _("Got it to work on"),
    "assignment.leased": _("Got it again"),
    "assignment.submitted": _("Finished it"),
    "assignment.rejected": _("The place was freed for somebody else"),
    "assignment.skipped": _("Skipped it"),
    "assignment.returned": _("Returned it"),
    "assignment.revoked": _("It was taken away"),
    "assignment.expired": _("The time for it ended"),
    "assignment.late": _("Finished it too late for a place"),
    "assignment.replayed": _("Sent the same again, which changed nothing"),
    "assignment.taken_over": _("Went on in another tab or on another device"),
    "assignment.left": _("Left a partner"),
    "assignment.more_time": _("Asked a partner for more time"),
    "annotation.excluded": _("Excluded"),
    "annotation.restored": _("Included again"),
    "annotation.reopened": _("Sent back to its author"),
    "annotation.not_reopened": _("Taken back from its author"),
    "annotation.taken_back": _("Took back what was sent"),
    "annotation.reconsidered": _("Would now say something else"),
    "case.opened": _("A case for a lead to decide"),
    "case.ended": _("Flagged so seriously that the work ended"),
    "case.upheld": _("Case upheld"),
    "case.dismissed": _("Case dismissed"),
    "case.open": _("Decision about a case taken back"),
    "adjudication.decided": _("Dispute decided"),
    "adjudication.taken_back": _("Decision of a dispute taken back"),
    "chat.written": _("Wrote in the side chat"),
    "chat.answered": _("Answered in the side chat"),
    "chat.settled": _("Settled what was asked in the side chat"),
}

REASONS: dict[str, Any] = {
    "hard": _("Too hard for me"),
    "topic": _("Not my subject"),
    "language": _("Not my language"),
    "sensitive": _("I would rather not"),
    "broken": _("It doesn’t display properly"),
    "other": _("Something else"),
    "late": _("it came late"),
    "adopted": _("somebody else’s late answer took the place"),
    "cancelled": _("the item was withdrawn"),
    "set_aside": _("it was set aside for an exam"),
    "membership_ended": _("the membership was ended"),
    "partner_left": _("the partner left"),
    "reported": _("it was reported"),
    "not_shown": _("it could not be shown"),
    "undo": _("a skip was undone"),
}


def event_in_words(event: Event) -> str:
    """What happened, in words; the kind itself if there are none."""
    if event.kind == "task.more_asked":
        said = ngettext("Asked for %(n)s more annotation", "Asked for %(n)s more annotations", event.data["count"])
        return said % {"n": event.data["count"]}
    if event.kind == "task.more_unasked":
        said = ngettext("Asked for %(n)s fewer again", "Asked for %(n)s fewer again", event.data["count"])
        return said % {"n": event.data["count"]}
    return str(WORDS.get(event.kind, event.kind))


def reason(event: Event) -> str:
    """The reason that was given, in words if it was chosen from a list; "" if there is none."""
    given = event.data.get("reason") or event.data.get("text") or ""
    if event.kind == "item.reported" and given in FlagReason.values:
        return str(FlagReason(given).label)
    return str(REASONS.get(given, given))
