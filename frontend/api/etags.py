"""Optimistic locks: an answer has an `ETag`, and a change that names another one in `If-Match` is refused (412).

What others do meanwhile by working is no change: a serializer names those fields in `progress`, and the tag leaves them
out. Otherwise the numbers of a queue could hardly be changed while people work in it.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from rest_framework.request import Request

from frontend.api.problems import PreconditionFailed


def etag_of(data: Any) -> str:
    """The tag of what an answer says, without the progress that its serializer names."""
    progress: frozenset[str] = getattr(getattr(data, "serializer", None), "progress", frozenset())
    text = json.dumps(_without(progress, data) if progress else data, sort_keys=True, cls=DjangoJSONEncoder)
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def _without(names: frozenset[str], data: Any) -> Any:
    """The same without fields of these names, at any depth."""
    if isinstance(data, dict):
        return {name: _without(names, value) for name, value in data.items() if name not in names}
    return [_without(names, each) for each in data] if isinstance(data, list) else data


def check_match(request: Request, data: Any) -> None:
    """PreconditionFailed if the caller has read another version than `data`; a call without `If-Match` may write."""
    wanted = [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-Match", ""))]
    if wanted and "*" not in wanted and etag_of(data) not in wanted:
        raise PreconditionFailed(_("It has changed since you read it. Read it again, then send your change."))
