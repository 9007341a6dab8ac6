"""What leads do with the blocks and items of a draft: save, move, copy and delete them, and add a list of items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from annotation import clock
from annotation.errors import NotFound
from annotation.models import Event, User
from annotation.setup.schema import Wrong
from frontend.leads.courses import saving
from frontend.leads.courses.forms import BlockForm
from frontend.leads.courses.item_form import ItemForm
from qualification.courses import editing, pieces
from qualification.courses.content import ChoiceItem, Course, CourseItem, ExamBlock
from qualification.models import CourseVersion

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


def block_values(block: pieces.Piece | None) -> dict[str, Any]:
    """What the form of a block begins with."""
    return BlockForm.values_of(block) if isinstance(block, ExamBlock) else {"draw": 2, "mark": ""}


def item_values(item: pieces.Piece | None) -> dict[str, Any]:
    """What the form of an item begins with."""
    return ItemForm.values_of(item) if isinstance(item, ChoiceItem) else {}


def save_block(draft: CourseVersion, form: BlockForm, key: str, *, by: User) -> int | None:
    """Write the block of a valid form into the draft; as `saving.save`."""

    def change(course: Course) -> Course:
        before = next((each for each in course.blocks if each.key == key), None)
        return pieces.with_piece(course, pieces.BLOCKS, form.block(before.key if before else _new(course), before))

    return saving.save(draft, form, change, by=by, what="block", title=form.cleaned_data["title"])


def save_item(draft: CourseVersion, form: ItemForm, part: str, key: str, *, by: User) -> int | None:
    """Write the item of a valid form into the draft; as `saving.save`."""

    def change(course: Course) -> Course:
        known = any(each.key == key for each in pieces.pieces_of(course, part))
        return pieces.with_piece(course, part, form.item(key if known else _new(course)))

    title = editing.title_of_piece(form.item("title"))
    return saving.save(draft, form, change, by=by, what="item", title=title)


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
