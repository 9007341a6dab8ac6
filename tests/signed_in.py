"""Shortcuts past the sign-up pages: members who have accepted the consent text, and their sessions.

The pages themselves are tested in tests/browser/qasper/test_whole_story.py and tests/browser/access. Models are
imported inside the functions, since importers of this module may not have set up Django.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from django.conf import settings

from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from annotation.models import Project, User


def member(project: Project, name: str, *, role: str = "annotator", password: str = "") -> User:
    """A member who has accepted the consent text; without a password they can't sign in through the form."""
    from annotation import clock
    from tests.factories.people import MemberFactory

    return MemberFactory(project=project, username=name, role=role, now=clock.now(), password=password or None)


def member_once(project: Project, name: str, **told: str) -> User:
    """The member of that name, made now if there is none."""
    from annotation.models import User

    found = User.objects.filter(username=name, memberships__project=project).first()
    return found or member(project, name, **told)


def session_of(user: User) -> str:
    """The key of a new session in which this person is signed in."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session.create()
    return session.session_key


def join(site: Site, slug: str, name: str, *, role: str = "annotator", password: str = "") -> None:
    """Add a member to a project of a site."""
    project = f"Project.objects.get(slug={slug!r})"
    _on(site, f"signed_in.member({project}, {name!r}, role={role!r}, password={password!r})")


def claimed(project: Project, activity: str, user: User) -> str:
    """The path of the work that they hold, or else are given now."""
    from django.urls import reverse

    from annotation import clock
    from tasks.engine import claiming

    return reverse("work", args=[claiming.claim(project, activity, by=user, now=clock.now()).uuid])


def sign_in(site: Site, page: Page, name: str, *, slug: str = "", **told: str) -> None:
    """Sign the browser of this page in, without navigating; with a project, they are made a member if they are none."""
    user = _member_once(slug, name, **told) if slug else f"User.objects.get(username={name!r})"
    key = _on(site, f"print('SESSION', signed_in.session_of({user}))").split()[-1]
    _accept(site, page, key)


def take_up(site: Site, page: Page, slug: str, activity: str, name: str, **told: str) -> None:
    """Sign a member in, who is made now if there is none, and open the work that they are given.

    The home page, which has the button for it, is not opened.
    """
    work = f"signed_in.claimed(Project.objects.get(slug={slug!r}), {activity!r}, user)"
    code = f"user = {_member_once(slug, name, **told)}; print('SESSION', signed_in.session_of(user), {work})"
    key, path = _on(site, code).split()[-2:]
    _accept(site, page, key)
    page.goto(f"{site.url}{path}")


def _member_once(slug: str, name: str, **told: str) -> str:
    return f"signed_in.member_once(Project.objects.get(slug={slug!r}), {name!r}, **{told!r})"


def _accept(site: Site, page: Page, key: str) -> None:
    page.context.add_cookies([{"name": "goldfinch_session", "value": key, "url": site.url}])


def _on(site: Site, code: str) -> str:
    imports = "from annotation.models import Project, User; from tests import signed_in; "
    return site.manage("shell", "--no-imports", "-c", imports + code)
