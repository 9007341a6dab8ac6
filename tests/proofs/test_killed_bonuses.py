"""The sender of bonuses is killed anywhere, and the site that pays forgets answers: nobody is paid twice."""

from __future__ import annotations

import itertools
import random
import signal
from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import QuerySet

from annotation.models import Payment
from annotation.triggers import append_only
from tasks.models import Bonus, BonusPart
from tasks.prolific import sending
from tests.prolific.site import Failure
from tests.prolific.story import LATER, confirm, lights, prolific
from tests.proving import size

__all__ = ["lights", "prolific"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge]
"""That nothing stays of what was not committed by a process that is killed, killed imports show on both."""

KILLS = size(8, 200)
SEED = 20350
RESTART = timedelta(minutes=3)
"""After which somebody else goes on with what a killed sender had begun."""
OVER = timedelta(hours=2)
PAY, SET_UP = "POST .*/pay/", "POST .*/bonus-payments/"
FAILURES = [
    *[(PAY, Failure(None, done=done)) for done in (True, False)],
    *[(SET_UP, Failure(None, done=done)) for done in (True, False)],
    (PAY, Failure(503, done=True)),
    (PAY, Failure(429, done=False)),
]
"""How the site fails once in half of the runs: it forgets an answer, is in trouble after it has paid, or turns away."""


@pytest.fixture
def senders(lights, prolific, fork_server):
    """A fork server whose children know where the site is."""
    fork_server.of_children |= {"GOLDFINCH_PROLIFIC": f"http://{prolific.host}", "GOLDFINCH_CALLS_ITSELF": "1"}
    return fork_server


@pytest.fixture
def send(senders, tmp_path):
    """Return a function that runs the sender at these times after LATER and kills it at that point (0: never)."""

    def run(*after: timedelta, point: int = 0, build: str = "real") -> str:
        times = [str(int((LATER + one).timestamp())) for one in after]
        words = (build, str(point), *times)
        child = senders.start("tests.proofs.rigs.sending_bonuses", *words, out=tmp_path / "said.txt")
        return child.ended(code=-signal.SIGKILL if point else 0)

    return run


def steps() -> list[timedelta]:
    """The times at which a sender that was not killed settles everything: the last is when it gives up looking."""
    return [RESTART * n for n in itertools.takewhile(lambda n: RESTART * n <= OVER, itertools.count(1))]


def paid_by_submission(site) -> dict[str, Counter]:
    return {submission: Counter(amounts) for submission, amounts in site.paid.items()}


def doubled(site) -> dict[str, Counter]:
    """Submissions with more than one bonus."""
    return {one: amounts for one, amounts in paid_by_submission(site).items() if amounts.total() > 1}


def begin(lights) -> Bonus:
    """Everything is confirmed, and nothing has been paid."""
    lights.site.paid.clear()
    lights.site.fails.clear()
    return confirm(lights)


def clear(bonus: Bonus) -> None:
    """Make room for the next run, past the services: what was paid in this one is owed again."""
    with append_only.without_triggers(Payment, connection):
        rows = QuerySet(Payment).filter(settlement=bonus.settlement)
        rows.exclude(undoes=None).delete()
        rows.delete()
    BonusPart.objects.all().delete()
    Bonus.objects.all().delete()


def points(last: int) -> list[int]:
    """The first and the last point and seeded ones in between, KILLS of them."""
    drawn = random.Random(SEED)
    return [1, *sorted(drawn.randrange(2, last) for _ in range(KILLS - 2)), last]


def test_a_killed_sender_pays_nobody_twice_and_what_it_says_is_so(lights, send, record_property):
    record_property("size", KILLS)
    record_property("seed", SEED)
    for n, name in enumerate(("ada", "ben", "cyd"), start=1):
        lights.works(name, n, minutes=20 + n)
    made = begin(lights)
    last = int(send(timedelta(0), RESTART, 2 * RESTART).splitlines()[-1])
    assert Bonus.objects.get(pk=made.pk).state == Bonus.State.PAID
    clear(made)
    drawn, ends = random.Random(SEED + 1), Counter()
    for point in points(last):
        made = begin(lights)
        failure = drawn.choice([None] * len(FAILURES) + FAILURES)
        if failure is not None:
            lights.site.fail(failure[0], failure[1])
        send(timedelta(0), RESTART, 2 * RESTART, point=point)
        for one in steps():  # by a sender in this process, which nobody kills
            sending.send_due(now=LATER + 2 * RESTART + one)
        after = f"killed at {point} of {last}, {failure}"
        assert doubled(lights.site) == {}, after
        state = Bonus.objects.get(pk=made.pk).state
        wanted = {3: Bonus.State.PAID, 0: Bonus.State.UNCLEAR}[len(lights.site.paid)]
        assert state == wanted, after
        ends[state] += 1
        clear(made)
    assert ends[Bonus.State.PAID] > 0


def test_the_control_a_sender_that_asks_again_pays_twice(lights, send):
    lights.works("ada", 1, minutes=30)
    made = begin(lights)
    lights.site.fail(PAY, Failure(None, done=True))
    send(timedelta(0), RESTART, 2 * RESTART, 3 * RESTART, build="again")
    assert doubled(lights.site) == {lights.submission("ada"): Counter({400: 2})}
    clear(made)
