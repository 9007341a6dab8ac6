"""run: migrate, create the demo if there is none and it is wanted, and serve. This is `make run`.

One process does all three, because starting Python and Django takes longer than what there is to do in each.
"""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _


class Command(BaseCommand):
    """`manage.py run [--host HOST] [--port PORT] [--no-demo]`

    With the demo the host must be this machine: it has well-known names.
    """

    help = _("Migrate the database, create the demo, and serve it to this machine.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help=_("the address to listen on (default: %(default)s)"))
        parser.add_argument("--port", default=8000, type=int, help=_("its port (default: %(default)s)"))
        parser.add_argument("--no-demo", action="store_true", help=_("start with an empty site, without the demo"))

    def handle(self, *, host: str, port: int, no_demo: bool, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        if not no_demo:
            call_command("demo", host=host, stdout=self.stdout, stderr=self.stderr)
        call_command("serve", host=host, port=port, stdout=self.stdout)
