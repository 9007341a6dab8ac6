"""Static files under hashed names, compressed, so that browsers can cache them for ever."""

from __future__ import annotations

from collections.abc import Callable
from re import Match
from typing import Any

from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from whitenoise.storage import CompressedManifestStaticFilesStorage


class Storage(CompressedManifestStaticFilesStorage):
    """Rewrites imports between our script modules to hashed names too; leaves third-party scripts unchanged."""

    support_js_module_import_aggregation = True

    def url_converter(self, name: str, *args: Any, **kwargs: Any) -> Callable[[Match[str]], str]:
        if name.startswith("django_htmx/"):
            return lambda found: found[0]
        converter: Callable[[Match[str]], str] = super().url_converter(name, *args, **kwargs)
        return converter


def refuse_if_missing() -> None:
    """CommandError if pages can't name their static files yet. With DEBUG, those are served from their sources."""
    if isinstance(staticfiles_storage, Storage) and not staticfiles_storage.hashed_files:
        raise CommandError(_("Static files have not been collected: run `manage.py collectstatic --noinput`."))
