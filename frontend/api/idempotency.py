"""A call with an `Idempotency-Key` takes effect once, however often it is sent: the same answer is given again.

A call is one transaction, with a key or without, in which its answer is stored. One that was refused has changed
nothing, and is tried anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

from django.db import IntegrityError
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.errors import KeyReused
from qualification.models import ApiCall
from tasks.engine.transactions import service

LONGEST_KEY = 100


def once(request: Request, call: Callable[[], Answer], *, check_right: Callable[[], object]) -> Answer:
    """The answer of `call`, or of the same call before. KeyReused if the key came with another call.

    `check_right` raises if the person may not be told that answer any more; it is asked before a stored one is given.
    """
    key = request.headers.get("Idempotency-Key", "")
    if not key:
        return service(call)()
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise ValidationError({"Idempotency-Key": "at most 100 printable characters"})
    sha256 = _sha256_of(request)

    def stored_call() -> Answer:
        row = ApiCall.objects.create(token=request.auth, key=key, sha256=sha256, at=clock.now())
        answer = call()
        ApiCall.objects.filter(pk=row.pk).update(status=answer.status_code, answer=json.dumps(answer.data))
        return answer

    try:
        return service(stored_call)()
    except IntegrityError:
        before = ApiCall.objects.filter(token=request.auth, key=key).first()
        if before is None:
            raise
        check_right()
        if before.sha256 != sha256:
            raise KeyReused from None
        return Answer(json.loads(before.answer), status=before.status, headers={"Idempotency-Replayed": "true"})


def _sha256_of(request: Request) -> str:
    digest = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode())
    digest.update(request.body)
    return digest.hexdigest()
