"""The demo, as `make run` makes it: people with a role each, a history in every state, sample answers, and log-ins."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from random import Random

import pytest
from django.core.management import call_command
from django.db.models import Count
from django.urls import resolve, reverse

from annotation import clock, registry, releases
from annotation.models import (
    Adjudication,
    Annotation,
    Event,
    Flag,
    JudgingRound,
    Project,
    Release,
    Response,
    RoundState,
    TimeSpan,
    User,
)
from frontend.bots import history
from frontend.bots.bot import Bot
from frontend.management.commands.demo import NEWCOMER, Command
from tasks.models import Assignment, Task
from tasks.models.states import AssignmentState, TaskState
from tests.protocols.coqa import demo_checks

pytestmark = pytest.mark.django_db
PEOPLE = Command().who()
DEMOS = [found.demo for found in registry.all_protocols() if found.demo is not None]


def test_it_says_whom_to_sign_in_as_and_why_and_a_second_run_changes_nothing(said, client, capsys):
    logins = re.findall(r"^  (\w+) +(\S+) +(\S.*)$", said, flags=re.MULTILINE)
    assert (
        [name for name, _password, _why in logins]
        == list(PEOPLE)
        == ["nina", "hana", "ilya", "alice", "bob", "carol", "erin", "lena"]
    )
    for name, password, why in logins:
        assert client.login(username=name, password=password)
        assert why == str(PEOPLE[name])
    others = User.objects.exclude(username__in=PEOPLE)
    assert others
    assert not any(person.has_usable_password() for person in others)
    events = Event.objects.count()
    call_command("demo")
    again = capsys.readouterr().out
    assert again.startswith("Sign in as")
    assert again in said
    assert Event.objects.count() == events


def test_each_person_s_home_shows_their_role(said, client):
    def home(name):
        client.force_login(User.objects.get(username=name))
        return client.get(reverse("home")).context

    newcomer = home(NEWCOMER)
    assert not newcomer["held"]
    assert {row["slug"] for row in newcomer["open"]} == {demo.slug for demo in DEMOS}
    assert all(row["consent_url"] for row in newcomer["open"])
    assert sorted(bool(one.reopened) for one in home("alice")["held"]) == [False, False, True]
    (bob,), (carol,) = home("bob")["held"], home("carol")["held"]
    assert (carol.parts, carol.done) == (4, 1)
    assert bob.activity != carol.activity
    for name in ("bob", "carol"):
        assert "never both" in str(home(name)["closed"][0]["why_not"])
    lead = home(history.LEAD)
    assert [project.title for project in lead["led"]] == sorted(str(demo.title) for demo in DEMOS)
    assert all(project.disputed and project.reported and project.done for project in lead["led"])
    assert not lead["open"]


def test_the_first_question_of_the_newcomer_has_a_page_in_english(said, client):
    bot = Bot(User.objects.get(username=NEWCOMER), Random(1))
    for project in Project.objects.filter(protocol="nq"):
        bot.client.post(reverse("consent", args=[project.slug]))
        page = bot.claim(project, registry.get("nq").activities[0].key)
        claimed = Assignment.objects.get(uuid=resolve(page).kwargs["uuid"])
        assert claimed.task.item.payload["page_lang"].startswith("en")


def test_there_is_an_item_in_every_state_that_a_lead_meets(said):
    for demo in DEMOS:
        project = Project.objects.get(slug=demo.slug)
        states = set(Task.objects.filter(queue__project=project).values_list("state", flat=True))
        assert {TaskState.OPEN, TaskState.FULL, TaskState.DONE, TaskState.DISPUTED} <= states
        work = set(Assignment.objects.filter(task__queue__project=project).values_list("state", flat=True))
        assert {AssignmentState.LEASED, AssignmentState.SUBMITTED, AssignmentState.RETURNED} <= work
        assert Flag.objects.filter(item__project=project, settled_at=None).exists()
        assert project.releases.get().state == Release.State.READY
    assert Task.objects.filter(state=TaskState.FROZEN).exists()
    assert Annotation.objects.filter(excluded_at__isnull=False).exists()
    assert Assignment.objects.filter(state=AssignmentState.SKIPPED).exists()
    finished = Annotation.objects.filter(completed_at__isnull=False)
    assert finished.filter(assignments__state=AssignmentState.LEASED).exists()
    again = Response.objects.values("annotation", "stage").annotate(n=Count("pk")).filter(n__gt=1)
    assert finished.filter(pk__in=again.values("annotation"), assignments__state=AssignmentState.SUBMITTED).exists()


def test_judging_rounds_are_under_way_at_the_meeting_and_closed_with_what_the_meeting_changed(said, client):
    states = dict(JudgingRound.objects.values_list("title", "state"))
    assert sorted(states.values()) == [RoundState.CLOSED] * 4 + [RoundState.MEETING, RoundState.SEALED]
    client.force_login(User.objects.get(username=history.EXPERT))
    home = client.get(reverse("home")).content.decode()
    for title, state in states.items():
        assert (title in home) == (state != RoundState.CLOSED)
    client.force_login(User.objects.get(username=history.LEAD))
    for row in JudgingRound.objects.filter(state=RoundState.CLOSED):
        found = client.get(reverse("judging_results_json", args=[row.project.slug, row.uuid])).json()
        assert found["results"]["exhibits"] == row.exhibits.count()
        judged = Response.objects.filter(annotation__exhibit__round=row).values("annotation").distinct()
        assert found["results"]["seconds"][""]["n"] == judged.count() > 0
    experts = JudgingRound.objects.get(state=RoundState.CLOSED, project__protocol="nq")
    page = client.get(reverse("judging_round", args=[experts.project.slug, experts.uuid])).content.decode()
    assert "After the meeting" in page
    assert "Not settled" in page


def test_agreement_shows_somebody_careless_and_which_items_to_look_at(said, client):
    client.force_login(User.objects.get(username=history.LEAD))
    found = client.get(reverse("agreement", args=["everyday-questions"])).context["found"]
    careless = User.objects.get(username="goran").worker_code
    accuracy = [person.accuracy.estimate.value for person in found.people]
    assert found.people[0].code == careless
    assert accuracy[0] < 0.6 < min(accuracy[1:])
    theirs = Annotation.objects.filter(author__username="goran", purpose="work")
    pulled_down = {row.item for row in found.worst}
    assert len(pulled_down & set(theirs.values_list("item", flat=True))) >= 5


def test_an_expert_has_decided_one_dispute_and_the_release_and_an_annotator_say_so(said, client):
    nq = Project.objects.get(slug="everyday-questions")
    client.force_login(User.objects.get(username=history.EXPERT))
    to_decide = client.get(reverse("disputes", args=[nq.slug])).context["rows"].object_list
    (decided,) = client.get(reverse("disputes", args=[nq.slug]), {"decided": ""}).context["rows"].object_list
    assert to_decide
    assert decided.item_id not in {row.item_id for row in to_decide}
    reason = Adjudication.objects.get().reason
    assert "decisions" in releases.manifest_of(nq.releases.get())
    client.force_login(User.objects.get(username="alice"))
    pages = [client.get(reverse("finished"), {"page": page}).content.decode() for page in (1, 2)]
    assert reason in html.unescape("".join(pages))


def test_the_history_lies_in_the_past_in_the_order_of_the_story(said):
    for demo in DEMOS:
        project = Project.objects.get(slug=demo.slug)
        times = list(Event.objects.filter(project_id=project.pk).order_by("pk").values_list("at", flat=True))
        assert times == sorted(times)
        assert times[0] < clock.now() - timedelta(days=5)
        spans = TimeSpan.objects.filter(project=project)
        assert spans.count() > 10
        assert max([*times, *spans.values_list("begun_at", flat=True)]) <= clock.now()


def test_every_state_of_conversations_and_games_is_there_and_two_people_can_meet_in_the_lobby(said):
    demo_checks.check(Project.objects.get(protocol="coqa"))
