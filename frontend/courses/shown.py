"""An item of multiple choice as a page shows it: its options in an order of the sitting's own, and what was chosen.

A page has options by their place in that order only: nothing in it tells which is right.
Its pictures have addresses that say which item is asked, and no hash. A picture is served as long as its item may be
seen: in the tutorial, and in an exam while the item is the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString

from annotation import randomness
from annotation.errors import NotFound
from annotation.models import Project
from frontend.markdown import document, inline
from frontend.work import frames
from qualification.courses import pictures
from qualification.courses.content import ChoiceItem, CourseItem, ItemPicture
from qualification.models import Attempt, Qualification


@dataclass(frozen=True)
class ShownOption:
    """One option: its place as shown, from 0, and its text; whether it is chosen."""

    place: int
    html: SafeString
    chosen: bool


@dataclass(frozen=True)
class MarkedOption(ShownOption):
    """The same with what only a tutorial or a lead's trial shows: whether it is right, and why."""

    right: bool
    explanation: SafeString


@dataclass(frozen=True)
class ShownPicture:
    """A picture: its address, "" for one that is missing; the text that stands for it; width and height in pixels, 0
    if unknown.
    """

    url: str
    alt: str
    width: int
    height: int


@dataclass(frozen=True)
class ShownItem:
    """The stem, its pictures, whether several options are right, and the options."""

    stem: SafeString
    pictures: tuple[ShownPicture, ...]
    several: bool
    options: tuple[ShownOption, ...]


def _order(item: ChoiceItem, seed: str) -> list[int]:
    """The places of the options in the content, in the order in which a sitting with this seed shows them."""
    return randomness.rng(seed, item.key).sample(range(len(item.options)), len(item.options))


def shown_picture(picture: ItemPicture, url: str) -> ShownPicture:
    """A picture at this address."""
    return ShownPicture(url, picture.alt, *pictures.picture_size(picture.sha256))


def shown_item(
    item: ChoiceItem, address: Callable[[int], str], *, seed: str, chosen: Collection[int] = ()
) -> ShownItem:
    """As it is asked; `address`: of a picture by its place, from 0; `chosen`: places in the content."""
    options = tuple(
        ShownOption(place, inline(item.options[n].text), n in chosen) for place, n in enumerate(_order(item, seed))
    )
    return _with_pictures(item, address, options)


def marked_item(item: ChoiceItem, address: Callable[[int], str], *, seed: str, chosen: Collection[int]) -> ShownItem:
    """As a tutorial shows it after the answer."""
    options = tuple(
        MarkedOption(
            place, inline(option.text), n in chosen, right=option.right, explanation=document(option.explanation).html
        )
        for place, n in enumerate(_order(item, seed))
        for option in (item.options[n],)
    )
    return _with_pictures(item, address, options)


def _with_pictures(item: ChoiceItem, address: Callable[[int], str], options: tuple[ShownOption, ...]) -> ShownItem:
    shown = tuple(shown_picture(each, address(n)) for n, each in enumerate(item.pictures))
    return ShownItem(document(item.stem).html, shown, item.several, options)


def sent_places(item: ChoiceItem, places: Sequence[str], *, seed: str) -> list[int]:
    """The places in the content of what a form sent as places shown; what is no place is left out."""
    order = _order(item, seed)
    numbers = {int(each) for each in places if each.isascii() and each.isdecimal() and len(each) < 3}
    return sorted(order[number] for number in numbers if number < len(order))


def numbers_shown(item: ChoiceItem, chosen: Collection[int], *, seed: str) -> list[int]:
    """The numbers, from 1, under which the options at these places in the content were shown."""
    return [number for number, place in enumerate(_order(item, seed), 1) if place in chosen]


def picture_in_tutorial(qualification: Qualification, item: str) -> Callable[[int], str]:
    """The address of a picture of a tutorial item by its place, from 0."""
    return lambda n: reverse("tutorial_picture", args=[qualification.project.slug, qualification.key, item, n])


def picture_in_exam(attempt: Attempt, place: int) -> Callable[[int], str]:
    """The address of a picture of the item at a place of the form, by its own place, from 0."""
    return lambda n: reverse("exam_picture", args=[attempt.uuid, place, n])


def picture_response(project: Project, item: CourseItem, n: int) -> HttpResponse:
    """The picture of an item; the browser may keep it for an hour, privately. NotFound if there is none."""
    if not isinstance(item, ChoiceItem) or n >= len(item.pictures):
        raise NotFound
    return by_sha256(project, item.pictures[n].sha256)


def by_sha256(project: Project, sha256: str) -> HttpResponse:
    """A picture that the project has for its courses, likewise."""
    found = pictures.document_of(project, sha256)
    return frames.image_to_keep(pictures.data_of(found), found.media_type)
