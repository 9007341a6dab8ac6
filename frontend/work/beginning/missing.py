"""What a person lacks for some work, in words: the qualifications, what each is, and how one gets it."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation import clock, projects
from annotation.models import Project, User
from frontend.markdown import document
from qualification import granting
from qualification.courses import standing
from qualification.models import Qualification

ASK = _("Ask a lead of the project how you get it.")


@dataclass(frozen=True)
class MissingQualification:
    """One of them: its title, and `about`, what it is and how one gets it; the address of its course, if it has one."""

    title: str
    about: SafeString | str
    course: str = ""


def missing_qualifications(user: User, project: Project, activity: str) -> list[MissingQualification]:
    """Those that the activity needs and the person does not have."""
    keys = granting.lacking(user, project, projects.requirements_of(project, activity))
    rows = {row.key: row for row in granting.titled(project, keys)}
    return [_missing(user, rows[key]) if key in rows else MissingQualification(key, str(ASK)) for key in keys]


def _missing(user: User, row: Qualification) -> MissingQualification:
    course = course_of(user, row)
    about = document(row.about).html if row.about.strip() else "" if course else str(ASK)
    return MissingQualification(row.title, about, course)


def course_of(user: User, row: Qualification) -> str:
    """The address of the course by which the person can get it or sees why they can't; "" without one."""
    stands = standing.of_person(user, row, now=clock.now())
    return reverse("course", args=[row.project.slug, row.key]) if stands is not None else ""


def missing_in_words(missing: list[MissingQualification]) -> str:
    """A sentence that names them; if there are none any more, it says so."""
    if not missing:
        return gettext("You have everything that this work needs now: try again.")
    titles = get_text_list([f"“{each.title}”" for each in missing], gettext("and"))
    words = ngettext(
        "This work needs a qualification that you don’t have: %(titles)s.",
        "This work needs qualifications that you don’t have: %(titles)s.",
        len(missing),
    )
    return words % {"titles": titles}
