"""Static files under hashed names, compressed, so that a browser keeps each for good."""

from __future__ import annotations

from collections.abc import Callable
from re import Match
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage


class Storage(CompressedManifestStaticFilesStorage):
    """Imports between our script modules get hashed names too; scripts that we did not write stay as they are."""

    support_js_module_import_aggregation = True

    def url_converter(self, name: str, *args: Any, **kwargs: Any) -> Callable[[Match[str]], str]:
        if name.startswith("django_htmx/"):
            return lambda found: found[0]
        return super().url_converter(name, *args, **kwargs)
