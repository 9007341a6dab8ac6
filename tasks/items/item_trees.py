"""Items with all under them, as queries that begin at the items: a join from tasks would read every task."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from annotation.models import Annotation, Item
from tasks.models import Task


def items_with_descendants(items: Iterable[Item | int]) -> QuerySet[Item]:
    """These items and those under them, whatever has become of them since."""
    keys = [each.pk if isinstance(each, Item) else each for each in items]
    return Item.with_undone.filter(Q(pk__in=keys) | Q(root__in=keys))


def tasks_of_trees(items: Iterable[Item | int]) -> QuerySet[Task]:
    """The tasks of these items and of those under them."""
    return Task.objects.filter(item__in=items_with_descendants(items))


def annotations_of_trees(items: Iterable[Item | int]) -> QuerySet[Annotation]:
    """The annotations of these items and of those under them."""
    return Annotation.objects.filter(item__in=items_with_descendants(items))
