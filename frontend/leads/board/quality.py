"""How far people agree, how long stages take beside the published times, and what was skipped and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.models import Agreement as AgreementRow
from annotation.models import User
from annotation.protocol import Activity
from annotation.statistics.estimates import TOO_FEW, Estimate
from annotation.statistics.intervals import Share, wilson
from annotation.values.measures import headline
from frontend.leads.agreement.asked import AgreementQuery
from frontend.leads.agreement.shown import STATISTICS
from frontend.leads.board.numbers import A, BoardNumbers, Card, Note
from frontend.leads.estimates import (
    CELLS,
    cells,
    hundredths,
    interval_in_words,
    interval_with_reason,
    least_of,
    no_interval,
    seconds_in_words,
    share_in_words,
    whole_number_in_words,
)
from frontend.leads.plots import rows
from frontend.leads.plots.svg import ticks
from tasks.measuring import agreement as measured

REASONS = {
    "hard": gettext_lazy("Too hard"),
    "topic": gettext_lazy("Not their subject"),
    "language": gettext_lazy("Not their language"),
    "sensitive": gettext_lazy("Would rather not"),
    "broken": gettext_lazy("Doesn’t display properly"),
    "other": gettext_lazy("Something else"),
    "": gettext_lazy("No reason given"),
}
"""Of skips, as a lead reads them."""
MEAN = ("mean_low", "mean_high", "no_interval")
LETTERS = {"alpha": "α", "alpha_jaccard": "α", "alpha_masi": "α"}
OTHER_ENDS = {
    A.RETURNED: gettext_lazy("Given back"),
    A.EXPIRED: gettext_lazy("Time ran out"),
    A.REVOKED: gettext_lazy("Taken away"),
    A.LATE: gettext_lazy("Came too late"),
}


class Agreed(NamedTuple):
    """An activity, its measures with a statistic each, how many items they are of, all that is measured of it, and the
    query of its page."""

    activity: Activity
    measures: list[tuple[Any, str, Estimate]]
    items: int
    row: AgreementRow
    query: str


def agreement(numbers: BoardNumbers) -> Card | None:
    """Every measure of one activity, as it was measured last: of the whole, or of a split."""
    found = agreement_of(numbers)
    if found is None:
        return None
    activity, measures, n, row, query = found
    shown = [agreed(*each) for each in measures]
    said = "; ".join(f"{row.name} {row.text} {row.beside}" for row in shown)
    about = _("%(activity)s, %(items)s with several annotations")
    notes = [*_too_few(measures), *(() if numbers.asked.is_part else _stands_out(row, measures, numbers.project.slug))]
    if numbers.asked.is_of_work:
        notes.append(Note("", _("Of all days and people: measure a part on its own page.")))
    return Card(
        key="agreement",
        title=_("Agreement"),
        about=about % {"activity": _(activity.title), "items": whole_number_in_words(n)},
        link=(f"{reverse('agreement', args=[numbers.project.slug])}?{query}", _("more")),
        plot=rows.dots(shown, label=said, low=least_of(number for _one, _name, number in measures)) if shown else None,
        nothing=_("No two annotations to compare in this part.")
        if numbers.asked.split or numbers.asked.queue
        else _("No two annotations to compare yet."),
        notes=notes,
        legend=_("Bands: 95 %, by item"),
        header=("measure", "statistic", *CELLS),
        rows=[(one.key, name, *cells(number)) for one, name, number in measures],
    )


def _too_few(measures: list[tuple[Any, str, Estimate]]) -> Iterator[Note]:
    """Which numbers have no interval, and how many more items would give them one: in one sentence."""
    titles: dict[int | None, list[str]] = {}
    few = [(one, number) for one, _name, number in measures if number.is_too_few]
    for one, number in few:
        titles.setdefault(number.more, []).append(_(one.title))
    if len(titles) == 1:
        yield Note(f"{', '.join(*titles.values())}:", f"{no_interval(few[0][1])}.")
    elif titles:
        said = [_with_more(", ".join(those), more) for more, those in titles.items()]
        yield Note(_("Too few for an interval:"), f"{'; '.join(said)}.")


def _with_more(measures: str, more: int | None) -> str:
    if more is None:
        return measures
    words = {"measures": measures, "n": whole_number_in_words(more)}
    return ngettext("%(measures)s, about %(n)s more would do", "%(measures)s, about %(n)s more would do", more) % words


def _stands_out(row: AgreementRow, measures: list[tuple[Any, str, Estimate]], slug: str) -> Iterator[Note]:
    """Whom to look at first, if anybody: who agrees less with the others than these do with each other."""
    kept = row.numbers.get("stands_out", {})
    for one in [one for one, _name, _number in measures if one.key in kept]:
        person, *estimates = kept[one.key]
        theirs, others = map(Estimate.from_list, estimates)
        code = User.objects.filter(pk=person).values_list("worker_code", flat=True).first()
        if code and theirs.value is not None and others.value is not None:
            said = _("%(measure)s: agreement %(value)s %(interval)s with the others, against %(others)s of the others.")
            words = {"measure": _(one.title), "value": hundredths(theirs.value)}
            words |= {"interval": interval_with_reason(theirs), "others": hundredths(others.value)}
            url = f"{reverse('agreement', args=[slug])}?{AgreementQuery(row.activity, one.key).query}#person-{code}"
            yield Note(_("One person stands out: %(code)s") % {"code": code}, said % words, url)
            return


def agreement_of(numbers: BoardNumbers) -> Agreed | None:
    """Of the first activity in which something is measured, or of the one asked for; None without any."""
    for activity, measures in measured.measured_activities(numbers.project):
        row = measured.of_page(numbers.project, activity.key)
        if row is None or numbers.asked.queue not in ("", activity.key) or not row.numbers["sizes"]["items"]:
            continue
        split = numbers.asked.split
        kept = row.numbers.get("splits", {}).get(split, {}) if split else row.numbers["all"]
        every = [(one, headline(one), Estimate.from_list(kept.get(one.key, {}).get(headline(one)))) for one in measures]
        found = [(one, name, number) for one, name, number in every if number.value is not None]
        items = row.numbers.get("split_items", {}).get(split, 0) if split else row.numbers["sizes"]["items"]
        return Agreed(activity, found, items, row, AgreementQuery(activity.key, split=split).query)
    return None


def agreed(one: Any, name: str, number: Estimate) -> rows.PlotRow:
    """A measure with its statistic, the value and its interval, or why it has none."""
    value, beside = number.value or 0.0, interval_with_reason(number)
    if number.is_too_few:
        beside = f"({_(TOO_FEW)})"
    title = f"{_(one.title)}, {LETTERS.get(name) or str(STATISTICS[name]).lower()}"
    return rows.PlotRow(title, hundredths(value), value, beside, number.low, number.high)


def times(numbers: BoardNumbers) -> Card | None:
    """How long the stages of one activity take, beside the published mean."""
    timed = {key: found for key, found in numbers.kept["times"].items() if numbers.asked.queue in ("", key)}
    if not timed:
        return None
    key = max(timed, key=lambda each: timed[each]["whole"]["n"])
    activity, found = numbers.protocol.activity(key), timed[key]
    stages = (
        [(_(activity.stage(row["stage"]).title), row, None) for row in found["rows"]] if len(found["rows"]) > 1 else []
    )
    shown = [*stages, (_("The whole"), found["whole"], activity.published_seconds)]
    steps = ticks(max(max(row["high"], mark or 0) for _name, row, mark in shown), about=3)
    drawn = [_timed(name, row, mark) for name, row, mark in shown]
    n = found["whole"]["n"]
    about = ngettext("%(activity)s, the latest %(n)s", "%(activity)s, the latest %(n)s", n)
    return Card(
        key="time",
        title=_("Time per stage"),
        about=about % {"activity": _(activity.title), "n": whole_number_in_words(n)},
        link=(reverse("project_time", args=[numbers.project.slug]), _("time")),
        plot=rows.boxes(drawn, label="; ".join(f"{row.name} {row.text}" for row in drawn), ticks=steps, unit=" s"),
        notes=list(_mean(numbers, found["whole"], activity.published_seconds)),
        legend=_("Median, 25th to 75th, 10th to 90th percentile"),
        header=("stage", "n", "p10", "p25", "p50", "p75", "p90", "mean", *MEAN, "published_mean"),
        rows=[
            (
                name,
                row["n"],
                *(round(row[part], 2) for part in ("low", "lower", "median", "upper", "high", "mean")),
                *_ends(row),
                mark,
            )
            for name, row, mark in shown
        ],
    )


def _timed(name: str, row: dict[str, Any], mark: float | None) -> rows.PlotRow:
    ends = {"low": row["low"], "high": row["high"], "lower": row["lower"], "upper": row["upper"]}
    beside = interval_in_words(seconds_in_words(row["low"]), seconds_in_words(row["high"]))
    return rows.PlotRow(name, seconds_in_words(row["median"]), row["median"], beside, **ends, mark=mark)


def _ends(row: dict[str, Any]) -> tuple[float | None, float | None, str]:
    """The interval of a mean, and why there is none; nothing of what an older version has measured."""
    found = Estimate.from_list(row.get("estimate"))
    return found.low, found.high, no_interval(found)


def _mean(numbers: BoardNumbers, row: dict[str, Any], published: float | None) -> Iterator[Note]:
    low, high, none = _ends(row)
    ends = "" if low is None or high is None else " " + interval_in_words(seconds_in_words(low), seconds_in_words(high))
    beside = f" ({none})" if none else ends
    rest = _("on average%(interval)s.") % {"interval": beside}
    if published:
        rest = _("on average%(interval)s; %(published)s published, the upright line.")
        rest %= {"interval": beside, "published": seconds_in_words(published)}
    yield Note(seconds_in_words(row["mean"]), rest)
    if numbers.asked.is_of_work or numbers.asked.split:
        yield Note("", _("Of all days, people and splits."))


def skips(numbers: BoardNumbers) -> Card | None:
    """Work that was begun and not finished, as shares of all that has ended, and the reasons of skips."""
    n = numbers.ended.total()
    if not n:
        return None
    others = [(str(name), state, numbers.ended[state]) for state, name in OTHER_ENDS.items() if numbers.ended[state]]
    reasons = [(str(REASONS.get(key, key)), key, count) for key, count in numbers.skips]
    parts = [("skipped", name, key, wilson(count, n), count) for name, key, count in reasons]
    parts += [("other", name, key, wilson(count, n), count) for name, key, count in others]
    skipped = wilson(numbers.ended[A.SKIPPED], n)
    drawn = [_share(_skip_name(kind, name), share, count) for kind, name, _key, share, count in parts]
    return Card(
        key="skips",
        title=_("Skipped, given back, run out"),
        about=ngettext("of %(n)s piece of work that has ended", "of %(n)s pieces of work that have ended", n)
        % {"n": whole_number_in_words(n)},
        link=(numbers.asked.items(numbers.project, skipped="1"), _("skipped")) if numbers.ended[A.SKIPPED] else None,
        plot=rows.bars(drawn, label="; ".join(f"{row.name} {row.text}" for row in drawn)) if drawn else None,
        nothing=_("Everything that was begun was finished."),
        notes=[
            Note(
                share_in_words(skipped.value),
                _("%(interval)s skipped, %(n)s in all.")
                % {"interval": _interval(skipped), "n": whole_number_in_words(numbers.ended[A.SKIPPED])},
            )
        ]
        if drawn
        else [],
        legend=_("Whiskers: 95 %, Wilson"),
        header=("end", "reason", "n", "of", "share", "low", "high"),
        rows=[
            (kind if kind == "skipped" else key, key if kind == "skipped" else "", count, n, *share[:3])
            for kind, _name, key, share, count in parts
        ],
    )


def _skip_name(kind: str, name: str) -> str:
    return _("Skipped: %(reason)s") % {"reason": name} if kind == "skipped" else name


def _share(name: str, share: Share, count: int) -> rows.PlotRow:
    return rows.PlotRow(
        name,
        share_in_words(share.value),
        share.value,
        f"{_interval(share)} · {whole_number_in_words(count)}",
        share.low,
        share.high,
    )


def _interval(share: Share) -> str:
    low, high = (number_format(round(100 * end, 1), 1) for end in (share.low, share.high))
    return interval_in_words(low, high)
