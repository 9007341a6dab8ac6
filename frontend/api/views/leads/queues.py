"""The queues of a project: how they stand, opening, pausing and closing them, their numbers and places."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.models import Project
from frontend import access
from frontend.api import etags
from frontend.api.base import LeadView
from frontend.api.sent import checked_fields
from frontend.api.serializers.leads import setup as told
from frontend.leads.releases.forms import splits_of
from frontend.leads.setup.queues import queue_cards
from tasks.setup import opening, overlap


class QueuesView(LeadView):
    """The queues of a project, one for each activity."""

    @extend_schema(operation_id="list_queues", responses=told.QueuesSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """List the queues, with their numbers."""
        project = access.led_project(self.person(), slug)
        context = _context(project)
        return Answer(told.QueuesSerializer({"results": queue_cards(project)}, context=context).data)


class QueueView(LeadView):
    """One of these queues."""

    locked = True

    @extend_schema(operation_id="read_queue", responses=told.QueueSerializer)
    def get(self, request: Request, slug: str, activity: str) -> Answer:
        """Read how a queue stands."""
        return Answer(_told(access.led_activity(self.person(), slug, activity)[0], activity))

    @extend_schema(operation_id="change_queue", request=told.QueueNumbersSerializer, responses=told.QueueSerializer)
    def patch(self, request: Request, slug: str, activity: str) -> Answer:
        """Change a queue’s numbers, whatever its state. They count for what is claimed or settled from now on."""
        project, _activity = access.led_activity(self.person(), slug, activity)
        sent, queue = (
            checked_fields(told.QueueNumbersSerializer(data=request.data)),
            access.led_queue(project, activity),
        )

        def change() -> Answer:
            # Locked before it is read: of two calls that have read the same version, the second is refused.
            now_there = opening.numbers_of(opening.locked_queue(queue))
            etags.check_match(request, _told(project, activity))
            numbers = sent.numbers(now_there)
            opening.change(queue, numbers=numbers, by=self.person(), now=clock.now())
            return Answer(_told(project, activity))

        return self.once(change)


class QueueOpenView(LeadView):
    """Hand out the items of a queue."""

    @extend_schema(operation_id="open_queue", request=told.QueueNumbersSerializer, responses=told.OpenedQueueSerializer)
    def post(self, request: Request, slug: str, activity: str) -> Answer:
        """Open a queue, or open it again."""
        project, _activity = access.led_activity(self.person(), slug, activity)
        sent, queue = (
            checked_fields(told.QueueNumbersSerializer(data=request.data)),
            opening.queue_of(project, activity),
        )
        now = opening.numbers_of(queue) if queue else opening.default_numbers(project, activity)

        def open_it() -> Answer:
            numbers = sent.numbers(now)
            _queue, made = opening.open_queue(project, activity, numbers=numbers, by=self.person(), now=clock.now())
            return Answer(_told(project, activity, told.OpenedQueueSerializer, made=made))

        return self.once(open_it)


class QueuePauseView(LeadView):
    """Hand out nothing of a queue until it is opened again."""

    @extend_schema(operation_id="pause_queue", request=None, responses=told.QueueSerializer)
    def post(self, request: Request, slug: str, activity: str) -> Answer:
        """Pause a queue; what people hold they can finish."""
        project, _activity = access.led_activity(self.person(), slug, activity)

        def pause() -> Answer:
            opening.pause(project, activity, by=self.person(), now=clock.now())
            return Answer(_told(project, activity))

        return self.once(pause)


class QueueCloseView(LeadView):
    """Hand out nothing more of a queue."""

    @extend_schema(operation_id="close_queue", request=None, responses=told.QueueSerializer)
    def post(self, request: Request, slug: str, activity: str) -> Answer:
        """Close a queue; it can be opened again."""
        project, _activity = access.led_activity(self.person(), slug, activity)

        def close() -> Answer:
            opening.close(project, activity, by=self.person(), now=clock.now())
            return Answer(_told(project, activity))

        return self.once(close)


class PlacesView(LeadView):
    """After a change of overlap in the set-up: the places of items that have a task already."""

    @extend_schema(operation_id="read_places", responses=told.OverlapChangesSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """Read what it would change to give items the places that are wanted now."""
        found = overlap.planned(access.led_project(self.person(), slug))
        return Answer(told.OverlapChangesSerializer({"results": found}).data)

    @extend_schema(operation_id="change_places", request=None, responses=told.OverlapChangesSerializer)
    def post(self, request: Request, slug: str) -> Answer:
        """Give items the places that are wanted now; returns what was changed."""
        project = access.led_project(self.person(), slug)

        def apply() -> Answer:
            done = overlap.apply(project, by=self.person(), now=clock.now())
            return Answer(told.OverlapChangesSerializer({"results": done}).data)

        return self.once(apply)


def _context(project: Project, **more: Any) -> dict[str, Any]:
    return {"project": project, "splits": splits_of(project), **more}


def _told(project: Project, activity: str, kind: type[told.QueueSerializer] = told.QueueSerializer, **more: Any) -> Any:
    card = next(card for card in queue_cards(project) if card.activity.key == activity)
    return kind(card, context=_context(project, **more)).data
