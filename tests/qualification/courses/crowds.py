"""A crowd that has sat an exam, as rows: of a course whose first item of the last block gets known in the middle."""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction

from annotation.models import Role
from qualification.courses import editing, grading
from qualification.models import CourseVersion, Outcome
from tests.factories.people import ConsentFactory, MembershipFactory, UserFactory
from tests.factories.qualification import AttemptAnswerFactory, AttemptFactory, EnrolmentFactory
from tests.qualification.courses.building import RIGHT, WRONG

DAYS, A_DAY = 12, 10
BEFORE, SINCE = 5, 9
"""Of the ten answers of a day to that item, the right ones in the first half of the days, and in the second."""


def a_crowd_that_passed_an_item_on(version: CourseVersion, *, first: datetime) -> str:
    """Ten people sit the exam on each of twelve days from `first` on, and ever the same items: the first that each
    block draws. All answers are right, but half of those to the first item of the last block, until the seventh day,
    and a tenth of them since. Return the key of that item.
    """
    course, project = editing.read(version), version.qualification.project
    form = [[block.key, item.key] for block in course.blocks for item in block.pool[: block.draw]]
    place = next(n for n, (key, _item) in enumerate(form) if key == course.blocks[-1].key)
    number = DAYS * A_DAY
    users = UserFactory.insert_many({"username": f"{version.qualification.key}-{n}"} for n in range(number))
    MembershipFactory.insert_many({"project": project, "user": each, "role": Role.ANNOTATOR} for each in users)
    ConsentFactory.insert_many({"project": project, "user": each} for each in users)
    days = [first + timedelta(days=n // A_DAY, minutes=5 * (n % A_DAY)) for n in range(number)]
    EnrolmentFactory.insert_many(
        {"course": version, "user": user, "begun_at": at} for user, at in zip(users, days, strict=True)
    )
    attempts = []
    for n, (user, at) in enumerate(zip(users, days, strict=True)):
        right = n % A_DAY < (BEFORE if n < number // 2 else SINCE)
        marks = [Fraction(int(right or each != place)) for each in range(len(form))]
        results = grading.results(course, form, marks)
        attempts.append(
            {
                "course": version,
                "user": user,
                "issued_at": at,
                "form": form,
                "marks": [str(each) for each in marks],
                "blocks": [each.stored() for each in results],
                "outcome": Outcome.ADMITTED if all(each.passed for each in results) else Outcome.NOT_ADMITTED,
            }
        )
    AttemptAnswerFactory.insert_many(
        {
            "attempt": each,
            "place": at,
            "answer": RIGHT if mark == "1" else WRONG,
            "at": each.issued_at + timedelta(seconds=40 * (at + 1)),
        }
        for each in AttemptFactory.insert_many(attempts)
        for at, mark in enumerate(each.marks)
    )
    return form[place][1]
