"""The decisions that a lead may take about the work on an item, with their consequences in words, and the history."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation import events, projects
from annotation.engine.exclusion import LATE
from annotation.models import RELEASED, Annotation, Event, Item, Release, User, under_roots
from frontend.leads.items import exam_decisions
from frontend.leads.items.decision import Decision
from frontend.wording import noun_of_item
from tasks import corrections
from tasks.items import reports
from tasks.models import Assignment, Task
from tasks.models.states import AssignmentState, TaskState

HISTORY = {
    "annotation.excluded": gettext_lazy("Excluded"),
    "annotation.restored": gettext_lazy("Included again"),
    "annotation.reopened": gettext_lazy("Sent back to its author"),
    "annotation.not_reopened": gettext_lazy("Taken back from its author"),
}


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


def withdrawal_of(item: Item) -> dict[str, Any] | None:
    """When, by whom and why the item or its root was withdrawn; None if it was not."""
    row = reports.withdrawal(item) or (reports.withdrawal(item.root) if item.root is not None else None)
    if row is None:
        return None
    by = User.objects.filter(pk=row.by).values_list("username", flat=True).first() if row.by else None
    return {"at": row.at, "by": by or "", "why": row.data.get("reason", "")}


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
    return Decision(
        id="withdraw",
        url=reverse("cancel", args=[item.project.slug, item.pk]),
        label=_("Withdraw…"),
        title=_("Withdraw this?"),
        consequences=(*said, _("Finished work stays, and releases contain it unless it is excluded as well.")),
        confirm=_("Withdraw"),
        danger=True,
    )


def _bring_back(item: Item) -> Decision:
    said = [_("People are given it again, and those under it, unless they were withdrawn by themselves.")]
    return Decision(
        id="bring-back",
        url=reverse("bring_back", args=[item.project.slug, item.pk]),
        label=_("Bring back…"),
        title=_("Bring this back?"),
        consequences=(*said, _("Whoever was working on it then is not given their place again.")),
        confirm=_("Bring back"),
    )


def _about_author(item: Item, row: Annotation, *, can_reopen: bool, unchanged: bool) -> list[Decision]:
    if can_reopen:
        return [_reopen(item, row)]
    return [_take_back_reopening(item, row)] if unchanged else []


def _decisions(
    item: Item, row: Annotation, *, frozen: tuple[str, ...], few: tuple[str, ...], decided: bool
) -> list[Decision]:
    found = []
    if row.excluded_at is not None:
        found.append(_restore(item, row))
    elif row.completed_at is not None:
        found.append(_exclude(item, row, (*frozen, *few)))
        if not decided and item.set_aside_at is None:
            found.append(_replace(item, row, frozen))
    return found


def _exclude(item: Item, row: Annotation, effects: tuple[str, ...]) -> Decision:
    kept = _("It stays in the record with its reason, and you can include it again.")
    return Decision(
        id=f"exclude-{row.uuid}",
        url=_url("exclude", item, row),
        label=_("Exclude…"),
        title=_("Exclude this annotation?"),
        consequences=(_("Agreement and every release from now on will not contain it."), *effects, kept),
        confirm=_("Exclude"),
        danger=True,
        published=True,
    )


def _replace(item: Item, row: Annotation, frozen: tuple[str, ...]) -> Decision:
    words = {"item": noun_of_item(item).one}
    return Decision(
        id=f"replace-{row.uuid}",
        url=_url("replace_by", item, row),
        label=_("Replace…"),
        title=_("Replace this annotation by another?"),
        consequences=(
            _("It is excluded: agreement and every release from now on will not contain it."),
            _("Somebody who has not done this %(item)s yet is given its place.") % words,
            *frozen,
            _("You can include it again; the other one is then one more than was wanted."),
        ),
        confirm=_("Exclude and replace"),
        danger=True,
        published=True,
    )


def _restore(item: Item, row: Annotation) -> Decision:
    said = [_("Agreement and releases from now on will contain it again."), _("Frozen releases stay as they are.")]
    if row.exclusion_reason == LATE:
        late = _("It came late: the %(item)s will have more annotations than were wanted.")
        said.append(late % {"item": noun_of_item(item).one})
    return Decision(
        id=f"restore-{row.uuid}",
        url=_url("restore", item, row),
        label=_("Include again…"),
        title=_("Include this annotation again?"),
        consequences=tuple(said),
        confirm=_("Include again"),
    )


def _reopen(item: Item, row: Annotation) -> Decision:
    days = ngettext("It waits for them for %(n)s day.", "It waits for them for %(n)s days.", corrections.DAYS)
    days %= {"n": corrections.DAYS}
    return Decision(
        id=f"reopen-{row.uuid}",
        url=_url("reopen", item, row),
        label=_("Send back…"),
        title=_("Send this back to its author?"),
        consequences=(
            _("They are offered it before anything else, with what they answered; nobody else gets their place."),
            days,
            _("Their first answer counts until they have finished it again. They will read the reason."),
            _("You can take this back until they begin to change it."),
        ),
        confirm=_("Send back"),
    )


def _take_back_reopening(item: Item, row: Annotation) -> Decision:
    return Decision(
        id=f"keep-{row.uuid}",
        url=_url("take_back_reopening", item, row),
        label=_("Take back…"),
        title=_("Take this back from its author?"),
        consequences=(
            _("They have not changed anything yet. It is finished as it was, and they can’t change it any more."),
            _("You can send it back again."),
        ),
        confirm=_("Take back"),
    )


def _exclude_all(item: Item, n: int) -> Decision:
    said = ngettext(
        "Agreement and every release from now on will not contain %(n)s finished annotation.",
        "Agreement and every release from now on will not contain %(n)s finished annotations.",
        n,
    )
    words = {"item": noun_of_item(item).one}
    who = _("People who are working on the %(item)s are not stopped, and what they finish counts.") % words
    return Decision(
        id="exclude-all",
        url=reverse("exclude_all", args=[item.project.slug, item.pk]),
        label=_("Exclude all…"),
        title=_("Exclude all finished annotations of this %(item)s?") % words,
        consequences=(said % {"n": n}, *_frozen(item), who, _("They stay in the record; you can include them again.")),
        confirm=_("Exclude all"),
        danger=True,
        published=True,
    )


def _restore_all(item: Item, n: int) -> Decision:
    said = ngettext(
        "Agreement and releases from now on will contain %(n)s annotation again.",
        "Agreement and releases from now on will contain %(n)s annotations again.",
        n,
    )
    return Decision(
        id="restore-all",
        url=reverse("restore_all", args=[item.project.slug, item.pk]),
        label=_("Include all again…"),
        title=_("Include all excluded annotations again?"),
        consequences=(
            said % {"n": n},
            _("Annotations that were excluded because they came late stay excluded."),
            _("Frozen releases stay as they are."),
        ),
        confirm=_("Include all again"),
    )


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


def _history(annotations: Sequence[Annotation]) -> dict[str, list[dict[str, Any]]]:
    """By subject, the decisions, oldest first: what, by whom ("" for a command without `--by`), when and why."""
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
