"""What a rater has looked at side by side since the seal: they judge it no more, and change no mark of it."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.models import Annotation, JudgingRound, Recusal, User


def items_seen(row: JudgingRound, person: User) -> QuerySet[Recusal, int]:
    """The keys of the items of a round that the person has looked at."""
    return Recusal.objects.filter(round=row, person=person).values_list("item", flat=True)


def is_recused(judgement: Annotation) -> bool:
    """Whether the author of a judgement has looked at its item since."""
    if judgement.exhibit_id is None:
        return False
    rows = Recusal.objects.filter(round__exhibits=judgement.exhibit_id, person=judgement.author_id)
    return rows.filter(item=judgement.item_id).exists()
