"""What was done on Prolific, and when, in words."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation.models import Event, Project
from frontend.leads.event_lines import event_lines

LATEST = 50
"""Lines of a history, at most."""
WORDS: dict[str, Any] = {
    "study.connected": _("Connected to study %(study)s"),
    "study.disconnected": _("Disconnected from study %(study)s"),
    "study.approving": _("Submissions sent to be approved: %(n)s"),
    "study.approved": _("Prolific took the approvals: %(n)s"),
    "bonus.confirmed": _("Bonuses confirmed: %(amount)s to %(people)s"),
    "bonus.set_up": _("Bonuses set up on Prolific"),
    "bonus.paying": _("Prolific told to pay them"),
    "bonus.paid": _("Bonuses paid"),
    "bonus.refused": _("Bonuses refused by Prolific, and owed again"),
    "bonus.unclear": _("No answer, and not all bonuses found: a lead has to look"),
    "bonus.not_paid": _("Bonuses not paid, and owed again"),
    "bonus.waits": _("To be tried again"),
    "studygroup.added": _("Group “%(name)s” holds who has “%(qualification)s”"),
    "studygroup.filled": _("Group “%(name)s” filled: %(people)s"),
    "studygroup.dropped": _("Group “%(name)s” is filled no more"),
    "studygroup.failed": _("Group “%(name)s” could not be filled"),
}


def history_of(project: Project) -> list[dict[str, Any]]:
    """The latest that happened, newest first; `why`: what Prolific said, or ""."""
    rows = Event.objects.filter(project_id=project.pk, kind__in=WORDS).order_by("-pk")[:LATEST]
    return event_lines(rows, what=event_in_words, why=lambda row: str(row.data.get("problem", "")))


def event_in_words(event: Event) -> str:
    """What happened."""
    data = dict(event.data)
    if "n" in data:
        data["people"] = ngettext("%(n)s person", "%(n)s people", data["n"]) % {"n": data["n"]}
    if "cents" in data:
        data["amount"] = amount_in_words(data["cents"], data["currency"])
    said = gettext(WORDS[event.kind]) % data
    if data.get("found"):
        said += " · " + gettext("found on the submissions")
    if data.get("decided"):
        said += " · " + gettext("as a lead has seen on Prolific")
    return said


def amount_in_words(cents: int, currency: str) -> str:
    """`4.00 GBP`."""
    return f"{Decimal(cents) / 100:.2f} {currency}"
