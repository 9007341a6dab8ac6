"""The Celery app: jobs are the functions of each app's `jobs.py`; settings start with CELERY_."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import worker_process_shutdown

from annotation.processes import children

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "frontend.settings")

app = Celery("goldfinch")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.set_default()  # otherwise pool threads use Celery's default app, and their jobs never run
app.autodiscover_tasks(related_name="jobs")


@worker_process_shutdown.connect
def end_children(**_signal: Any) -> None:
    """In a process of a worker: end what its jobs have started, which the kernel would kill at once with it."""
    children.end_all()
