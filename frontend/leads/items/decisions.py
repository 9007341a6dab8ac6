"""The decisions that a lead may take about the work on an item, with their consequences in words, and the history."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from annotation import events, projects
from annotation.engine.exclusion import LATE
from annotation.models import RELEASED, Annotation, Event, Item, Release, under_roots
from frontend.leads.event_lines import EventLine, event_lines, lines_by_subject
from frontend.leads.items import exam_decisions
from frontend.leads.items.exam_decisions import Decision
from frontend.leads.items.history import event_in_words
from frontend.wording import noun_of_item
from tasks import corrections
from tasks.items import reports
from tasks.models import Assignment, Task
from tasks.models.states import AssignmentState, TaskState

HISTORY = ("annotation.excluded", "annotation.restored", "annotation.reopened", "annotation.not_reopened")
WORDS: dict[str, tuple[str, Any, Any, Any]] = {
    "exclude": ("exclude", _lazy("Exclude…"), _lazy("Exclude this annotation?"), _lazy("Exclude")),
    "replace_by": (
        "replace", _lazy("Replace…"), _lazy("Replace this annotation by another?"), _lazy("Exclude and replace"),
    ),
    "restore": (
        "restore", _lazy("Include again…"), _lazy("Include this annotation again?"), _lazy("Include again"),
    ),
    "reopen": ("reopen", _lazy("Send back…"), _lazy("Send this back to its author?"), _lazy("Send back")),
    "take_back_reopening": (
        "keep", _lazy("Take back…"), _lazy("Take this back from its author?"), _lazy("Take back"),
    ),
    "exclude_all": (
        "exclude-all", _lazy("Exclude all…"), _lazy("Exclude all finished annotations of this %(item)s?"),
        _lazy("Exclude all"),
    ),
    "restore_all": (
        "restore-all", _lazy("Include all again…"), _lazy("Include all excluded annotations again?"),
        _lazy("Include all again"),
    ),
    "cancel": ("withdraw", _lazy("Withdraw…"), _lazy("Withdraw this?"), _lazy("Withdraw")),
    "bring_back": ("bring-back", _lazy("Bring back…"), _lazy("Bring this back?"), _lazy("Bring back")),
}  # fmt: skip
"""By the name of the URL: what the id begins with, the button, the title of its dialog, the button that confirms it."""
LEAVES_OUT = ("exclude", "replace_by", "exclude_all")
"""Those that take something out of releases, which state the reason."""


class AnnotationDecisions(NamedTuple):
    """What a lead can decide about an annotation. `until` when the author has it again, or None."""

    decisions: list[Decision]
    until: datetime | None
    history: list[Any]


def annotation_decisions(item: Item, annotations: Sequence[Annotation]) -> dict[int, AnnotationDecisions]:
    """By primary key, what can be decided about each annotation.

    The number of queries doesn't depend on the number of annotations.
    """
    standing, history, frozen = corrections.reopening_status(item), _history(annotations), _frozen(item)
    few, unchanged = _too_few(item), corrections.unchanged_since_reopening(item)
    found = {}
    for row in annotations:
        why_not, until = standing[row.pk]
        about_author = _about_author(item, row, can_reopen=why_not is None, unchanged=row.pk in unchanged)
        others = _decisions(item, row, frozen=frozen, few=few, decided=why_not == corrections.DECIDED)
        found[row.pk] = AnnotationDecisions(about_author + others, until, history.get(events.name(row), []))
    return found


def item_decisions(item: Item) -> list[Decision]:
    """Decisions about the whole item: about all its annotations, if there are several, withdrawing it and setting it
    aside.
    """
    rows = list(item.annotations.filter(completed_at__isnull=False).values_list("excluded_at", "exclusion_reason"))
    included = sum(at is None for at, _reason in rows)
    excluded = sum(at is not None and reason != LATE for at, reason in rows)
    found = []
    if included > 1:
        found.append(_exclude_all(item, included))
    if excluded > 1:
        found.append(_restore_all(item, excluded))
    if item.set_aside_at is not None:
        return [*found, exam_decisions.return_decision(item)]
    whole = Task.objects.filter(item__in=under_roots([item.pk]), exhibit=None)
    states = set(whole.values_list("state", flat=True))
    if states & {TaskState.OPEN, TaskState.FULL, TaskState.FROZEN}:
        found.append(_withdraw(item, whole))
    elif TaskState.CANCELLED in states and reports.withdrawal(item) is not None:
        found.append(_bring_back(item))
    return [*found, exam_decisions.set_aside_decision(item)]


def withdrawal_of(item: Item) -> EventLine | None:
    """When, by whom and why the item or its root was withdrawn; None if it was not."""
    row = reports.withdrawal(item) or (reports.withdrawal(item.root) if item.root is not None else None)
    return event_lines([row])[0] if row else None


def _decision(name: str, item: Item, *consequences: str, row: Annotation | None = None) -> Decision:
    """One of WORDS, about the item or one annotation of it."""
    begins, label, title, confirm = WORDS[name]
    return Decision(
        id=f"{begins}-{row.uuid}" if row else begins,
        url=reverse(name, args=[item.project.slug, item.pk, *([row.uuid] if row else [])]),
        label=str(label),
        title=str(title) % {"item": noun_of_item(item).one},
        consequences=consequences,
        confirm=str(confirm),
        danger=name == "cancel" or name in LEAVES_OUT,
        published=name in LEAVES_OUT,
    )


def _withdraw(item: Item, whole: QuerySet[Task]) -> Decision:
    said = [_("No one will get it any more, until you bring it back.")]
    if under := item.descendants.count():
        more = ngettext(
            "The %(n)s item under it is withdrawn too.", "The %(n)s items under it are withdrawn too.", under
        )
        said.append(more % {"n": under})
    if n := Assignment.objects.filter(task__in=whole, state=AssignmentState.LEASED).count():
        held = ngettext(
            "%(n)s person is working on it: they are told, and it is closed to them for good.",
            "%(n)s people are working on it: they are told, and it is closed to them for good.",
            n,
        )
        said.append(held % {"n": n})
    kept = _("Finished work stays, and releases contain it unless it is excluded as well.")
    return _decision("cancel", item, *said, kept)


def _bring_back(item: Item) -> Decision:
    again = _("People are given it again, and those under it, unless they were withdrawn by themselves.")
    return _decision("bring_back", item, again, _("Whoever was working on it then is not given their place again."))


def _decisions(
    item: Item, row: Annotation, *, frozen: tuple[str, ...], few: tuple[str, ...], decided: bool
) -> list[Decision]:
    if row.excluded_at is not None:
        return [_restore(item, row)]
    if row.completed_at is None:
        return []
    gone = _("Agreement and every release from now on will not contain it.")
    kept = _("It stays in the record with its reason, and you can include it again.")
    found = [_decision("exclude", item, gone, *frozen, *few, kept, row=row)]
    return found if decided or item.set_aside_at is not None else [*found, _replace(item, row, frozen)]


def _replace(item: Item, row: Annotation, frozen: tuple[str, ...]) -> Decision:
    return _decision(
        "replace_by",
        item,
        _("It is excluded: agreement and every release from now on will not contain it."),
        _("Somebody who has not done this %(item)s yet is given its place.") % {"item": noun_of_item(item).one},
        *frozen,
        _("You can include it again; the other one is then one more than was wanted."),
        row=row,
    )


def _restore(item: Item, row: Annotation) -> Decision:
    said = [_("Agreement and releases from now on will contain it again."), _("Frozen releases stay as they are.")]
    if row.exclusion_reason == LATE:
        late = _("It came late: the %(item)s will have more annotations than were wanted.")
        said.append(late % {"item": noun_of_item(item).one})
    return _decision("restore", item, *said, row=row)


def _about_author(item: Item, row: Annotation, *, can_reopen: bool, unchanged: bool) -> list[Decision]:
    if can_reopen:
        days = ngettext("It waits for them for %(n)s day.", "It waits for them for %(n)s days.", corrections.DAYS)
        said = [
            _("They are offered it before anything else, with what they answered; nobody else gets their place."),
            days % {"n": corrections.DAYS},
            _("Their first answer counts until they have finished it again. They will read the reason."),
            _("You can take this back until they begin to change it."),
        ]
        return [_decision("reopen", item, *said, row=row)]
    if not unchanged:
        return []
    same = _("They have not changed anything yet. It is finished as it was, and they can’t change it any more.")
    return [_decision("take_back_reopening", item, same, _("You can send it back again."), row=row)]


def _exclude_all(item: Item, n: int) -> Decision:
    said = ngettext(
        "Agreement and every release from now on will not contain %(n)s finished annotation.",
        "Agreement and every release from now on will not contain %(n)s finished annotations.",
        n,
    )
    who = _("People who are working on the %(item)s are not stopped, and what they finish counts.")
    who %= {"item": noun_of_item(item).one}
    kept = _("They stay in the record; you can include them again.")
    return _decision("exclude_all", item, said % {"n": n}, *_frozen(item), who, kept)


def _restore_all(item: Item, n: int) -> Decision:
    said = ngettext(
        "Agreement and releases from now on will contain %(n)s annotation again.",
        "Agreement and releases from now on will contain %(n)s annotations again.",
        n,
    )
    late = _("Annotations that were excluded because they came late stay excluded.")
    return _decision("restore_all", item, said % {"n": n}, late, _("Frozen releases stay as they are."))


def _frozen(item: Item) -> tuple[str, ...]:
    n = item.project.releases.filter(state=Release.State.READY).count()
    said = ngettext("%(n)s frozen release stays as it is.", "%(n)s frozen releases stay as they are.", n)
    return (said % {"n": n},) if n else ()


def _too_few(item: Item) -> tuple[str, ...]:
    """A warning if one fewer is too few for a full release; none for published items, which always stay."""
    if item.job is not None and item.job.kind == "import_release":
        return ()
    rows = item.annotations.filter(completed_at__isnull=False, excluded_at__isnull=True)
    counting = list(rows.filter(purpose__in=RELEASED).values_list("activity", flat=True))
    for activity in sorted(set(counting)):
        left = counting.count(activity) - 1
        wanted = projects.WantedOverlap(item.project, activity).overlap_of(split=item.split, item=item.external_id)
        if left < wanted:
            said = _(
                "The %(item)s will have %(left)s of %(wanted)s annotations, so only a partial release can contain it."
            )
            words = {"item": noun_of_item(item).one, "left": left, "wanted": wanted}
            return (said % words, _("Nobody else will be asked to do it instead."))
    return ()


def _history(annotations: Sequence[Annotation]) -> dict[str, list[EventLine]]:
    """By subject, the decisions, oldest first: what, by whom ("" for a command without `--by`), when and why."""
    subjects = [events.name(row) for row in annotations]
    rows = Event.objects.filter(subject__in=subjects, kind__in=HISTORY).order_by("pk")
    return lines_by_subject(rows, what=event_in_words)
