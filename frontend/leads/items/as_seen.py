"""An item as annotators see it: the real screens of its work, for a lead to look at, or to try its task on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import registry
from annotation.engine import loading, made_up
from annotation.engine.made_up import WorkScreen
from annotation.models import Annotation, Item, User
from annotation.worktime.totals import Today
from frontend.courses.marked_work import ShownScore, shown_scores
from frontend.leads.items import overview
from frontend.wording import noun_of_activity, noun_of_item
from frontend.work import flagging
from frontend.work.screen import ANY, AsSeenLink, AsSeenNotice, Screen, StepperStage
from qualification import tries
from qualification.models import Try

NOTHING_DONE = Today(finished=0, seconds=0.0)


def first_address(item: Item) -> list[str] | None:
    """Activity, seat and step of the screen to begin with; None if nobody can work on such items."""
    for activity in made_up.activities_of(item):
        for one in made_up.screens_of(item, activity.key):
            return [activity.key, one.seat, one.address]
    return None


def entrance(item: Item, query: str) -> str:
    """The address of the item as annotators see it; "" if nobody works on such items. `query`: as in `context_of`."""
    if not made_up.activities_of(item):
        return ""
    return _Addresses(item, query).address_of("as_seen_first")


def context_of(item: Item, screen: WorkScreen, query: str) -> dict[str, Any]:
    """What the template of the stage gets; `query` belongs to the item's address, and says its place in a list."""
    return {
        "sheet": screen.sheet(),
        "work": screen_as_seen(item, screen, query),
        "form": None if screen.is_wait else registry.form_of(screen.protocol.key, screen.address)(initial=None),
        "problems": (),
        "answer": None,
        "config": screen.context.config,
        "said": {},
    }


def template_of(screen: WorkScreen) -> str:
    """The template of its stage, or of waiting."""
    return f"{screen.protocol.key}/{'waiting' if screen.is_wait else screen.step.stage}.html"


def screen_as_seen(item: Item, screen: WorkScreen, query: str) -> Screen:
    """What is around the sheet: as for an annotator who has just come to it, without any address to send to."""
    activity, project = screen.activity, item.project
    others = {each.key: made_up.screens_of(item, each.key) for each in made_up.activities_of(item)}
    own = [one for one in others[activity.key] if one.seat == screen.seat]
    addresses = _Addresses(item, query)
    return Screen(
        id=str(ANY),
        protocol=screen.protocol.key,
        stage=screen.step.address,
        title=project.title,
        slug=project.slug,
        activity=_(activity.title),
        noun=noun_of_activity(activity),
        steps=_steps(screen, own, addresses),
        today=NOTHING_DONE,
        readonly=screen.is_wait,
        urls=addresses.of_work(screen),
        flags=flagging.reasons_of(activity),
        as_seen=AsSeenNotice(
            back=addresses.address_of("item"),
            caption=overview.prompt_of(item),
            groups=tuple(_groups(screen, others, addresses)),
            screens=tuple(
                AsSeenLink(_title(one, own), addresses.of_screen(one), one.address == screen.address) for one in own
            ),
            earlier=bool(screen.context.answers),
            made_up=screen.made_up,
        ),
    )


@dataclass(frozen=True)
class _Addresses:
    """Addresses of an item's pages, with the query that says its place in a list."""

    item: Item
    query: str

    def address_of(self, route: str, *place: str) -> str:
        address = reverse(route, args=[self.item.project.slug, self.item.pk, *place])
        return f"{address}?{self.query}" if self.query else address

    def of_screen(self, one: WorkScreen) -> str:
        return self.address_of("as_seen", one.activity.key, one.seat, one.address)

    def of_work(self, screen: WorkScreen) -> dict[str, str]:
        """By the names that templates know, those that a page may ask for."""
        slug = self.item.project.slug
        place = [slug, self.item.pk, screen.activity.key, screen.seat, screen.address]
        return {
            "frame": reverse("as_seen_page", args=place),
            "image": reverse("as_seen_image", args=[*place, 0]).removesuffix("0/"),
            "guidelines": f"{reverse('guidelines', args=[slug])}?at={screen.step.stage}",
            "work": self.address_of("item"),
        }


def _steps(screen: WorkScreen, own: list[WorkScreen], addresses: _Addresses) -> tuple[StepperStage, ...]:
    place = [stage.key for stage in screen.activity.stages].index(screen.step.stage)
    links = {one.step.stage: addresses.of_screen(one) for one in reversed(own) if not one.is_wait}
    states = ("now", "next", "done")
    return tuple(
        StepperStage(
            key=stage.key,
            title=_(stage.title),
            number=number + 1,
            state=states[(number > place) - (number < place)],
            url=links.get(stage.key),
        )
        for number, stage in enumerate(screen.activity.stages)
    )


def _groups(screen: WorkScreen, others: Mapping[str, list[WorkScreen]], addresses: _Addresses) -> Iterator[AsSeenLink]:
    """Links to the first screen of each seat of each activity, if there are several."""
    by_seat = {(key, one.seat): one for key, each in others.items() for one in reversed(each)}
    firsts = [by_seat[key, seat] for key, each in others.items() for seat in dict.fromkeys(one.seat for one in each)]
    for one in firsts if len(firsts) > 1 else ():
        titles = [one.activity.title] if len(others) > 1 else []
        titles += [one.activity.seat_title(one.seat)] if len(one.activity.seats) > 1 else []
        place = (one.activity.key, one.seat)
        title = ": ".join(str(_(title)) for title in titles)
        yield AsSeenLink(title, addresses.of_screen(one), place == (screen.activity.key, screen.seat))


def _title(one: WorkScreen, own: list[WorkScreen]) -> str:
    """The stage of a screen, and its turn where there is another screen of it."""
    stage = _(one.activity.stage(one.step.stage).title)
    if one.is_wait:
        return _("waits: %(stage)s") % {"stage": stage}
    if sum((each.step.stage, each.is_wait) == (one.step.stage, False) for each in own) > 1:
        return _("%(stage)s, turn %(n)s") % {"stage": stage, "n": one.step.turn}
    return stage


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
        title=_(activity.title),
        why_not=_(tries.why_not_try(item, activity)) if tries.why_not_try(item, activity) else "",
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
    columns[0] = replace(columns[0], who=_("Your trial"), person="")
    return {
        "project": item.project,
        "item": item,
        "noun": noun_of_item(item),
        "prompt": overview.prompt_of(item),
        "activity": _(tries.activity_of_try(held).title),
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
