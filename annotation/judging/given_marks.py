"""The marks of a round, as raters gave them last."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db.models import QuerySet

from annotation import registry
from annotation.judging import draw
from annotation.judging.results import GivenMark
from annotation.models import Item, JudgingRound, Rater, Response


def locked_raters(row: JudgingRound, *, until: datetime | None = None, using: str | None = None) -> QuerySet[Rater]:
    """The raters of a round who have locked, by number; `until`: by then."""
    rows = Rater.objects.using(using).filter(round=row, locked_at__isnull=False).order_by("number")
    return rows if until is None else rows.filter(locked_at__lte=until)


def remaining_raters(row: JudgingRound, *, using: str | None = None) -> QuerySet[Rater]:
    """The raters of a round without those who dropped out before they had locked, who count nowhere; by number."""
    rows = Rater.objects.using(using).filter(round=row).order_by("number")
    return rows.exclude(locked_at=None, removal__isnull=False)


def of_round(
    row: JudgingRound, *, until: datetime | None = None, exhibits: Collection[int] = (), using: str | None = None
) -> Sequence[GivenMark]:
    """Everybody's last mark of each exhibit, of those who have locked: the marks of others stay theirs until then.

    `exhibits`: the keys of those that are wanted; of all if there are none (only then with types).
    `until`: as `locked_raters`.
    """
    numbers = dict(locked_raters(row, until=until, using=using).values_list("person", "number"))
    rows = Response.objects.using(using).filter(annotation__exhibit__round=row, author__in=list(numbers)).order_by("pk")
    rows = rows.filter(annotation__exhibit__in=list(exhibits)) if exhibits else rows
    types = {} if exhibits else _types(row, using=using)
    last = {
        (exhibit, author): GivenMark(
            item=item,
            exhibit=exhibit,
            rater=numbers[author],
            mark=payload["mark"],
            part=payload.get("part", ""),
            comment=payload.get("comment", ""),
            type=types.get(item, ""),
        )
        for item, exhibit, author, payload in rows.values_list(
            "annotation__item", "annotation__exhibit", "author", "payload"
        )
    }
    return list(last.values())


def _types(row: JudgingRound, *, using: str | None) -> dict[int, str]:
    """The types of the items of a round, by their keys, if the protocol knows types."""
    protocol = registry.get(row.project.protocol)
    if not protocol.item_types:
        return {}
    items = Item.objects.using(using).filter(pk__in=draw.judged(row, using=using).values("item"))
    return {key: protocol.type_of(payload) for key, payload in items.values_list("pk", "payload").iterator()}
