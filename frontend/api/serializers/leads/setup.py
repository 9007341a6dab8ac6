"""The set-up of a project, and its queues."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation import projects
from annotation.models import GuidelineVersion, Project
from frontend.api.paging import results_serializer
from frontend.api.sent import ParametersSerializer, SentSerializer
from frontend.leads.setup.queues import QueueCard
from tasks.models.states import QueueState
from tasks.setup import opening
from tasks.setup.overlap import OverlapChange


class SetupQuerySerializer(ParametersSerializer):
    """How new guidelines are to be taken."""

    guidelines = serializers.ChoiceField(
        choices=GuidelineVersion.Kind.choices,
        default=GuidelineVersion.Kind.EDITORIAL,
        help_text="Whether other guidelines ask for other answers (`semantic`), or say the same in other words.",
    )


class ChangedFieldSerializer(serializers.Serializer[object]):
    """A field that is different. Of guidelines: the number of the version; of the consent text: its hash."""

    path = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class SetupChangesSerializer(serializers.Serializer[object]):
    """What differs, or differed."""

    changed = ChangedFieldSerializer(many=True)


class QueueNumbersSerializer(SentSerializer):
    """A queue’s numbers; what is left out stays, or is that of the protocol if the queue is new."""

    lease_minutes = serializers.IntegerField(
        required=False, min_value=1, max_value=opening.LONGEST_LEASE, help_text="For so long somebody keeps their work."
    )
    least_agreement = serializers.FloatField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=1,
        help_text="Below it, items are disputed; null: never.",
    )


class PlacesSerializer(serializers.Serializer[object]):
    """Places of a queue’s tasks: a slot, or as many slots as the activity has seats."""

    filled = serializers.IntegerField()
    held = serializers.IntegerField(source="leased")
    free = serializers.IntegerField()


class QueueSerializer(serializers.Serializer[QueueCard]):
    """An activity of a project and its queue. `state` is "" and the counts are null if it was never opened."""

    progress = frozenset({"tasks", "total", "done", "places", "people"})

    activity = serializers.CharField(source="activity.key")
    title = serializers.CharField()
    state = serializers.ChoiceField(choices=[("", "never opened"), *QueueState.choices], allow_blank=True)
    lease_minutes = serializers.IntegerField(source="form.data.lease_minutes")
    least_agreement = serializers.FloatField(source="form.data.least_agreement", allow_null=True)
    draw = serializers.SerializerMethodField(help_text="By split: `in_order` or `random`.")
    tasks = serializers.DictField(
        source="numbers.tasks", child=serializers.IntegerField(), default=None, allow_null=True, help_text="By state."
    )
    total = serializers.IntegerField(source="numbers.total", default=None, allow_null=True)
    done = serializers.IntegerField(source="numbers.done", default=None, allow_null=True)
    places = PlacesSerializer(source="numbers", allow_null=True)
    people = serializers.IntegerField(
        source="numbers.people", default=None, allow_null=True, help_text="Who hold work of it now."
    )

    def get_draw(self, card: QueueCard) -> dict[str, str]:
        """In which order items of each split are handed out."""
        project: Project = self.context["project"]
        return {split: projects.draw_of(project, card.activity.key, split=split) for split in self.context["splits"]}


QueuesSerializer = results_serializer(
    "QueuesSerializer", QueueSerializer, "The queues of a project, in the order of its protocol."
)


class OpenedQueueSerializer(QueueSerializer):
    """The queue that was opened, and how many tasks were made at once; the rest are made in the next minutes."""

    made = serializers.SerializerMethodField()

    def get_made(self, _card: Any) -> int:
        """New tasks."""
        made: int = self.context["made"]
        return made


class OverlapChangeSerializer(serializers.Serializer[OverlapChange]):
    """Tasks that exist whose number of places is not the one that is wanted now.

    `more`: they get more places, `again` of them although they were done; `fewer`: nobody has begun them; `kept`: they
    keep theirs.
    """

    activity = serializers.CharField(source="activity.key")
    more = serializers.IntegerField()
    again = serializers.IntegerField()
    fewer = serializers.IntegerField()
    kept = serializers.IntegerField()


OverlapChangesSerializer = results_serializer(
    "OverlapChangesSerializer", OverlapChangeSerializer, "One for each activity in which there is any."
)
