"""Two health checks: whether this process answers at all, and whether it can do its work."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from frontend.server import readiness


@never_cache
@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """200: this process answers. It asks nothing else, so that nobody restarts it because of something else."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 if the disk, the database, Redis and the background jobs do what they should, 503 with the reasons if not."""
    reasons = readiness.why_not_ready()
    if reasons:
        return JsonResponse({"status": "not ready", "reasons": reasons}, status=503, headers={"Retry-After": "5"})
    return JsonResponse({"status": "ok"})
