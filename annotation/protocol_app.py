"""The Django app of a protocol: its templates, its static files, and its place in the registry."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class ProtocolConfig(AppConfig):
    """Registers `PROTOCOL` of the package's module `protocol` with `FORMS` of its module `forms`.

    Import this module and not the class: of the app configs in a package's `apps.py` Django takes the only one.
    """

    def ready(self) -> None:
        from annotation import registry

        protocol, forms = (import_module(f"{self.name}.{module}") for module in ("protocol", "forms"))
        registry.register(protocol.PROTOCOL, forms=forms.FORMS)
