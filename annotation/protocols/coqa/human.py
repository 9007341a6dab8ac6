"""The human upper bound on CoQA's metric, by domain: each answer against the others, as evaluate-v1.0.py --human does.

The mean is over the turns of a domain. Turns of one passage are not independent, so the bootstrap draws passages.
Judging rounds split the F1 of turns by their marks (CoQA paper, tables 8 and 10).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from annotation.i18n import _, ngettext
from annotation.judging.answer_metrics import MarkScores, ScoreOfTurn
from annotation.protocol_tools import HumanBound
from annotation.protocols.coqa.schemas import Passage
from annotation.protocols.coqa.scoring import DOMAINS, IN_DOMAIN, OUT_OF_DOMAIN, human_score
from annotation.protocols.coqa.statistics import LABELS as WORDS
from annotation.protocols.coqa.statistics import PUBLISHED as REPORTED
from annotation.protocols.coqa.writing import talks_of
from annotation.statistics.human_bound import BoundReason, Figure, Measured
from annotation.statistics.intervals import OfTotals, Row, intervals, quotient
from annotation.values.records import ReleaseRecord

if TYPE_CHECKING:
    from annotation.statistics.intervals import Array

OTHER = "other"
"""Stands for every source that the official script does not know."""
SOURCES = (*DOMAINS, OTHER)
GROUPS = {
    **{domain: (source,) for source, domain in DOMAINS.items()},
    OTHER: (OTHER,),
    "in_domain": IN_DOMAIN,
    "out_domain": OUT_OF_DOMAIN,
    "overall": SOURCES,
}
"""The script's domains, other sources, and its sums, with the sources in each."""


@dataclass(frozen=True)
class PassageAnswers:
    """The answers to each turn about a passage, the original one first; and conversations without a complete game."""

    source: str
    turns: tuple[tuple[str, ...], ...]
    unplayed: int = 0

    @cached_property
    def row(self) -> Row:
        """Sums of EM and F1 and the number of turns, for each source in order."""
        scores = [human_score(answers) for answers in self.turns]
        sums = (sum(one.em for one in scores), sum(one.f1 for one in scores), float(len(scores)))
        return tuple(value for source in SOURCES for value in (sums if source == self.source else (0.0, 0.0, 0.0)))


def part(record: ReleaseRecord, seed: str) -> PassageAnswers:
    """The passage of a record; conversations that are too short for a release are not in it."""
    turns: list[tuple[str, ...]] = []
    unplayed = 0
    for talk in talks_of(record):
        turns += [answers for _exchange, answers in talk.answers]
        unplayed += not talk.partial and not talk.games
    source = Passage.from_stored(record.item.payload).source
    return PassageAnswers(source if source in DOMAINS else OTHER, tuple(turns), unplayed)


def _figure(sources: Sequence[str], column: int) -> OfTotals:
    """A mean over the turns of these sources."""
    places = [3 * SOURCES.index(source) for source in sources]

    def of_totals(totals: Array) -> Array:
        return quotient(
            sum(totals[place + column] for place in places),
            sum(totals[place + 2] for place in places),
        )

    return of_totals


FIGURES: Mapping[str, OfTotals] = {
    f"{metric}.{domain}": _figure(sources, column)
    for column, metric in enumerate(("em", "f1"))
    for domain, sources in GROUPS.items()
}


def measure(passages: Sequence[PassageAnswers], seed: str) -> Measured:
    """EM and F1 of people in each domain, in domain, out of domain and overall."""
    played = [one for one in passages if one.turns]
    unplayed = sum(one.unplayed for one in passages)
    if not played:
        reason = BoundReason("unplayed", {"n": unplayed}) if unplayed else BoundReason("nothing")
        return Measured(why_not={"f1": reason, "em": reason})
    found = intervals([one.row for one in played], FIGURES, seed=seed)
    figures = {key: Figure.from_estimate(one, _counts(played, key)) for key, one in found.items()}
    return Measured(figures, left_out=[BoundReason("left_unplayed", {"n": unplayed})] if unplayed else [])


def _counts(passages: Sequence[PassageAnswers], key: str) -> tuple[int, ...]:
    """Passages, turns and answers of a domain."""
    within = [one for one in passages if one.source in GROUPS[key.partition(".")[2]]]
    turns = [answers for one in within for answers in one.turns]
    return len(within), len(turns), sum(map(len, turns))


DOMAIN_WORDS = {domain: WORDS[f"human_f1.{domain}"] for domain in GROUPS if domain != OTHER} | {
    OTHER: _("Other sources")
}
HUMAN = HumanBound(
    part=part,
    measure=measure,
    labels={"f1": _("F1"), "em": _("Exact match (EM)")}
    | {f"{metric}.{domain}": DOMAIN_WORDS[domain] for metric in ("f1", "em") for domain in GROUPS},
    procedures={
        "f1": _(
            "Each answer to a turn is compared with the others and its best F1 counts; the figure is the mean over the "
            "answers of a turn, then over turns, as evaluate-v1.0.py --human prints it."
        ),
        "em": _("The same for equal words after normalisation. The paper states no figures of people for it."),
    },
    published={f"f1.{domain}": value for domain, value in REPORTED["human_f1"].items()},
    source=_("the CoQA paper (2019), on the test set"),
    counts=(_("Passages"), _("Turns"), _("Answers")),
    reasons={
        "nothing": _("There is no conversation of ten turns yet."),
        "unplayed": ngettext(
            "Nobody has answered the questions of %(n)s conversation again, so there is nothing to compare. It takes "
            "one complete game of a conversation.",
            "Nobody has answered the questions of %(n)s conversations again, so there is nothing to compare. It takes "
            "one complete game of a conversation.",
        ),
        "left_unplayed": ngettext(
            "%(n)s conversation is left out because nobody has answered all of its questions again.",
            "%(n)s conversations are left out because nobody has answered all of their questions again.",
        ),
    },
)

SCORE = _("Human F1")
PROCEDURE = _(
    "Each answer to a turn is compared with the others and its best F1 counts, as in the human upper bound; the figure "
    "is the mean over the turns with a mark. Turns that nobody has guessed are left out."
)
TABLE_8, TABLE_10 = "CoQA paper, Table 8", "CoQA paper, Table 10"


def scores(record: ReleaseRecord) -> Iterator[ScoreOfTurn]:
    """The human F1 of each turn about a passage that is in the human upper bound."""
    for talk in talks_of(record):
        for exchange, answers in talk.answers:
            yield talk.annotation.inside, exchange.turn, human_score(answers).f1


def _scores(source: str, **published: float) -> MarkScores:
    return MarkScores(SCORE, PROCEDURE, scores, published, source)


OF_PASSAGE = _scores(TABLE_8, lexical=0.917, paraphrase=0.888, pragmatics=0.842)
OF_HISTORY = _scores(TABLE_8, none=0.903, explicit=0.871, implicit=0.887)
OF_FREE = _scores(TABLE_10, yes=0.977, no=0.968, fluency=0.772, counting=0.883, choice=0.943)
"""On the development set, as published."""
