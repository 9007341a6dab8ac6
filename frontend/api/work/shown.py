"""A person's work as their script sees it: the sheet of a step as JSON, what belongs to it, and nothing of others."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext
from pydantic import TypeAdapter

from annotation import html
from annotation.engine.work import Work
from annotation.errors import NotFound
from annotation.protocol import Stage
from annotation.values.records import Waiting
from annotation.values.sheets import Sheet
from frontend import image_urls
from frontend.api.work import partners
from frontend.api.work.holding import version_of
from frontend.work.held import BlockPart, block_parts, reopened_by_lead
from frontend.work.holds.assignment_hold import AssignmentHold
from qualification.models import ApiToken
from tasks.pairs import taking_back


@lru_cache(maxsize=64)
def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """Reads and writes the sheets of a subclass of Sheet."""
    return TypeAdapter(kind)


def sheet_as_json(sheet: Sheet) -> dict[str, Any]:
    """All fields of the sheet."""
    kind: Any = type(sheet)
    found: dict[str, Any] = adapter_of(kind).dump_python(sheet, mode="json")
    return found


def schemas_of(sheet: Sheet, stage: Stage) -> dict[str, Any]:
    """The JSON Schema of the sheet, and that of the answer to its step."""
    kind: Any = type(sheet)
    return {
        "sheet": adapter_of(kind).json_schema(mode="serialization"),
        "payload": stage.schema.json_schema(mode="validation"),
    }


class ShownWork:
    """What the script of one person, who calls with `token` at `now`, is shown."""

    def __init__(self, request: HttpRequest, token: ApiToken, *, now: datetime) -> None:
        self._request, self._token, self._now = request, token, now

    def work(self, held: AssignmentHold, work: Work) -> dict[str, Any]:
        """The work as it is now, with the step to be answered; without material once that may not be shown."""
        assignment, shows = held.assignment, held.in_hand
        waits = isinstance(work.following, Waiting)
        again = reopened_by_lead(assignment)
        return {
            "uuid": held.uuid,
            "project": held.project.slug,
            "activity": work.activity.key,
            "title": gettext(work.activity.title),
            "seat": work.seat,
            "state": held.state,
            "ends_at": held.as_hold().deadline,
            "reopened": again.reason if again else None,
            "steps": [each.address for each in work.steps] if shows else [],
            "step": self.step(held, work, work.step_to_show) if shows and not waits else None,
            "waiting": self._waiting(held, work) if shows and waits else None,
            "partner": partners.partner_of(held, work, now=self._now),
            "block": [
                {"uuid": part.uuid, "prompt": part.prompt, "state": part.state, "current": part.current}
                for part in self._parts(held, work)
            ],
        }

    def step(self, held: AssignmentHold, work: Work, step: str) -> dict[str, Any]:
        """A step that was reached: its sheet, what the person has answered or drafted, and the version to send back."""
        sheet, stage, locked = held.sheet(work, step, now=self._now), work.stage(step), work.locked(step)
        answered, draft = work.answer_at(step), None if locked else work.draft(step)
        pictures = [] if sheet.frame is None else [each.place for each in sheet.frame.pictures]
        return {
            "step": step,
            "stage": stage.key,
            "title": gettext(stage.title),
            "sheet_type": type(sheet).__name__,
            "sheet": sheet_as_json(sheet),
            "page": self._address("api_work_page", held, step) if sheet.frame is not None else None,
            "images": self._images(held, step, [*sheet.images, *pictures]),
            "schema": self._address("api_work_schema", held, step),
            "locked": locked,
            "answer": answered.payload.model_dump(mode="json") if answered else None,
            "draft": {"data": draft.data, "seq": draft.seq, "saved_at": draft.saved_at} if draft else None,
            "version": version_of(held, work, draft, step, self._token),
        }

    def page(self, held: AssignmentHold, work: Work, step: str) -> dict[str, Any]:
        """The imported page, or the box of it, that the sheet of the step shows, as the frame of its page has it.

        NotFound if it shows none.
        """
        shown = held.sheet(work, step, now=self._now).frame
        if shown is None:
            raise NotFound
        rendering = work.record.documents[shown.document].rendering(shown.root)
        folder = image_urls.folder_url(self._request, held.uuid, step)
        pictures = {
            each.at: html.ImageToShow(f"{folder}{each.place}/", each.width, each.height) for each in shown.pictures
        }
        return {
            "html": html.with_pictures(rendering.html, pictures),
            "text": rendering.text,
            "words": [list(word) for word in rendering.words],
            "lang": rendering.lang,
            "dir": rendering.dir,
        }

    def _waiting(self, held: AssignmentHold, work: Work) -> dict[str, Any]:
        sheet = work.sheet_while_waiting()
        return {
            "sheet_type": type(sheet).__name__,
            "sheet": sheet_as_json(sheet),
            "withdraw": taking_back.step_to_take_back(work, by=held.person) or None,
        }

    def _parts(self, held: AssignmentHold, work: Work) -> tuple[BlockPart, ...]:
        return block_parts(held.assignment, work) if work.activity.block and held.in_hand else ()

    def _images(self, held: AssignmentHold, step: str, places: list[int]) -> dict[str, str]:
        """By their places, signed addresses, for which no token is needed."""
        if not places:
            return {}
        folder = image_urls.folder_url(self._request, held.uuid, step)
        return {str(place): f"{folder}{place}/" for place in places}

    def _address(self, name: str, held: AssignmentHold, step: str) -> str:
        return self._request.build_absolute_uri(reverse(name, args=[held.uuid, step]))
