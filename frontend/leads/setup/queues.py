"""The queues of a project as its leads see them: numbers, what can be done, what that means, and what was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation import events, registry
from annotation.models import Event, Project
from annotation.protocol import Activity
from annotation.worktime import taken
from frontend.leads.event_lines import EventLine, lines_by_subject
from frontend.leads.setup import undoing
from frontend.leads.setup.number_words import agreement_in_words
from frontend.wording import noun_of_activity
from tasks.models import Queue
from tasks.models.states import QueueState
from tasks.setup import numbers, opening, overlap

LATEST = 8
"""Events of a queue's history that are shown."""
BADGES = {QueueState.OPEN: "ok", QueueState.PAUSED: "gold", QueueState.CLOSED: "bad"}


class NumbersForm(forms.Form):
    """A queue's numbers; an empty least agreement disputes nothing."""

    lease_minutes = forms.IntegerField(
        min_value=1,
        max_value=opening.LONGEST_LEASE,
        error_messages={
            "required": _("Say for how many minutes work is kept."),
            "invalid": _("Give whole minutes."),
            "min_value": _("Give at least one minute."),
            "max_value": _("Give two weeks (20160 minutes) at most."),
        },
    )
    least_agreement = forms.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), _("Give a number between 0 and 1, or nothing.")
        ),
    )

    def numbers(self) -> opening.QueueSettings:
        """What a valid form says."""
        return opening.QueueSettings(**self.cleaned_data)


@dataclass(frozen=True)
class QueueCard:
    """An activity and its queue, if it was ever opened: numbers, what may be done, and the form of its numbers."""

    activity: Activity
    title: str
    description: str
    nouns: str
    numbers: numbers.QueueNumbers | None
    median: taken.Median | None
    published: int | None
    form: forms.Form
    history: list[EventLine]
    closing: tuple[str, ...]

    @property
    def state(self) -> str:
        """The state of its queue, "" if it has none."""
        return self.numbers.queue.state if self.numbers else ""

    @property
    def about_agreement(self) -> str:
        """Which agreement is meant by the least one."""
        return agreement_in_words(self.activity)

    @property
    def badge(self) -> str:
        """The colour of its badge."""
        return BADGES.get(QueueState(self.state), "") if self.state else ""


def queue_cards(project: Project, *, sent: tuple[str, forms.Form] | None = None) -> list[QueueCard]:
    """Every activity of the project in order; `sent`: the refused form of one."""
    found = numbers.of_project(project)
    refused = dict([sent] if sent else [])
    history = _history(project, [row.queue for row in found.values()])
    return [
        _queue_card(project, activity, found.get(activity.key), refused.get(activity.key), history)
        for activity in registry.get(project.protocol).activities
    ]


def _queue_card(
    project: Project,
    activity: Activity,
    numbers_of_queue: numbers.QueueNumbers | None,
    refused: forms.Form | None,
    history: Mapping[str, list[EventLine]],
) -> QueueCard:
    now = numbers_of_queue.queue if numbers_of_queue else opening.default_numbers(project, activity.key)
    form = NumbersForm({"lease_minutes": now.lease_minutes, "least_agreement": now.least_agreement})
    return QueueCard(
        activity=activity,
        title=gettext(activity.title),
        description=gettext(activity.description),
        nouns=noun_of_activity(activity).many,
        numbers=numbers_of_queue,
        median=taken.median_of(list(taken.whole(taken.by_stage(project, activity.key)).values()))
        if numbers_of_queue
        else None,
        published=activity.published_seconds,
        form=refused or form,
        history=history.get(events.name(numbers_of_queue.queue), []) if numbers_of_queue else [],
        closing=_closing(numbers_of_queue, activity) if numbers_of_queue else (),
    )


def _closing(numbers_of_queue: numbers.QueueNumbers, activity: Activity) -> tuple[str, ...]:
    """What closing the queue means, in sentences."""
    nouns = noun_of_activity(activity).many
    said = [gettext("Nobody is given new work here, and what is imported from now on is not handed out.")]
    if numbers_of_queue.people:
        held = ngettext(
            "%(n)s person holds work. They keep it and can finish it.",
            "%(n)s people hold work. They keep it and can finish it.",
            numbers_of_queue.people,
        )
        said.append(held % {"n": numbers_of_queue.people})
    if numbers_of_queue.free:
        unfinished = ngettext(
            "%(n)s place stays empty. The %(nouns)s concerned come into a release only if it is partial.",
            "%(n)s places stay empty. The %(nouns)s concerned come into a release only if it is partial.",
            numbers_of_queue.free,
        )
        said.append(unfinished % {"n": numbers_of_queue.free, "nouns": nouns})
    said.append(gettext("Finished work stays as it is. You can open the queue again at any time."))
    return tuple(said)


def _history(project: Project, queues: list[Queue]) -> dict[str, list[EventLine]]:
    """By the queue's name in events, the latest things done with it, newest first."""
    rows = Event.objects.filter(subject__in=[events.name(queue) for queue in queues]).order_by("-pk")
    known = list(rows.filter(kind__startswith="queue."))
    found = lines_by_subject(known, what=_in_words, **undoing.undoing_of(project, known))
    return {subject: lines[:LATEST] for subject, lines in found.items()}


WORDS = {
    "queue.open": _("Opened"),
    "queue.paused": _("Paused"),
    "queue.closed": _("Closed"),
}
"""Of the kinds of events of a queue, those that one sentence says."""
FIELDS = {"lease_minutes": _("Kept for, in minutes"), "least_agreement": _("Least agreement")}


def _in_words(row: Event) -> str:
    if row.kind == overlap.APPLIED:
        words = gettext("Places of items that existed: %(more)s with more, %(fewer)s with fewer, %(kept)s as they were")
        return str(words % row.data)
    if row.kind != opening.CHANGED:
        return gettext(str(WORDS[row.kind]))
    before, after = row.data["before"], row.data["after"]
    changed = [
        f"{field}: {_value(before[name])} → {_value(after[name])}"
        for name, field in FIELDS.items()
        if before[name] != after[name]
    ]
    return " · ".join(changed)


def _value(value: float | None) -> str:
    return gettext("none") if value is None else f"{value:g}"
