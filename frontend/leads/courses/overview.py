"""What the page of a course says: the version that is shown, what it lacks, its blocks, its versions and history."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation import events
from annotation.errors import NotFound
from annotation.models import Event, Project
from frontend.leads.courses import shown_items
from frontend.leads.event_lines import EventLine, event_lines
from qualification.courses import content, editing, pictures, pieces
from qualification.courses.content import Course, ExamBlock
from qualification.models import CourseVersion, Qualification

LATEST = 50
"""Events that the history shows."""
WORDS: dict[str, Any] = {
    "course.begun": _("Began the draft of version %(version)s"),
    "course.changed": _("Changed the draft of version %(version)s"),
    "course.published": _("Published version %(version)s"),
    "course.closed": _("Closed the course: nobody begins it any more"),
    "course.reopened": _("Opened the course again"),
    "course.picture_added": _("Added a picture for the courses of the project"),
    "course.corrected": _("Corrected what is right of “%(title)s” in version %(version)s"),
}
CHANGES: dict[str, Any] = {
    "rules": _("Changed the rules or the guidelines"),
    "block": _("Wrote the block “%(title)s”"),
    "item": _("Wrote the item “%(title)s”"),
    "items": _("Added a list of items: %(n)s"),
    "taken_out": _("Took added items out again: %(n)s"),
    "moved": _("Moved “%(title)s”"),
    "copied": _("Copied “%(title)s”"),
    "removed": _("Deleted “%(title)s”"),
    "brought_back": _("Brought “%(title)s” back"),
    "discarded": _("Discarded all changes of the draft"),
    "undiscarded": _("Brought the discarded changes back"),
}
"""What a change of the draft was, by the `what` of its event."""


@dataclass(frozen=True)
class BlockOnPage:
    """A block, how it is passed, and how many items its pool lacks for the attempts that the course allows."""

    block: ExamBlock
    passed_with: str
    missing: int
    why_missing: str


def blocks_of(course: Course) -> list[BlockOnPage]:
    """The blocks in their order."""
    return [
        BlockOnPage(block, passed_with(block), missing, why_missing(course, block, missing))
        for block in course.blocks
        for missing in [content.missing_items(course, block)]
    ]


def passed_with(block: ExamBlock) -> str:
    """How many points pass a block, of how many: "4.6 of 6"."""
    return gettext("%(mark)s of %(of)s") % {"mark": points_in_words(block.needed), "of": block.draw}


def points_in_words(points: Fraction) -> str:
    """Points as a decimal where that is exact, else as a fraction: 4.6, 7/3."""
    scaled = points * 1000
    if scaled.denominator != 1:
        return str(points)
    places = next(n for n in range(4) if (points * 10**n).denominator == 1)
    return number_format(float(points), places, use_l10n=True)


def why_missing(course: Course, block: ExamBlock, missing: int) -> str:
    """How many more items are needed, and why; "" if none are."""
    if not missing:
        return ""
    more = ngettext("%(n)s more item is needed", "%(n)s more items are needed", missing) % {"n": missing}
    drawn = ngettext("%(n)s is drawn", "%(n)s are drawn", block.draw) % {"n": block.draw}
    tries = ngettext("for %(n)s attempt", "for %(n)s attempts", course.attempts) % {"n": course.attempts}
    return gettext("%(more)s: %(drawn)s, %(tries)s and one in reserve.") % {
        "more": more,
        "drawn": drawn,
        "tries": tries,
    }


def obstacles_in_words(course: Course, project: Project) -> list[tuple[str, str, str]]:
    """What stands in the way of publishing: the title of the block or item, a sentence, and the key of the block or of
    the item's part; without title and key, what is about the course as a whole.
    """
    titles = {each.block.key: each for each in blocks_of(course)}
    return [
        (titles[key].block.title, _of_block(titles[key], sentence), key) if key else ("", gettext(sentence), "")
        for key, sentence in editing.obstacles(course)
    ] + [
        (item.title, gettext(why), pieces.part_of(course, item.key))
        for item, why in editing.unfit_items(course, project)
    ]


def _of_block(block: BlockOnPage, sentence: str) -> str:
    too_few = sentence == editing.TOO_FEW_ITEMS
    return block.why_missing if too_few else gettext(sentence)


def part_title(course: Course, part: str) -> str:
    """What a part is called."""
    return gettext("Tutorial") if part == pieces.TUTORIAL else pieces.block_of(course, part).title


def course_context(qualification: Qualification) -> dict[str, Any]:
    """All that the page shows: the draft if there is one, else what was published last."""
    listed = list(editing.with_people(qualification))
    draft = next((row for row in listed if row.published_at is None), None)
    live = next((row for row in listed if row.published_at is not None), None)
    version = draft or live
    course = editing.read(version) if version else None
    return {
        "project": qualification.project,
        "qualification": qualification,
        "versions": listed,
        "draft": draft,
        "live": live,
        "version": version,
        "course": course,
        "blocks": blocks_of(course) if course else [],
        "obstacles": obstacles_in_words(course, qualification.project) if course and draft else [],
        "missing_pictures": len(pictures.missing(course, qualification.project)) if course and draft else 0,
        "unfinished": editing.unfinished(qualification).count() if draft else 0,
        "is_changed": draft is not None and (live is None or editing.read(live) != course),
        "history": course_history(qualification),
        "tutorial_part": pieces.TUTORIAL,
        "blocks_part": pieces.BLOCKS,
        "tab": "course",
    }


def course_history(qualification: Qualification) -> list[EventLine]:
    """What leads did with the course, newest first; `undo` if it took something out of the draft that is
    there, or `added` a list to it.
    """
    draft = editing.draft_of(qualification)
    # A picture is added to the project, for all of its courses.
    about = [events.name(qualification), events.name(qualification.project)]
    rows = Event.objects.filter(subject__in=about, kind__in=WORDS).order_by("-pk")[:LATEST]
    return event_lines(
        rows, what=change_in_words, undo=lambda row: _undo(row, draft), added=lambda row: "added" in row.data
    )


def change_in_words(event: Event) -> str:
    """What an event about the course says."""
    what = event.data.get("what", "")
    words = CHANGES.get(what) if event.kind == "course.changed" else None
    return str(words or WORDS[event.kind]) % {"title": "", "n": 0, "version": "", **event.data}


def _undo(event: Event, draft: CourseVersion | None) -> int | None:
    here = draft is not None and event.data.get("version") == draft.version
    return event.pk if here and event.data.keys() & {"removed", "added"} else None


def draft_context(draft: CourseVersion) -> dict[str, Any]:
    """What every page below the draft shows."""
    qualification, course = draft.qualification, editing.read(draft)
    return {
        "project": qualification.project,
        "qualification": qualification,
        "draft": draft,
        "course": course,
        "blocks_part": pieces.BLOCKS,
        "tutorial_part": pieces.TUTORIAL,
    }


def part_context(draft: CourseVersion, part: str) -> dict[str, Any]:
    """What the pages of the tutorial or of a pool show; NotFound if the course has no such part."""
    context = draft_context(draft)
    if part == pieces.BLOCKS:
        raise NotFound
    course = context["course"]
    shown = next((each for each in blocks_of(course) if each.block.key == part), None)
    return context | {
        "part": part,
        "part_title": part_title(course, part),
        "items": shown_items.items_on_page(context["project"], pieces.pieces_of(course, part)),
        "shown": shown,
        "concepts": course.concepts(),
    }


def version_context(version: CourseVersion) -> dict[str, Any]:
    """All of a version, as it is graded now."""
    qualification, course = version.qualification, editing.read(version)
    return {
        "project": qualification.project,
        "qualification": qualification,
        "version": version,
        "course": course,
        "blocks": [
            (each, shown_items.items_on_page(qualification.project, each.block.pool)) for each in blocks_of(course)
        ],
        "tutorial": shown_items.items_on_page(qualification.project, course.tutorial),
        "people": version.enrolments.count(),
        "corrected": set(version.corrections),
    }
