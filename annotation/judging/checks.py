"""What raters say to the checks of a rubric beside the mark, and how often they said it (pure).

No mark is computed from it, and no figure about marks counts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from annotation.errors import Problem
from annotation.i18n import _
from annotation.judging.rubrics import Check, CheckAnswer, Rubric

DECIMALS = 6
UNKNOWN = _("This round does not ask for that check.")
TOO_MANY = _("%(check)s: the first number is at most the second.")


def field_of(key: str) -> str:
    """The form field of a check; of one that is counted that of n, and with `-of` after it that of m."""
    return f"check-{key}"


class SaidCheck(NamedTuple):
    """The title of a check and what was said to it: `yes`, or `n` of `m` (None: it is yes or no)."""

    title: str
    yes: bool = False
    n: int | None = None
    m: int | None = None


def said_to(rubric: Rubric, answers: Mapping[str, CheckAnswer]) -> list[SaidCheck]:
    """What was said to each check of the rubric that was answered, in their order."""
    return [_said_check(check, answers[check.key]) for check in rubric.checks if check.key in answers]


def _said_check(check: Check, answer: CheckAnswer) -> SaidCheck:
    return SaidCheck(check.title, yes=answer) if isinstance(answer, bool) else SaidCheck(check.title, False, *answer)


def problems_of(rubric: Rubric, answers: Mapping[str, CheckAnswer]) -> list[Problem]:
    """Why these answers can't be taken: of a check that the rubric does not have, of another kind, or too many."""
    known = {check.key: check for check in rubric.checks}
    if not answers.keys() <= known.keys():
        return [Problem("checks", "unknown", UNKNOWN)]
    return [
        Problem(field_of(key), "wrong", why, values={"check": known[key].title})
        for key, answer in answers.items()
        if (why := _why_not(known[key], answer))
    ]


def _why_not(check: Check, answer: CheckAnswer) -> str:
    if isinstance(answer, bool):
        return _("%(check)s: say how many of how many.") if check.counted else ""
    if not check.counted:
        return _("%(check)s: say yes or no.")
    return TOO_MANY if answer[0] > answer[1] else ""


def answers_of(payload: Mapping[str, Any]) -> dict[str, CheckAnswer]:
    """What a stored judgement says to checks, by their keys."""
    said = payload.get("checks", {})
    return {key: each if isinstance(each, bool) else (each[0], each[1]) for key, each in said.items()}


@dataclass(frozen=True)
class AnsweredYesNo:
    """How often a check was answered by yes, by no, and not at all."""

    yes: int
    no: int
    unanswered: int

    def as_json(self) -> dict[str, Any]:
        """For a file or the database."""
        return asdict(self)


@dataclass(frozen=True)
class AnsweredCounts:
    """How much was there of how much: `n` of `m`, summed over the answers; how many `answered`, and did not.

    `mean`: of n / m of each answer, 0 to 1; None without any.
    """

    n: int
    m: int
    mean: float | None
    answered: int
    unanswered: int

    def as_json(self) -> dict[str, Any]:
        """For a file or the database."""
        return asdict(self) | {"mean": None if self.mean is None else round(self.mean, DECIMALS)}


@dataclass(frozen=True)
class CheckResults:
    """What was said to a check: in all, by the mark that the same rater gave, and by type, where there are types."""

    all: AnsweredYesNo | AnsweredCounts
    by_mark: Mapping[str, AnsweredYesNo | AnsweredCounts]
    by_type: Mapping[str, AnsweredYesNo | AnsweredCounts]

    def as_json(self) -> dict[str, Any]:
        """For a file or the database."""
        return {
            "all": self.all.as_json(),
            "by_mark": {key: each.as_json() for key, each in self.by_mark.items()},
            "by_type": {key: each.as_json() for key, each in self.by_type.items()},
        }


class CheckedMark(NamedTuple):
    """A mark, the type of its item ("" if none is known), and what was said to checks beside it."""

    mark: str
    type: str
    checks: Mapping[str, CheckAnswer]


def check_results(rubric: Rubric, given: Iterable[CheckedMark]) -> dict[str, CheckResults]:
    """What was said to each check of the rubric, by its key; marks without an answer are counted as unanswered."""
    every = list(given)
    types = sorted({one.type for one in every if one.type})
    of_mark = {mark.key: [one for one in every if one.mark == mark.key] for mark in rubric.marks}
    of_type = {key: [one for one in every if one.type == key] for key in types}
    return {
        check.key: CheckResults(
            all=_answered(check, every),
            by_mark={key: _answered(check, found) for key, found in of_mark.items()},
            by_type={key: _answered(check, found) for key, found in of_type.items()},
        )
        for check in rubric.checks
    }


def _answered(check: Check, given: Sequence[CheckedMark]) -> AnsweredYesNo | AnsweredCounts:
    said = [one.checks[check.key] for one in given if check.key in one.checks]
    unanswered = len(given) - len(said)
    if not check.counted:
        return AnsweredYesNo(said.count(True), said.count(False), unanswered)
    pairs = [each for each in said if not isinstance(each, bool)]
    shares = [n / m for n, m in pairs]
    return AnsweredCounts(
        n=sum(n for n, _m in pairs),
        m=sum(m for _n, m in pairs),
        mean=sum(shares) / len(shares) if shares else None,
        answered=len(said),
        unanswered=unanswered,
    )
