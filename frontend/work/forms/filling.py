"""The form of a step, filled from what the person has written or answered before; and where a typed quote is."""

from __future__ import annotations

from typing import Any

from annotation import html
from annotation.documents.quotes import find_in_texts
from annotation.engine.work import Work
from annotation.errors import NotFound
from annotation.models import Response
from annotation.values.sheets import PageFrame

LONGEST = 2000
"""Characters; a longer quote is never found."""
MOST = 20
"""Places that are told."""


def places_of_quote(work: Work, step: str, text: str) -> list[dict[str, int]]:
    """The first MOST places: tokens of the box (`start`, `end`), or code points of one of the sheet's passages, which
    `text` numbers from 0.

    NotFound for a step that was not reached, or shows neither.
    """
    sheet = work.sheet(step)
    if len(text) > LONGEST:
        text = ""  # a truncated quote would be a different quote
    if sheet.passages is None:
        found = _in_box(work, sheet.frame, text)
    else:
        found = [place._asdict() for place in find_in_texts(sheet.passages, text)]
    return found[:MOST]


def _in_box(work: Work, frame: PageFrame | None, text: str) -> list[dict[str, int]]:
    if frame is None or frame.root is None or not frame.words:
        raise NotFound
    document = work.record.documents[frame.document]
    box = document.layout.candidates[frame.root]
    found = html.find_quote(document.rendering(frame.root), text, (box.start_token, box.end_token))
    return [{"start": start, "end": end} for start, end in found]


def filled_form(work: Work, step: str, draft: dict[str, Any] | None) -> Any:
    """The form of a step, filled from the draft, else from the previous answer.

    Otherwise fields that the form lists as `remembered` start as this person last answered them in this project.
    """
    form = work.form_of(step)
    return form(initial=draft or work.answered_fields(step) or _remembered(work, step, form))


def _remembered(work: Work, step: str, form: Any) -> dict[str, Any]:
    names, stage = getattr(form, "remembered", ()), work.stage(step)
    if not names:
        return {}
    rows = Response.objects.filter(
        author=work.person,
        annotation__item__project_id=work.item.project_id,
        stage=stage.key,
        schema=stage.schema_name,
    )
    last = rows.order_by("-pk").first()
    return {name: value for name, value in form.fields_of(last.payload).items() if name in names} if last else {}
