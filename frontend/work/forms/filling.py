"""The form of a step, filled from what the person has written or answered before."""

from __future__ import annotations

from typing import Any

from annotation.engine.work import Work
from annotation.models import Response


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
