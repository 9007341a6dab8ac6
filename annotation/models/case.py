"""Cases: what a lead has to decide about an annotation or about somebody who worked on it, with a reason.

Every decision is an event and can be undone.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class CaseKind(models.TextChoices):
    """What the decision is about."""

    FLAG = "flag", _("Flagged answer")
    ACCEPTANCE = "acceptance", _("To be accepted")
    LEAVES = "leaves", _("Left partners without a reason")


class CaseState(models.TextChoices):
    """An upheld flag marks the answer in releases; an upheld acceptance lets the annotation into them.

    Neither decision about a person who left changes anything but the record.
    """

    OPEN = "open", _("Open")
    UPHELD = "upheld", _("Upheld")
    DISMISSED = "dismissed", _("Dismissed")


S = CaseState
CASE_MOVES = {
    S.OPEN: frozenset({S.UPHELD, S.DISMISSED}),
    S.UPHELD: frozenset({S.OPEN}),
    S.DISMISSED: frozenset({S.OPEN}),
}


class Case(models.Model):
    """A flag by `author` on somebody else's `response`; a finished annotation that counts only if it is accepted; or
    that the person `about` whom it is has left partners too often without a reason, those of `annotation` last.

    `reason`: one of those that the flagged stage names. `ends`: the author found it so serious that the work ended.
    """

    kind = models.CharField(max_length=20, choices=CaseKind)
    state = models.CharField(max_length=20, choices=CaseState, default=CaseState.OPEN)
    annotation = models.ForeignKey("annotation.Annotation", on_delete=models.PROTECT, related_name="cases")
    response = models.ForeignKey("annotation.Response", null=True, on_delete=models.PROTECT, related_name="cases")
    author = models.ForeignKey("annotation.User", null=True, on_delete=models.PROTECT, related_name="cases")
    reason = models.CharField(max_length=40, blank=True)
    text = models.TextField(blank=True)
    ends = models.BooleanField(default=False)
    about = models.ForeignKey("annotation.User", null=True, on_delete=models.PROTECT, related_name="cases_about")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind=CaseKind.FLAG, response__isnull=False, author__isnull=False, about=None)
                & ~Q(reason="")
                | Q(kind=CaseKind.ACCEPTANCE, response=None, author=None, reason="", ends=False, about=None)
                | Q(kind=CaseKind.LEAVES, response=None, author=None, reason="", ends=False, about__isnull=False),
                name="a_case_has_what_its_kind_needs",
            ),
            models.UniqueConstraint(fields=["response", "author"], name="one_flag_per_person_and_response"),
            models.UniqueConstraint(
                fields=["annotation"], condition=Q(kind=CaseKind.ACCEPTANCE), name="one_acceptance_per_annotation"
            ),
            models.UniqueConstraint(
                fields=["annotation", "about"],
                condition=Q(kind=CaseKind.LEAVES),
                name="one_case_of_leaves_per_annotation",
            ),
        ]
        indexes = [
            models.Index(fields=["annotation"], condition=Q(state=CaseState.OPEN), name="open_cases"),
        ]
