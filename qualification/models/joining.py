"""How people come in: invitations, mails, sign-ins, those who come from a recruitment site."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Role


class InviteState(models.TextChoices):
    """What has become of an invitation."""

    OPEN = "open", _("Not used yet")
    USED = "used", _("Accepted")
    EXPIRED = "expired", _("Expired")
    REVOKED = "revoked", _("Revoked")
    LAPSED = "lapsed", _("Lapsed: the sender no longer leads")


class Invite(models.Model):
    """An invitation into a project, for one person, once.

    The token of its link is stored as a hash only. `name` and `email` are what the lead wrote about the person, so they
    are personal data. `submission_key`, `position`: the form and its line, so that a repeated POST makes nothing.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="invites")
    role = models.CharField(max_length=20, choices=Role)
    name = models.CharField(max_length=200, blank=True)
    email = models.EmailField(blank=True)
    token_sha256 = models.CharField(max_length=64, unique=True)
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="invites_made")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)
    used_by = models.ForeignKey("annotation.User", null=True, on_delete=models.PROTECT, related_name="invites_used")
    submission_key = models.UUIDField()
    position = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["submission_key", "position"], name="one_invite_per_line"),
            models.CheckConstraint(
                condition=Q(used_at=None, used_by=None) | Q(used_at__isnull=False, used_by__isnull=False),
                name="who_used_an_invite_is_known",
            ),
            models.CheckConstraint(
                condition=Q(used_at=None) | Q(revoked_at=None), name="no_invite_is_used_and_revoked"
            ),
        ]
        indexes = [models.Index(fields=["project", "-made_at"], name="invites_of_a_project")]

    def state(self, now: datetime, *, leads: Collection[int]) -> InviteState:
        """Its state at that time; `leads`: the keys of those who lead the project, as nobody else may invite."""
        if self.used_at is not None:
            return InviteState.USED
        if self.revoked_at is not None:
            return InviteState.REVOKED
        if self.expires_at <= now:
            return InviteState.EXPIRED
        return InviteState.OPEN if self.by_id in leads else InviteState.LAPSED


class SignIn(models.Model):
    """A session in which somebody is signed in, by which they recognise it: where from, in which browser, since when.

    It lasts as long as the session with that key does.
    """

    user = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="sign_ins")
    session_key = models.CharField(max_length=40, unique=True)
    address = models.CharField(max_length=60, blank=True)
    browser = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField()


class Participant(models.Model):
    """Who somebody is on the recruitment site from which they came to a project: what it appended to the address.

    `external_id` is what names the person there: two accounts with one would be two annotators of one item.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="participants")
    user = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="participations")
    external_id = models.CharField(max_length=200)
    parameters = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="one_participant_per_account"),
            models.UniqueConstraint(fields=["project", "external_id"], name="one_account_per_participant"),
        ]


class MailOutcome(models.TextChoices):
    """What became of a mail that was handed over; the labels of all but the first say why it could not be sent."""

    SENT = "sent", _("sent")
    ADDRESS = "address", _("the mail server does not accept this address")
    UNREACHABLE = "unreachable", _("the mail server can’t be reached")
    SIGN_IN = "sign_in", _("the mail server does not let this site sign in; its admin can mend that")
    REFUSED = "refused", _("the mail server refused the mail")


class Mail(models.Model):
    """What became of the last mail with the link of an invitation, or with a link for somebody's new password."""

    invite = models.OneToOneField(Invite, null=True, on_delete=models.CASCADE, related_name="mail")
    user = models.OneToOneField("annotation.User", null=True, on_delete=models.CASCADE, related_name="password_mail")
    outcome = models.CharField(max_length=20, choices=MailOutcome)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(invite__isnull=False, user=None) | Q(invite=None, user__isnull=False),
                name="a_mail_has_one_purpose",
            ),
        ]
