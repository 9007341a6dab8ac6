"""`manage.py bots`: scripted people who take the published paths and are wrong, late or absent at set rates."""

from collections import Counter
from io import StringIO
from pathlib import Path

import orjson
import pytest
from django.core.management import CommandError, call_command

from annotation import clock, registry
from annotation.models import Annotation, Event, Response
from tasks.engine import queues
from tasks.models import Assignment, Ticket
from tasks.models.states import IN_LOBBY, AssignmentState, TicketState
from tests.builders import load, open_with, project, questions
from tests.people import NOON
from tests.protocols.examples import parameters

ITEMS = 200
SHARES = {"bad": 0.14, "no_answer": 0.37, "long_only": 0.13, "short": 0.35, "yes_no": 0.01}
"""The NQ paper, section 3."""
FAULTLESS = {"wrong": 0, "late": 0, "abandoned": 0, "returned": 0}

pytestmark = pytest.mark.sqlite_only  # on PostgreSQL the demo's people play through the same pages


def bots(project_, **options):
    """Run the command; return the end of its output."""
    said = StringIO()
    call_command("bots", project_.slug, stdout=said, **options)
    return said.getvalue()


def lights(folder, count, **numbers):
    """A project of NQ questions about a page of eight boxes, handed out in order."""
    made = project("lights", activities={"annotate": {"draw": "in_order"} | numbers})
    open_with(made, folder, questions(count))
    return made


def figures(project_):
    """The figures of `manage.py report`."""
    said = StringIO()
    call_command("report", project_.slug, "--json", stdout=said)
    return orjson.loads(said.getvalue())["figures"]


def states():
    return Counter(Assignment.objects.values_list("state", flat=True))


@pytest.mark.in_test_all(shown_by="tests/frontend/bots/test_bots.py::test_careful_bots_agree_and_wrong_ones_do_not")
def test_paths_have_the_published_shares_and_outcomes_the_set_ones(db, tmp_path):
    made = lights(tmp_path, ITEMS)
    said = bots(made, people=4, count=ITEMS, seed="paths", late=0.1, abandoned=0.15, returned=0.2)
    assert said.startswith(f"Bots took {ITEMS} pieces of work")
    shares = figures(made)["paths"]
    for path, published in SHARES.items():
        assert abs(shares[path] - published) < 0.05, (path, shares)
    found = states()
    assert found[AssignmentState.RETURNED] / ITEMS == pytest.approx(0.2, abs=0.05)
    assert found[AssignmentState.EXPIRED] / ITEMS == pytest.approx(0.15, abs=0.05)
    adopted = {event.subject for event in Event.objects.filter(data__adopted=True)}
    assert (len(adopted) + found[AssignmentState.LATE]) / ITEMS == pytest.approx(0.1, abs=0.05)


def test_careful_bots_agree_and_wrong_ones_do_not(db, tmp_path):
    made = lights(tmp_path, 3, overlap={"train": 2})
    bots(made, people=2, count=6, **FAULTLESS)
    assert agreeing() == (3, 3)


@pytest.mark.in_test_all(shown_by="tests/frontend/bots/test_bots.py::test_careful_bots_agree_and_wrong_ones_do_not")
def test_bots_that_are_all_wrong_disagree_with_each_other(db, tmp_path):
    made = lights(tmp_path, 12, overlap={"train": 2})
    bots(made, people=2, count=24, **FAULTLESS | {"wrong": 1})
    alike, items = agreeing()
    assert alike < items == 12


def agreeing():
    """How many items have two finished annotations that agree, and how many have two."""
    said = {}
    for found in Annotation.objects.filter(completed_at__isnull=False).order_by("pk"):
        rows = Response.objects.filter(annotation=found).order_by("pk")
        said.setdefault(found.item_id, []).append([row.payload for row in rows])
    pairs = [two for two in said.values() if len(two) == 2]
    return sum(one == other for one, other in pairs), len(pairs)


def test_the_same_seed_does_the_same(db, tmp_path):
    def done(slug):
        made = project(slug, seed="order", activities={"annotate": {"draw": "in_order"}})
        open_with(made, tmp_path, questions(4))
        bots(made, people=2, count=4, seed="again", wrong=1)
        rows = Assignment.objects.filter(task__queue__project=made).order_by("pk")
        return list(rows.values_list("task__item__external_id", "annotator__username", "state"))

    first = done("lights")
    assert first == done("lamps")


def test_late_work_is_kept_whether_or_not_somebody_took_its_place(db, tmp_path):
    made = lights(tmp_path, 3)
    bots(made, people=3, count=6, **FAULTLESS | {"late": 1})
    found = states()
    assert found[AssignmentState.EXPIRED] == 0
    assert Annotation.objects.filter(completed_at__isnull=False).count() >= 3


def test_writers_search_and_ask_and_answerers_answer(db):
    protocol = registry.get("qasper")
    made = project("papers", "qasper")
    load(made, Path(protocol.demo.items), split="train")
    for activity in protocol.activities:
        queues.open_queue(made, activity.key, by=None, now=NOON)
    bots(made, people=2, count=14, seed="papers", returned=0.3)
    assert Event.objects.filter(kind="search.opened").exists()
    done = Counter(Annotation.objects.filter(completed_at__isnull=False).values_list("activity", flat=True))
    assert done["ask"] > 1
    assert done["answer"] > 1
    assert states()[AssignmentState.RETURNED]


@pytest.fixture(scope="module")
def talks(shared_rows):
    """A project with the sample passages, all of them for talks that are guessed afterwards."""
    protocol = registry.get("coqa")
    made = project("talks", "coqa")
    load(made, Path(protocol.demo.items), split="dev")
    for activity in protocol.activities:
        queues.open_queue(made, activity.key, by=None, now=clock.now())
    return made


@pytest.mark.in_test_all(
    shown_by="tests/frontend/bots/test_bots.py::test_a_single_bot_for_each_activity_still_finds_a_partner"
)
def test_bots_meet_in_the_lobby_talk_to_the_end_and_guess(talks, db):
    bots(talks, people=3, count=10, seed="talks", **FAULTLESS)
    done = Counter(Annotation.objects.filter(completed_at__isnull=False).values_list("activity", flat=True))
    assert done["converse"] >= 2
    assert done["guess"] >= 1
    shared = Assignment.objects.filter(annotation__activity="converse")
    for seats in (list(shared.filter(annotation=row)) for row in Annotation.objects.filter(activity="converse")):
        assert [row.state for row in seats] == [AssignmentState.SUBMITTED] * 2
        assert len({row.annotator for row in seats}) == 2
    assert Ticket.objects.filter(state=TicketState.SEATED).count() == shared.count()
    assert not Ticket.objects.filter(state__in=IN_LOBBY).exists()


def test_a_single_bot_for_each_activity_still_finds_a_partner(talks, db):
    bots(talks, people=1, count=2, activity="converse", **FAULTLESS)
    assert Annotation.objects.get().completed_at is not None


@pytest.mark.parametrize(
    ("rates", "mine"), [({"returned": 1}, AssignmentState.RETURNED), ({"abandoned": 1}, AssignmentState.EXPIRED)]
)
def test_when_a_bot_leaves_a_talk_the_other_is_freed_and_what_was_said_is_kept(talks, db, rates, mine):
    bots(talks, people=2, count=2, activity="converse", **FAULTLESS | rates)
    assert set(states()) == {mine, AssignmentState.RETURNED}
    assert Response.objects.filter(annotation=Annotation.objects.get()).count() >= 4
    assert Annotation.objects.get().completed_at is None


OTHERS = pytest.mark.in_test_all(shown_by="tests/frontend/bots/test_bots.py::test_bots_stop_when_there_is_nothing_left")
PROTOCOLS = parameters(registry.all_protocols(), each_merge=("nq", "dureader", "coqa"), others=OTHERS)
"""The bots are those of one person, and of two in a lobby."""


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_bots_stop_when_there_is_nothing_left(db, protocol):
    made = project("empty", protocol.key)
    for activity in protocol.activities:
        queues.open_queue(made, activity.key, by=None, now=NOON)
    assert "took 0 pieces" in bots(made, count=5)


def test_bots_stop_after_their_time(db, tmp_path):
    assert "took 1 pieces" in bots(lights(tmp_path, 5), seconds=0, **FAULTLESS)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"wrong": 2}, "between 0 and 1"),
        ({"late": 0.6, "returned": 0.6}, "add up to at most 1"),
        ({"activity": "sing"}, "no activity sing: annotate"),
        ({"people": 0}, "at least 1"),
    ],
)
def test_impossible_rates_activities_and_numbers_are_refused(db, options, said):
    with pytest.raises(CommandError, match=said):
        bots(project(), count=1, **options)


def test_bots_refuse_a_site_that_others_can_reach(db, settings):
    settings.ALLOWED_HOSTS = ["example.org"]
    with pytest.raises(CommandError, match="others can reach"):
        bots(project(), count=1)


def test_without_collected_static_files_the_command_says_what_to_run(nq, tmp_path, settings):
    storage = {"BACKEND": "frontend.server.static_storage.Storage", "OPTIONS": {"location": tmp_path / "static"}}
    settings.STORAGES = settings.STORAGES | {"staticfiles": storage}
    with pytest.raises(CommandError, match="Static files have not been collected"):
        bots(nq, count=1)
