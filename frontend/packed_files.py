"""Files of forms that may be packed with gzip."""

from __future__ import annotations

import gzip
import zlib
from io import BytesIO
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _


def unpacked(file: UploadedFile[bytes], *, largest: tuple[int, Any], largest_unpacked: tuple[int, Any]) -> bytes:
    """The bytes of a file, unpacked if its name ends in .gz.

    `largest`, `largest_unpacked`: the most bytes, and what is said of a file that has more. ValidationError for such a
    file, and for one that can't be unpacked.
    """
    if file.size is not None and file.size > largest[0]:
        raise forms.ValidationError(largest[1])
    data: bytes = file.read()
    if (file.name or "").endswith(".gz"):
        try:
            with gzip.open(BytesIO(data)) as packed:
                data = packed.read(largest_unpacked[0] + 1)
        except (OSError, EOFError, zlib.error):
            raise forms.ValidationError(_("The file can’t be unpacked: its name says that it is gzip.")) from None
    if len(data) > largest_unpacked[0]:
        raise forms.ValidationError(largest_unpacked[1])
    return data
