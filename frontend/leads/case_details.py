"""What cases are about, read for all those of a page at once: what was said, earlier flags, who left when, releases.

Beside them, how often people are flagged with good reason: never a ranking.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from annotation import registry
from annotation.engine import loading
from annotation.models import Case, CaseKind, CaseState, Item, Project, Release, Response, User
from frontend.leads.items.overview import prompt_of
from tasks.pairs import flag_rates, leaving


class CaseDetails:
    """Of cases of one project, which come with their items, people and responses."""

    def __init__(self, cases: Sequence[Case]) -> None:
        about_answers = [case for case in cases if case.about is None]
        annotations = {case.annotation_id for case in about_answers}
        self._responses: dict[int, list[Response]] = defaultdict(list)
        self._flags: dict[tuple[int, int | None, int | None], int] = {}
        self._frozen = False
        if about_answers:
            for row in Response.objects.filter(annotation__in=annotations).order_by("pk"):
                self._responses[row.annotation_id].append(row)
            flags = Case.objects.filter(annotation__in=annotations, response__isnull=False).order_by("-pk")
            for key, annotation, by, about in flags.values_list("pk", "annotation", "author", "response__author"):
                self._flags[annotation, by, about] = key  # the first one remains
            project = about_answers[0].annotation.item.project
            self._frozen = project.releases.filter(state=Release.State.READY).exists()
        self._read_leaves([case for case in cases if case.about is not None])

    def _read_leaves(self, cases: Sequence[Case]) -> None:
        wanted = [
            (case.about.pk, case.at - leaving.DAY, None if case.state == CaseState.OPEN else case.at)
            for case in cases
            if case.about is not None
        ]
        found = leaving.leaves_of(cases[0].annotation.item.project, wanted) if cases else []
        self._leaves = {case.pk: rows for case, rows in zip(cases, found, strict=True)}
        items = {row.item for rows in found for row in rows}
        self._items = Item.with_set_aside.select_related("project").in_bulk(items) if items else {}

    def is_frozen(self, case: Case) -> bool:
        """Whether releases may contain what the case is about."""
        return case.about is None and self._frozen

    def answers_of(self, case: Case) -> list[dict[str, Any]]:
        """What was flagged, even if it was taken back since, and everything else said in its turn, rationales included.

        Of work to be accepted, what was said last.
        """
        item = case.annotation.item
        protocol, record = registry.get(item.project.protocol), loading.item_record(item)
        activity = protocol.activity(case.annotation.activity)
        rows = loading.effective_responses(activity, self._responses[case.annotation_id])
        if case.response is None:
            rows = rows[-1:]
        else:
            rows = [row for row in rows if row.turn == case.response.turn]
            rows = rows if case.response in rows else [case.response, *rows]
        return [
            {
                "title": _(activity.stage(row.stage).title),
                "template": f"{protocol.key}/{row.stage}_read.html",
                "view": protocol.view(row.stage, loading.parse(activity, row.stage, row.schema, row.payload), record),
                "flagged": row == case.response,
            }
            for row in rows
        ]

    def left(self, case: Case) -> list[dict[str, Any]]:
        """The leaves that the case is about; of other cases, none."""
        return [
            {
                "at": row.at,
                "item": row.item,
                "prompt": prompt_of(self._items[row.item]),
                "reason": leaving.label_of(row.reason) if row.explained else _("no reason"),
                "text": row.text,
            }
            for row in self._leaves.get(case.pk, ())
        ]

    def answers_another(self, case: Case) -> bool:
        """Whether the person who is flagged here had flagged the author first, in the same work."""
        if case.response is None:
            return False
        first = self._flags.get((case.annotation_id, case.response.author_id, case.author_id))
        return first is not None and first < case.pk


@dataclass(frozen=True)
class FlagRateRow:
    """One person's figures: valid flags in 100 turns, the mean and the ends of its 95 % interval."""

    code: str
    turns: int
    flagged: int
    mean: float
    low: float
    high: float


def rates_of_flagged(item: Item) -> list[FlagRateRow]:
    """Of the people whose turns were flagged in the work on an item, by their codes."""
    flags = Q(responses__cases__kind=CaseKind.FLAG, responses__annotation__item=item)
    return _rows_of_people(item.project, User.objects.filter(flags).distinct())


def rates_of_person(project: Project, person: User) -> list[FlagRateRow]:
    """Of one person; [] if nothing that they did could be flagged."""
    return _rows_of_people(project, [person])


def _rows_of_people(project: Project, people: Iterable[User]) -> list[FlagRateRow]:
    codes = {person.pk: person.worker_code for person in people}
    found = flag_rates.of_people(project, codes) if codes else {}
    rows = [
        FlagRateRow(codes[key], one.turns, one.flagged, 100 * one.rate.mean, 100 * one.rate.low, 100 * one.rate.high)
        for key, one in found.items()
    ]
    return sorted(rows, key=lambda row: row.code)
