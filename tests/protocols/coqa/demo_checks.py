"""What the demo shows of CoQA: every state of conversations and games, and a lobby in which two people can meet."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from annotation import clock
from annotation.models import Annotation, Draft, Flag, Response, User
from tasks.models import Assignment, Task, Ticket
from tasks.models.states import AssignmentState, TaskState, TicketState
from tests.boards import bring_up_to_date


def signed_in(name):
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(User.objects.get(username=name))
    return client


def check(demo):
    """Check that all has happened in this project that a visitor may want to see; it changes rows."""
    _two_people_are_in_the_middle_of_a_conversation(demo)
    _half_a_game_is_open(demo)
    _finished_partial_and_solo_conversations_and_games_are_there(demo)
    _a_lead_reads_them_turn_by_turn(demo)
    _two_others_can_meet_in_the_lobby(demo)


def _two_people_are_in_the_middle_of_a_conversation(demo):
    held = Assignment.objects.filter(task__activity="converse", state=AssignmentState.LEASED)
    assert {row.annotator.username for row in held} == {"hana", "ilya"}
    [talk] = {row.annotation for row in held}
    assert Response.objects.filter(annotation=talk).count() == 17
    assert {row.seat for row in held} == {"questioner", "answerer"}
    answerer = held.get(seat="answerer")
    assert Draft.objects.get(annotation=talk).author == answerer.annotator
    said = [
        signed_in(row.annotator.username).get(reverse("work", args=[row.uuid]), follow=True).content.decode()
        for row in held.order_by("seat")
    ]
    assert "Your partner waits for your answer." in said[0]
    assert "Your partner reads your question and answers it" in said[1]
    assert all("What was the machine built for?" in text for text in said)
    assert not Ticket.objects.exclude(state=TicketState.SEATED).exists()


def _two_others_can_meet_in_the_lobby(demo):
    lobby = reverse("lobby", args=[demo.slug, "converse"])
    newcomer = signed_in("nina")
    newcomer.post(reverse("consent", args=[demo.slug]), {"accept": "yes"})
    for client in (newcomer, signed_in("carol")):
        assert client.post(reverse("enter_lobby", args=[demo.slug, "converse"]))["Location"] == lobby
    waiting = Ticket.objects.exclude(state=TicketState.SEATED).values_list("annotator__username", flat=True)
    assert sorted(waiting) == ["carol", "nina"]


def _half_a_game_is_open(demo):
    game = Assignment.objects.get(task__activity="guess", state=AssignmentState.LEASED)
    assert game.annotator.username == "hana"
    assert Response.objects.filter(annotation=game.annotation).count() == 12


def _finished_partial_and_solo_conversations_and_games_are_there(demo):
    finished = Annotation.objects.filter(item__project=demo, completed_at__isnull=False)
    assert finished.filter(activity="converse").count() == 7
    assert finished.filter(activity="converse_alone").count() == 1
    left = Assignment.objects.filter(task__item__project=demo, task__activity="converse", state="returned")
    assert {row.annotator.username for row in left} == {"hana", "emil"}
    exhausted = Response.objects.filter(annotation__in=finished, payload__why="exhausted").get()
    assert Response.objects.filter(annotation=exhausted.annotation, stage="answer").count() == 6
    games = Task.objects.filter(queue__project=demo, activity="guess", split="dev")
    assert sorted(games.values_list("state", flat=True)) == [TaskState.DISPUTED, TaskState.DONE, TaskState.OPEN]
    assert Flag.objects.get(item__project=demo).item.kind == "conversation"


def _a_lead_reads_them_turn_by_turn(demo):
    client = signed_in("lena")
    played = Task.objects.get(queue__project=demo, activity="guess", state=TaskState.DISPUTED).item
    page = client.get(reverse("item", args=[demo.slug, played.pk]))
    turns = played.payload["turns"]
    assert [row.about.question for row in page.context["turns"]] == [one["question"] for one in turns]
    assert all(len(cell) == 2 for row in page.context["turns"] for cell in row.cells)
    assert played.root.item_documents.get().title in page.content.decode()
    talk = client.get(reverse("item", args=[demo.slug, played.root.pk]))
    [column] = talk.context["columns"]
    talked = Assignment.objects.filter(annotation__item=played.root, annotation__exhibit=None)
    codes = talked.values_list("annotator__worker_code", flat=True)
    assert {each.split()[-1] for each in column.who.split(" · ")} == set(codes)
    text = talk.content.decode()
    assert all(one["question"] in text for one in turns)
    bring_up_to_date(demo, now=clock.now())
    parts = client.get(reverse("project", args=[demo.slug])).context["board"].parts
    rows = {(row.queue, row.split): (row.submitted, row.wanted) for row in parts}
    assert (rows["converse", "dev"], rows["guess", "dev"]) == ((3, 4), (7, 9))
    assert (rows["converse", "train"], rows["converse_alone", "train"]) == ((3, 8), (1, 1))
