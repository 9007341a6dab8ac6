"""What a course consists of, as stored, edited and written in set-up files: guidelines, tutorial, blocks, rules."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import Annotated, Any, Literal

import orjson
from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from annotation.i18n import _
from annotation.setup.schema import MESSAGES, Wrong
from annotation.values.schemas import Payload
from qualification.courses.real_items import RealItem, read_references, stored_references

Key = Annotated[str, StringConstraints(pattern=r"^[-a-z0-9]+$", min_length=1, max_length=60)]
"""A key of a block or an item; unique within its course."""
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]
Mark = Annotated[
    str,
    # A file says 2 or 0.7 as well; the text of such a number is exact.
    BeforeValidator(lambda mark: str(mark) if isinstance(mark, int | float) and not isinstance(mark, bool) else mark),
    StringConstraints(pattern=r"^\d{1,4}(\.\d{1,6}|/[1-9]\d{0,5})?$"),
]
"""Points as a decimal or a fraction in text."""
LONGEST_GUIDELINES = 40_000
MOST_ITEMS = 400
"""Items that a pool or a tutorial has at most."""
MOST_PICTURES = 4
"""Pictures that an item has at most."""
LONGEST_ALT = 500
"""Characters of the text that stands for a picture."""

NONE_RIGHT, EQUAL = "no option is right", "two options are equal"
OWN_MESSAGES = {NONE_RIGHT: _("No option is right."), EQUAL: _("Two options are equal.")}
"""What is said of errors that the models below raise."""


class Option(Payload):
    """One answer to choose, whether it is right, and why or why not; texts are Markdown."""

    text: Words
    right: bool = False
    explanation: str = Field(default="", max_length=4000)


class ItemPicture(Payload):
    """A picture below a stem: the sha-256 of its bytes, which the project has, and a text that stands for it."""

    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    alt: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_ALT)]


class ChoiceItem(Payload):
    """Multiple choice: one or several options are right, and exactly these have to be chosen.

    `concept` names what it asks about: extra training has the tutorial items with the concepts that failed. `note`
    explains the item as a whole.
    """

    kind: Literal["choice"] = "choice"
    key: Key
    concept: str = Field(default="", max_length=120)
    stem: Words
    pictures: tuple[ItemPicture, ...] = Field(default=(), max_length=MOST_PICTURES)
    options: tuple[Option, ...] = Field(min_length=2, max_length=8)
    note: str = Field(default="", max_length=4000)

    @model_validator(mode="after")
    def _one_is_right(self) -> ChoiceItem:
        if not any(option.right for option in self.options):
            raise ValueError(NONE_RIGHT)
        if len({option.text for option in self.options}) < len(self.options):
            raise ValueError(EQUAL)
        return self

    @property
    def title(self) -> str:
        """What leads know it by: the first line of its stem, in Markdown."""
        return self.stem.splitlines()[0][:100]

    @property
    def right(self) -> frozenset[int]:
        """The places of the right options, from 0."""
        return frozenset(n for n, option in enumerate(self.options) if option.right)

    @property
    def several(self) -> bool:
        """Whether more than one is right: the screen says so."""
        return len(self.right) > 1


def _tag(value: Any) -> str:
    """By which model an item is read; one that does not say its kind is multiple choice."""
    kind = value.get("kind", "choice") if isinstance(value, dict) else getattr(value, "kind", "choice")
    return REAL if kind == "item" else CHOICE


CHOICE, REAL = "choice", "real item"
CourseItem = Annotated[
    Annotated[ChoiceItem, Tag(CHOICE)] | Annotated[RealItem, Tag(REAL)],
    Discriminator(_tag),
]
"""An item of a course, of either kind."""


class ExamBlock(Payload):
    """A named part of the exam: of its pool `draw` items are drawn, and `mark` points are needed to pass it.

    An item is worth one point. `mark` is a decimal or a fraction in text, since 0.7 of 10 has to be exact. `extra`:
    whoever fails only blocks of this kind is led into extra training.
    """

    key: Key
    title: str = Field(min_length=1, max_length=120)
    about: str = Field(default="", max_length=500)
    draw: int = Field(ge=1, le=100)
    mark: Mark
    extra: bool = False
    pool: tuple[CourseItem, ...] = Field(default=(), max_length=MOST_ITEMS)

    @property
    def needed(self) -> Fraction:
        """The points to pass it."""
        return Fraction(self.mark)


class Course(Payload):
    """All of a course. `guidelines`: Markdown that is read before the tutorial; "" for the project's guidelines alone.

    `attempts`: how many count; `wait_hours`: from the end of one to the next, unless that comes after extra training.
    `minutes`: how long an exam lasts, None for no limit; `extension`: minutes that a candidate can add once.
    `paid`: whether its time is paid.
    """

    guidelines: str = Field(default="", max_length=LONGEST_GUIDELINES)
    tutorial: tuple[CourseItem, ...] = Field(default=(), max_length=MOST_ITEMS)
    blocks: tuple[ExamBlock, ...] = Field(default=(), max_length=12)
    attempts: int = Field(default=2, ge=1, le=20)
    wait_hours: int = Field(default=24, ge=0, le=24 * 60)
    minutes: int | None = Field(default=None, ge=1, le=24 * 60)
    extension: int = Field(default=0, ge=0, le=24 * 60)
    paid: bool = True

    def block(self, key: str) -> ExamBlock:
        """The block with this key; KeyError if there is none."""
        return {block.key: block for block in self.blocks}[key]

    def items(self) -> dict[str, CourseItem]:
        """All items by their key, of the tutorial and of every pool."""
        rows = [*self.tutorial, *(item for block in self.blocks for item in block.pool)]
        return {item.key: item for item in rows}

    def concepts(self) -> list[str]:
        """The concepts that items name, each once, in the order of the course."""
        return list(dict.fromkeys(item.concept for item in self.items().values() if item.concept))

    def pictures(self) -> list[str]:
        """The sha-256 of every picture that an item shows, each once, in the order of the course."""
        items = (item for item in self.items().values() if isinstance(item, ChoiceItem))
        return list(dict.fromkeys(each.sha256 for item in items for each in item.pictures))

    def real_items(self) -> list[RealItem]:
        """The items that are worked on in the work screen, in the order of the course."""
        return [item for item in self.items().values() if isinstance(item, RealItem)]


_COURSE = TypeAdapter(Course)


def read(stored: Any) -> Course:
    """The course of a JSON value that was stored; ValidationError if it is none."""
    return _COURSE.validate_json(orjson.dumps(stored))


def stored(course: Course) -> dict[str, Any]:
    """The JSON value that is stored for it; what is as by default is left out."""
    value: dict[str, Any] = _COURSE.dump_python(course, mode="json", exclude_defaults=True)
    return value


def sha256(course: Course) -> str:
    """The hash of its content; the same for equal courses of two projects."""
    return hashlib.sha256(orjson.dumps(stored(course), option=orjson.OPT_SORT_KEYS)).hexdigest()


def wrong_places(error: ValidationError, place: str) -> Iterator[Wrong]:
    """What an error of pydantic says, by place below `place`."""
    for each in error.errors(include_url=False):
        where = ".".join((place, *(str(part) for part in each["loc"] if part not in (CHOICE, REAL))))
        own = str(each["ctx"]["error"]) if each["type"] == "value_error" else ""
        yield Wrong(where, OWN_MESSAGES.get(own) or MESSAGES.get(each["type"], f"{each['msg']}."))


def with_right(item: CourseItem, right: Collection[Any] | None) -> CourseItem:
    """The item with exactly the options at these places right, or with these stored references; as it is for None."""
    if right is None:
        return item
    if isinstance(item, RealItem):
        return item.model_copy(update={"references": read_references(list(right))})
    options = [option.model_copy(update={"right": n in right}) for n, option in enumerate(item.options)]
    return item.model_copy(update={"options": tuple(options)})


def right_of(item: CourseItem) -> list[Any]:
    """What is right of an item, as corrections have it: the places of options in order, or references as JSON."""
    return stored_references(item.references) if isinstance(item, RealItem) else sorted(item.right)


def repeated_keys(course: Course) -> list[str]:
    """Keys that two items or two blocks of the course have."""
    items = [item.key for item in course.tutorial] + [item.key for block in course.blocks for item in block.pool]
    blocks = [block.key for block in course.blocks]
    return sorted({key for keys in (items, blocks) for key in keys if keys.count(key) > 1})


def missing_items(course: Course, block: ExamBlock) -> int:
    """How many items a pool lacks: every attempt draws fresh ones, and one attempt may have to be given again."""
    return max(0, block.draw * (course.attempts + 1) - len(block.pool))
