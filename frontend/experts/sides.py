"""An item's annotations side by side: without names, in an order of the reader's own, with what differs marked."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext

from annotation import randomness, registry
from annotation.engine import loading
from annotation.models import Annotation, Item, User
from annotation.protocol import Activity
from annotation.values.records import AnnotationRecord, GivenAnswer, ItemRecord, Step
from frontend.leads.items.overview import rendered_material, text_of_document, who_made
from frontend.work import differences
from tasks.engine import similarity

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
IN_SHORT = 80
"""Characters of an answer in a list of choices."""
PAGE = "text/html"
LONG, MOST_MARKED = 60, 0.7
"""In a text of so many characters no words are marked if more than this share would be."""
INS = re.compile(r"<ins>([^<]*)</ins>")
TAG = re.compile(r"<[^>]*>")
"""A tag of our templates, which escape `>` in attributes."""


@dataclass(frozen=True)
class SideAnswer:
    """One answer as the protocol's read-only template shows it. `n` of the annotations say this; `differs`: it is not
    the most common one. `elsewhere`: it reads like the most common one, but was marked at another place. `shared`:
    everybody who has answered here says it."""

    title: str
    html: SafeString
    told: bytes
    n: int = 0
    differs: bool = False
    elsewhere: bool = False
    shared: bool = False


@dataclass(frozen=True)
class DisputeSide:
    """One or more annotations that say the same. `in_short`: what they say, in a line.

    `references`: how many of them an expert has written; they are not counted in `n`. `mine`: one is the reader's own.
    `box`: the box of the imported page that they choose.
    """

    letter: str
    uuids: tuple[UUID, ...]
    n: int
    references: int
    answers: dict[str, SideAnswer]
    in_short: str
    names: tuple[str, ...]
    box: int | None = None
    mine: bool = False

    @property
    def in_order(self) -> list[SideAnswer]:
        """Its answers, in the order of their steps."""
        return list(self.answers.values())


@dataclass(frozen=True)
class SideTurn:
    """One turn of the work: what each side says in it. `about`: what the item itself says in that turn."""

    number: int
    about: Any
    cells: tuple[tuple[SideAnswer, ...], ...]


@dataclass(frozen=True)
class Sides:
    """Everything that the page shows of the annotations of an item.

    `agreed`: their mean similarity, None if there are none or one. `material`: the documents of the item, as its
    protocol shows them beside the letters of the sides.

    `excluded` and `unfinished` ones are not shown, only counted.
    """

    n: int
    agreed: float | None
    excluded: int
    unfinished: int
    sides: tuple[DisputeSide, ...]
    turns: tuple[SideTurn, ...]
    turn_template: str
    text: str
    has_page: bool
    material: str

    def side_of(self, uuid: UUID) -> DisputeSide | None:
        """The side to which an annotation belongs, if it is shown."""
        return next((side for side in self.sides if uuid in side.uuids), None)


class Spoken(NamedTuple):
    """The annotations of an item: those that are compared, and those that experts have `written`; their records, in
    the same order; what each says; and which say the same, under a letter."""

    compared: list[Annotation]
    written: list[Annotation]
    records: list[AnnotationRecord]
    answers: dict[int, tuple[GivenAnswer, ...]]
    alike: list[tuple[str, list[Annotation]]]


def spoken(item: Item, activity: Activity, *, by: User, references: Iterable[Annotation] = ()) -> Spoken:
    """What the annotations of an item say, under the letters by which this person knows them."""
    compared = list(similarity.counting(item, activity.key))
    written = list(references)
    records = loading.finished_records([*compared, *written], item)
    said = {row.pk: record.answers for row, record in zip([*compared, *written], records, strict=True)}
    return Spoken(compared, written, records, said, _alike(compared, written, said, by=by))


def sides_of(
    item: Item, activity: Activity, *, by: User, names: bool = False, references: Iterable[Annotation] = ()
) -> Sides:
    """The annotations of an item in an activity, as this person sees them; `names` only for leads who ask for them."""
    compared, written, records, said, alike = spoken(item, activity, by=by, references=references)
    steps = _steps(activity, said.values())
    shown = _answers(item, activity, alike, said, steps, counted={row.pk for row in compared})
    protocol = registry.get(item.project.protocol)
    codes = who_made([*compared, *written], protocol) if names else {}
    sides = tuple(
        replace(_side(letter, rows, written, answers, codes), box=_box(item, said[rows[0].pk]))
        for (letter, rows), answers in zip(alike, shown, strict=True)
    )
    record = loading.item_record(item)
    about = dict(enumerate(protocol.turns_of(record), start=1))
    documents = record.documents
    unfinished = item.annotations.filter(activity=activity.key, completed_at__isnull=True, excluded_at__isnull=True)
    return Sides(
        n=len(compared),
        agreed=similarity.of_records(item, records[: len(compared)]) if len(compared) > 1 else None,
        excluded=item.annotations.filter(activity=activity.key, excluded_at__isnull=False).count(),
        unfinished=unfinished.exclude(purpose="reference").count(),
        sides=sides,
        turns=tuple(_turn(number, sides, about) for number in sorted({step.turn for step in steps} - {0})),
        turn_template=f"{item.project.protocol}/turn_read.html",
        text=text_of_document(item),
        has_page=bool(documents) and documents[0].media_type == PAGE,
        material=rendered_material(item, [(letter, said[rows[0].pk]) for letter, rows in alike]),
    )


def _alike(
    compared: list[Annotation], written: list[Annotation], answers: dict[int, tuple[GivenAnswer, ...]], *, by: User
) -> list[tuple[str, list[Annotation]]]:
    """The annotations that say the same, under a letter; in an order seeded by the reader and the item."""
    found: dict[bytes, list[Annotation]] = {}
    for row in [*compared, *written]:
        found.setdefault(loading.told(answers[row.pk]), []).append(row)
    shuffled = sorted(found.values(), key=lambda rows: randomness.number(by.pk, by.worker_code, rows[0].uuid))
    return [(_letter(place), rows) for place, rows in enumerate(shuffled)]


def _letter(place: int) -> str:
    return LETTERS[place] if place < len(LETTERS) else f"{LETTERS[place % 26]}{place // 26}"


def _steps(activity: Activity, answers: Iterable[tuple[GivenAnswer, ...]]) -> list[Step]:
    """Every step that somebody has answered, in the order of the activity."""
    return sorted({Step(one.stage, one.turn) for each in answers for one in each}, key=activity.place)


def _answers(
    item: Item,
    activity: Activity,
    alike: list[tuple[str, list[Annotation]]],
    answers_of: dict[int, tuple[GivenAnswer, ...]],
    steps: list[Step],
    *,
    counted: set[int],
) -> list[dict[str, SideAnswer]]:
    """For each side, its answers by address, with what differs marked."""
    record = loading.item_record(item)
    found = [
        {one.address: _rendered(item, record, activity, one) for one in answers_of[rows[0].pk]}
        for _letter, rows in alike
    ]
    sizes = [sum(row.pk in counted for row in rows) for _letter, rows in alike]
    for step in steps:
        column = [(place, each[step.address]) for place, each in enumerate(found) if step.address in each]
        for place, answer in _compared(column, sizes):
            found[place][step.address] = answer
    return found


def _rendered(item: Item, record: ItemRecord, activity: Activity, one: GivenAnswer) -> SideAnswer:
    protocol = registry.get(item.project.protocol)
    view = protocol.view(one.stage, one.payload, record)
    html: SafeString = render_to_string(f"{protocol.key}/{one.stage}_read.html", {"view": view})
    title = gettext(activity.stage(one.stage).title)
    return SideAnswer(title, html, orjson.dumps(one.payload.model_dump(mode="json")))


def _compared(column: list[tuple[int, SideAnswer]], sizes: list[int]) -> list[tuple[int, SideAnswer]]:
    """The answers at one step, each with how many say it, and the words that the most common one doesn't have."""
    counts: Counter[bytes] = Counter()
    for place, answer in column:
        counts[answer.told] += sizes[place]
    if len(counts) == 1:
        return [(place, replace(answer, n=counts[answer.told], shared=True)) for place, answer in column]
    (first, most), (_second, next_most) = counts.most_common(2)
    base = next(answer for _place, answer in column if answer.told == first)
    other = next(answer for _place, answer in column if answer.told != first)
    made = []
    for place, answer in column:
        common = answer.told == first
        html = _marked(answer.html, other.html if common else base.html)
        unmarked = common and most > next_most
        made.append(
            (
                place,
                replace(
                    answer,
                    html=answer.html if unmarked else html,
                    n=counts[answer.told],
                    differs=not unmarked,
                    elsewhere=not common and answer.html == base.html,
                ),
            )
        )
    return made


def _marked(html: SafeString, other: SafeString) -> SafeString:
    """An answer with the words that the other one doesn't have marked; as it is if it shares too little with that."""
    found = differences.marked(html, other)[0]
    own, whole = sum(map(len, INS.findall(found))), len(" ".join(TAG.sub(" ", found).split()))
    return html if whole >= LONG and own > MOST_MARKED * whole else found


def _side(
    letter: str,
    rows: list[Annotation],
    written: list[Annotation],
    answers: dict[str, SideAnswer],
    codes: dict[int, str],
) -> DisputeSide:
    references = sum(row in written for row in rows)
    return DisputeSide(
        letter=letter,
        uuids=tuple(row.uuid for row in rows),
        n=len(rows) - references,
        references=references,
        answers=answers,
        in_short=_in_short(answers),
        names=tuple(sorted(codes[row.pk] for row in rows if row.pk in codes)),
    )


def _box(item: Item, answers: tuple[GivenAnswer, ...]) -> int | None:
    box_of = registry.get(item.project.protocol).box_of
    return next((box for one in answers if (box := box_of(one.stage, one.payload)) is not None), None)


def _in_short(answers: dict[str, SideAnswer]) -> str:
    """What a side says that others don't; all of it, if it is what most say at each step. Of many turns, how many."""
    turns = {Step.at(address).turn for address in answers} - {0}
    if turns:
        apart = len({Step.at(address).turn for address, each in answers.items() if each.differs} - {0})
        return gettext("differs in %(n)s of %(all)s turns") % {"n": apart, "all": len(turns)}
    shown = answers.values()
    said = [each for each in shown if each.differs] or [each for each in shown if not each.shared] or list(shown)
    texts = (f"{each.title}: {' '.join(html.unescape(TAG.sub(' ', each.html)).split())}" for each in said)
    return Truncator(" · ".join(texts)).chars(IN_SHORT)


def _turn(number: int, sides: tuple[DisputeSide, ...], about: dict[int, Any]) -> SideTurn:
    cells = tuple(
        tuple(answer for address, answer in side.answers.items() if Step.at(address).turn == number) for side in sides
    )
    return SideTurn(number, about.get(number), cells)
