"""What a person is asked after many skips in a row: what is wrong."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from tasks import skipping
from tasks.models import Assignment


def after(skipped: Assignment) -> dict[str, Any]:
    """Where the answer goes (`ask`, "" where nothing is asked), and after how many skips it is asked (`many`)."""
    many = skipping.in_a_row(skipped) > skipping.MANY
    return {"ask": reverse("explain", args=[skipped.uuid]) if many else "", "many": skipping.MANY}
