"""The human upper bound as its page and its CSV show it: in words, with intervals, beside the published figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext, ngettext_lazy

from annotation import registry
from annotation.models import Project
from annotation.protocol_tools import HumanBound
from annotation.statistics.human_bound import Figure
from frontend.leads.estimates import no_interval
from tasks.measuring import human_bound

AFTER_COUNTS = ("no_interval", "published", "why_not", "measured_at")
"""The last columns of the CSV."""
NARROWEST = 0.015
"""The width of an interval in its picture, so that it can be seen."""


@dataclass(frozen=True)
class BoundRow:
    """A figure in words, and as shares of 0..1 for its picture. `interval`: or why there is none."""

    label: str
    ours: str = "–"
    interval: str = ""
    n: tuple[str, ...] = ()
    published: str = "–"
    low: float | None = None
    width: float | None = None
    share_published: float | None = None


@dataclass(frozen=True)
class BoundGroup:
    """Figures that are measured in the same way; `note`: what else is to be known of them. `sweep`: a table of shares
    by threshold."""

    key: str
    title: str
    procedure: str
    why_not: str
    rows: list[BoundRow]
    note: str = ""
    sweep: SweepTable | None = None


@dataclass(frozen=True)
class SweepTable:
    """A table by threshold: headings, rows of a threshold and its shares, and the threshold of the figures above."""

    title: str
    columns: list[str]
    rows: list[tuple[int, list[str]]]
    used: int


@dataclass(frozen=True)
class Bound:
    """What the page shows. `measured_at`: None if nothing has been measured yet; then there are no groups.

    `refused`: why what has happened since can't be measured. `splits`: those that can be chosen, "" for all together.
    """

    source: str
    counts: list[str]
    measured_at: datetime | None = None
    seconds_ago: float = 0
    groups: list[BoundGroup] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    not_measured: list[str] = field(default_factory=list)
    splits: list[str] = field(default_factory=list)
    chosen: str = ""
    refused: str = ""


def exists(project: Project) -> bool:
    """Whether the project's protocol has a human upper bound."""
    return registry.get(project.protocol).human is not None


def bound_of_split(project: Project, *, split: str, now: datetime) -> Bound | None:
    """The figures of a split that were measured last; None if the protocol has no bound."""
    bound = registry.get(project.protocol).human
    if bound is None:
        return None
    counts = [gettext(what) for what in bound.counts]
    kept = human_bound.of_page(project)
    refused = kept.values.get("refused", "") if kept else ""
    if kept is None or "splits" not in kept.values:
        return Bound(gettext(bound.source), counts, refused=refused)
    of_splits = kept.values["splits"]
    chosen = split if split in of_splits else next(iter(of_splits))
    measured = of_splits[chosen]
    return Bound(
        source=gettext(bound.source),
        counts=counts,
        measured_at=kept.measured_at,
        seconds_ago=max(1, (now - kept.measured_at).total_seconds()),
        groups=list(_groups(bound, measured)),
        left_out=[sentence(bound, **reason) for reason in measured["left_out"]],
        not_measured=_not_measured(kept.values["not_measured"]),
        splits=list(of_splits) if len(of_splits) > 1 else [],
        chosen=chosen,
        refused=refused,
    )


def sentence(bound: HumanBound, code: str, numbers: Mapping[str, int]) -> str:
    """A reason in the reader's language."""
    found = bound.reasons[code]
    text = gettext(found) if isinstance(found, str) else ngettext(found[0], found[1], numbers["n"])
    return text % {name: number_format(n, force_grouping=True) for name, n in numbers.items()}


def _groups(bound: HumanBound, measured: Mapping[str, Any]) -> Iterator[BoundGroup]:
    for key, label in bound.labels.items():
        if "." in key:
            continue
        reason, note = measured["why_not"].get(key), measured.get("notes", {}).get(key)
        within = [name for name in bound.labels if name.startswith(f"{key}.")]
        yield BoundGroup(
            key=key,
            title=gettext(label),
            procedure=gettext(bound.procedures[key]),
            why_not=sentence(bound, **reason) if reason else "",
            rows=[
                _row(bound, name, measured["figures"].get(name))
                for name in within
                if name in measured["figures"] or name in bound.published
            ],
            note=sentence(bound, **note) if note else "",
            sweep=_sweep(bound, key, measured["sweeps"].get(key)),
        )


def _row(bound: HumanBound, key: str, figure: Mapping[str, Any] | None) -> BoundRow:
    reference = bound.published.get(key)
    label, published = gettext(bound.labels[key]), "–" if reference is None else _share(reference)
    if figure is None:
        return BoundRow(label, published=published, n=("–",) * len(bound.counts), share_published=reference)
    one, counts = Figure.from_json(figure)
    drawn: dict[str, float] = {}
    if one.low is not None and one.high is not None:
        width = max(one.high - one.low, NARROWEST)
        drawn = {"low": min(one.low, 1 - width), "width": width}
    return BoundRow(
        label=label,
        ours=_share(one.value or 0.0),
        interval=no_interval(one) or f"{_share(one.low or 0.0)} – {_share(one.high or 0.0)}",
        n=tuple(number_format(n, force_grouping=True) for n in counts),
        published=published,
        share_published=reference,
        **drawn,
    )


def _sweep(bound: HumanBound, key: str, rows: list[list[float]] | None) -> SweepTable | None:
    if rows is None:
        return None
    table = bound.sweeps[key]
    return SweepTable(
        title=gettext(table.title),
        columns=[gettext(column) for column in table.columns],
        rows=[(int(threshold), [_share(value) for value in values]) for threshold, *values in rows],
        used=table.used,
    )


def _not_measured(counts: Mapping[str, int]) -> list[str]:
    """What is not in the figures, one phrase for each kind of which there is any."""
    words = {
        "incomplete": ngettext_lazy("%(n)s item that lacks annotations", "%(n)s items that lack annotations", "n"),
        "unfinished": ngettext_lazy("%(n)s unfinished annotation", "%(n)s unfinished annotations", "n"),
        "excluded": ngettext_lazy("%(n)s excluded annotation", "%(n)s excluded annotations", "n"),
        "late": ngettext_lazy("%(n)s annotation that came too late", "%(n)s annotations that came too late", "n"),
        "checks": ngettext_lazy("%(n)s answer to a gold item", "%(n)s answers to gold items", "n"),
        "exams": ngettext_lazy("%(n)s answer in an exam", "%(n)s answers in exams", "n"),
        "studies": ngettext_lazy("%(n)s annotation of a study", "%(n)s annotations of studies", "n"),
    }
    return [words[kind] % {"n": n} for kind, n in counts.items() if n]


def _share(value: float) -> str:
    return number_format(round(100 * value, 1), 1)


def table(project: Project) -> list[list[Any]]:
    """The rows of the CSV, with a heading: every figure of every split at full precision, or why it is missing."""
    bound = registry.get(project.protocol).human
    kept = human_bound.of_page(project)
    if bound is None or kept is None or "splits" not in kept.values:
        return []
    counted = [str(what).lower() for what in bound.counts]
    rows: list[list[Any]] = [["split", "figure", "value", "low", "high", *counted, *AFTER_COUNTS]]
    for split, measured in kept.values["splits"].items():
        for key in bound.labels:
            reason, figure = measured["why_not"].get(key), measured["figures"].get(key)
            if figure is None and reason is None:
                continue
            values: list[Any] = [None] * (4 + len(counted))
            if figure is not None:
                one, counts = Figure.from_json(figure)
                values = [one.value, one.low, one.high, *counts, no_interval(one)]
            why = bound.sentence(**reason) if reason else ""
            rows.append([split or "all", key, *values, bound.published.get(key), why, kept.measured_at.isoformat()])
    return rows
