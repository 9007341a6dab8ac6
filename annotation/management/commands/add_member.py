"""add_member PROJECT USERNAME --role annotator|expert|lead: make a person a member."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from annotation import clock, membership
from annotation.management.progress import project_of
from annotation.models import Role


class Command(BaseCommand):
    """Make a person a member; a new user is created with a password, which is printed only now."""

    help = "Make a person a member of a project."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        parser.add_argument("username")
        parser.add_argument("--role", required=True, choices=Role.values)

    def handle(self, *args: Any, project: str, username: str, role: str, **options: Any) -> None:
        with transaction.atomic():
            user, password = membership.add(
                project=project_of(project), username=username, role=role, by=None, now=clock.now()
            )
        self.stdout.write(self.style.SUCCESS(f"{user.username} is now {role} in {project}."))
        if password:
            self.stdout.write(f"Password (shown only once): {password}")
