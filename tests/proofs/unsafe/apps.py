"""Removes the sanitizer or the frame's policy from the running site, according to `settings.LEFT_OUT`."""

from __future__ import annotations

from dataclasses import replace

from django.apps import AppConfig
from django.conf import settings
from django.templatetags.static import static


class Unsafe(AppConfig):
    """Patches the view that returns the frame document."""

    name = "tests.proofs.unsafe"
    label = "unsafe"

    def ready(self) -> None:
        from frontend.views import material
        from frontend.work import frames

        material._material = _with_htmx(material._material, sanitised="sanitiser" not in settings.LEFT_OUT)
        if "sandbox" in settings.LEFT_OUT:
            assert frames.restrict_frame, "the document's policy is set by another function now"
            frames.restrict_frame = _unframed


LINKS = '<script>addEventListener("click", event => { event.preventDefault = () => {}; }, true)</script>'
"""Runs before the frame's own script, which disables links."""


def _with_htmx(real, *, sanitised):
    def found(request, uuid, step):
        document, rendering, shown = real(request, uuid, step)
        html = rendering.html if sanitised else document.source.decode()
        links = LINKS if {"sanitiser", "sandbox"} <= settings.LEFT_OUT else ""
        script = f'{links}<script src="{static("django_htmx/htmx-2.min.js")}"></script>'
        return document, replace(rendering, html=script + html), shown

    return found


def _unframed(response, *, pictures):
    """The frame document without any policy."""
    response._csp_exempt = True
    response.xframe_options_exempt = True
    return response
