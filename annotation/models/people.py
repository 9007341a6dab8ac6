"""People: accounts, their roles in projects, their consent, and what they and their leads write to each other."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation import randomness
from annotation.triggers.append_only import ImmutableModel

PERSONAL = (
    "annotation.User",
    "annotation.Message",
    "qualification.Invite",
    "qualification.Participant",
    "qualification.SignIn",
    "qualification.ApiToken",
    "account.EmailAddress",
    "account.EmailConfirmation",
    "mfa.Authenticator",
)
"""Tables that hold personal data; the record holds only the user's id."""


class User(AbstractUser):
    """A person. Authors of imported annotations are users without log-in; `imported_as` names them by their source."""

    worker_code = models.CharField(max_length=20, unique=True, default=randomness.code, editable=False)
    imported_as = models.CharField(max_length=200, null=True, blank=True, unique=True, editable=False)


class Role(models.TextChoices):
    """The role of a member: annotators do the work, experts decide disputes, leads run the project."""

    ANNOTATOR = "annotator", _("Annotator")
    EXPERT = "expert", _("Expert")
    LEAD = "lead", _("Lead")


class Membership(models.Model):
    """A person's role in a project, from `since` until `ended_at`.

    `sees_answers_since`: when an expert began to see everybody's answers; from then on they are given no work there.
    `no_new_work_since`: since when they are to finish only what they hold; the membership ends once they have.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role)
    since = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    sees_answers_since = models.DateTimeField(null=True, blank=True, editable=False)
    no_new_work_since = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "user", "role"], condition=Q(ended_at__isnull=True), name="one_live_membership"
            ),
        ]


class Consent(ImmutableModel):
    """A person's acceptance of the consent text (identified by its sha-256) in a project."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="consents")
    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="consents")
    text_sha256 = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "project", "text_sha256"], name="one_consent_per_text"),
        ]


class Thread(models.Model):
    """The messages between a person and the leads of a project, numbered 1, 2, 3.

    `seen_by_person` and `seen_by_leads`: the number of the last message that they have said to have read, or answered.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="threads")
    person = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="threads")
    seen_by_person = models.PositiveIntegerField(default=0)
    seen_by_leads = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "person"], name="one_thread_per_person_and_project"),
        ]


class Message(ImmutableModel):
    """One message in a thread, by the person or (`from_lead`) by any lead of the project.

    `item`: the one that the person had open when they wrote, if any. `key`: the page's idempotency key.
    """

    LONGEST = 2000
    """Characters of a text."""

    # No index of its own: the unique one below begins with the thread.
    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="messages", db_index=False)
    author = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    from_lead = models.BooleanField()
    at = models.DateTimeField()
    text = models.CharField(max_length=LONGEST)
    item = models.ForeignKey("annotation.Item", null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    key = models.UUIDField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["thread", "number"], name="messages_are_numbered"),
            models.UniqueConstraint(fields=["author", "key"], name="a_message_is_stored_once"),
            models.CheckConstraint(condition=~Q(text=""), name="messages_have_a_text"),
        ]
