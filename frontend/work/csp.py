"""Content security policies (CSP) that differ from the site's: work page, lobby, frame document, images in it."""

from __future__ import annotations

from csp.constants import NONE
from django.http import HttpRequest, HttpResponse

from frontend.work import frame_document


def allow_frame(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let a work page embed frame documents, which are below /page/, and nothing else of ours."""
    return _allow(response, "frame-src", request.build_absolute_uri("/page/"))


def allow_socket(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let a page open our sockets, which are below /ws/: not every browser takes 'self' to include them."""
    return _allow(response, "connect-src", request.build_absolute_uri("/ws/").replace("http", "ws", 1))


def _allow(response: HttpResponse, directive: str, source: str) -> HttpResponse:
    update = getattr(response, "_csp_update", {}) | {directive: [source]}
    response._csp_update = update  # type: ignore[attr-defined]  # django-csp reads it
    return response


def restrict_frame(response: HttpResponse, *, pictures: str) -> HttpResponse:
    """Sandbox the frame document by its own header too; allow only our script and style, by hash, and framing by us.

    `pictures` is the address below which its images are, "" if it has none: no other address is ever requested.
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


def allow_in_frame(response: HttpResponse) -> HttpResponse:
    """Let a frame document, whose opaque origin is cross-origin to us, load the image; opened alone it is sandboxed."""
    response._csp_update = {"sandbox": []}  # type: ignore[attr-defined]  # django-csp reads it
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
