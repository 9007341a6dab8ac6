"""Content security policies of the two pages that differ from the rest: the work page and the frame document."""

from __future__ import annotations

from csp.constants import NONE
from django.http import HttpRequest, HttpResponse

from frontend.work import frame_document


def framing(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """A work page may frame frame documents and nothing else of ours: they have a path of their own."""
    response._csp_update = {"frame-src": [request.build_absolute_uri("/page/")]}  # type: ignore[attr-defined]  # django-csp reads it
    return response


def framed(response: HttpResponse, *, pictures: str) -> HttpResponse:
    """The frame document: sandboxed by its own header too; only our script and style, by hash; framed by us alone.

    `pictures` is the address under which its images lie, "" where it has none: no other is ever asked for.
    """
    response._csp_replace = {  # type: ignore[attr-defined]  # django-csp reads it
        "default-src": [NONE],
        "img-src": [pictures] if pictures else None,
        "font-src": None,
        "connect-src": None,
        "script-src": [frame_document.SCRIPT_HASH],
        "style-src": [frame_document.STYLE_HASH],
        "sandbox": ["allow-scripts"],
        "frame-ancestors": ["'self'"],
        "base-uri": [NONE],
        "form-action": [NONE],
    }
    response["X-Frame-Options"] = "SAMEORIGIN"
    return response


def pictured(response: HttpResponse) -> HttpResponse:
    """An image of a frame document, whose opaque origin is another one than ours; by itself it may do nothing."""
    response._csp_update = {"sandbox": []}  # type: ignore[attr-defined]  # django-csp reads it
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
