"""Cases: what a lead has to decide about an annotation, with a reason; every decision is an event and can be undone."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class CaseKind(models.TextChoices):
    """What the decision is about."""

    FLAG = "flag", _("Flagged answer")
    ACCEPTANCE = "acceptance", _("To be accepted")


class CaseState(models.TextChoices):
    """An upheld flag marks the answer in releases; an upheld acceptance lets the annotation into them."""

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
    """A flag by `author` on somebody else's `response`, or a finished annotation that counts only if it is accepted.

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
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind=CaseKind.FLAG, response__isnull=False, author__isnull=False) & ~Q(reason="")
                | Q(kind=CaseKind.ACCEPTANCE, response=None, author=None, reason="", ends=False),
                name="a_flag_has_an_author_and_a_reason",
            ),
            models.UniqueConstraint(fields=["response", "author"], name="one_flag_per_person_and_response"),
            models.UniqueConstraint(
                fields=["annotation"], condition=Q(kind=CaseKind.ACCEPTANCE), name="one_acceptance_per_annotation"
            ),
        ]
        indexes = [
            models.Index(fields=["annotation"], condition=Q(state=CaseState.OPEN), name="open_cases"),
        ]
