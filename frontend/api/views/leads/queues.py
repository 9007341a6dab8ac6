"""The queues of a project: how they stand, opening, pausing and closing them, their numbers and places."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rest_framework.response import Response as Answer

from annotation import clock
from annotation.models import Project
from annotation.protocol import Activity
from frontend import access
from frontend.api import etags
from frontend.api.base import LeadView
from frontend.api.calls import change_call, read_call
from frontend.api.serializers.leads import setup as told
from frontend.leads.releases.forms import splits_of
from frontend.leads.setup.queues import queue_cards
from tasks.setup import opening, overlap

Place = tuple[Project, Activity]


class QueuesView(LeadView):
    """The queues of a project, one for each activity."""

    @read_call("list_queues", told.QueuesSerializer)
    def get(self, project: Project) -> Answer:
        """List the queues, with their numbers."""
        return Answer(told.QueuesSerializer({"results": queue_cards(project)}, context=_context(project)).data)


class QueueView(LeadView):
    """One of these queues."""

    locked = True

    @read_call("read_queue", told.QueueSerializer, finder=access.led_activity)
    def get(self, place: Place) -> Answer:
        """Read how a queue stands."""
        return Answer(_told(place))

    @change_call("change_queue", told.QueueSerializer, finder=access.led_activity, body=told.QueueNumbersSerializer)
    def patch(self, place: Place, sent: dict[str, Any]) -> Answer:
        """Change a queue’s numbers, whatever its state. They count for what is claimed or settled from now on."""
        queue = access.led_queue(place[0], place[1].key)
        # Locked before it is read: of two calls that have read the same version, the second is refused.
        now_there = opening.numbers_of(opening.locked_queue(queue))
        etags.check_match(self.request, _told(place))
        opening.change(queue, numbers=replace(now_there, **sent), by=self.person(), now=clock.now())
        return Answer(_told(place))


class QueueOpenView(LeadView):
    """Hand out the items of a queue."""

    @change_call("open_queue", told.OpenedQueueSerializer, finder=access.led_activity, body=told.QueueNumbersSerializer)
    def post(self, place: Place, sent: dict[str, Any]) -> Answer:
        """Open a queue, or open it again."""
        project, activity = place[0], place[1].key
        queue = opening.queue_of(project, activity)
        now = opening.numbers_of(queue) if queue else opening.default_numbers(project, activity)
        numbers = replace(now, **sent)
        _queue, made = opening.open_queue(project, activity, numbers=numbers, by=self.person(), now=clock.now())
        return Answer(_told(place, told.OpenedQueueSerializer, made=made))


class QueuePauseView(LeadView):
    """Hand out nothing of a queue until it is opened again."""

    @change_call("pause_queue", told.QueueSerializer, finder=access.led_activity)
    def post(self, place: Place) -> Answer:
        """Pause a queue; what people hold they can finish."""
        opening.pause(place[0], place[1].key, by=self.person(), now=clock.now())
        return Answer(_told(place))


class QueueCloseView(LeadView):
    """Hand out nothing more of a queue."""

    @change_call("close_queue", told.QueueSerializer, finder=access.led_activity)
    def post(self, place: Place) -> Answer:
        """Close a queue; it can be opened again."""
        opening.close(place[0], place[1].key, by=self.person(), now=clock.now())
        return Answer(_told(place))


class PlacesView(LeadView):
    """After a change of overlap in the set-up: the places of items that have a task already."""

    @read_call("read_places", told.OverlapChangesSerializer)
    def get(self, project: Project) -> Any:
        """Read what it would change to give items the places that are wanted now."""
        return {"results": overlap.planned(project)}

    @change_call("change_places", told.OverlapChangesSerializer)
    def post(self, project: Project) -> Any:
        """Give items the places that are wanted now; returns what was changed."""
        return {"results": overlap.apply(project, by=self.person(), now=clock.now())}


def _context(project: Project, **more: Any) -> dict[str, Any]:
    return {"project": project, "splits": splits_of(project), **more}


def _told(place: Place, kind: type[told.QueueSerializer] = told.QueueSerializer, **more: Any) -> Any:
    project, activity = place
    card = next(card for card in queue_cards(project) if card.activity.key == activity.key)
    return kind(card, context=_context(project, **more)).data
