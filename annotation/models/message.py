"""What a project's leads and one of its people write to each other."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.triggers.append_only import ImmutableModel


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
