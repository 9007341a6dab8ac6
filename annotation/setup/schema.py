"""The set-up of a project, which can be written to a file and read from one, what is wrong with one, and a project made
from one; whoever makes it leads it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any, Literal

import orjson
from django.core import exceptions
from django.core.validators import validate_slug
from django.db import IntegrityError, transaction
from pydantic import Field, ValidationError

from annotation import events, membership, projects, registry
from annotation.errors import NotFound
from annotation.i18n import _
from annotation.models import Project, Role, User
from annotation.setup import changes
from annotation.values.schemas import Payload, ProjectConfig

LONGEST_TEXT = 100_000
"""Characters of the guidelines, or of the consent text."""
MESSAGES = {
    "extra_forbidden": _("There is no such field."),
    "missing": _("This field is missing."),
    "int_type": _("This has to be a whole number."),
    "float_type": _("This has to be a number."),
    "string_type": _("This has to be a text."),
    "bool_type": _("This has to be true or false."),
    "dict_type": _("This has to be a group of fields."),
    "model_type": _("This has to be a group of fields."),
}
"""By the type of a pydantic error; others come with pydantic's own words."""


@dataclass(frozen=True)
class Wrong:
    """One thing that is wrong: at which field (`config.activities.annotate.draw`), in which line of a file if any."""

    place: str
    message: Any
    line: int | None = None


@dataclass(frozen=True)
class SetupSection:
    """A part of set-ups that a layer above knows, and registers under its name in the file.

    `problems`: what is wrong with its value (None without one), together with the config. `make`: makes it in a new
    project, by a person, at a time. `of_project`: its value, as the file has it; None to leave it out.
    """

    problems: Callable[[Any, ProjectConfig], Iterable[Wrong]]
    make: Callable[[Project, Any, User, datetime], None]
    of_project: Callable[[Project], Any]


SECTIONS: dict[str, SetupSection] = {}
"""By name, in the order of the file."""


class SetupRefused(Exception):
    """A set-up from which no project can be made."""

    def __init__(self, wrong: Iterable[Wrong]) -> None:
        self.wrong = tuple(wrong)
        super().__init__(" ".join(f"{each.place}: {each.message}" for each in self.wrong))


class Setup(Payload):
    """All that two projects of the same kind share: everything but the items, the people and the seed.

    `goldfinch` is the version of the format. `guidelines` and `consent` are Markdown; "" stands for the protocol's
    guidelines and the site's consent text. `config` is that of the protocol's class, without a seed: every project
    draws its own. `sections` are those that layers above have registered; in a file they stand beside the other fields.
    """

    goldfinch: Literal[1] = 1
    protocol: str
    slug: str = Field(default="", max_length=60)
    title: str = Field(min_length=1, max_length=200)
    guidelines: str = Field(default="", max_length=LONGEST_TEXT)
    consent: str = Field(default="", max_length=LONGEST_TEXT)
    config: dict[str, Any] = {}
    sections: dict[str, Any] = {}


def checked_values(data: Mapping[str, Any]) -> Setup:
    """The set-up in this data; SetupRefused with everything that is wrong, each with its place."""
    if "sections" in data:
        raise SetupRefused([Wrong("sections", MESSAGES["extra_forbidden"])])
    own = {name: value for name, value in data.items() if name not in SECTIONS}
    try:
        setup = Setup.model_validate_json(_json(own | {"sections": {k: data[k] for k in SECTIONS if k in data}}))
    except ValidationError as error:
        raise SetupRefused(_wrong(error, data)) from None
    if setup.protocol not in {protocol.key for protocol in registry.all_protocols()}:
        raise SetupRefused([Wrong("protocol", _("There is no such protocol here."))])
    config = config_from(setup)
    wrong = [each for name, part in SECTIONS.items() for each in part.problems(setup.sections.get(name), config)]
    if wrong:
        raise SetupRefused(wrong)
    return setup


def _json(data: Mapping[str, Any]) -> bytes:
    """SetupRefused for characters that no database stores, and for numbers that are too large."""
    try:
        found = orjson.dumps(dict(data))
    except orjson.JSONEncodeError:
        found = None
    if found is None or b"\\u0000" in found:
        raise SetupRefused([Wrong("", _("It has a character or a number that can’t be stored."))])
    return found


def config_from(setup: Setup) -> ProjectConfig:
    """The typed config of a set-up; SetupRefused if its protocol knows another."""
    kind = registry.get(setup.protocol)
    problems = []
    if "seed" in setup.config:
        problems.append(Wrong("config.seed", _("A new project draws a seed of its own.")))
    try:
        found = kind.config.model_validate_json(orjson.dumps(setup.config))
    except ValidationError as error:
        raise SetupRefused([*problems, *_wrong(error, setup.config, within=("config",))]) from None
    known = {activity.key for activity in kind.activities}
    for key in found.activities:
        if key not in known:
            problems.append(Wrong(f"config.activities.{key}", _("The protocol has no such activity.")))
    if problems:
        raise SetupRefused(problems)
    return found


def _wrong(error: ValidationError, data: Any, within: tuple[str, ...] = ()) -> list[Wrong]:
    """One for each place; of the members of a union, the first that refused."""
    found: dict[str, Wrong] = {}
    for each in error.errors(include_url=False):
        place = ".".join((*within, *_path(each["loc"], data, missing=each["type"] == "missing")))
        found.setdefault(place, Wrong(place, MESSAGES.get(each["type"], f"{each['msg']}.")))
    return list(found.values())


def _path(loc: tuple[int | str, ...], data: Any, *, missing: bool) -> list[str]:
    """The keys of the place in the data, without the names of members of a union; the last may be missing there."""
    path: list[str] = []
    for n, part in enumerate(loc, start=1):
        if isinstance(data, list):
            data = dict(enumerate(data))
        if isinstance(data, dict) and part in data:
            data = data[part]
            path.append(str(part))
        elif missing and n == len(loc):
            path.append(str(part))
    return path


def why_not_slug(slug: str) -> str:
    """Why no project can have this slug now; "" if one can."""
    try:
        validate_slug(slug)
    except exceptions.ValidationError:
        return _("Use letters, digits, hyphens and underscores only.")
    if slug in projects.RESERVED_SLUGS:
        return _("This word is an address of the site itself.")
    if Project.objects.filter(slug=slug).exists():
        return _("Another project has this address.")
    return ""


def free_slug(beginning: str) -> str:
    """The first of these words with a number that a project can have now."""
    return next(slug for n in count(1) if not why_not_slug(slug := f"{beginning}-{n}"))


def make_project(setup: Setup, *, by: User, now: datetime) -> Project:
    """The new project, with no items, no queue, and its maker as lead; SetupRefused if its slug is taken."""
    if not membership.may_make_projects(by):
        raise NotFound
    config = config_from(setup)
    refused = why_not_slug(setup.slug)
    if refused:
        raise SetupRefused([Wrong("slug", refused)])
    try:
        with transaction.atomic():
            project = projects.create(
                slug=setup.slug,
                title=setup.title,
                protocol=setup.protocol,
                config=config.model_dump(mode="json", exclude_defaults=True, exclude={"seed"}),
                guidelines=changes.tidy(setup.guidelines),
                by=by,
                now=now,
            )
            changes.change_consent(project, text=changes.tidy(setup.consent), by=by, now=now)
            membership.add(project=project, username=by.username, role=Role.LEAD, by=by, now=now)
            for name, value in setup.sections.items():
                SECTIONS[name].make(project, value, by, now)
            events.record("project.made", project, by=by, now=now, setup=setup.model_dump(mode="json", exclude=TEXTS))
    except IntegrityError:
        raise SetupRefused([Wrong("slug", why_not_slug(setup.slug) or _("Try again."))]) from None
    return project


TEXTS = {"guidelines", "consent"}
"""Kept as they are in tables of their own."""
