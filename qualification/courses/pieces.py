"""The pieces of a course while leads edit it: blocks, and items of the tutorial and of pools. Pure.

Many items can be added at once, from a list in YAML in the format of set-up files; a key can be left out.
A *part* names a row of pieces: `TUTORIAL`, `BLOCKS`, or the key of the block whose pool it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError

from annotation import randomness
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.setup import files
from annotation.setup.schema import SetupRefused, Wrong
from qualification.courses import content
from qualification.courses.content import MOST_ITEMS, Course, CourseItem, ExamBlock

TUTORIAL, BLOCKS = "_tutorial", "_blocks"
"""Parts that no block can be called: a key has no underscore."""
MOST_BLOCKS = 12
Piece = ExamBlock | CourseItem


def pieces_of(course: Course, part: str) -> Sequence[Piece]:
    """The pieces of a part; NotFound if the course has no such part."""
    if part == BLOCKS:
        return course.blocks
    if part == TUTORIAL:
        return course.tutorial
    return block_of(course, part).pool


def block_of(course: Course, key: str) -> ExamBlock:
    """The block with this key; NotFound if there is none."""
    try:
        return course.block(key)
    except KeyError:
        raise NotFound from None


def piece_of(course: Course, part: str, key: str) -> Piece:
    """The piece of a part with this key; NotFound if there is none."""
    return pieces_of(course, part)[_place_of(pieces_of(course, part), key)]


def part_of(course: Course, key: str) -> str:
    """The part in which the item with this key is; NotFound if the course has no such item."""
    if any(item.key == key for item in course.tutorial):
        return TUTORIAL
    for block in course.blocks:
        if any(item.key == key for item in block.pool):
            return block.key
    raise NotFound


def with_row(course: Course, part: str, pieces: Iterable[Piece]) -> Course:
    """The course with other pieces in a part; WrongMove for more than it can have."""
    kept = tuple(pieces)
    if len(kept) > (MOST_BLOCKS if part == BLOCKS else MOST_ITEMS):
        raise WrongMove(_("The course can’t have more of these."))
    if part == BLOCKS:
        return course.model_copy(update={"blocks": kept})
    if part == TUTORIAL:
        return course.model_copy(update={"tutorial": kept})
    pool = block_of(course, part).model_copy(update={"pool": kept})
    return course.model_copy(update={"blocks": tuple(pool if each.key == part else each for each in course.blocks)})


def with_piece(course: Course, part: str, piece: Piece) -> Course:
    """The course with the piece in place of the one with its key, or else at the end of the part."""
    row = pieces_of(course, part)
    known = any(each.key == piece.key for each in row)
    return with_row(course, part, [piece if each.key == piece.key else each for each in row] + [piece] * (not known))


def moved_by(course: Course, part: str, key: str, by: int) -> Course:
    """The course with a piece so many places further down; at the end of its part it stays where it is."""
    row = list(pieces_of(course, part))
    place = _place_of(row, key)
    row.insert(max(0, place + by), row.pop(place))
    return with_row(course, part, row)


def copied(course: Course, part: str, key: str) -> tuple[Course, Piece]:
    """The course with a copy of a piece behind it, and the copy; its items have keys of their own."""
    row = list(pieces_of(course, part))
    place = _place_of(row, key)
    taken = keys(course)
    copy = row[place].model_copy(update={"key": free_key(taken)})
    if isinstance(copy, ExamBlock):
        copy = copy.model_copy(update={"pool": tuple(_renamed(item, taken) for item in copy.pool)})
    row.insert(place + 1, copy)
    return with_row(course, part, row), copy


def without(course: Course, part: str, key: str) -> tuple[Course, Piece, int]:
    """The course without a piece, the piece, and the place from 0 that it had."""
    row = list(pieces_of(course, part))
    place = _place_of(row, key)
    piece = row.pop(place)
    return with_row(course, part, row), piece, place


def put_back(course: Course, part: str, piece: Piece, place: int) -> Course:
    """The course with a removed piece at its place again; as it is if it is there by now."""
    row = list(pieces_of(course, part))
    if any(each.key == piece.key for each in row):
        return course
    row.insert(place, piece)
    return with_row(course, part, row)


def keys(course: Course) -> set[str]:
    """All keys that items and blocks have."""
    return {block.key for block in course.blocks} | set(course.items())


def free_key(taken: set[str]) -> str:
    """A random key that nothing has; it is added to those that are taken."""
    key = next(key for _n in range(100) if (key := randomness.code(8)) not in taken)
    taken.add(key)
    return key


def _renamed(item: CourseItem, taken: set[str]) -> CourseItem:
    return item.model_copy(update={"key": free_key(taken)})


def _place_of(row: Sequence[Piece], key: str) -> int:
    for place, each in enumerate(row):
        if each.key == key:
            return place
    raise NotFound


_ITEM: TypeAdapter[CourseItem] = TypeAdapter(CourseItem)


def read_items(data: bytes, course: Course) -> list[CourseItem]:
    """The items of a list; those without a key get one. SetupRefused with each place and its line.

    Refused are keys that the course, or the list, has already.
    """
    value, lines = files.parsed(data)
    if not isinstance(value, list) or not value:
        raise SetupRefused([Wrong("", _("This is no list of items: each begins with a dash and a stem."))])
    taken = keys(course)
    read, wrong = [], []
    for n, each in enumerate(value):
        item, problems = _read_item(each, f"{n}", taken)
        read += [item] if item else []
        wrong += problems
    if wrong:
        raise SetupRefused(files.with_lines(wrong, lines))
    return read


def _read_item(value: Any, place: str, taken: set[str]) -> tuple[CourseItem | None, list[Wrong]]:
    if isinstance(value, dict) and "key" not in value:
        value = {**value, "key": free_key(taken)}
    elif isinstance(value, dict) and isinstance(value["key"], str) and value["key"] in taken:
        return None, [Wrong(f"{place}.key", _("Another item has this key. Leave the key out, and it gets one."))]
    try:
        item = _ITEM.validate_json(orjson.dumps(value), strict=True)
    except ValidationError as error:
        return None, list(content.wrong_places(error, place))
    taken.add(item.key)
    return item, []
