"""Filters papers at import by licence, archive, LaTeX source and field, where a paper states them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import ValidationError

from annotation.errors import ImportRefused
from annotation.parsing import fields
from annotation.parsing.fields import LineRefused
from annotation.parsing.incoming import ImportSource
from annotation.parsing.sources import TooLarge
from annotation.parsing.strict_json import JsonRefused, strict_loads
from annotation.protocols.qasper.schemas import Config

LICENCES = "licences.json"
"""A file beside the papers: one JSON object from paper id to licence."""
KEYS = ("licence", "license")
LONGEST = 200

_DEED = re.compile(r"creativecommons\.org/licenses/([a-z-]+)(?:/([\d.]+))?", re.IGNORECASE)


@dataclass(frozen=True)
class Stated:
    """What a record states about its paper; "", () and None: not stated."""

    licence: str = ""
    archive: str = ""
    fields: tuple[str, ...] = ()
    latex: bool | None = None


def stated(record: Mapping[str, Any], *, strict: bool) -> Stated:
    """The values of a record's keys `licence`, `archive`, `field` (one or several) and `has_latex`.

    If a value has the wrong type: LineRefused if `strict`, else the record counts as stating nothing.
    """
    try:
        return _stated(record)
    except LineRefused:
        if strict:
            raise
        return Stated()


def _stated(record: Mapping[str, Any]) -> Stated:
    several = record.get("field")
    several = [] if several is None else several if isinstance(several, list) else [several]
    return Stated(
        licence=next((_given(record, key, str, "").strip() for key in KEYS if record.get(key) is not None), ""),
        archive=_given(record, "archive", str, ""),
        fields=tuple(fields.typed(one, str, "field") for one in several),
        latex=_given(record, "has_latex", bool, None),
    )


def _given(record: Mapping[str, Any], key: str, kind: type, otherwise: Any) -> Any:
    """The value of a key, of type `kind`; `otherwise` if it is null or missing."""
    return otherwise if record.get(key) is None else fields.typed(record[key], kind, key)


def admit(stated: Stated, licence: str, config: Config) -> None:
    """Raise LineRefused if a paper states something that the project's settings exclude."""
    if len(licence) > LONGEST:
        raise LineRefused("licence", f"The licence is longer than {LONGEST} characters.")
    taken = [_plain(one) for one in config.licences]
    if licence and taken and not any(_plain(licence).startswith(one) for one in taken):
        raise LineRefused("licence", f"The licence {licence} is not one of: {', '.join(config.licences)}.")
    if stated.archive and config.archives and stated.archive.lower() not in map(str.lower, config.archives):
        raise LineRefused("archive", f"The archive {stated.archive} is not one of: {', '.join(config.archives)}.")
    wanted = {one.lower() for one in config.fields}
    if stated.fields and wanted and not wanted & {one.lower() for one in stated.fields}:
        raise LineRefused("field", f"The field {', '.join(stated.fields)} is not one of: {', '.join(config.fields)}.")
    if stated.latex is False and config.latex_only:
        raise LineRefused("has_latex", "The paper has no LaTeX source, which this project requires.")


def _plain(licence: str) -> str:
    """A licence in normal form: CC BY-SA 4.0, cc-by-sa-4.0 and the URL of the deed become the same text."""
    deed = _DEED.search(licence)
    if deed:
        licence = f"cc {deed[1]} {deed[2] or ''}"
    return " ".join(re.split(r"[\s_-]+", licence.lower().strip())) + " "


def licence_file(source: ImportSource) -> dict[str, str]:
    """The licences in the file beside the papers; empty if there is no such file."""
    try:
        data = source.resource(LICENCES)
    except TooLarge as error:
        raise ImportRefused(str(error)) from None
    except LookupError:
        return {}
    try:
        found = strict_loads(data)
    except JsonRefused as error:
        raise ImportRefused(f"{LICENCES}: {error}") from None
    if type(found) is not dict or not all(isinstance(value, str) for value in found.values()):
        raise ImportRefused(f"{LICENCES} is not one JSON object from paper id to licence.")
    return found


def config_of(source: ImportSource) -> Config:
    """The project's typed settings."""
    try:
        return Config.model_validate_json(orjson.dumps(dict(source.config)))
    except ValidationError as error:
        raise ImportRefused(f"The project's settings are invalid: {error}") from None
