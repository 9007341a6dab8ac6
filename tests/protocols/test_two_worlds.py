"""Noninterference: two worlds that differ only in what a stage hides give the same bytes to whoever may not see it.

Only for protocols that hide something at the first stage: tests/rules/test_protocols.py lists the others.
"""

from __future__ import annotations

import itertools
import re
from random import Random
from zlib import crc32

import pytest
from django.core.cache import caches
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation import registry
from tests.protocols.crawling import REFUSED, Way
from tests.protocols.examples import Example, hiding, of_one_person, parameters
from tests.protocols.peers import member, peers
from tests.protocols.playing import player_of
from tests.protocols.sentinels import everything

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]
WORLDS = ("items.jsonl", "other.jsonl")
GUESSED_IN = "nq"
OF_THE_WORK = {"guesses": False, "pages": False}
PAGES = {"guesses": False, "posts": False}
EVERY_PAGE = {"guesses": False}
EVERYTHING: dict[str, bool] = {}
"""Ways of looking around: at the work by every method, at all pages by GET, at all by every method, and guessing."""
ALONE = [protocol for protocol in hiding() if protocol in of_one_person()]


def worlds(example: Example, begin, **how) -> list[list]:
    """Both worlds, in which the same methods are known to be refused everywhere."""
    known = frozenset(REFUSED)
    return [world(example, name, begin, refused=set(known), **how) for name in WORLDS]


def world(
    example: Example, items: str, begin, *, seed: int, until: str, refused: set[Way], looks: list[dict[str, bool]]
) -> list:
    """What a person is sent who looks around in these ways once they reach a state like `until`, and the shape of the
    database queries up to there."""
    begin(1)
    for each in caches.all(initialized_only=True):  # sessions, and the tries at passwords
        each.clear()
    with transaction.atomic(), CaptureQueriesContext(connection) as asked:
        project = example.opened(items)
        activity = example.protocol.activities[0]
        peers(project, activity)
        begin(2)
        asked.connection.queries_log.clear()
        player = player_of(member(project, "player"), project, activity, Random(seed), [])
        next(state for state in player.states() if state[-1] == until)
        how = {"items": False, "refused": refused}
        sent = [each for look in looks for each in player.look(["ship", "light"], **how, **look)]
        shapes = [re.sub(r"'[^']*'|\d+", "?", query["sql"]) for query in asked.connection.queries_log]
        transaction.set_rollback(True)
    REFUSED.update(refused)
    return [*sent, *shapes]


def differences(one: list, other: list) -> list:
    """What was sent or queried in one world and not in the other, side by side."""
    return [pair for pair in itertools.zip_longest(one, other) if pair[0] != pair[1]]


FOR_A_MERGE = ("nq", "coqa", "qasper")
MORE_PROTOCOLS = pytest.mark.in_test_all(
    shown_by="tests/protocols/test_two_worlds.py::test_the_first_stage_is_byte_identical_whatever_it_hides"
)
"""SQuAD, whose writers see one text and ask, as QASPER's do, and the protocol that only the tests have."""


@pytest.mark.parametrize("example", parameters(hiding(), others=MORE_PROTOCOLS, each_merge=FOR_A_MERGE), indirect=True)
def test_the_first_stage_is_byte_identical_whatever_it_hides(example, same_chance):
    """In one example pages that are about no work, too, which are the same in each; of a dialogue, by GET alone."""
    looks = {GUESSED_IN: [OF_THE_WORK, PAGES], "coqa": [OF_THE_WORK | PAGES]}.get(example.protocol.key, [OF_THE_WORK])
    one, other = worlds(example, same_chance, seed=0, until=example.first(), looks=looks)
    assert differences(one, other) == []


@pytest.mark.in_test_all(
    shown_by="tests/protocols/test_two_worlds.py::test_the_first_stage_is_byte_identical_whatever_it_hides"
)
@pytest.mark.sqlite_only
def test_what_is_guessed_is_refused_alike_whatever_the_first_stage_hides(same_chance):
    """In one example, by every method: what is not theirs is refused by the same few queries in each."""
    example = Example(registry.get(GUESSED_IN))
    one, other = worlds(example, same_chance, seed=0, until=example.first(), looks=[EVERYTHING])
    assert differences(one, other) == []


@pytest.mark.in_test_all(
    shown_by="tests/protocols/test_two_worlds.py::test_the_first_stage_is_byte_identical_whatever_it_hides"
)
@pytest.mark.parametrize(
    "example", [pytest.param(found, id=found.key) for found in hiding() if found.key != GUESSED_IN], indirect=True
)
def test_pages_that_are_about_no_work_are_byte_identical_in_every_protocol(example, same_chance):
    one, other = worlds(example, same_chance, seed=0, until=example.first(), looks=[EVERY_PAGE])
    assert differences(one, other) == []


def ends_at_the_first_stage(example: Example) -> int:
    """The seed of a bot whose first answer ends the work; skips the test if no first answer does."""
    project, activity = example.opened(), example.protocol.activities[0]
    for seed in range(100):
        player = player_of(member(project, f"player-{seed}"), project, activity, Random(seed), [])
        _first, second = itertools.islice(player.states(), 2)
        if second[-1] == "> None":
            return seed
    pytest.skip(f"no answer to the first stage of {example.protocol.key} ends the work")


OTHERS_END = pytest.mark.in_test_all(
    shown_by="tests/protocols/test_two_worlds.py"
    "::test_work_that_ended_at_the_first_stage_reveals_nothing_of_what_it_hid"
)


ENDING = [found for found in ALONE if found.key != "dureader"]
"""Whoever says the type of a DuReader question always goes on to answer it."""


@pytest.mark.parametrize("protocol", parameters(ENDING, others=OTHERS_END, each_merge=("nq",)))
def test_work_that_ended_at_the_first_stage_reveals_nothing_of_what_it_hid(protocol, same_chance):
    example = Example(protocol)
    with transaction.atomic():
        seed = ends_at_the_first_stage(example)
        transaction.set_rollback(True)
    one, other = worlds(example, same_chance, seed=seed, until="> None", looks=[PAGES])
    assert differences(one, other) == []


MORE_CONTROLS = pytest.mark.in_test_all(
    shown_by="tests/protocols/test_two_worlds.py::test_the_control_a_difference_of_a_few_characters_is_found"
)


@pytest.mark.parametrize("example", parameters(hiding(), others=MORE_CONTROLS, each_merge=("nq",)), indirect=True)
@pytest.mark.sqlite_only
def test_the_control_a_difference_of_a_few_characters_is_found(example, same_chance, leaky):
    leaky(lambda item: str(crc32(everything(item).encode())))
    one, other = worlds(example, same_chance, seed=0, until=example.first(), looks=[OF_THE_WORK | PAGES])
    assert differences(one, other)
