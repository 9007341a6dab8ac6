"""What a person lacks for some work, in words: the qualifications, what each is, and how one gets it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation import projects
from annotation.models import Project, User
from frontend.markdown import document
from qualification import granting

ASK = _("Ask a lead of the project how you get it.")


@dataclass(frozen=True)
class MissingQualification:
    """One of them: its title, and `about`, what it is and how one gets it."""

    title: str
    about: SafeString | str


def missing_qualifications(user: User, project: Project, activity: str) -> list[MissingQualification]:
    """Those that the activity needs and the person does not have."""
    keys = granting.lacking(user, project, projects.requirements_of(project, activity))
    rows = {row.key: row for row in granting.titled(project, keys)}
    return [
        MissingQualification(rows[key].title, document(rows[key].about).html if rows[key].about.strip() else str(ASK))
        if key in rows
        else MissingQualification(key, str(ASK))
        for key in keys
    ]


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
