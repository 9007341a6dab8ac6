"""Optimistic locks: an answer has an `ETag`, and a change that names another one in `If-Match` is refused (412)."""

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
    """The tag of what an answer says."""
    text = json.dumps(data, sort_keys=True, cls=DjangoJSONEncoder)
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def check_match(request: Request, data: Any) -> None:
    """PreconditionFailed if the caller has read another version than `data`; a call without `If-Match` may write."""
    wanted = [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-Match", ""))]
    if wanted and "*" not in wanted and etag_of(data) not in wanted:
        raise PreconditionFailed(_("It has changed since you read it. Read it again, then send your change."))
