"""An item as annotators see it: the real screens of its work, for a lead to look at; nothing can be sent or saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import registry
from annotation.engine import made_up
from annotation.engine.made_up import WorkScreen
from annotation.models import Item
from annotation.worktime.today import Today
from frontend.leads.items import overview
from frontend.wording import noun_of_activity
from frontend.work import flagging
from frontend.work.screen import ANY, AsSeenLink, AsSeenNotice, Screen, StepperStage

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
            screens=tuple(AsSeenLink(_title(one, own), addresses.of_screen(one), _is(one, screen)) for one in own),
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
    firsts = [next(one for one in each if one.seat == seat) for each in others.values() for seat in _seats(each)]
    for one in firsts if len(firsts) > 1 else ():
        titles = [one.activity.title] if len(others) > 1 else []
        titles += [one.activity.seat_title(one.seat)] if len(one.activity.seats) > 1 else []
        place = (one.activity.key, one.seat)
        title = ": ".join(str(_(title)) for title in titles)
        yield AsSeenLink(title, addresses.of_screen(one), place == (screen.activity.key, screen.seat))


def _seats(screens: list[WorkScreen]) -> list[str]:
    return list(dict.fromkeys(one.seat for one in screens))


def _title(one: WorkScreen, own: list[WorkScreen]) -> str:
    """The stage of a screen, and its turn where there is another screen of it."""
    stage = _(one.activity.stage(one.step.stage).title)
    if one.is_wait:
        return _("waits: %(stage)s") % {"stage": stage}
    if sum((each.step.stage, each.is_wait) == (one.step.stage, False) for each in own) > 1:
        return _("%(stage)s, turn %(n)s") % {"stage": stage, "n": one.step.turn}
    return stage


def _is(one: WorkScreen, other: WorkScreen) -> bool:
    return (one.seat, one.address) == (other.seat, other.address)
