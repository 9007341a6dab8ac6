"""What raters said to checks beside their first marks, as a meeting reads it: how many, never who."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import gettext

from annotation.judging.checks import AnsweredYesNo, CheckedMark, check_results
from annotation.judging.rubrics import Rubric
from frontend.work.meetings.alike import ExhibitFacts


class CheckLine(NamedTuple):
    """A check by its title, and what was said to it in words."""

    title: str
    said: str


def check_lines(rubric: Rubric, about: ExhibitFacts) -> Iterator[CheckLine]:
    """What was said to each check that anybody has answered, in their order."""
    given = [CheckedMark(mark, "", about.checks[number]) for number, mark in about.first.items()]
    found = check_results(rubric, given)
    for check in rubric.checks:
        said = found[check.key].all
        if said.unanswered == len(given):
            continue
        if isinstance(said, AnsweredYesNo):
            words = gettext("yes %(yes)s, no %(no)s, open %(open)s")
            counts = {"yes": said.yes, "no": said.no, "open": said.unanswered}
        else:
            words = gettext("%(n)s of %(m)s in all, open %(open)s")
            counts = {"n": said.n, "m": said.m, "open": said.unanswered}
        yield CheckLine(check.title, words % counts)
