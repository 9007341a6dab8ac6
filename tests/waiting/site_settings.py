"""Settings of the site that browser tests use: a clock that they move, and no housekeeping behind their back.

It dies when one of them asks for that (tests/browser/dying_late.py).

Its commands start a child process for each project in which something has happened, every few seconds. A test whose
subject is measured runs what it needs.
"""

from __future__ import annotations

from frontend.settings import *  # noqa: F403
from frontend.settings import CELERY_BEAT_SCHEDULE as USUAL
from frontend.settings import GOLDFINCH_DATA
from frontend.settings import MIDDLEWARE as SHIPPED
from tests.waiting import site_clock

CELERY_BEAT_SCHEDULE = {"start-jobs": USUAL["start-jobs"]}
"""Imports, releases and rehearsals, which people wait for."""
MIDDLEWARE = ["tests.browser.dying_late.DyingLate", *SHIPPED]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
"""A safe hash takes 0.3 s, at the lowest priority: on a busy machine somebody waits seconds for each sign-in."""

site_clock.install(GOLDFINCH_DATA)
