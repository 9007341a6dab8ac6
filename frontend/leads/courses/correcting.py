"""The page on which a lead corrects which options of an item are right: the choice, and who changes by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation import events
from annotation.errors import NotFound
from annotation.models import Event, User
from qualification.courses import editing, regrading
from qualification.courses.regrading import Regraded
from qualification.models import CourseVersion, Outcome

NAMED = 50
"""People who are named in a preview."""


def places_of(sent: Sequence[str]) -> list[int]:
    """The places of options that a form names; NotFound for what is none."""
    if not all(each.isascii() and each.isdecimal() and len(each) < 3 for each in sent):
        raise NotFound
    return sorted({int(each) for each in sent})


def correction_context(version: CourseVersion, key: str, right: Collection[int] | None) -> dict[str, Any]:
    """What the page shows; `right`: what was chosen, None before."""
    item = regrading.pool_item(version, key)
    draft = editing.draft_of(version.qualification)
    chosen = item.right if right is None else frozenset(right)
    return {
        "project": version.qualification.project,
        "qualification": version.qualification,
        "version": version,
        "item": item,
        "chosen": chosen,
        "options": [(n, option, n in chosen) for n, option in enumerate(item.options)],
        "was": ",".join(map(str, sorted(item.right))),
        "differs_in_draft": draft is not None and key in editing.read(draft).items(),
    }


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
