"""A lead's script reads the set-up of a project, checks a file against it, and changes what differs."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from django.http import HttpResponse

from annotation import projects
from annotation.models import Event, Project, User
from tasks.models import Queue
from tests.builders import Worker, load, open_with, questions, write_lines
from tests.frontend.api.callers import Caller, leading, reader

YAML = "application/yaml"


@pytest.fixture
def script(nq: Project, lena: User) -> Caller:
    return leading(lena, nq)


def change(script: Caller, text: str, how: str = "PATCH", address: str = "setup/", **headers: str) -> HttpResponse:
    return script.send(how, f"projects/lights/{address}", text.encode(), YAML, **headers)


def changed(answer: HttpResponse) -> dict[str, tuple[object, object]]:
    assert answer.status_code == 200, answer.content
    return {row["path"]: (row["before"], row["after"]) for row in answer.json()["changed"]}


def file_of(script: Caller) -> str:
    return script.get("projects/lights/setup/").content.decode()


def test_the_file_is_that_of_the_page_and_sent_back_it_changes_nothing(script: Caller, nq: Project, lena: User):
    answer = script.get("projects/lights/setup/")
    assert answer["Content-Type"] == YAML
    before = Event.objects.count()
    assert changed(change(script, file_of(script))) == {}
    assert Event.objects.count() == before
    assert script.get("projects/lights/setup/").content == answer.content


def test_what_a_file_would_change_is_told_before_it_is_changed(script: Caller, nq: Project):
    text = yaml.safe_dump(yaml.safe_load(file_of(script)) | {"title": "Lights of the coast", "guidelines": "# Look\n"})
    seen = Event.objects.count()
    told = changed(change(script, text, "POST", "setup/check/"))
    assert told["title"] == (nq.title, "Lights of the coast")
    assert set(told) == {"title", "guidelines"}
    assert Event.objects.count() == seen
    assert changed(change(script, text)) == told
    nq.refresh_from_db()
    assert nq.title == "Lights of the coast"
    assert projects.guidelines_of(nq).text == "# Look\n"


def test_what_a_file_leaves_out_stays(script: Caller, nq: Project):
    told = changed(change(script, 'protocol: nq\ntitle: Other\nconfig:\n  pay: "10 EUR an hour"\n'))
    assert told == {"title": (nq.title, "Other"), "config.pay": ("", "10 EUR an hour")}


def test_the_numbers_of_a_queue_that_exists_are_changed_in_the_queue(script: Caller, nq: Project, tmp_path: Path):
    open_with(nq, tmp_path, questions(1))
    text = f"protocol: nq\ntitle: {nq.title}\nconfig:\n  activities:\n    annotate:\n      lease_minutes: 77\n"
    before = Queue.objects.get().lease_minutes
    assert changed(change(script, text)) == {"config.activities.annotate.lease_minutes": (before, 77)}
    assert Queue.objects.get().lease_minutes == 77
    assert projects.activity_config(nq, "annotate").lease_minutes is None


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("protocol: coqa\ntitle: x\n", "protocol"),
        ("protocol: nq\ntitle: x\nslug: other\n", "slug"),
        ("protocol: nq\ntitle: x\nconfig:\n  payment: 1\n", "config.payment"),
        ("protocol: nq\n", "title"),
        ("protocol: nq\ntitle: x\nqualifications:\n- key: one\n  title: One\n", "qualifications"),
        ("a: [", ""),
        ("- 1\n", ""),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_the_place(script: Caller, text: str, field: str):
    for how, address in (("PATCH", "setup/"), ("POST", "setup/check/")):
        answer = change(script, text, how, address)
        assert (answer.status_code, [one["field"] for one in answer.json()["errors"]]) == (422, [field])


def test_a_place_is_named_with_its_line(script: Caller):
    answer = change(script, "protocol: nq\ntitle: x\nconfig:\n  payment: 1\n")
    assert answer.json()["errors"][0]["message"] == "Line 4: There is no such field."


def test_a_field_that_is_missing_is_named_in_the_sentence(script: Caller):
    refused = change(script, "protocol: nq\n").json()
    assert refused["title"] == "This is not possible as it was sent"
    assert refused["detail"] == "title: This field is missing."


def test_a_change_from_another_version_is_refused(script: Caller, nq: Project):
    tag = script.get("projects/lights/setup/")["ETag"]
    text = "protocol: nq\ntitle: First\n"
    assert change(script, text, If_Match=tag).status_code == 200
    assert change(script, text, If_Match=tag).status_code == 412
    assert change(script, text, If_Match='"other"').json()["type"] == "changed_meanwhile"
    nq.refresh_from_db()
    assert nq.title == "First"


def test_a_change_with_a_key_is_made_once(script: Caller):
    text = "protocol: nq\ntitle: First\n"
    first, second = (change(script, text, Idempotency_Key="k") for _ in range(2))
    assert first.json() == second.json()
    assert second["Idempotency-Replayed"] == "true"


def test_a_token_that_reads_changes_nothing_and_json_is_no_set_up(script: Caller, lena: User):
    assert change(reader(lena), "protocol: nq\ntitle: x\n").status_code == 403
    assert script.call("PATCH", "projects/lights/setup/", {"title": "x"}).status_code == 415
    assert script.send("PATCH", "projects/lights/setup/?guidelines=new", b"", YAML).status_code == 400


def test_a_queue_is_opened_changed_paused_and_closed(script: Caller, nq: Project, tmp_path: Path):
    load(nq, write_lines(tmp_path / "q.jsonl", questions(2)))
    first = script.get("projects/lights/queues/annotate/").json()
    assert (first["state"], first["total"], first["places"]) == ("", None, None)
    assert script.post("projects/lights/queues/annotate/pause/").status_code == 404
    opened = script.post("projects/lights/queues/annotate/open/", {"lease_minutes": 30})
    assert (opened.json()["made"], opened.json()["state"], opened.json()["lease_minutes"]) == (2, "open", 30)
    assert opened.json()["draw"] == {"train": "in_order"}
    queue = script.get("projects/lights/queues/annotate/")
    assert (queue.json()["total"], queue.json()["tasks"]) == (2, {"open": 2})
    change = {"least_agreement": 0.5}
    done = script.call("PATCH", "projects/lights/queues/annotate/", change, If_Match=queue["ETag"])
    assert (done.json()["lease_minutes"], done.json()["least_agreement"]) == (30, 0.5)
    again = script.call("PATCH", "projects/lights/queues/annotate/", {"lease_minutes": 5}, If_Match=queue["ETag"])
    assert again.status_code == 412
    assert script.post("projects/lights/queues/annotate/pause/").json()["state"] == "paused"
    assert script.post("projects/lights/queues/annotate/close/").json()["state"] == "closed"
    assert script.post("projects/lights/queues/annotate/close/").status_code == 409
    assert script.get("projects/lights/queues/").json()["results"][0]["activity"] == "annotate"


def test_the_numbers_of_a_queue_are_changed_as_they_were_read_though_people_work_meanwhile(
    script: Caller, nq: Project, alice: User, tmp_path: Path
):
    open_with(nq, tmp_path, questions(2))
    queue = script.get("projects/lights/queues/annotate/")
    Worker(alice, nq).finish_bad()
    assert script.get("projects/lights/queues/annotate/").json()["tasks"] != queue.json()["tasks"]
    change = {"least_agreement": 0.5}
    assert script.call("PATCH", "projects/lights/queues/annotate/", change, If_Match=queue["ETag"]).status_code == 200


@pytest.mark.parametrize("body", [{"lease_minutes": 0}, {"lease_minutes": 20161}, {"least_agreement": 1.01}, {"x": 1}])
def test_numbers_that_are_not_possible_open_nothing(script: Caller, nq: Project, body: dict[str, float]):
    answer = script.post("projects/lights/queues/annotate/open/", body)
    assert (answer.status_code, [one["field"] for one in answer.json()["errors"]]) == (400, list(body))
    assert not Queue.objects.exists()


def test_an_activity_that_the_protocol_does_not_have_is_no_queue(script: Caller, lena: User):
    assert script.get("projects/lights/queues/dream/").status_code == 404
    assert reader(lena).post("projects/lights/queues/annotate/open/", {}).status_code == 403


def test_items_that_have_a_task_get_the_places_of_a_new_overlap(script: Caller, nq: Project, tmp_path: Path):
    open_with(nq, tmp_path, questions(2))
    activities = {"annotate": {"overlap": {"train": 3}}}
    change(script, yaml.safe_dump({"protocol": "nq", "title": nq.title, "config": {"activities": activities}}))
    planned = script.get("projects/lights/places/").json()
    assert [(row["activity"], row["more"]) for row in planned["results"]] == [("annotate", 2)]
    assert script.post("projects/lights/places/").json() == planned
    assert script.get("projects/lights/places/").json() == {"results": []}
