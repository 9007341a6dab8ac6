"""The Celery app: jobs are the functions of each app's `jobs.py`; settings start with CELERY_."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "frontend.settings")

app = Celery("goldfinch")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.set_default()  # otherwise pool threads use Celery's default app, and their jobs never run
app.autodiscover_tasks(related_name="jobs")
