"""Fault injection: the job that sends bonuses to Prolific kills itself at a given point.

`python -m tests.proofs.rigs.sending_bonuses BUILD N NOW ...`

A point is a statement, or the moment before or after a request: the N-th of all of them; 0 kills nothing, and prints
how many there were. The job runs at each of the times NOW (seconds since 1970). BUILD `again` is the control: it tells
Prolific to pay again what it has not answered about.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import django


class Points:
    """Counts statements and the two sides of requests, and kills the process at the n-th."""

    def __init__(self, point: int) -> None:
        self.point, self.count = point, 0

    def pass_one(self) -> None:
        """One more."""
        self.count += 1
        if self.count == self.point:
            os.kill(os.getpid(), signal.SIGKILL)

    def __call__(self, execute: Callable, sql: str, params: Any, many: bool, context: dict) -> Any:
        self.pass_one()
        return execute(sql, params, many, context)

    def around(self, call: Callable) -> Callable:
        """The same call with a point before and after it."""

        def counted(*args: Any, **kwargs: Any) -> Any:
            self.pass_one()
            try:
                return call(*args, **kwargs)
            finally:
                self.pass_one()

        return counted


def pay_again() -> None:
    """The wrong build: what is found `paying` is told to be paid."""
    from tasks.prolific import sending

    sending._look = sending._pay


def main(build: str, point: int, times: list[int]) -> None:
    """Run the job under the counter."""
    django.setup()
    from django.db import connection

    from tasks.prolific import api, sending

    if build == "again":
        pay_again()
    points = Points(point)
    api.call = points.around(api.call)
    with connection.execute_wrapper(points):
        for at in times:
            sending.send_due(now=datetime.fromtimestamp(at, UTC))
    print(points.count)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), [int(at) for at in sys.argv[3:]])
