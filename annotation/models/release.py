"""Releases: frozen, versioned, hashed exports."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Release(models.Model):
    """One export with its recipe and the hashes of its members and manifest; frozen once ready."""

    class State(models.TextChoices):
        BUILDING = "building", _("Building")
        READY = "ready", _("Ready")
        FAILED = "failed", _("Failed")
        RETRACTED = "retracted", _("Retracted")

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="releases")
    version = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=State, default=State.BUILDING)
    recipe = models.JSONField()
    members_sha256 = models.CharField(max_length=64, blank=True)
    manifest_sha256 = models.CharField(max_length=64, blank=True)
    code_version = models.CharField(max_length=40)
    by = models.ForeignKey("annotation.User", null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "version"], name="one_release_per_version")]


S = Release.State
RELEASE_MOVES = {
    S.BUILDING: frozenset({S.READY, S.FAILED}),
    S.READY: frozenset({S.RETRACTED}),
    S.FAILED: frozenset(),
    S.RETRACTED: frozenset(),
}
