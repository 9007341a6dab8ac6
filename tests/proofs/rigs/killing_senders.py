"""Fault injection: a sender of webhooks that kills itself.

`python -m tests.proofs.rigs.killing_senders BUILD POINT AT`

It sends what is due at the time AT, and dies at its POINT-th step: before each statement and each call, and when an
answer has come. POINT 0 kills nothing. BUILD `early` is the control: it takes a message for delivered before it calls.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from datetime import datetime
from typing import Any

import django


class StepCounter:
    """Kills the process at its `point`-th step."""

    def __init__(self, point: int) -> None:
        self.left = point

    def step(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def statement(self, execute: Callable, *args: Any) -> Any:
        self.step()
        return execute(*args)

    def around(self, call: Callable) -> Callable:
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.step()
            try:
                return call(*args, **kwargs)
            finally:
                self.step()

        return counted


def take_it_for_delivered(real: Callable) -> Callable:
    """The wrong build."""

    def begun(due: Any, *, now: datetime) -> Any:
        from tasks.models import Delivery, DeliveryOutcome

        attempt = real(due, now=now)
        Delivery.objects.filter(pk=due.pk).update(outcome=DeliveryOutcome.DELIVERED, ended_at=now)
        return attempt

    return begun


def main(build: str, point: str, at: str) -> None:
    """Send under the counter, and print how many calls were made."""
    django.setup()
    from django.db import connection

    from annotation import clock
    from tasks.webhooks import sending

    steps, now = StepCounter(int(point)), datetime.fromisoformat(at)
    clock.now = lambda: now
    if build == "early":
        sending._begun = take_it_for_delivered(sending._begun)
    sending.call = steps.around(sending.call)
    with connection.execute_wrapper(steps.statement):
        print(sending.send_due())


if __name__ == "__main__":
    main(*sys.argv[1:])
