"""account USERNAME: print a link for a new password, remove a lost second step, make an admin, erase a person."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import CommandError, CommandParser
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import clock, events
from annotation.errors import WrongMove
from annotation.management.base import QuickCommand
from annotation.models import User
from frontend.accounts import erasing, new_password
from qualification import sign_ins


class Command(QuickCommand):
    """For those who run the site: what nobody can do through the pages."""

    help = _("Help somebody who can't sign in: a link for a new password, or no second step; or make them an admin.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--password-link", action="store_true", help=_("print a link for a new password"))
        parser.add_argument("--remove-second-step", action="store_true", help=_("after a lost phone"))
        parser.add_argument("--admin", choices=("yes", "no"), help=_("may make projects, or no longer"))
        parser.add_argument("--erase", action="store_true", help=_("erase who it is; close the account first"))

    def handle(self, *args: Any, username: str, **options: Any) -> None:
        user = User.objects.filter(username=username, imported_as=None).first()
        if user is None:
            raise CommandError(_("Nobody has the user name %(name)s.") % {"name": username})
        now = clock.now()
        if options["remove_second_step"]:
            Authenticator.objects.filter(user=user).delete()
            sign_ins.end_all(user)
            events.record("account.second_step_removed", user, by=None, now=now)
            self.stdout.write(_("%(name)s signs in with the password alone.") % {"name": username})
        if options["admin"]:
            user.is_staff = options["admin"] == "yes"
            user.save(update_fields=["is_staff"])
            events.record("account.admin", user, by=None, now=now, admin=user.is_staff)
            said = _("%(name)s is now an admin.") if user.is_staff else _("%(name)s is no longer an admin.")
            self.stdout.write(said % {"name": username})
        if options["erase"]:
            self._erase(user, now=now)
        elif options["password_link"]:
            key = new_password.new_key(user, by=None, now=now)
            self.stdout.write(_("Works once, for three days; put the site's address before it:"))
            self.stdout.write(reverse("account_reset_password_from_key", args=key))

    def _erase(self, user: User, *, now: datetime) -> None:
        name = user.username
        try:
            erased = erasing.erase(user, by=None, now=now)
        except WrongMove as refused:
            raise CommandError(str(refused)) from refused
        said = _("%(name)s is erased; what they did stays under %(erased)s.")
        self.stdout.write(said % {"name": name, "erased": erased})
