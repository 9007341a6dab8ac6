"""Saving what a form of a course says, so that a refusal keeps what was typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.urls import reverse

from annotation import clock
from annotation.errors import NotFound, StalePage
from annotation.models import Event, User
from frontend.leads.courses.forms import DraftForm
from qualification.courses import editing, pieces
from qualification.courses.content import Course
from qualification.models import CourseVersion, Qualification


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
