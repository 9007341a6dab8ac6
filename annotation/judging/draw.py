"""The exhibits of a round that count: the draw as it was sealed, with spares in the place of defects.

What a rater has looked at side by side since the seal they judge no more, and change no mark of it.
"""

from __future__ import annotations

from typing import TypedDict

from django.db.models import Q, QuerySet

from annotation.models import Annotation, Defect, Exhibit, ExhibitUse, JudgingRound, Recusal, User


def judged(row: JudgingRound, *, using: str | None = None) -> QuerySet[Exhibit]:
    """What results are of, with copies of others and without practice; in no order."""
    of_draw = Q(use=ExhibitUse.DRAWN) | Q(replaces__isnull=False)
    return Exhibit.objects.using(using).filter(of_draw, round=row, defect=None)


def seen(row: JudgingRound, *, using: str | None = None) -> QuerySet[Exhibit]:
    """The same with what is for practice."""
    of_draw = Q(use__in=(ExhibitUse.DRAWN, ExhibitUse.PRACTICE)) | Q(replaces__isnull=False)
    return Exhibit.objects.using(using).filter(of_draw, round=row, defect=None)


def to_judge(row: JudgingRound) -> QuerySet[Exhibit]:
    """What raters are given: all of this but copies of another one, which get its marks."""
    return seen(row).filter(same_as=None)


def defects_of(row: JudgingRound, *, using: str | None = None) -> QuerySet[Defect]:
    """What was found to be no exhibit that can be judged, in the sealed order."""
    rows = Defect.objects.using(using).filter(exhibit__round=row)
    return rows.select_related("exhibit", "replaced_by").order_by("exhibit__place")


class ToldDefect(TypedDict):
    """In a file: the place of a defect, why it is one, and the place of what is judged instead, None for nothing."""

    place: int
    why: str
    replaced_by: int | None


def told_defects(row: JudgingRound, *, using: str | None = None) -> list[ToldDefect]:
    """The defects, for files."""
    return [
        {
            "place": each.exhibit.place,
            "why": each.why,
            "replaced_by": each.replaced_by.place if each.replaced_by else None,
        }
        for each in defects_of(row, using=using)
    ]


def items_seen(row: JudgingRound, person: User) -> QuerySet[Recusal, int]:
    """The keys of the items of a round that the person has looked at."""
    return Recusal.objects.filter(round=row, person=person).values_list("item", flat=True)


def is_recused(judgement: Annotation) -> bool:
    """Whether the author of a judgement has looked at its item since."""
    if judgement.exhibit_id is None:
        return False
    rows = Recusal.objects.filter(round__exhibits=judgement.exhibit_id, person=judgement.author_id)
    return rows.filter(item=judgement.item_id).exists()
