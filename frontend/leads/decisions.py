"""What a lead may decide about the work on an item, what would come of it in words, and what was decided before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation import events, projects
from annotation.exclusion import LATE
from annotation.models import Annotation, Event, Item, Purpose, Release, User
from frontend.nouns import noun_of_item
from tasks import corrections
from tasks.models import Assignment, Task
from tasks.states import AssignmentState, TaskState

HISTORY = {
    "annotation.excluded": gettext_lazy("Left out"),
    "annotation.restored": gettext_lazy("Taken in again"),
    "annotation.reopened": gettext_lazy("Given back to its author"),
}


@dataclass(frozen=True)
class Decision:
    """A button, and the dialog in which it is confirmed: its title, what would come of it, what its button says."""

    id: str
    url: str
    label: str
    title: str
    consequences: tuple[str, ...]
    confirm: str
    danger: bool = False


def about(item: Item, annotations: Sequence[Annotation]) -> dict[int, dict[str, Any]]:
    """Of each annotation, by key: `decisions`, until when its author has it again (or None), and the `history`.

    The number of queries does not grow with the annotations.
    """
    standing, history, effects = corrections.reopening_status(item), _history(annotations), _effects(item)
    told = {}
    for row in annotations:
        why_not, until = standing[row.pk]
        told[row.pk] = {
            "decisions": _decisions(item, row, effects=effects, can_reopen=why_not is None),
            "until": until,
            "history": history.get(events.name(row), []),
        }
    return told


def about_all(item: Item) -> list[Decision]:
    """What can be decided about the item: all its annotations at once, where there are several; taking it out."""
    rows = list(item.annotations.filter(completed_at__isnull=False).values_list("excluded_at", "exclusion_reason"))
    left_in = sum(at is None for at, _reason in rows)
    left_out = sum(at is not None and reason != LATE for at, reason in rows)
    found = []
    if left_in > 1:
        found.append(_exclude_all(item, left_in))
    if left_out > 1:
        found.append(_restore_all(item, left_out))
    whole = Task.objects.filter(Q(item=item) | Q(item__root=item))
    if whole.filter(state__in=(TaskState.OPEN, TaskState.FULL, TaskState.FROZEN)).exists():
        found.append(_take_out(item, whole))
    return found


def taken_out(item: Item) -> dict[str, Any] | None:
    """When, by whom and why the item was taken out, or the one under which it stands; None where it was not."""
    subjects = [events.name(each) for each in (item, item.root) if each is not None]
    row = Event.objects.filter(subject__in=subjects, kind="item.cancelled").order_by("pk").last()
    if row is None:
        return None
    by = User.objects.filter(pk=row.by).values_list("username", flat=True).first() if row.by else None
    return {"at": row.at, "by": by or "", "why": row.data.get("reason", "")}


def _take_out(item: Item, whole: QuerySet[Task]) -> Decision:
    said = [_("Nobody is given it any more. This can't be undone.")]
    if under := item.descendants.count():
        more = ngettext("So is the %(n)s item under it.", "So are the %(n)s items under it.", under)
        said.append(more % {"n": under})
    if n := Assignment.objects.filter(task__in=whole, state=AssignmentState.LEASED).count():
        held = ngettext(
            "%(n)s person is at work on it: they are told, and it is closed to them.",
            "%(n)s people are at work on it: they are told, and it is closed to them.",
            n,
        )
        said.append(held % {"n": n})
    return Decision(
        id="take-out",
        url=reverse("cancel", args=[item.project.slug, item.pk]),
        label=_("Take it out for good…"),
        title=_("Take this out for good?"),
        consequences=(*said, _("What was finished stays, and releases have it unless it is left out as well.")),
        confirm=_("Take it out"),
        danger=True,
    )


def _decisions(item: Item, row: Annotation, *, effects: tuple[str, ...], can_reopen: bool) -> list[Decision]:
    found = []
    if can_reopen:
        found.append(_reopen(item, row))
    if row.excluded_at is not None:
        found.append(_restore(item, row))
    elif row.completed_at is not None:
        found.append(_exclude(item, row, effects))
    return found


def _exclude(item: Item, row: Annotation, effects: tuple[str, ...]) -> Decision:
    kept = _("It stays in the record with its reason, and you can take it in again.")
    return Decision(
        id=f"exclude-{row.uuid}",
        url=_url("exclude", item, row),
        label=_("Leave out…"),
        title=_("Leave this annotation out?"),
        consequences=(_("Agreement and every release from now on go without it."), *effects, kept),
        confirm=_("Leave it out"),
        danger=True,
    )


def _restore(item: Item, row: Annotation) -> Decision:
    said = [_("Agreement and releases from now on have it again."), _("Releases that are frozen stay as they are.")]
    if row.exclusion_reason == LATE:
        late = _("It came late: the %(item)s then has more annotations than were wanted.")
        said.append(late % {"item": noun_of_item(item).one})
    return Decision(
        id=f"restore-{row.uuid}",
        url=_url("restore", item, row),
        label=_("Take in again…"),
        title=_("Take this annotation in again?"),
        consequences=tuple(said),
        confirm=_("Take it in again"),
    )


def _reopen(item: Item, row: Annotation) -> Decision:
    days = ngettext("It waits for %(n)s day.", "It waits for %(n)s days.", corrections.DAYS) % {"n": corrections.DAYS}
    return Decision(
        id=f"reopen-{row.uuid}",
        url=_url("reopen", item, row),
        label=_("Give back…"),
        title=_("Give this back to its author?"),
        consequences=(
            _("They are offered it before anything else, with what they answered; nobody else gets their place."),
            days,
            _("What they handed in counts until they have finished it again. They read the reason."),
        ),
        confirm=_("Give it back"),
    )


def _exclude_all(item: Item, n: int) -> Decision:
    said = ngettext(
        "Agreement and every release from now on go without %(n)s finished annotation.",
        "Agreement and every release from now on go without %(n)s finished annotations.",
        n,
    )
    words = {"item": noun_of_item(item).one}
    who = _("Whoever is at work on the %(item)s is not stopped, and what they finish counts.") % words
    return Decision(
        id="exclude-all",
        url=reverse("exclude_all", args=[item.project.slug, item.pk]),
        label=_("Leave all out…"),
        title=_("Leave all finished annotations of this %(item)s out?") % words,
        consequences=(said % {"n": n}, *_frozen(item), who, _("They stay in the record; you can take them in again.")),
        confirm=_("Leave all out"),
        danger=True,
    )


def _restore_all(item: Item, n: int) -> Decision:
    said = ngettext(
        "Agreement and releases from now on have %(n)s annotation again.",
        "Agreement and releases from now on have %(n)s annotations again.",
        n,
    )
    return Decision(
        id="restore-all",
        url=reverse("restore_all", args=[item.project.slug, item.pk]),
        label=_("Take all in again…"),
        title=_("Take all that was left out in again?"),
        consequences=(
            said % {"n": n},
            _("What was left out because it came late stays out."),
            _("Releases that are frozen stay as they are."),
        ),
        confirm=_("Take all in again"),
    )


def _effects(item: Item) -> tuple[str, ...]:
    """What leaving out one annotation means for the item in releases."""
    return (*_frozen(item), *_too_few(item))


def _frozen(item: Item) -> tuple[str, ...]:
    n = item.project.releases.filter(state=Release.State.READY).count()
    said = ngettext("%(n)s frozen release stays as it is.", "%(n)s frozen releases stay as they are.", n)
    return (said % {"n": n},) if n else ()


def _too_few(item: Item) -> tuple[str, ...]:
    """Said where one fewer is fewer than wanted, so that a release leaves the item out; published items always stay."""
    if item.job is not None and item.job.kind == "import_release":
        return ()
    rows = item.annotations.filter(completed_at__isnull=False, excluded_at__isnull=True)
    counting = list(rows.filter(purpose__in=(Purpose.WORK, Purpose.IMPORT)).values_list("activity", flat=True))
    for activity in sorted(set(counting)):
        left = counting.count(activity) - 1
        wanted = projects.Wanted(item.project, activity).of(split=item.split, item=item.external_id)
        if left < wanted:
            said = _("The %(item)s then has %(left)s of %(wanted)s, so only a partial release takes it, if any.")
            words = {"item": noun_of_item(item).one, "left": left, "wanted": wanted}
            return (said % words, _("Nobody is asked to answer it in their place."))
    return ()


def _history(annotations: Sequence[Annotation]) -> dict[str, list[dict[str, Any]]]:
    """By subject what was decided, the oldest first: what, by whom ("" for a command without a name), when and why."""
    subjects = [events.name(row) for row in annotations]
    rows = list(Event.objects.filter(subject__in=subjects, kind__in=HISTORY).order_by("pk"))
    people = {row.by for row in rows if row.by}
    names: dict[int | None, str] = dict(User.objects.filter(pk__in=people).values_list("pk", "username"))
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        line = {"what": HISTORY[row.kind], "by": names.get(row.by, ""), "at": row.at, "why": row.data.get("reason", "")}
        found.setdefault(row.subject, []).append(line)
    return found


def _url(name: str, item: Item, row: Annotation) -> str:
    return reverse(name, args=[item.project.slug, item.pk, row.uuid])
