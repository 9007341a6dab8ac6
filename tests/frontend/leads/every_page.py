"""Every page of a lead, opened: each address of a project that can be read, by the rows which are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from django.db.models import QuerySet
from django.urls import get_resolver, reverse

from annotation import clock, registry, releases
from annotation.engine import made_up
from annotation.models import Annotation, Item, Project, User
from frontend.leads import import_files
from frontend.leads.board.asked import BoardQuery
from frontend.leads.board.page import CARDS, board_of
from frontend.leads.items import bulk_job
from qualification.models import Attempt, CourseVersion, Qualification
from tasks.models import Delivery, Webhook
from tests.boards import bring_up_to_date
from tests.disagreeing import browser
from tests.frontend.who_may import TABLE

ANSWERS = (200, 302, 403, 404)
Address = dict[str, Any]
"""What an address is made of, by the names of its parts."""
PARTS: dict[str, Callable[[Project], list[Any]]] = {
    "slug": lambda made: [made.slug],
    "card": lambda _made: list(CARDS),
    "activity": lambda made: [each.key for each in registry.get(made.protocol).activities],
    "item_id": lambda made: list(made.items.values_list("pk", flat=True)[:2]),
    "code": lambda made: list(
        User.objects.filter(memberships__project=made).order_by("-pk").values_list("worker_code", flat=True)[:2]
    ),
    "annotation": lambda made: list(Annotation.objects.filter(item__project=made).values_list("uuid", flat=True)[:1]),
    "qualification": lambda made: list(Qualification.objects.filter(project=made).values_list("key", flat=True)),
    "version": lambda made: sorted(
        {
            *CourseVersion.objects.filter(qualification__project=made).values_list("pk", flat=True),
            *made.releases.values_list("version", flat=True),
        }
    ),
    "part": lambda _made: ["tutorial", "task"],
    "block": lambda _made: ["task"],
    "piece": lambda _made: ["tutorial-0", "task-0"],
    "table": lambda _made: ["steps", "weeks", "sources", "items"],
    "sha256": lambda made: list(made.course_pictures.values_list("document__sha256", flat=True)[:1]),
    "attempt": lambda made: list(
        Attempt.objects.filter(qualification__project=made).values_list("uuid", flat=True)[:1]
    ),
    "uuid": lambda made: list(made.judging_rounds.values_list("uuid", flat=True)),
    "webhook": lambda made: list(Webhook.objects.filter(project=made).values_list("pk", flat=True)),
    "delivery": lambda made: list(Delivery.objects.filter(webhook__project=made).values_list("pk", flat=True)[:1]),
    "upload": lambda made: list(made.uploads.values_list("uuid", flat=True)[:1]),
    "example": import_files.names,
    "decided": lambda made: list(made.jobs.filter(kind=bulk_job.KIND).values_list("pk", flat=True)[:1]),
    "job": lambda made: list(made.jobs.values_list("pk", flat=True)[:4]),
    "build": lambda made: list(made.jobs.filter(kind="build_release").values_list("pk", flat=True)[:1]),
    "rehearsal": lambda made: list(made.jobs.filter(kind="rehearsal").values_list("pk", flat=True)[:1]),
}
"""What each part of an address can be: of most kinds of rows one or two."""


def _as_seen(items: QuerySet[Item]) -> Iterator[Address]:
    """Every screen of each activity of the first of these items."""
    for item in items.order_by("pk")[:1]:
        for activity in made_up.activities_of(item):
            for screen in made_up.screens_of(item, activity.key):
                place = {"activity": activity.key, "seat": screen.seat, "step": screen.address}
                yield {"slug": item.project.slug, "item_id": item.pk, **place}


def _first_and_last_as_seen(made: Project) -> Iterator[Address]:
    """Two of these: tests/frontend/leads/items/test_screens_as_seen.py looks at all."""
    every = list(_as_seen(made.items.all()))
    yield from (every[place] for place in sorted({0, len(every) - 1}) if every)


def _images_as_seen(made: Project) -> Iterator[Address]:
    """A figure of a paper, on a screen of a question about it."""
    pictured = made.items.filter(root__item_documents__document__media_type__startswith="image/").distinct()
    for address in _as_seen(pictured):
        item = made.items.get(pk=address["item_id"])
        images = made_up.screen_at(item, address["activity"], address["seat"], address["step"]).sheet().images
        if images:
            yield address | {"place": images[0]}
            return


def _files(made: Project) -> Iterator[Address]:
    """Every file that is given out of the last release."""
    for release in made.releases.order_by("-version")[:1]:
        for entry in releases.files_in(releases.manifest_of(release)):
            yield {"slug": made.slug, "version": release.version, "name": entry["name"]}


TOGETHER: dict[str, Callable[[Project], Iterator[Address]]] = {
    "as_seen": _first_and_last_as_seen,
    "as_seen_page": _first_and_last_as_seen,
    "as_seen_image": _images_as_seen,
    "release_file": _files,
}
"""Pages whose parts belong together, so that most combinations would be none."""
LEFT_OUT = {
    "course_tutorial": "Only who takes the course has it: tests/frontend/courses/test_taking.py opens it.",
    "tutorial_picture": "As the page that it is in: tests/frontend/courses/test_item_pictures.py opens it.",
    "judging_preview_page": "Its address is in the preview: tests/frontend/judging/test_drafts.py opens it.",
}
"""Pages that are not opened, and why."""
CARD_FILES = {"board_csv": lambda card: card is not None, "board_svg": lambda card: bool(card and card.plot)}
"""Whether there is such a file of a card."""


def pages() -> dict[str, set[str]]:
    """The pages of a project that can be read, by their names, with the parts of their addresses."""
    found = {each.name: set(each.pattern.converters) for each in get_resolver().url_patterns}
    return {name: parts for name, parts in found.items() if "slug" in parts and (name, "GET") in TABLE}


def addresses_with_parts(made: Project) -> Iterator[tuple[str, Address]]:
    """Every address that the rows can make, by its parts, with the name of its page."""
    parts = {name: values(made) for name, values in PARTS.items()}
    for name, needed in pages().items():
        if name in TOGETHER:
            yield from ((name, address) for address in TOGETHER[name](made))
        elif name not in LEFT_OUT:
            for values in product(*(parts[part] for part in sorted(needed))):
                yield name, dict(zip(sorted(needed), values, strict=True))


def addresses(made: Project) -> Iterator[tuple[str, str]]:
    """Every address that the rows can make, with the name of its page."""
    return ((name, reverse(name, kwargs=address)) for name, address in addresses_with_parts(made))


def look_at_all(made: Project, lena: User) -> set[str]:
    """Open every page; returns the names of those that are there, for each card of the board `board_csv/…` besides.

    The client raises what a page raises. A card of the board is there with its files, and without it they are not.
    """
    bring_up_to_date(made)
    cards = {card.key: card for card in board_of(made, BoardQuery(), now=clock.now()).cards}
    lead, opened = browser(lena), set()
    for name, address in addresses_with_parts(made):
        answer = lead.get(reverse(name, kwargs=address))
        assert answer.status_code in ANSWERS, (name, address)
        if name in CARD_FILES:
            assert (answer.status_code == 200) == CARD_FILES[name](cards.get(address["card"])), (name, address)
        if answer.status_code == 200:
            opened |= {name, f"{name}/{address['card']}"} if name in CARD_FILES else {name}
    assert lead.get(reverse("home")).status_code == 200
    return opened
