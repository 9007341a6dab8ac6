"""Many items of a course at once, from a list in YAML in the format of set-up files; a key can be left out."""

from __future__ import annotations

from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError

from annotation.i18n import _
from annotation.setup import files
from annotation.setup.schema import SetupRefused, Wrong
from qualification.courses import content, pieces
from qualification.courses.content import Course, CourseItem

_ITEM: TypeAdapter[CourseItem] = TypeAdapter(CourseItem)


def read_items(data: bytes, course: Course) -> list[CourseItem]:
    """The items of a list; those without a key get one. SetupRefused with each place and its line.

    Refused are keys that the course, or the list, has already.
    """
    value, lines = files.parsed(data)
    if not isinstance(value, list) or not value:
        raise SetupRefused([Wrong("", _("This is no list of items: each begins with a dash and a stem."))])
    taken = pieces.keys(course)
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
        value = {**value, "key": pieces.free_key(taken)}
    elif isinstance(value, dict) and isinstance(value["key"], str) and value["key"] in taken:
        return None, [Wrong(f"{place}.key", _("Another item has this key. Leave the key out, and it gets one."))]
    try:
        item = _ITEM.validate_json(orjson.dumps(value), strict=True)
    except ValidationError as error:
        return None, list(content.wrong_places(error, place))
    taken.add(item.key)
    return item, []
