"""Tables of what people are qualified for: the qualifications of a project, and who was granted them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Qualification(models.Model):
    """What a person needs for the activities whose config names its `key` under `requires`; it is never deleted.

    `about` is Markdown: what it is and how one gets it, as people read who lack it. `submission_key`: the form by which
    it was made, so that a repeated POST makes nothing.
    """

    LONGEST_ABOUT = 2000

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="qualifications")
    key = models.SlugField(max_length=60)
    title = models.CharField(max_length=120)
    about = models.TextField(blank=True, max_length=LONGEST_ABOUT)
    made_at = models.DateTimeField()
    by = models.ForeignKey("annotation.User", null=True, on_delete=models.PROTECT, related_name="qualifications_made")
    submission_key = models.UUIDField(unique=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "key"], name="one_qualification_of_a_key")]


class GrantState(models.TextChoices):
    """Only an active grant qualifies; a revoked one stays so, and the person may be granted it anew."""

    ACTIVE = "active", _("Active")
    SUSPENDED = "suspended", _("Suspended")
    REVOKED = "revoked", _("Revoked")


GRANT_MOVES = {
    GrantState.ACTIVE: frozenset({GrantState.SUSPENDED, GrantState.REVOKED}),
    GrantState.SUSPENDED: frozenset({GrantState.ACTIVE, GrantState.REVOKED}),
    GrantState.REVOKED: frozenset[GrantState](),
}


class GrantOrigin(models.TextChoices):
    """By what somebody came to a grant."""

    HAND = "hand", _("Given by hand")
    WORKED_HERE = "worked_here", _("Worked here before it was required")
    EXAM = "exam", _("Passed the exam")
    EQUAL_COURSE = "equal_course", _("Passed the same course in another project")


class Grant(models.Model):
    """A qualification of one person, given by a lead for a reason; events tell what became of it.

    `reason`, `by` and `at` are of the giving, `decided_*` of the last change of its state, `decisions` counts these, so
    that a repeated POST changes nothing. `submission_key`: the form by which it was given. `undone`: revoked by undoing
    its giving, which says nothing about the person.
    """

    qualification = models.ForeignKey(Qualification, on_delete=models.PROTECT, related_name="grants")
    user = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="grants")
    state = models.CharField(max_length=20, choices=GrantState, default=GrantState.ACTIVE)
    origin = models.CharField(max_length=20, choices=GrantOrigin)
    reason = models.TextField()
    by = models.ForeignKey("annotation.User", null=True, on_delete=models.PROTECT, related_name="grants_given")
    at = models.DateTimeField()
    submission_key = models.UUIDField()
    decisions = models.PositiveIntegerField(default=0)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey("annotation.User", null=True, on_delete=models.PROTECT, related_name="+")
    decided_why = models.TextField(blank=True)
    undone = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "qualification"], condition=~Q(state="revoked"), name="one_grant_that_is_not_revoked"
            ),
            models.UniqueConstraint(
                fields=["submission_key", "user", "qualification"], name="one_grant_of_a_person_per_form"
            ),
        ]
