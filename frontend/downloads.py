"""Who may go on with a download that has begun: asked again and again while it runs."""

from __future__ import annotations

from django.db import close_old_connections

from annotation.errors import NotFound
from annotation.models import Release, User
from frontend import access


def right_to(user: User, release: Release) -> str:
    """What is asked about while this person downloads a file of a release."""
    return f"{user.pk}/{release.pk}"


def may_go_on(right: str) -> bool:
    """Whether they still lead the project, can still sign in, and the release is not retracted."""
    user_key, release_key = right.split("/")
    user = User.objects.filter(pk=user_key, is_active=True).first()
    release = Release.objects.select_related("project").filter(pk=release_key).first()
    if user is None or release is None:
        return False
    try:
        access.led_release(user, release.project.slug, release.version)
    except NotFound:
        return False
    return True


def asked_outside_requests(right: str) -> bool:
    """The same in a thread that answers no requests: what a request's end does for its connection is done before."""
    close_old_connections()
    return may_go_on(right)
