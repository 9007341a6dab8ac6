"""Settings of the site that browser tests use: a clock that they move, and no housekeeping behind their back.

Its commands start a child process for each project in which something has happened, every few seconds. A test whose
subject is measured runs what it needs.
"""

from __future__ import annotations

from frontend.settings import *  # noqa: F403
from frontend.settings import CELERY_BEAT_SCHEDULE as USUAL
from frontend.settings import GOLDFINCH_DATA
from tests.waiting import site_clock

CELERY_BEAT_SCHEDULE = {"start-jobs": USUAL["start-jobs"]}
"""Imports, releases and rehearsals, which people wait for."""

site_clock.install(GOLDFINCH_DATA)
