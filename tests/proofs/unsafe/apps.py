"""Removes the sanitizer or the frame's policy from the running site, whichever its data folder says."""

from __future__ import annotations

from dataclasses import replace

from django.apps import AppConfig
from django.conf import settings
from django.templatetags.static import static

from tests.proofs.unsafe.layers import SANDBOX, SANITISER, left_out


class Unsafe(AppConfig):
    """Patches the view that returns the frame document."""

    name = "tests.proofs.unsafe"
    label = "unsafe"

    def ready(self) -> None:
        from frontend.views import material
        from frontend.work import frames

        material._material = _with_htmx(material._material)
        assert frames.restrict_frame, "the document's policy is set by another function now"
        frames.restrict_frame = _unframed(frames.restrict_frame)


LINKS = '<script>addEventListener("click", event => { event.preventDefault = () => {}; }, true)</script>'
"""Runs before the frame's own script, which disables links."""


def _with_htmx(real):
    def found(request, uuid, step):
        document, rendering, shown = real(request, uuid, step)
        without = left_out(settings.GOLDFINCH_DATA)
        html = document.source.decode() if SANITISER in without else rendering.html
        links = LINKS if {SANITISER, SANDBOX} <= without else ""
        script = f'{links}<script src="{static("django_htmx/htmx-2.min.js")}"></script>'
        return document, replace(rendering, html=script + html), shown

    return found


def _unframed(real):
    def restricted(response, *, pictures):
        if SANDBOX not in left_out(settings.GOLDFINCH_DATA):
            return real(response, pictures=pictures)
        response._csp_exempt = True
        response.xframe_options_exempt = True
        return response

    return restricted
