"""Rows told quickly: what DRF works out anew for each field of each row is worked out once for all of them."""

from __future__ import annotations

from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar

from django.db.models import Model
from rest_framework import serializers

T = TypeVar("T", bound=Model)


class CodeField(serializers.CharField):
    """Somebody’s worker code; null where nobody is named."""

    def __init__(self, **about: Any) -> None:
        super().__init__(read_only=True, allow_null=True, **about)

    def to_representation(self, value: Any) -> Any:
        """From the person."""
        return value.worker_code


class RowSerializer(serializers.ModelSerializer[T]):
    """Columns of a row, and serializers of what belongs to it; each field has one attribute as its source.

    The same answer as DRF's own, for which fields are asked again and again whether they are calls or are left out.
    """

    @cached_property
    def _told(self) -> list[tuple[str, Any, Any]]:
        fields = [field for field in self.fields.values() if not field.write_only]
        return [(field.field_name, attrgetter(field.source), field.to_representation) for field in fields]

    def to_representation(self, instance: T) -> dict[str, Any]:
        """The row, which then forgets what was prefetched of it.

        Rows and what belongs to them refer to each other: 19,000 objects of a page of 100 items with annotations were
        left to the garbage collector, which took 0.7 s for those of 25 pages in the middle of one.
        """
        found = ((name, value_of(instance), told) for name, value_of, told in self._told)
        row = {name: None if value is None else told(value) for name, value, told in found}
        vars(instance).pop("_prefetched_objects_cache", None)
        return row
