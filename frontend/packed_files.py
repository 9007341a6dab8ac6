"""Files of forms that may be packed with gzip."""

from __future__ import annotations

import gzip
import zlib
from io import BytesIO
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _


class PackedFileField(forms.FileField):
    """A file that is read whole, and unpacked if its name ends in .gz.

    `largest`, `largest_unpacked`: the most bytes, and what is said of a file that has more.
    """

    def __init__(self, *, largest: tuple[int, Any], largest_unpacked: tuple[int, Any], **options: Any) -> None:
        super().__init__(**options)
        self.largest, self.largest_unpacked = largest, largest_unpacked

    def clean(self, data: Any, initial: Any = None) -> bytes:
        """Its unpacked bytes; ValidationError for a file that is too large or can't be unpacked."""
        file: UploadedFile[bytes] = super().clean(data, initial)
        if file.size is not None and file.size > self.largest[0]:
            raise forms.ValidationError(self.largest[1])
        found: bytes = file.read()
        if (file.name or "").endswith(".gz"):
            try:
                with gzip.open(BytesIO(found)) as packed:
                    found = packed.read(self.largest_unpacked[0] + 1)
            except (OSError, EOFError, zlib.error):
                raise forms.ValidationError(_("The file can’t be unpacked: its name says that it is gzip.")) from None
        if len(found) > self.largest_unpacked[0]:
            raise forms.ValidationError(self.largest_unpacked[1])
        return found
