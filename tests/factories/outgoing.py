"""Hosts that the site may call."""

from __future__ import annotations

from annotation.models import AllowedHost
from tests.factories.base import NOON, RowFactory


class AllowedHostFactory(RowFactory):
    """A host that `by` has allowed."""

    class Meta:
        model = AllowedHost

    name = "hooks.lab.example"
    at = NOON
