"""The bytes of documents and layouts."""

from __future__ import annotations

from django.db import models

from annotation.triggers.append_only import ImmutableModel


class Blob(ImmutableModel):
    """Bytes under their own sha-256, compressed (`annotation.storage.blobs`): those of a Document, or of a layout.

    A blob is inserted in the transaction that inserts the rows that refer to it, so there is none without such a row.
    """

    sha256 = models.CharField(max_length=64, primary_key=True)
    data = models.BinaryField()
