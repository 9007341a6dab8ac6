"""The frame document, and content security policies (CSP) that differ from the site's: work page, lobby, images."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from csp.constants import NONE
from django.http import HttpRequest, HttpResponse
from django.urls import get_script_prefix
from django.utils.safestring import SafeString, mark_safe


def allow_frame(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let a work page embed frame documents, which are below /page/, and nothing else of ours."""
    return _allow(response, "frame-src", request.build_absolute_uri(f"{get_script_prefix()}page/"))


def allow_socket(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let a page open our sockets, which are below /ws/: not every browser takes 'self' to include them."""
    sockets = request.build_absolute_uri(f"{get_script_prefix()}ws/").replace("http", "ws", 1)
    return _allow(response, "connect-src", sockets)


def forbid_sending(response: HttpResponse) -> HttpResponse:
    """Let a page send nothing: no form, no request by a script."""
    update = getattr(response, "_csp_replace", {}) | {"connect-src": [NONE], "form-action": [NONE]}
    response._csp_replace = update  # type: ignore[attr-defined]  # django-csp reads it
    return response


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
        "script-src": [SCRIPT_HASH],
        "style-src": [STYLE_HASH],
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


_FOLDER = Path(__file__).parent.parent / "frame"
_PARTS = ("channel.js", "settled.js", "boxes.js", "tables.js", "lists.js", "find.js", "words.js", "start.js")


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _script() -> str:
    """All parts in order, as one script: an external file would be blocked in the frame's opaque origin."""
    return '(() => {\n"use strict";\n' + "\n".join(map(_read, _PARTS)) + "})();\n"


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


SCRIPT: SafeString = mark_safe(_script())  # noqa: S308 -- our own files
STYLE: SafeString = mark_safe(_read("reading.css"))  # noqa: S308 -- our own file
SCRIPT_HASH, STYLE_HASH = _hash(SCRIPT), _hash(STYLE)
