"""Annotators’ sessions by script only: every protocol is worked through with nothing but what the API tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation import registry
from annotation.models import Annotation
from annotation.protocol import Activity
from tests.builders import open_with, project, questions
from tests.frontend.api.scripts import Script, by_script
from tests.people import join
from tests.protocols.coqa.pairs import answered, asked, ended, talk_project
from tests.protocols.examples import Example

pytestmark = pytest.mark.django_db
EACH_MERGE = ("qasper ask", "squad answer")
"""The one that is found by a search, and one that comes by itself; pages have several stages, below."""
OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/api/test_sessions_by_script.py::test_every_activity_of_one_person"
)
ALONE = [
    pytest.param(found.key, activity, id=name, marks=() if name in EACH_MERGE else OTHERS)
    for found in registry.all_protocols()
    for activity in found.activities
    for name in [f"{found.key} {activity.key}"]
    if len(activity.seats) == 1 and not any(each.alone == activity.key for each in found.activities)
]


def test_three_stages_about_a_page(tmp_path: Path):
    nq = by_script(project())
    open_with(nq, tmp_path, questions(2))
    script = Script(join(nq, "alice"), nq)
    work = script.claim("annotate")
    assert work["step"]["sheet"]["prompt"].startswith("who tended light number")
    assert (work["steps"], work["step"]["page"]) == (["question"], None)
    work = script.send(work, {"verdict": "good"}).json()["work"]
    page = script.caller.get(work["step"]["page"].split("/api/v1/")[1]).json()
    assert "Two keepers, Anna Berg and Olaf Lund" in page["text"]
    box = next(box for box in work["step"]["sheet"]["boxes"] if box["excerpt"].startswith("Two keepers"))
    chosen = {"kind": "box", "candidate": box["index"], "quote": box["excerpt"]}
    work = script.send(work, chosen).json()["work"]
    assert "first harbour light" not in str(work["step"])
    words = work["step"]["sheet"]["words"]
    text = work["step"]["sheet"]["text"]
    token = next(word for word in words if text[word[1] : word[2]] == "Anna")[0]
    spans = {"kind": "spans", "spans": [{"start": token, "end": token + 2, "quote": "Anna Berg"}]}
    done = script.send(work, spans).json()
    assert (done["work"]["state"], done["work"]["step"]) == ("submitted", None)
    annotation = Annotation.objects.get(completed_at__isnull=False)
    assert [row.by_script for row in annotation.responses.all()] == [True] * 3


@pytest.mark.parametrize(("protocol", "activity"), ALONE)
def test_every_activity_of_one_person(protocol: str, activity: Activity):
    made = Example(registry.get(protocol)).opened(of=activity)
    script = Script(join(made, "alice"), made)
    chosen = {}
    if activity.picks == "search":
        found = script.caller.get(f"projects/{made.slug}/work/{activity.key}/search/").json()
        chosen = {"result": found["results"][0]["result"]}
    done = script.finish(script.claim(activity.key, **chosen))
    assert (done["work"]["state"], done["work"]["step"], done["late"]) == ("submitted", None, "")
    mine = Annotation.objects.get(author=script.user)
    assert mine.completed_at is not None
    assert all(row.by_script for row in mine.responses.all())


def test_a_conversation_of_two_scripts_from_the_lobby_to_its_end(tmp_path: Path):
    talks = by_script(talk_project(tmp_path))
    ann, ben = (Script(join(talks, name), talks) for name in ("ann", "ben"))
    lobby = f"projects/{talks.slug}/lobbies/converse/"
    assert ann.post(lobby).json()["state"] == "waiting"
    assert ben.post(lobby, {"part": "answerer"}).json()["state"] == "offered"
    assert ann.caller.get(lobby).json()["answer_within"] > 0
    assert ann.post(f"{lobby}here/").json()["confirmed"]
    assert ben.post(f"{lobby}here/").json()["state"] == "seated"
    works = [script.read(script.caller.get(lobby).json()["work"]) for script in (ann, ben)]
    people = dict(zip((work["seat"] for work in works), (ann, ben), strict=True))
    asking, replying = people["questioner"], people["answerer"]
    uuids = {work["seat"]: work["uuid"] for work in works}
    waiting = replying.read(uuids["answerer"])
    assert (waiting["step"], waiting["partner"]["state"]) == (None, "here")
    assert waiting["waiting"]["sheet"]["turns"] == []
    sent = asking.send(asking.read(uuids["questioner"]), asked("Who built it?"))
    assert sent.status_code == 200
    assert sent.json()["work"]["waiting"]["withdraw"] == "question-1"
    shown = replying.read(uuids["answerer"])
    assert "Who built it?" in str(shown["step"]["sheet"])
    assert replying.send(shown, answered("Anna Holt")).status_code == 200
    for turn in range(2, 6):
        asking.send(asking.read(uuids["questioner"]), asked(f"Who kept it in year {turn}?"))
        replying.send(replying.read(uuids["answerer"]), answered("Emil", "Emil kept"))
    done = asking.send(asking.read(uuids["questioner"]), ended("exhausted", "Nothing more is told.")).json()
    assert done["work"]["state"] == "submitted"
    assert replying.read(uuids["answerer"])["state"] == "submitted"
    said = Annotation.objects.get(completed_at__isnull=False).responses.all()
    assert len(said) == 11
    assert all(row.by_script for row in said)
