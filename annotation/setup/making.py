"""Make a project from a set-up; whoever makes it leads it."""

from __future__ import annotations

from datetime import datetime
from itertools import count

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError, transaction

from annotation import events, membership, projects
from annotation.errors import NotFound
from annotation.i18n import _
from annotation.models import Project, Role, User
from annotation.setup import changes
from annotation.setup.schema import SECTIONS, Setup, SetupRefused, Wrong, config_from


def why_not_slug(slug: str) -> str:
    """Why no project can have this slug now; "" if one can."""
    try:
        validate_slug(slug)
    except ValidationError:
        return _("Use letters, digits, hyphens and underscores only.")
    if slug in projects.RESERVED_SLUGS:
        return _("This word is an address of the site itself.")
    if Project.objects.filter(slug=slug).exists():
        return _("Another project has this address.")
    return ""


def free_slug(beginning: str) -> str:
    """The first of these words with a number that a project can have now."""
    return next(slug for n in count(1) if not why_not_slug(slug := f"{beginning}-{n}"))


def make(setup: Setup, *, by: User, now: datetime) -> Project:
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
