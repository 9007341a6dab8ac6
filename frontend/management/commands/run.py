"""run: migrate, create the demo if there is none, and serve. This is `make run`.

One process does all three, because starting Python and Django takes longer than what there is to do in each.
"""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _


class Command(BaseCommand):
    """`manage.py run [--host HOST] [--port PORT]`; the host must be this machine: the demo has well-known names."""

    help = _("Migrate the database, create the demo, and serve it to this machine.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help=_("the address to listen on (default: %(default)s)"))
        parser.add_argument("--port", default=8000, type=int, help=_("its port (default: %(default)s)"))

    def handle(self, *, host: str, port: int, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        call_command("demo", host=host, stdout=self.stdout, stderr=self.stderr)
        call_command("serve", host=host, port=port, stdout=self.stdout)
