"""How long people worked on the annotations of a release: active and reading time, by the answers that count."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import accumulate, islice, pairwise
from typing import Any

from annotation.models import Annotation, Response, TimeSpan
from annotation.models.time import COUNTED

CHUNK = 500
"""Annotations in one query."""
Answer = tuple[int | None, datetime]
"""Who gave it, and when."""
Span = tuple[int, datetime, float]
"""Whose it is, when it began, and its seconds."""


def seconds(entries: Iterable[Mapping[str, Any]], *, using: str) -> Iterator[tuple[str, list[int]]]:
    """(uuid, whole seconds before each answer that counts) of frozen annotations whose time was measured, in order.

    An entry has `uuid` and `responses`, how many of its answers count (None: all).
    """
    rest = iter(entries)
    while part := {entry["uuid"]: entry["responses"] for entry in islice(rest, CHUNK)}:
        yield from _of_part(part, using=using)


def _of_part(part: Mapping[str, int | None], *, using: str) -> Iterator[tuple[str, list[int]]]:
    rows = Annotation.objects.using(using).filter(uuid__any_of=set(part)).values_list("uuid", "pk")
    keys = {str(uuid): key for uuid, key in rows}
    spans: dict[int, list[Span]] = defaultdict(list)
    measured = TimeSpan.objects.using(using).filter(annotation__any_of=set(keys.values()), kind__in=COUNTED)
    for key, who, begun, length in measured.order_by("pk").values_list(
        "annotation", "annotator", "begun_at", "seconds"
    ):
        spans[key].append((who, begun, length))
    answers: dict[int, list[Answer]] = defaultdict(list)
    said = Response.objects.using(using).filter(annotation__any_of=set(spans)).order_by("pk")
    for key, author, at in said.values_list("annotation", "author", "created_at"):
        answers[key].append((author, at))
    for uuid, responses in part.items():
        if uuid in keys and (shares := shared(answers[keys[uuid]][:responses], spans[keys[uuid]])):
            yield uuid, shares


def shared(answers: Sequence[Answer], spans: Iterable[Span]) -> list[int]:
    """The seconds of the spans by the answers that they led to; [] if none did.

    A span belongs to the next answer of the same person; without one, to their last one; without any, to the next
    answer of anybody. What began after the last answer led to none of them. They are whole numbers with the rounded
    sum of the fractions.
    """
    times = [at for _who, at in answers]
    sums, any_of_them = [0] * len(answers), False
    for who, begun, length in spans:
        after = bisect_left(times, begun)
        if after == len(answers):
            continue
        mine = [place for place, (author, _at) in enumerate(answers) if author == who]
        following = [place for place in mine if place >= after]
        place = following[0] if following else mine[-1] if mine else after
        sums[place] += round(length * 1000)
        any_of_them = True
    ends = [round(end / 1000) for end in accumulate(sums)]
    return [end - before for before, end in pairwise([0, *ends])] if any_of_them else []
