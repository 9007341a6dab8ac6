"""Cases: what a lead has to decide about an annotation or about somebody who worked on it, with a reason.

Every decision is an event and can be undone.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.models.corpus import Item


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


class FlagReason(models.TextChoices):
    """What is wrong with an item."""

    BROKEN = "broken", _("It is broken or does not display")
    OFFENSIVE = "offensive", _("It is offensive")
    PERSONAL = "personal", _("It shows personal data")
    LANGUAGE = "language", _("It is in the wrong language")
    OTHER = "other", _("Something else")


class Flag(models.Model):
    """One person's report about an item; open until a lead has looked at it.

    `stage`: the last one of the activity that the person had reached; "" if that was not recorded.
    """

    item = models.ForeignKey("annotation.Item", on_delete=models.PROTECT, related_name="flags")
    author = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="flags")
    activity = models.CharField(max_length=40)
    stage = models.CharField(max_length=40, default="")
    reason = models.CharField(max_length=20, choices=FlagReason)
    text = models.TextField(blank=True)
    at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "author"], condition=Q(settled_at__isnull=True), name="one_open_flag_per_person"
            ),
        ]


class Adjudication(models.Model):
    """A decision about an item's annotations in an activity and round: `annotation` is right, or the best of them.

    It is one of those that disagree, or a reference that an expert has written. `agreement`: theirs at that time. Only
    `taken_back_at` may change, once; a decision that was taken back doesn't count.
    """

    item = models.ForeignKey("annotation.Item", on_delete=models.PROTECT, related_name="adjudications")
    activity = models.CharField(max_length=40)
    round = models.PositiveSmallIntegerField()
    annotation = models.ForeignKey("annotation.Annotation", on_delete=models.PROTECT, related_name="adjudications")
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="adjudications")
    reason = models.CharField(max_length=200)
    agreement = models.FloatField()
    at = models.DateTimeField()
    taken_back_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "activity", "round"],
                condition=Q(taken_back_at__isnull=True),
                name="one_standing_adjudication",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="an_adjudication_has_a_reason"),
        ]

    @classmethod
    def of_item(cls, item: Item) -> QuerySet[Adjudication]:
        """The decisions about an item that count."""
        return cls.objects.filter(item=item, taken_back_at__isnull=True).select_related("by", "annotation")

    @classmethod
    def standing(cls, item: Item, activity: str, round: int) -> Adjudication | None:
        """The decision that counts, if there is one."""
        return cls.of_item(item).filter(activity=activity, round=round).first()
