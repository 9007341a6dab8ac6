"""The page on which a lead corrects what is right of an item, options or references: the choice, and who changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from annotation import events
from annotation.errors import NotFound
from annotation.models import Event, User
from frontend.leads.courses.real_forms import ReferenceChoice, answers_to_take, value_of_kept
from qualification.courses import content, editing, real_items, regrading
from qualification.courses.real_items import RealItem
from qualification.courses.regrading import Regraded
from qualification.models import CourseVersion, Outcome

NAMED = 50
"""People who are named in a preview."""


def places_of(sent: Sequence[str]) -> list[int]:
    """The places of options that a form names; NotFound for what is none."""
    if not all(each.isascii() and each.isdecimal() and len(each) < 3 for each in sent):
        raise NotFound
    return sorted({int(each) for each in sent})


def chosen_by(version: CourseVersion, key: str, sent: QueryDict) -> list[Any]:
    """What a form says is right of an item: places of options, or references as JSON; NotFound for what is none."""
    item = regrading.pool_item(version, key)
    if not isinstance(item, RealItem):
        return places_of(sent.getlist("right"))
    values = sent.getlist("reference")
    found: list[Any] = []
    for each in _choices(version, item):
        [said] = real_items.stored_references([each.reference])
        if each.value in values and said not in found:
            found.append(said)
    now = content.right_of(item)
    same = len(found) == len(now) and all(each in now for each in found)
    return now if same else found  # in the order in which they are, so that nothing is corrected


def shown_by(version: CourseVersion, key: str, was: str) -> list[Any]:
    """What the page showed as right: the same; [] for references that are no longer those."""
    item = regrading.pool_item(version, key)
    if not isinstance(item, RealItem):
        return places_of(was.split(","))
    return content.right_of(item) if was == _names(item) else []


def correction_context(version: CourseVersion, key: str, right: Collection[Any] | None) -> dict[str, Any]:
    """What the page shows; `right`: what was chosen, None before."""
    item = regrading.pool_item(version, key)
    draft = editing.draft_of(version.qualification)
    chosen = content.right_of(item) if right is None else list(right)
    context = {
        "project": version.qualification.project,
        "qualification": version.qualification,
        "version": version,
        "item": item,
        "differs_in_draft": draft is not None and key in editing.read(draft).items(),
    }
    if isinstance(item, RealItem):
        choices = _choices(version, item)
        shown = [(each, real_items.stored_references([each.reference])[0] in chosen) for each in choices]
        return context | {"form": {"shown_choices": shown}, "was": _names(item)}
    return context | {
        "options": [(n, option, n in chosen) for n, option in enumerate(item.options)],
        "was": ",".join(map(str, sorted(item.right))),
    }


def _choices(version: CourseVersion, real: RealItem) -> list[ReferenceChoice]:
    """The answers that can be its references, those that it has among them; NotFound without the item."""
    project = version.qualification.project
    item = real_items.item_of(project, real)
    if item is None:
        raise NotFound
    return answers_to_take(item, real_items.activity_of(project, real), real.references)


def _names(real: RealItem) -> str:
    return ",".join(value_of_kept(each) for each in real.references)


def preview_context(changes: Sequence[Regraded]) -> dict[str, Any]:
    """Who changes, from which outcome to which; who is given the qualification."""
    changed = [each for each in changes if each.changes]
    words = dict(Outcome.choices)
    moves = Counter((each.before, each.after) for each in changed if each.before != each.after)
    return {
        "plan": changed,
        "regraded": len(changes),
        "moves": [(words.get(before, "–"), words[after], n) for (before, after), n in sorted(moves.items())],
        "same_outcome": sum(each.before == each.after for each in changed),
        "admitted": [each.attempt.user for each in changed if each.admits][:NAMED],
        "n_admitted": sum(each.admits for each in changed),
        "kept": sum(each.before == Outcome.ADMITTED != each.after for each in changed),
    }


def correct_back(version: CourseVersion, event: Event | None, *, by: User, now: Any) -> None:
    """Undo a correction of this version: correct back what it changed. NotFound for an event of another kind."""
    about = ("course.corrected", events.name(version.qualification), version.version)
    if event is None or (event.kind, event.subject, event.data.get("version")) != about:
        raise NotFound
    data = event.data
    undone = {"was": data["after"], "reason": _("undone"), "by": by, "now": now}
    regrading.correct(version, data["item"], data["before"], **undone)
