"""What a method of a view reads or changes, declared once: the schema says it, and it is checked and answered so.

The method gets what its address names (`ApiView.named`), then the checked query or body if it declares one, and returns
what the serializer of its answer is to tell, or an answer of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from frontend.api.base import ApiView
from frontend.api.paging import CursorPageSerializer
from frontend.api.schema import PAGED
from frontend.api.sent import checked_body, checked_query

Finder = Callable[..., Any]
Method = Callable[..., Any]
Told = type[serializers.BaseSerializer[Any]]


def read_call(
    operation: str, told: Told, *, finder: Finder | None = None, query: Told | None = None
) -> Callable[[Method], Method]:
    """A call that reads what `finder` finds by its address; the cursor is a parameter if a page of it is told."""
    parameters = [*([query] if query else []), *(PAGED if issubclass(told, CursorPageSerializer) else [])]

    def declared(method: Method) -> Method:
        @extend_schema(operation_id=operation, parameters=parameters or None, responses=told)
        @wraps(method)
        def call(view: ApiView, request: Request, **_address: Any) -> Answer:
            found = view.named(finder)
            asked = [checked_query(request, query)] if query else []
            return serialized_answer(told, method(view, *found, *asked))

        return call

    return declared


def change_call(
    operation: str,
    told: Told | None,
    *,
    finder: Finder | None = None,
    body: Told | None = None,
    status: int = 200,
    statuses: tuple[int, ...] = (),
) -> Callable[[Method], Method]:
    """A call that changes what `finder` finds by its address, in one transaction: see `ApiView.once`.

    `told` is None for one that answers nothing. `statuses`: other ones that the method itself answers with.
    """

    def declared(method: Method) -> Method:
        responses = dict.fromkeys((status, *statuses), told)

        @extend_schema(operation_id=operation, request=body, responses=responses)
        @wraps(method)
        def call(view: ApiView, request: Request, **_address: Any) -> Answer:
            def given() -> list[Any]:
                return [*view.named(finder), *([checked_body(request, body)] if body else [])]

            def change(*what: Any) -> Answer:
                return serialized_answer(told, method(view, *what), status)

            if view.replays_first:
                return view.once(lambda: change(*given()))
            what = given()
            return view.once(lambda: change(*what))

        return call

    return declared


def serialized_answer(told: Told | None, result: Any, status: int = 200) -> Answer:
    """The answer that tells what was found."""
    if isinstance(result, Answer):
        return result
    return Answer(told(result).data if told else None, status=status)
