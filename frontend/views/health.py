"""Health check: the database answers and the append-only triggers are in place."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse

from annotation.triggers import append_only


def health(request: HttpRequest) -> JsonResponse:
    """200 when all is well, 503 with the reason otherwise."""
    try:
        append_only.verify()
    except append_only.Immutable as error:
        return JsonResponse({"status": "unsafe", "reason": str(error)}, status=503)
    return JsonResponse({"status": "ok"})
