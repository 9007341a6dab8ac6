"""What an item's page offers a lead who wants to try the task, and what the page of a finished trial shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from annotation import registry
from annotation.engine import loading
from annotation.models import Annotation, Item, User
from frontend.courses.marked_work import ShownScore, shown_scores
from frontend.leads.items import overview
from frontend.wording import noun_of_item
from qualification import tries
from qualification.models import Try


@dataclass(frozen=True)
class TryChoice:
    """An activity in which an item can be tried, or `why_not`: a sentence, or "".

    `is_open`: the lead has begun a trial that is not finished; `finished_url`: the page of the last one that is, or "".
    """

    key: str
    title: str
    why_not: str
    is_open: bool
    finished_url: str


def try_choices(item: Item, user: User) -> list[TryChoice]:
    """The activities of the item's kind, those first that can be tried."""
    mine = list(tries.trials_of(item, user).order_by("annotation__round"))
    found = [_choice(item, activity, mine) for activity in tries.activities_of(item)]
    return sorted(found, key=lambda choice: bool(choice.why_not))


def _choice(item: Item, activity: Any, mine: list[Try]) -> TryChoice:
    rows = [each for each in mine if each.annotation.activity == activity.key]
    finished = [each for each in rows if each.annotation.completed_at is not None]
    return TryChoice(
        key=activity.key,
        title=gettext(activity.title),
        why_not=gettext(tries.why_not_try(item, activity)) if tries.why_not_try(item, activity) else "",
        is_open=len(finished) < len(rows),
        finished_url=reverse("tried", args=[item.project.slug, item.pk, finished[-1].uuid]) if finished else "",
    )


def finished_trial(held: Try) -> Mapping[str, Any]:
    """The page of a finished trial: its answers beside those of the item that count, stage by stage or turn by turn."""
    tried = held.annotation
    item = tried.item
    rows = Annotation.with_trials.select_related("author").prefetch_related("responses__author")
    others = rows.filter(pk__in=item.annotations.filter(activity=tried.activity)).filter(completed_at__isnull=False)
    shown = [rows.get(pk=tried.pk), *others.filter(excluded_at__isnull=True).order_by("position", "opened_at", "pk")]
    columns = overview.columns_of(item, shown)
    columns[0] = replace(columns[0], who=gettext("Your trial"), person="")
    return {
        "project": item.project,
        "item": item,
        "noun": noun_of_item(item),
        "prompt": overview.prompt_of(item),
        "activity": gettext(tries.activity_of_try(held).title),
        "tried": tried,
        "columns": columns,
        "turns": overview.turns(item, columns),
        "turn_template": f"{item.project.protocol}/turn_read.html",
        "text": overview.text_of_document(item),
        "material": overview.material_beside(item, columns),
        "scores": _scores(item, tried, shown[1:]),
    }


def _scores(item: Item, tried: Annotation, others: Sequence[Annotation]) -> list[ShownScore]:
    """What the trial is worth against the item's answers: part by part, against the best of them."""
    if not others:
        return []
    protocol = registry.get(item.project.protocol)
    record, *references = loading.finished_records([tried, *others], item)
    activity = protocol.activity(tried.activity)
    found = protocol.grade(tried.activity, loading.item_record(item), record, references)
    return shown_scores(found, activity)
