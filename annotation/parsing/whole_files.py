"""What protocols read alike of a file as a whole: its split, by its name, and notes on its version."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.errors import ImportRefused
from annotation.parsing import fields
from annotation.parsing.fields import LineRefused
from annotation.parsing.incoming import ImportSource

DEFAULT_SPLIT = "train"


def split_of(source: ImportSource, names: re.Pattern[str], example: str, otherwise: str = "") -> str:
    """The split given, or the one in the file's name, or `otherwise`; without that, files to be annotated are `train`.

    `names`: finds it, as its first group, in a name such as `example`. ImportRefused for a wrong or an unknown split.
    """
    named = names.search(source.name.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1])
    split = source.split or (named[1] if named else "") or otherwise or ("" if source.published else DEFAULT_SPLIT)
    if not split:
        raise ImportRefused(
            f"The name {source.name} does not say which split this is (as {example} does). Say which it is."
        )
    try:
        return fields.split_name(split, "split")
    except LineRefused as refused:
        raise ImportRefused(refused.reason) from None


def version_notes(around: Mapping[str, Any], versions: Sequence[str], *, published: bool) -> Iterator[str]:
    """An unknown or missing version, from the fields beside the list of a file; `versions`: those of releases."""
    released = " or ".join(versions)
    if published and "version" not in around:
        yield f"The file has no version; a release says {released}."
    if around.get("version", versions[0]) not in versions:
        yield f"The version of the file is {quoted_beginning(str(around['version']))}; a release says {released}."


def quoted_beginning(text: str) -> str:
    """The first 40 characters of a text, in quotation marks."""
    return f"“{text[:40]}…”" if len(text) > 40 else f"“{text}”"
