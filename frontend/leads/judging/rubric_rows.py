"""The definitions of a round as their form has them: rows of marks and checks, with what is wrong in each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.http import QueryDict
from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotation.judging.rubrics import PART_KEYS, Check, Mark, Rubric, SubMark
from annotation.models import Project
from annotation.registry import get

FEWEST, MOST = 2, 9
"""Marks of a rubric; of checks there are none to `MOST`."""
NAMED, ORDERED, SCALE = "named", "ordered", "scale"
TITLE, ASKS, SAYS, NAME = 80, 200, 600, 20
"""Characters at most: of a title, of what is asked, of a definition, of a key."""
KEY_PATTERN = r"[A-Za-z0-9_]{1,20}"
STEPS = 5
"""Marks of a scale, at first."""


@dataclass
class MarkRow:
    """A mark as it is written: its finer kinds are lines. `key`: "" before it has one; `wrong`: by field."""

    key: str = ""
    title: str = ""
    says: str = ""
    parts: str = ""
    right: bool = False
    is_new: bool = False
    wrong: dict[str, str] = field(default_factory=dict)


@dataclass
class CheckRow:
    """A check as it is written."""

    key: str = ""
    title: str = ""
    counted: bool = False
    is_new: bool = False
    wrong: dict[str, str] = field(default_factory=dict)


@dataclass
class RubricRows:
    """What the form shows. `order`: named, ordered or scale; `wrong`: by field, of what is in no row."""

    title: str
    asks: str
    order: str
    marks: list[MarkRow]
    checks: list[CheckRow]
    wrong: dict[str, str] = field(default_factory=dict)

    @property
    def is_refused(self) -> bool:
        """Whether anything is wrong."""
        wrong = [self.wrong, *(row.wrong for row in self.marks), *(row.wrong for row in self.checks)]
        return any(wrong)

    @property
    def more_marks(self) -> bool:
        """Whether there is room for another mark."""
        return len(self.marks) < MOST

    @property
    def more_checks(self) -> bool:
        """Whether there is room for another check."""
        return len(self.checks) < MOST

    @property
    def fewer_marks(self) -> bool:
        """Whether a mark can be left out."""
        return len(self.marks) > FEWEST

    def arrange(self, what: str) -> None:
        """Do what a button of the rows says: add-mark, add-check, or up, without or without_check with a number."""
        name, _dash, number = what.partition("-")
        at = int(number) if number.isdigit() else -1
        if what == "add-mark" and self.more_marks:
            self.marks.append(MarkRow(is_new=True))
        elif what == "add-check" and self.more_checks:
            self.checks.append(CheckRow(is_new=True))
        elif name == "up" and 0 < at < len(self.marks):
            self.marks[at - 1 : at + 1] = [self.marks[at], self.marks[at - 1]]
        elif name == "without" and self.fewer_marks and 0 <= at < len(self.marks):
            del self.marks[at]
        elif name == "without_check" and 0 <= at < len(self.checks):
            del self.checks[at]

    def rubric(self, before: Rubric) -> Rubric | None:
        """The rubric that they make; None if something is wrong, which the rows then say.

        Marks, their finer kinds and checks keep the keys that they have in `before`, by which results are counted.
        """
        self._find_wrong()
        if self.is_refused:
            return None
        keys = self._keys()
        return Rubric(
            title=self.title,
            asks=self.asks,
            marks=tuple(
                Mark(
                    key=key,
                    title=_numbered(key, row.title) if self.order == SCALE else row.title,
                    says=row.says,
                    parts=_parts(row.parts, next((mark.parts for mark in before.marks if mark.key == row.key), ())),
                )
                for key, row in zip(keys, self.marks, strict=True)
            ),
            ordinal=self.order != NAMED,
            right=tuple(key for key, row in zip(keys, self.marks, strict=True) if row.right),
            checks=tuple(
                Check(key=key, title=row.title, counted=row.counted)
                for key, row in zip(_distinct((row.key, row.title) for row in self.checks), self.checks, strict=True)
            ),
        )

    def _keys(self) -> Sequence[str]:
        """Numbers are keys of a scale only: marks with such keys are scores."""
        if self.order == SCALE:
            return [str(number) for number in range(1, len(self.marks) + 1)]
        return _distinct(("" if row.key.isdigit() else row.key, row.title) for row in self.marks)

    def _find_wrong(self) -> None:
        self.wrong = _text_wrong("title", self.title, TITLE) | _text_wrong("asks", self.asks, ASKS)
        if not FEWEST <= len(self.marks) <= MOST:
            self.wrong["marks"] = _("A rubric has two marks at least, and nine at most.")
        for row in self.marks:
            longest = TITLE - 4 if self.order == SCALE else TITLE
            row.wrong = {} if self.order == SCALE and not row.title else _text_wrong("title", row.title, longest)
            if len(row.says) > SAYS:
                row.wrong["says"] = _("At most %(n)s characters.") % {"n": SAYS}
            if wrong := _parts_wrong(_lines(row.parts)):
                row.wrong["parts"] = wrong
        for check in self.checks:
            check.wrong = _text_wrong("title", check.title, TITLE)
        _find_twice(self.marks)
        _find_twice(self.checks)


def _text_wrong(name: str, text: str, longest: int) -> dict[str, str]:
    if not text:
        return {name: _("Write something here.")}
    return {name: _("At most %(n)s characters.") % {"n": longest}} if len(text) > longest else {}


def _find_twice(rows: Sequence[MarkRow] | Sequence[CheckRow]) -> None:
    seen: set[str] = set()
    for row in rows:
        if row.title and row.title.casefold() in seen:
            row.wrong.setdefault("title", _("Another one has this name."))
        seen.add(row.title.casefold())


def _parts_wrong(lines: Sequence[str]) -> str:
    if len(lines) > len(PART_KEYS):
        return _("At most %(n)s lines.") % {"n": len(PART_KEYS)}
    if len({line.casefold() for line in lines}) < len(lines):
        return _("A line is there twice.")
    return _("A line has at most %(n)s characters.") % {"n": TITLE} if any(len(each) > TITLE for each in lines) else ""


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _parts(text: str, before: Iterable[SubMark]) -> tuple[SubMark, ...]:
    """The finer kinds, a line each; those that were there under the same title keep their keys."""
    known, titles = {part.title: part.key for part in before}, _lines(text)
    keys = _distinct((known.get(title, ""), title) for title in titles)
    return tuple(SubMark(key=key, title=title) for key, title in zip(keys, titles, strict=True))


def _distinct(rows: Iterable[tuple[str, str]]) -> Sequence[str]:
    """A key for each (key or "", title), all of them different: those that there are stay."""
    every = list(rows)
    taken, found = {key for key, _title in every if key}, []
    for key, title in every:
        if not key:
            word = slugify(title).replace("-", "_")[: NAME - 3].strip("_") or "mark"
            key = next(each for n in range(1, 100) if (each := word if n == 1 else f"{word}_{n}") not in taken)
            taken.add(key)
        found.append(key)
    return found


def _numbered(key: str, title: str) -> str:
    """A mark of a scale says its number: "4 · Sufficient"."""
    words = _without_number(title)
    return f"{key} · {words}" if words else key


def _without_number(title: str) -> str:
    return re.sub(r"^\d+( · |$)", "", title)


def rows_of(rubric: Rubric) -> RubricRows:
    """The rows of a rubric."""
    is_scale = all(mark.key.isdigit() for mark in rubric.marks)
    return RubricRows(
        title=rubric.title,
        asks=rubric.asks,
        order=SCALE if is_scale else ORDERED if rubric.ordinal else NAMED,
        marks=[
            MarkRow(
                mark.key,
                _without_number(mark.title) if is_scale else mark.title,
                mark.says,
                "\n".join(part.title for part in mark.parts),
                mark.key in rubric.right,
            )
            for mark in rubric.marks
        ],
        checks=[CheckRow(check.key, check.title, check.counted) for check in rubric.checks],
    )


def begun_from(project: Project, key: str, kept: Rubric) -> RubricRows:
    """What the form starts with: the preset of a kind, `nothing`, a `scale`, or else what is kept."""
    presets = {kind.key: kind.rubric for kind in get(project.protocol).exhibits}
    if key == "nothing":
        return RubricRows("", "", NAMED, [MarkRow() for _row in range(FEWEST)], [])
    if key == "scale":
        return RubricRows("", "", SCALE, [MarkRow() for _row in range(STEPS)], [])
    return rows_of(presets[key]() if key in presets else kept)


def rows_sent(data: QueryDict) -> RubricRows:
    """The rows as somebody has filled them in."""
    marks, checks = set[str](), set[str]()
    right, counted = set(data.getlist("right")), set(data.getlist("counted"))
    order = data.get("order", NAMED)
    return RubricRows(
        title=data.get("title", "").strip(),
        asks=data.get("asks", "").strip(),
        order=order if order in (NAMED, ORDERED, SCALE) else NAMED,
        marks=[
            MarkRow(_known(key, marks), title.strip(), says.strip(), parts, str(at) in right)
            for at, (key, title, says, parts) in enumerate(
                zip(*(data.getlist(f"mark_{name}") for name in ("key", "title", "says", "parts")), strict=False)
            )
        ][:MOST],
        checks=[
            CheckRow(_known(key, checks), title.strip(), str(at) in counted)
            for at, (key, title) in enumerate(
                zip(*(data.getlist(f"check_{name}") for name in ("key", "title")), strict=False)
            )
        ][:MOST],
    )


def _known(key: str, taken: set[str]) -> str:
    """The key, if it is one, and no earlier row has it."""
    if key in taken or not re.fullmatch(KEY_PATTERN, key):
        return ""
    taken.add(key)
    return key
