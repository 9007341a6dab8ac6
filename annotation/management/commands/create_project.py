"""create_project SLUG --protocol KEY: a new collection effort."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.validators import validate_slug
from pydantic import ValidationError

from annotation import clock, projects, registry
from annotation.management.base import QuickCommand
from annotation.models import Project
from annotation.parsing.strict_json import JsonRefused, strict_loads


class Command(QuickCommand):
    """Create a project with the protocol's guidelines as version 1."""

    help = "Create a project under a protocol."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="short name for URLs: letters, digits, hyphens, underscores")
        parser.add_argument("--protocol", required=True, choices=[p.key for p in registry.all_protocols()])
        parser.add_argument("--title", default="", help="name that people see (default: the slug)")
        parser.add_argument("--config", type=Path, help="JSON file with the project's config (docs/operators.md)")

    def handle(self, *args: Any, slug: str, protocol: str, title: str, config: Path | None, **options: Any) -> None:
        try:
            validate_slug(slug)
        except Exception:
            raise CommandError(f"{slug!r} is not a valid slug: use letters, digits, hyphens, underscores.") from None
        if slug in projects.RESERVED_SLUGS:
            raise CommandError(f"{slug!r} is an address of the site itself: use another slug.")
        if Project.objects.filter(slug=slug).exists():
            raise CommandError(f"A project {slug} already exists.")
        try:
            numbers = strict_loads(config.read_bytes()) if config else {}
            project = projects.create(
                slug=slug, title=title or slug, protocol=protocol, config=numbers, by=None, now=clock.now()
            )
        except (OSError, JsonRefused, ValidationError) as error:
            raise CommandError(f"Invalid config: {error}") from None
        self.stdout.write(self.style.SUCCESS(f"Created project {project.slug} ({project.title}) under {protocol}."))
