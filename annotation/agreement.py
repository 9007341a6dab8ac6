"""How much annotations of one item agree: the mean of the protocol's `compare` over all pairs."""

from __future__ import annotations

from itertools import combinations

from annotation import loading
from annotation.models import Annotation
from annotation.records import AnnotationRecord


def mean_of(annotations: list[Annotation]) -> float:
    """Mean pairwise likeness (0..1) of two or more annotations of one item and activity."""
    protocol = annotations[0].item.project.protocol
    activity = loading.activity_of(protocol, annotations[0].activity)
    records = [
        AnnotationRecord(
            activity=activity.key,
            said=loading.so_far(activity, loading.whole(protocol, activity, list(row.responses.order_by("pk")))),
        )
        for row in annotations
    ]
    compare = loading.protocol_of(annotations[0].item).compare
    values = [compare(activity.key, first, second) for first, second in combinations(records, 2)]
    return sum(values) / len(values)
