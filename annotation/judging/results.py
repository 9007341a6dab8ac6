"""What a judging round found: shares of the marks with their intervals, by rater and by type, and how raters agree.

Several marks of one exhibit depend on each other, and so do several exhibits of one item: intervals come from the
bootstrap over whole items, by the rule of all numbers for when there is none. Wilson's, which is usual in print, takes
each mark for independent of all others: with several raters it is too narrow.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

from annotation.judging.checks import CheckedMark, CheckResults, check_results
from annotation.judging.rubrics import CheckAnswer, Rubric
from annotation.statistics.estimates import METHOD, Estimate
from annotation.statistics.marks import DECIMALS, MarkShare, share_of, shares_of_marks

QUOTED = 20
"""Exhibits that results quote, at most."""
VERSION = 4
"""Goes up when results say more or otherwise: what was kept before is computed again."""


@dataclass(frozen=True)
class GivenMark:
    """A rater's last mark of an exhibit, which belongs to an item, of a type ("" if none is known).

    `part`: which finer kind of the mark, if it has any; `checks`: what was said to checks beside it, by their keys.
    """

    item: int
    exhibit: int
    rater: int
    mark: str
    part: str = ""
    comment: str = ""
    type: str = ""
    checks: Mapping[str, CheckAnswer] = field(default_factory=dict, hash=False)


class QuotedExhibit(NamedTuple):
    """An exhibit that tells something: `spread` is how far its marks are apart, 0 (all the same) to 1."""

    exhibit: int
    spread: float


@dataclass(frozen=True)
class RoundResults:
    """`shares`: of all marks, by key; `right`: of those that count as right together, None if the rubric names none.

    `by_rater`: how many of each mark every rater gave; `by_type`: the same shares, of the exhibits of each type, where
    there are types; `parts`: how often each finer kind of a mark was given, and `part_shares`: which share of the mark
    that is. `alpha`: Krippendorff's, nominal or ordinal
    as the rubric is; `unanimous`: exhibits with two or more marks that are all the same, and `judged_by_two`: those
    with two or more; `judged_by`: how many were judged by so many raters. `quoted`: those that differ most, and then
    those with comments. `scores`: as `scores_of`. `checks`: what was said to each check, which no other figure counts.
    """

    shares: Mapping[str, MarkShare]
    right: MarkShare | None
    by_rater: Mapping[int, Mapping[str, int]]
    by_type: Mapping[str, TypeShares]
    parts: Mapping[str, Mapping[str, int]]
    part_shares: Mapping[str, Mapping[str, MarkShare]]
    alpha: Estimate
    exhibits: int
    unanimous: int
    judged_by_two: int
    judged_by: Mapping[int, int]
    quoted: Sequence[QuotedExhibit]
    scores: Mapping[str, Mapping[str, Estimate]]
    checks: Mapping[str, CheckResults]

    def as_json(self) -> dict[str, Any]:
        """For a file or the database; raters by number, which are texts in JSON. Which exhibits are quoted is not in
        it; `checks` only if the rubric has any."""
        return {
            "method": [VERSION, METHOD],
            "raters": list(self.by_rater),
            "exhibits": self.exhibits,
            "judged_by_two": self.judged_by_two,
            "judged_by": {str(raters): n for raters, n in self.judged_by.items()},
            "unanimous": self.unanimous,
            "alpha": self.alpha.kept(DECIMALS),
            "scores": {
                group: {name: found.kept(DECIMALS) for name, found in each.items()}
                for group, each in self.scores.items()
            },
            **_as_json(self.shares, self.right),
            "by_rater": {str(number): dict(counts) for number, counts in self.by_rater.items()},
            "by_type": {key: each.as_json() for key, each in self.by_type.items()},
            "parts": {mark: dict(counts) for mark, counts in self.parts.items()},
            **({"checks": {key: each.as_json() for key, each in self.checks.items()}} if self.checks else {}),
            "part_shares": {
                mark: {part: share.as_json() for part, share in shares.items()}
                for mark, shares in self.part_shares.items()
            },
        }


class TypeShares(NamedTuple):
    """The shares of some exhibits, such as those of one type."""

    exhibits: int
    shares: Mapping[str, MarkShare]
    right: MarkShare | None

    def as_json(self) -> dict[str, Any]:
        """For a file."""
        return {"exhibits": self.exhibits, **_as_json(self.shares, self.right)}


def _as_json(shares: Mapping[str, MarkShare], right: MarkShare | None) -> dict[str, Any]:
    return {
        "shares": {key: each.as_json() for key, each in shares.items()},
        "right": right.as_json() if right else None,
    }


def round_results(rubric: Rubric, given: Iterable[GivenMark]) -> RoundResults:
    """The results of these marks."""
    marks = list(given)
    keys = [mark.key for mark in rubric.marks]
    by_rater: dict[int, dict[str, int]] = defaultdict(lambda: dict.fromkeys(keys, 0))
    by_exhibit: dict[int, list[GivenMark]] = defaultdict(list)
    for one in marks:
        by_rater[one.rater][one.mark] += 1
        by_exhibit[one.exhibit].append(one)
    by_two = [{one.mark for one in said} for said in by_exhibit.values() if len(said) > 1]
    types = sorted({one.type for one in marks if one.type})
    return RoundResults(
        shares=_shares(marks, keys),
        right=_right(rubric, marks),
        by_rater=dict(sorted(by_rater.items())),
        by_type={each: type_shares(rubric, [one for one in marks if one.type == each]) for each in types},
        parts=_parts(rubric, marks),
        part_shares=_part_shares(rubric, marks),
        alpha=agreement(list(by_exhibit.values()), keys, ordinal=rubric.ordinal),
        exhibits=len(by_exhibit),
        unanimous=sum(len(said) == 1 for said in by_two),
        judged_by_two=len(by_two),
        judged_by=dict(sorted(Counter(len({one.rater for one in said}) for said in by_exhibit.values()).items())),
        quoted=_quoted(by_exhibit, keys, ordinal=rubric.ordinal),
        scores=scores_of(list(by_exhibit.values()), keys),
        checks=check_results(rubric, [CheckedMark(one.mark, one.type, one.checks) for one in marks]),
    )


def type_shares(rubric: Rubric, marks: Sequence[GivenMark]) -> TypeShares:
    """The shares of these marks, all of a type or of a system."""
    keys = [mark.key for mark in rubric.marks]
    return TypeShares(len({one.exhibit for one in marks}), _shares(marks, keys), _right(rubric, marks))


def _shares(marks: Sequence[GivenMark], keys: Iterable[str]) -> dict[str, MarkShare]:
    return shares_of_marks([(one.item, one.mark) for one in marks], {key: {key} for key in keys})


def _right(rubric: Rubric, marks: Sequence[GivenMark]) -> MarkShare | None:
    return share_of((one.item, one.mark in rubric.right) for one in marks) if rubric.right else None


def _parts(rubric: Rubric, marks: Sequence[GivenMark]) -> dict[str, dict[str, int]]:
    said = Counter((one.mark, one.part) for one in marks)
    return {
        mark.key: {part.key: said[mark.key, part.key] for part in mark.parts} for mark in rubric.marks if mark.parts
    }


def _part_shares(rubric: Rubric, marks: Sequence[GivenMark]) -> dict[str, dict[str, MarkShare]]:
    """Of each mark with finer kinds that somebody gave, the share of each kind among the marks that say which."""
    found = {}
    for mark in rubric.marks:
        said = [(one.item, one.part) for one in marks if one.mark == mark.key and one.part]
        if mark.parts and said:
            found[mark.key] = shares_of_marks(said, {part.key: {part.key} for part in mark.parts})
    return found


def agreement(exhibits: Sequence[Sequence[GivenMark]], keys: Sequence[str], *, ordinal: bool) -> Estimate:
    """Krippendorff's alpha of the marks of each exhibit, with its interval over items; of an ordinal rubric by the
    order of its marks."""
    from annotation.statistics import alpha, bootstrap, reliability

    units = [{str(one.rater): one.mark for one in said} for said in exhibits]
    ratings = reliability.round_ratings(units, [said[0].item for said in exhibits], keys)
    return bootstrap.estimate((alpha.ordinal if ordinal else alpha.nominal)(ratings))


def scores_of(exhibits: Sequence[Sequence[GivenMark]], keys: Sequence[str]) -> Mapping[str, Mapping[str, Estimate]]:
    """How raters' scores go together, by type of item ("all" first), if the marks are numbers; {} if they are not."""
    if not exhibits or not all(key.isdigit() for key in keys):
        return {}
    from annotation.statistics import reliability

    return reliability.reliability(
        [{str(one.rater): int(one.mark) for one in said} for said in exhibits],
        [said[0].item for said in exhibits],
        sorted(map(int, keys)),
        types=[said[0].type for said in exhibits] if exhibits[0][0].type else None,
    )


def _quoted(
    by_exhibit: Mapping[int, Sequence[GivenMark]], keys: Sequence[str], *, ordinal: bool
) -> list[QuotedExhibit]:
    """Those that differ most, first, and then those with the most comments; in the order of the draw if they are
    equal."""
    place = {key: number for number, key in enumerate(keys)}
    found = [
        (
            spread([place[one.mark] for one in said], len(keys), ordinal=ordinal),
            sum(bool(one.comment) for one in said),
            key,
        )
        for key, said in by_exhibit.items()
    ]
    chosen = sorted((each for each in found if each[0] or each[1]), key=lambda each: (-each[0], -each[1], each[2]))
    return [QuotedExhibit(key, apart) for apart, _comments, key in chosen[:QUOTED]]


def spread(places: Sequence[int], marks: int, *, ordinal: bool) -> float:
    """The mean distance of two of these marks: 1 if they differ, 0 if not; of an ordinal rubric how many places they
    are apart, over the most that there are. `places`: of each mark among the `marks` of the rubric."""
    apart = [abs(a - b) / (marks - 1) if ordinal else float(a != b) for a, b in combinations(places, 2)]
    return sum(apart) / len(apart) if apart else 0.0
