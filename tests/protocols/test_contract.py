"""Every protocol's stages show only what they may, on every route and in any encoding."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from annotation import registry
from annotation.engine import loading
from annotation.models import Annotation, ItemDocument
from annotation.values.records import AnnotationRecord, Step
from tasks.engine import skip_and_return
from tests.builders import reload
from tests.people import NOON
from tests.protocols.crawling import ENDING, occurs, place_of
from tests.protocols.examples import Example, hiding, parameters
from tests.protocols.peers import finish_by_services, member, peers, seats
from tests.protocols.playing import player_of
from tests.protocols.sentinels import everything, judged
from tests.proving import SHARE, size

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]
LOOKS = size(1, 90)
"""Bots that crawl in each state: a full crawl by all of them would take more than a hundred thousand requests."""
ANSWERS = size(1, 2)
"""How many of the last answers tell one state from another."""
SEEDS = range(max(16, LOOKS))
"""Enough bots to take every path through the stages."""
BARREN = 3
"""Where work is no dialogue, so many bots in a row that lead to no state that is new are the last in a merge.

A dialogue is held once in each seat, and again until one leads to no such state.
"""
EVER = ("begins", "over")
GUESSED = {("coqa", "converse"): ("begins",), ("nq", "annotate"): ("over",)}
"""When bots look at everything for each merge, and guess: when work of two begins, and when work of one is over.

What answers to others' names, and on pages that are about no work, is the same code for all.
"""


def sentinels(example, project, activity) -> dict:
    """What must not be seen, or not yet: sentinels of the item, of its files, of other people."""
    never = peers(project, activity)
    for row in ItemDocument.objects.filter(item__project=project).select_related("document"):
        never |= {row.document.sha256: "the hash of a document", row.layout: "the hash of its layout"}
    return example.sentinels | {word: {"where": where, "stages": []} for word, where in never.items()}


def kind_of(state: tuple[str, ...]) -> tuple[str, ...]:
    """The last answers and the next stage, which a state has in common with those where nobody crawls again."""
    return (*state[-1 - ANSWERS : -1], Step.at(state[-1]).stage)


def play(example, activity, *, seeds=SEEDS, steps=None, complete=True, guessed=EVER):
    """Let bots play the example, crawling in every state that few have seen; where the next stage is one that few have
    seen, by every method, else, but for `make prove`, only by GET.

    What is guessed, and pages that are about no work, are tried when the first begins and when all is over, in `make
    prove` wherever another stage is next: what is hidden there is hidden from the beginning, and whether it is theirs
    no turn of their own work changes, but to have finished might. Unless `complete`, they crawl only where the next
    stage is new, and when all is over request everything by GET alone. `guessed`: when they guess.
    Returns (what was met, where), the leaks, the states, and the number of responses.
    """
    project = example.opened(of=activity)
    rules = sentinels(example, project, activity)
    others = [word for word, rule in rules.items() if rule["where"] == "their assignment"]
    met, leaks, states, answers = set(), [], Counter(), 0
    looked: Counter[str] = Counter()
    barren = 0
    for seed in seeds:
        known = len(states)
        player = player_of(member(project, f"player-{seed}"), project, activity, Random(seed), others, seed)
        for step, state in enumerate(player.states()):
            sent = player.client.taken()
            stage, ended = Step.at(state[-1]).stage, state[-1] == "> None"
            new = looked[stage] < LOOKS
            if states[kind_of(state)] < LOOKS and (complete or new):
                when = "begins" if not looked else "over" if ended else ""
                guesses = new and (when in guessed or (complete and LOOKS > 1))
                posts = LOOKS > 1 or (new and (guesses or not ended))
                words = list(example.sentinels)
                sent += player.look(words, guesses=guesses, pages=guesses or (new and ended), posts=posts)
                looked[stage] += 1
            states[kind_of(state)] += 1
            answers += len(sent)
            for word, stage, exchange, may in judged(player, rules, sent):
                met.add((word, stage))
                if not may:
                    leaks.append(f"{word} ({rules[word]['where']}) after {state}: {exchange}")
            if step == steps:
                break
        barren = barren + 1 if len(states) == known else 0
        if LOOKS == 1 and seed + 1 >= len(activity.seats) and barren >= (1 if player.first_turn else BARREN):
            break
    return met, leaks, set(states), answers


MORE = pytest.mark.in_test_all(
    shown_by="tests/protocols/test_contract.py::test_nothing_is_sent_that_the_stage_may_not_show"
)
"""The protocol that only the tests have, and both parts of a dialogue in one hand: their stages are like others'."""
ACTIVITIES = [
    pytest.param(
        protocol,
        activity,
        id=f"{protocol.key}-{activity.key}",
        marks=MORE if protocol.key == "toy" or activity.key == "converse_alone" else (),
    )
    for protocol in registry.all_protocols()
    for activity in protocol.activities
]


@pytest.mark.parametrize(("protocol", "activity"), ACTIVITIES)
def test_nothing_is_sent_that_the_stage_may_not_show(protocol, activity, record_property):
    guessed = EVER if SHARE else GUESSED.get((protocol.key, activity.key), ())
    record_property("size", crawled(protocol, activity, complete=bool(SHARE), guessed=guessed))
    record_property("seed", SEEDS[0])


if not SHARE:  # the test above asks all of this then

    @pytest.mark.in_test_all(
        shown_by="tests/protocols/test_contract.py::test_nothing_is_sent_that_the_stage_may_not_show"
    )
    @pytest.mark.parametrize(("protocol", "activity"), ACTIVITIES)
    def test_nor_is_it_sent_to_whoever_guesses_or_posts_to_any_page(protocol, activity):
        crawled(protocol, activity)


def crawled(protocol, activity, **how) -> int:
    """Judge all that bots at this work are sent; the number of responses."""
    example = Example(protocol)
    met, leaks, states, answers = play(example, activity, **how)
    assert leaks == []
    answered = {stage for state in states for stage in state if not stage.startswith(">")}
    assert answered == {stage.key for stage in activity.stages}
    assert {state for state in states if state[-1] == "> None"}, "nobody looked around when all was over"
    # The control: the crawler does see what the stages show.
    for word, rule in example.sentinels.items():
        for stage in answered.intersection(rule["stages"]) if "may_be_absent" not in rule else ():
            assert (word, stage) in met, f"{word} ({rule['where']}) was never seen at {stage}"
    return answers


MORE_CONTROLS = pytest.mark.in_test_all(
    shown_by="tests/protocols/test_contract.py::test_the_control_a_sheet_that_shows_the_title_is_caught"
)
"""The crawler that looks for the words is the same."""


@pytest.mark.parametrize("example", parameters(hiding(), each_merge=("nq",), others=MORE_CONTROLS), indirect=True)
def test_the_control_a_sheet_that_shows_the_title_is_caught(example, leaky):
    leaky(everything)
    _, leaks, *_ = play(example, example.protocol.activities[0], seeds=[0], steps=0, complete=False, guessed=())
    by_script = [leak for leak in leaks if "/api/" in leak]
    assert by_script
    assert len(leaks) > len(by_script)


GRADED = 3
"""Bots whose work on one item is graded against one another's."""


@pytest.fixture
def graded(request):
    """The item and the finished annotations of bots, as records, of a protocol and an activity."""
    protocol, activity = request.param
    project = Example(protocol).opened(of=activity)
    for number in range(GRADED):
        finish_by_services(project, activity, seats(project, activity, f"graded-{number}"), Random(number))
    done = list(Annotation.objects.filter(activity=activity.key, completed_at__isnull=False).order_by("pk"))
    [item] = {row.item for row in done}
    assert len(done) == GRADED
    return protocol, activity, loading.item_record(item), loading.finished_records(done, item)


def points(scores) -> list[Fraction]:
    return [score.points for score in scores]


BY_PROTOCOL_AND_ACTIVITY = pytest.mark.parametrize(
    "graded", [pytest.param(one.values, id=one.id, marks=one.marks) for one in ACTIVITIES], indirect=True
)


@BY_PROTOCOL_AND_ACTIVITY
def test_references_alone_fix_the_scores_every_answer_has_points_from_none_to_full_and_another_takes_none(graded):
    protocol, activity, item, records = graded
    nothing = AnnotationRecord(activity.key, ())
    assert protocol.grade(activity.key, item, records[0], ()) == ()
    for place, one in enumerate(records):
        others = records[:place]
        own = protocol.grade(activity.key, item, one, [one])
        assert own
        assert set(points(own)) == {Fraction(1)}
        for references in ([one], [one, *others]):
            wanted = [(score.step, score.part) for score in protocol.grade(activity.key, item, one, references)]
            assert len(set(wanted)) == len(wanted), "a part occurs twice at a step"
            assert {step.stage for step, _part in wanted} <= {stage.key for stage in activity.stages}
            lacking = protocol.grade(activity.key, item, nothing, references)
            assert [(score.step, score.part) for score in lacking] == wanted
            assert set(points(lacking)) == {Fraction(0)}
            for other in records:
                scores = protocol.grade(activity.key, item, other, references)
                assert [(score.step, score.part) for score in scores] == wanted
                assert all(isinstance(each, Fraction) and 0 <= each <= 1 for each in points(scores))
    another_reference_takes_no_points(protocol, activity, item, records)


def another_reference_takes_no_points(protocol, activity, item, records):
    """With a further reference an answer has as many points as before, or more."""
    answer, *others = records
    both = protocol.grade(activity.key, item, answer, others)
    for one in others:
        assert sum(points(both)) >= sum(points(protocol.grade(activity.key, item, answer, [one])))


MORE_LEAVING = pytest.mark.in_test_all(
    shown_by="tests/protocols/test_contract.py::test_after_leaving_the_work_its_holder_sees_nothing_of_it_any_more"
)
EACH_LEAVING = {("skip", "nq"), ("give_back", "coqa")}
LESS = {"skip": {"pages": False}, "give_back": {"posts": False}}
"""For each merge, work of one person is skipped, and work of two is given back; and how less is looked at then."""


@pytest.mark.parametrize(
    ("example", "leave"),
    [
        pytest.param(
            protocol,
            leave,
            id=f"{protocol.key}-{leave}",
            marks=() if (leave, protocol.key) in EACH_LEAVING else MORE_LEAVING,
        )
        for protocol in registry.all_protocols()
        for leave in ("skip", "give_back")
    ],
    indirect=["example"],
)
def test_after_leaving_the_work_its_holder_sees_nothing_of_it_any_more(example, leave):
    activity = example.protocol.activities[0]
    project = example.opened()
    said = {"reason": "hard", "text": ""} if leave == "skip" else {}
    for seed in SEEDS[len(activity.seats) - 1 :]:  # whoever sits last has the last stage
        player = player_of(member(project, f"player-{seed}"), project, activity, Random(seed), [], seed)
        if any(state[-1].startswith(f"> {activity.stages[-1].key}") for state in player.states()):
            break
    player.mine = reload(player.mine)
    getattr(skip_and_return, leave)(player.mine, by=player.user, now=NOON, **said)
    player.client.taken()
    # For each merge, what is about the work by every method after a skip, and all pages by GET when it is given back.
    less = {} if SHARE or (leave, example.protocol.key) not in EACH_LEAVING else LESS[leave]
    # Claiming would rightly give it to them again, and a search by script, which needs no second request, offer it.
    for exchange in player.look(list(example.sentinels), but=ENDING | {"claim", "api_claim"}, guesses=False, **less):
        if place_of(exchange)[0] == "api_search" and leave == "give_back":
            continue
        assert not [word for word in example.sentinels if occurs(word, exchange.sent)], exchange
