"""What leads do with blocks and items: save, move, copy and delete those of a draft, correct those of a version.

A refusal keeps what was typed in a form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from annotation import clock, events
from annotation.errors import NotFound, StalePage
from annotation.models import Event, User
from annotation.setup.schema import Wrong
from frontend.leads.courses.forms import BlockForm, DraftForm
from frontend.leads.courses.item_form import ItemForm
from frontend.leads.courses.real_forms import ReferenceChoice, answers_to_take, value_of_kept
from qualification.courses import content, editing, pieces, real_items, regrading
from qualification.courses.content import Course, CourseItem
from qualification.courses.real_items import RealItem
from qualification.courses.regrading import Regraded
from qualification.models import CourseVersion, Outcome, Qualification

STEPS = {"up": -1, "down": 1}


@dataclass(frozen=True)
class Arranged:
    """What was done with a piece: the piece, or the copy of it; the event that brings it back if it was deleted."""

    piece: pieces.Piece
    event: Event | None = None


def act_of(sent: Mapping[str, str]) -> tuple[str, str]:
    """What to do, and with which piece, by the button that was pressed: "up:abcd"."""
    how, _colon, key = sent.get("act", "").partition(":")
    if how not in (*STEPS, "copy", "delete"):
        raise NotFound
    return how, key


def arrange(draft: CourseVersion, part: str, key: str, how: str, *, edits: int, by: User) -> Arranged:
    """Move, copy or delete a piece; refused as `editing.save`."""
    now, course = clock.now(), editing.read(draft)
    piece = pieces.piece_of(course, part, key)
    if how == "delete":
        return Arranged(piece, editing.remove(draft, part, key, edits=edits, by=by, now=now))
    what, shown = "moved", piece
    if how == "copy":
        what = "copied"
        course, shown = pieces.copied(course, part, key)
    else:
        course = pieces.moved_by(course, part, key, STEPS[how])
    editing.save(draft, course, edits=edits, by=by, now=now, what=what, title=editing.title_of_piece(piece))
    return Arranged(shown)


def found_piece(draft: CourseVersion, part: str, key: str, *, may_be_gone: bool) -> pieces.Piece | None:
    """The piece that a form is about; None for a new one, and for one that is gone if that may be."""
    course = editing.read(draft)
    row = pieces.pieces_of(course, part)
    found = next((each for each in row if each.key == key), None)
    if key and found is None and not may_be_gone:
        raise NotFound
    return found


def save_block(draft: CourseVersion, form: BlockForm, key: str, *, by: User) -> int | None:
    """Write the block of a valid form into the draft; as `saving.save`."""

    def change(course: Course) -> Course:
        before = next((each for each in course.blocks if each.key == key), None)
        return pieces.with_piece(course, pieces.BLOCKS, form.block(before.key if before else _new(course), before))

    return save(draft, form, change, by=by, what="block", title=form.cleaned_data["title"])


def save_item(draft: CourseVersion, form: ItemForm, part: str, key: str, *, by: User) -> int | None:
    """Write the item of a valid form into the draft; as `saving.save`."""

    def change(course: Course) -> Course:
        known = any(each.key == key for each in pieces.pieces_of(course, part))
        return pieces.with_piece(course, part, form.item(key if known else _new(course)))

    title = editing.title_of_piece(form.item("title"))
    return save(draft, form, change, by=by, what="item", title=title)


def adding(part: str, items: Iterable[CourseItem]) -> Callable[[Course], Course]:
    """What adds these items at the end of a part."""
    return lambda course: pieces.with_row(course, part, [*pieces.pieces_of(course, part), *items])


def places_in_words(wrong: Iterable[Wrong]) -> list[Wrong]:
    """What is wrong with a list, its items counted from 1 as people count."""
    return [replace(each, place=_place(each.place)) for each in wrong]


def _place(place: str) -> str:
    number, _dot, rest = place.partition(".")
    if not number.isdecimal():
        return place
    item = gettext("item %(n)s") % {"n": int(number) + 1}
    return f"{item}: {rest}" if rest else item


def _new(course: Course) -> str:
    return pieces.free_key(pieces.keys(course))


def save(
    draft: CourseVersion, form: DraftForm, change: Callable[[Course], Course], *, by: User, **about: Any
) -> int | None:
    """Change the draft as a valid form says; None, or 409 if somebody else has changed it since the page was shown.

    Then the form says so, and its page may be sent again: it has seen their changes.
    """
    try:
        changed = change(editing.read(draft))
        editing.save(draft, changed, edits=form.cleaned_data["edits"], by=by, now=clock.now(), **about)
    except StalePage as stale:
        form.add_error(None, str(stale.message))
        form.data = {**dict(form.data.items()), "edits": str(draft.edits)}
        return 409
    return None


def edits_of(sent: Mapping[str, str]) -> int:
    """How many changes the page had seen; NotFound for no number."""
    text = sent.get("edits", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 9):
        raise NotFound
    return int(text)


def page_of(draft: CourseVersion, event: Event) -> str:
    """The page on which one sees what the event took out or brought in."""
    about = event.data.get("removed") or event.data.get("added") or {}
    part = about.get("part", pieces.BLOCKS)
    return part_url(draft.qualification, part)


def part_url(qualification: Qualification, part: str, key: str = "") -> str:
    """The page of a part of the draft, at one of its pieces."""
    where = [qualification.project.slug, qualification.key]
    page = reverse("course_draft", args=where) if part == pieces.BLOCKS else reverse("course_part", args=[*where, part])
    return f"{page}#{key}" if key else page


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
