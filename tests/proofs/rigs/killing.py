"""Fault injection: a `manage.py` import that kills itself at a given statement of pass 2.

`python -m tests.proofs.rigs.killing BUILD N ...`

N = 0 kills nothing and prints which statement of pass 2 was the last that writes the job's row: it shows the rows.
BUILD `early` is the control: it shows rows at once.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import django


class Counter:
    """Counts the statements from the first that writes the job's row, and kills the process before the n-th.

    Those on leases don't count: how often a lease is renewed depends on how long the import takes.
    """

    def __init__(self, point: int) -> None:
        self.point, self.count, self.last = point, 0, 0

    def __call__(self, execute: Callable, sql: str, params: Any, many: bool, context: dict) -> Any:
        if "annotation_joblease" in sql:
            return execute(sql, params, many, context)
        writes = sql.startswith(('INSERT INTO "annotation_job"', 'UPDATE "annotation_job"'))
        if self.count or writes:
            self.count += 1
            self.last = self.count if writes else self.last
            if self.count == self.point:
                os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, params, many, context)


def show_at_once() -> None:
    """The wrong build: the job is done before its rows are there."""
    from annotation import clock
    from annotation.engine import state_machine
    from annotation.imports import run
    from annotation.models import Job
    from annotation.models.job import JOB_MOVES

    real = run._insert

    def insert(project: Any, job: Job, *args: Any, **kwargs: Any) -> None:
        state_machine.move(job, Job.State.RUNNING, moves=JOB_MOVES, by=None, now=clock.now())
        Job.objects.filter(pk=job.pk).update(state=Job.State.DONE)
        real(project, job, *args, **kwargs)

    run._insert = insert


def main(build: str, point: int, arguments: list[str]) -> None:
    """Run the command under the counter."""
    django.setup()
    from django.core.management import execute_from_command_line
    from django.db import connection

    if build == "early":
        show_at_once()
    counter = Counter(point)
    with connection.execute_wrapper(counter):
        execute_from_command_line(["manage.py", *arguments])
    print(counter.last)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
