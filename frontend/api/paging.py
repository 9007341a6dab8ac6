"""Pages of lists by a cursor: each page says where the next one begins, and rows that come meanwhile move nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from django.core import signing
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

PER_PAGE, AT_MOST = 50, 100
SALT = "goldfinch.api.cursor"
T = TypeVar("T", bound=Model)
Rows = type[serializers.BaseSerializer[Any]]


class CursorPageSerializer(serializers.Serializer[object]):
    """A page of rows, which a subclass has as `results`."""

    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page; null on the last one.")


def results_serializer(name: str, row: Rows, about: str, base: Rows = serializers.Serializer) -> Any:
    """The serializer of `results`, all of them by `row`, with its name and description in the schema."""
    return type(name, (base,), {"__doc__": about, "results": row(many=True)})


def page_serializer(name: str, row: Rows, about: str) -> type[CursorPageSerializer]:
    """The serializer of a page of such results."""
    found: type[CursorPageSerializer] = results_serializer(name, row, about, CursorPageSerializer)
    return found


class CursorPage(Generic[T]):
    """A page of rows in the order of some columns, whose last one is unique; `next` is None on the last page.

    The cursor is signed: what it is compared with was a value of these columns.
    """

    def __init__(self, request: Request, rows: QuerySet[T], *, order: tuple[str, ...] = ("pk",)) -> None:
        """ValidationError for a cursor that is none, or a limit outside 1 to 100."""
        limit = _limit_of(request)
        after = _after(request, len(order))
        found = list(rows.filter(_beyond(order, after)).order_by(*order)[: limit + 1])
        self.rows = found[:limit]
        self.next = _cursor(self.rows[-1], order) if len(found) > limit else None

    def answer(self, results: Iterable[Any] | None = None) -> dict[str, Any]:
        """The body of the answer: the rows as `results`, or as they are, and the cursor of the next page."""
        return {"next": self.next, "results": self.rows if results is None else results}


def _limit_of(request: Request) -> int:
    text = request.query_params.get("limit", str(PER_PAGE))
    limit = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0
    if not 1 <= limit <= AT_MOST:
        raise ValidationError({"limit": _("Between 1 and %(most)d.") % {"most": AT_MOST}})
    return limit


def _after(request: Request, length: int) -> list[Any]:
    cursor = request.query_params.get("cursor", "")
    if not cursor:
        return []
    try:
        found = signing.loads(cursor, salt=SALT)
    except signing.BadSignature:
        found = None
    if not isinstance(found, list) or len(found) != length:
        raise ValidationError({"cursor": _("This is not the cursor of a page of this list.")})
    return found


def _beyond(order: tuple[str, ...], after: list[Any]) -> Q:
    """Rows after these values: (a, b) > (x, y) is a > x, or a = x and b > y."""
    condition = Q()
    for column, value in reversed(list(zip(order, after, strict=bool(after)))):
        condition = (
            Q(**{f"{column}__gt": value}) | (Q(**{column: value}) & condition)
            if condition
            else Q(**{f"{column}__gt": value})
        )
    return condition


def _cursor(row: Model, order: tuple[str, ...]) -> str:
    return signing.dumps([getattr(row, column) for column in order], salt=SALT)
