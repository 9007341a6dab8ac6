"""Figures of shared work: what was made alone, with its limit, what ended early, and how long people waited."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import call_command

from annotation import registry
from annotation.models import Item
from tasks.engine import skip_and_return
from tasks.measuring.pairs import pair_figures
from tasks.pairs import waiting
from tests.factories.record import AnnotationFactory
from tests.people import NOON, join
from tests.protocols.coqa.deciding import decide, flag
from tests.protocols.coqa.pairs import seated, talk, talk_project
from tests.protocols.toy.building import Pair
from tests.tasks.pairs.visiting import at


def finished(project, activity: str, count: int, **columns) -> None:
    """So many finished annotations of an activity, each by somebody else on some topic."""
    items = list(Item.objects.filter(project=project, kind="topic"))
    for number in range(count):
        AnnotationFactory(
            item=items[number % len(items)],
            author=join(project, f"{activity}-{number}"),
            activity=activity,
            **{"completed_at": NOON} | columns,
        )


def talk_of(lobby):
    """The activity of the lobby, as the protocol has it now."""
    return registry.get(lobby.project.protocol).activity("talk")


def refused(lobby) -> str | None:
    """Why ann, who has waited for a minute, may not go on alone."""
    lobby.enters("ann")
    return waiting.why_not_alone(lobby.polls("ann", 29) and lobby.polls("ann", 58), now=at(60))


@pytest.mark.parametrize(
    ("by_one", "together", "why"), [(3, 16, None), (3, 17, "enough"), (2, 18, None), (4, 16, "enough"), (0, 40, None)]
)
def test_going_on_alone_is_offered_until_15_percent_are_made_alone(with_alone, by_one, together, why):
    finished(with_alone.project, "talk_alone", by_one)
    finished(with_alone.project, "talk", together)
    assert refused(with_alone) == why


def test_excluded_imported_and_unfinished_ones_are_not_counted(with_alone):
    project = with_alone.project
    finished(project, "talk", 20)
    finished(project, "talk_alone", 3, excluded_at=NOON, exclusion_reason="bad")
    finished(project, "talk_alone", 4, purpose="import")
    finished(project, "talk_alone", 5, purpose="check", completed_at=None)
    assert waiting.made_alone(project, talk_of(with_alone)) == (0, 20)


def test_who_is_at_it_alone_now_is_counted_already(with_alone):
    finished(with_alone.project, "talk", 19)
    ticket = with_alone.enters("ann")
    ticket = with_alone.polls("ann", 29) and with_alone.polls("ann", 58)
    waiting.go_alone(ticket, by=ticket.annotator, now=at(60))
    assert waiting.made_alone(with_alone.project, talk_of(with_alone)) == (1, 20)


def test_a_project_has_its_own_limit(with_alone):
    project = with_alone.project
    project.config = project.config | {"activities": {"talk": {"alone_at_most": 0.5}}}
    project.save()
    finished(project, "talk_alone", 9)
    finished(project, "talk", 11)
    assert refused(with_alone) is None
    finished(project, "talk_alone", 12, round=2)
    assert refused(with_alone) == "enough"


def test_what_was_begun_and_left_has_ended_early_and_what_goes_on_or_never_began_has_not(lobby):
    left = Pair.seated(lobby.project)
    left.say("asker", "ask-1")
    skip_and_return.give_back(left.row("asker"), by=left.asker, now=NOON)
    never = Pair.seated(lobby.project, "uma", "vic")
    skip_and_return.give_back(never.row("asker"), by=never.asker, now=NOON)
    Pair.seated(lobby.project, "wim", "xia").say("asker", "ask-1")
    Pair.seated(lobby.project, "yan", "zoe").talk()
    [found] = pair_figures(lobby.project)
    assert (found.ended_early, found.flags_open, found.flags_upheld, found.waits) == (1, 0, 0, None)


def test_waits_are_those_of_the_seated_with_the_median_and_the_ninth_of_ten(lobby):
    for number, seconds in enumerate((0, 10, 20, 30, 40)):
        lobby.enters(f"early-{number}", 60 * number)
        lobby.enters(f"late-{number}", 60 * number + seconds % 20)
        for name in (f"early-{number}", f"late-{number}"):
            lobby.is_here(name, 60 * number + seconds % 20)
    [found] = pair_figures(lobby.project)
    assert (found.waits.median, found.waits.p90) == (0, 10)


def test_the_report_has_them_beside_the_published_share(db, tmp_path):
    project = talk_project(tmp_path, split="train")
    pair = seated(project)
    talk(*pair, 2)
    decide(flag(pair[0], "answer-1"), "upheld", project=project)
    flag(pair[0], "answer-2", ends=True)
    said = io.StringIO()
    call_command("report", project.slug, "--json", stdout=said)
    found = json.loads(said.getvalue())
    assert found["published"]["converse"] == {"alone": 0.12}
    assert found["figures"]["converse"] == {
        "alone": None,
        "ended_early": 1,
        "flags_open": 1,
        "flags_upheld": 1,
        "lobby_seconds_median": None,
        "lobby_seconds_p90": None,
    }
