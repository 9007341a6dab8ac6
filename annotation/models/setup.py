"""What leads and admins set up: consent texts, the unfinished form of a new project, which hosts the site may call."""

from __future__ import annotations

from django.db import models

from annotation.triggers.append_only import ImmutableModel


class ConsentText(ImmutableModel):
    """A consent text of a project's own, in Markdown. `Project.consent_sha256` names the one that counts."""

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="consent_texts")
    sha256 = models.CharField(max_length=64)
    text = models.TextField()
    at = models.DateTimeField()
    by = models.ForeignKey("annotation.User", null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "sha256"], name="one_row_per_consent_text"),
        ]


class IdKey(models.Model):
    """The fingerprint of the key with which the ids of this site are made (`annotation.pseudonyms`): one row."""

    fingerprint = models.CharField(max_length=64)


class NewProject(models.Model):
    """A person's project that is not made yet: the fields of all steps as they were entered, possible or not."""

    by = models.OneToOneField("annotation.User", on_delete=models.CASCADE, related_name="new_project")
    fields = models.JSONField(default=dict)
    saved_at = models.DateTimeField()


class AllowedHost(models.Model):
    """A host that an admin has allowed the site to call: its name, with a port unless that is 443, and what for."""

    name = models.CharField(max_length=260, unique=True)
    purpose = models.CharField(max_length=200, blank=True)
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
