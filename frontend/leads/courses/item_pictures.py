"""The pictures of an item while a lead writes it: a file that was chosen is kept at once, for no form can hold it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.documents import images
from annotation.models import Project
from frontend.leads.courses import shown_items
from frontend.leads.courses.item_form import ItemForm
from frontend.requests import AuthedRequest
from qualification.courses import editing, pictures
from qualification.courses.content import LONGEST_ALT, MOST_PICTURES
from qualification.models import CourseVersion, Qualification

ADD, REMOVE = "add-picture", "without-"
"""What a button sends as `go`: to add the chosen file, or to leave out the picture with the number that follows."""
UNFIT = _("%(name)s can’t be used. Pictures are PNG, JPEG, GIF or WebP files of at most 4 MB and 25 megapixels.")
FULL = _("An item has %(n)s pictures at most.")


@dataclass(frozen=True)
class SentItem:
    """What was sent of an item, with a chosen file among its pictures; why that can't be, or ""; whether only the
    pictures were changed.
    """

    fields: dict[str, Any]
    refused: str
    only_pictures: bool


def sent_item(request: AuthedRequest, project: Project, *, now: datetime) -> SentItem:
    """What the form of an item sent; a chosen file is kept for the project."""
    fields, go = request.POST.dict(), request.POST.get("go", "")
    rows = [(fields.get(f"picture_{n}", ""), fields.get(f"alt_{n}", "")) for n in range(MOST_PICTURES)]
    rows = [row for n, row in enumerate(rows) if row[0] and go != f"{REMOVE}{n}"]
    refused, file = "", request.FILES.get("new_picture")
    if file is not None:
        try:
            sha256 = pictures.keep(project, file.read(images.BYTES_LIMIT + 1), by=request.user, now=now)
            rows = _with(rows, sha256, fields.pop("new_alt", ""))
        except images.ImageRefused:
            refused = str(UNFIT) % {"name": file.name}
    elif go == ADD:
        refused = gettext("Choose a file first.")
    if len(rows) > MOST_PICTURES:
        rows, refused = rows[:MOST_PICTURES], str(FULL) % {"n": MOST_PICTURES}
    for n in range(MOST_PICTURES):
        fields[f"picture_{n}"], fields[f"alt_{n}"] = rows[n] if n < len(rows) else ("", "")
    return SentItem(fields, refused, go == ADD or go.startswith(REMOVE))


def _with(rows: list[tuple[str, str]], sha256: str, alt: str) -> list[tuple[str, str]]:
    """One that the item has already, though it may have been missing, gets the new text, if there is one."""
    if sha256 not in dict(rows):
        return [*rows, (sha256, alt)]
    return [(each, alt if alt and each == sha256 else said) for each, said in rows]


def add_missing(request: AuthedRequest, draft: CourseVersion, *, now: datetime) -> tuple[int, list[str]]:
    """Keep those of the sent files that are pictures that the draft names and the project lacks: how many were, and
    the names of the other files. A draft may name by its hash what is no picture.
    """
    project, added, others = draft.qualification.project, 0, []
    lacking = set(pictures.missing(editing.read(draft), project))
    for file in request.FILES.getlist("picture"):
        data = file.read(images.BYTES_LIMIT + 1)
        try:
            if hashlib.sha256(data).hexdigest() in lacking:
                pictures.keep(project, data, by=request.user, now=now)
                added += 1
                continue
        except images.ImageRefused:
            pass
        others.append(str(file.name))
    return added, others


def in_form(qualification: Qualification, form: ItemForm) -> dict[str, Any]:
    """The pictures of the form with their addresses, "" for one that is missing; whether there is room for another."""
    named = form.pictures()
    kept = pictures.kept_of(qualification.project, [each["sha256"] for each in named])
    rows = [each | {"url": shown_items.picture_url(qualification, each["sha256"], kept)} for each in named]
    return {"pictures": rows, "room": len(rows) < MOST_PICTURES, "longest_alt": LONGEST_ALT}
