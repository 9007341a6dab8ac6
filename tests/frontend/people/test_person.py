"""A lead looks at one person, writes to them, and ends their membership; that person writes to the leads."""

from __future__ import annotations

import html

import pytest
from django.urls import reverse

from annotation import membership, randomness
from annotation.engine import exclusion
from annotation.models import Membership, Message, Project, Role, User
from tasks.disputes import deciding, references, who
from tasks.engine import skip_and_return
from tests.builders import BAD as BAD_QUESTION
from tests.builders import Worker, open_with, project, questions, reload
from tests.disagreeing import BAD, answered, box, browser, lights
from tests.people import NOON, join

WHY = "the study is over"


@pytest.fixture(scope="module")
def opened_once(shared_rows, tmp_path_factory):
    """Four questions, alice, who may work on them, and their lead."""
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(4))
    join(made, "alice")
    join(made, "lena", Role.LEAD)


@pytest.fixture
def nq(opened_once, db):
    return Project.objects.get(slug="lights")


@pytest.fixture
def worker(nq):
    return Worker(User.objects.get(username="alice"), nq)


@pytest.fixture
def lena(nq):
    return User.objects.get(username="lena")


def page(client, name, *args) -> str:
    return html.unescape(client.get(reverse(name, args=args)).content.decode())


def test_the_page_says_what_they_did_with_links_to_the_items(nq, worker, lena):
    done = worker.finish_bad()
    exclusion.exclude(nq, uuids=[done.annotation.uuid], by=lena, reason="a slip", now=NOON)
    skip_and_return.skip(worker.claim(), by=worker.user, reason="hard", text="", now=NOON)
    worker.claim()
    context = browser(lena).get(reverse("person", args=[nq.slug, worker.user.worker_code])).context
    found = context["figures"]
    assert [found[name] for name in ("finished", "skipped", "excluded", "at_work")] == [1, 1, 1, 1]
    assert found["skips"] == [("Too hard for me", 1)]
    listed = browser(lena).get(found["skipped_url"]).context["listed"]
    assert listed.count == 1


def test_what_an_expert_writes_to_decide_a_dispute_is_no_finished_work_on_either_page(db, tmp_path):
    disputed = lights(tmp_path, slug="disputed")
    item = answered(disputed, box(1), box(2), BAD)
    erin, lena = join(disputed, "erin", Role.EXPERT), browser(join(disputed, "lena", Role.LEAD))
    who.begin(erin, disputed, now=NOON)
    mine = references.write(deciding.task_of(item, "annotate"), by=erin, now=NOON)
    Worker(erin, disputed).commit(mine, "question", BAD_QUESTION)
    assert reload(mine).state == "submitted"
    people = lena.get(reverse("people", args=[disputed.slug])).context["members"]
    assert [row.finished for row in people if row.code == erin.worker_code] == [0]
    context = lena.get(reverse("person", args=[disputed.slug, erin.worker_code])).context
    assert context["figures"]["finished"] == 0


def test_a_question_from_the_work_screen_is_answered_and_read_at_home(nq, worker, lena):
    held, hers, theirs = worker.claim(), browser(worker.user), browser(lena)
    home = reverse("home")
    assert "1 message asks you" not in page(theirs, "home")
    address = f"{reverse('messages', args=[nq.slug])}?about={held.uuid}"
    assert "who tended light" in html.unescape(hers.get(address).content.decode())
    hers.post(address, {"text": "Which date\r\ncounts?", "key": randomness.handle()})
    assert Message.objects.get().item_id == held.task.item_id
    assert "1 message asks you" in page(theirs, "home")
    assert "Which date" in page(theirs, "people", nq.slug)
    write = reverse("write_to_person", args=[nq.slug, worker.user.worker_code])
    assert reverse("item", args=[nq.slug, held.task.item_id]) in page(
        theirs, "person", nq.slug, worker.user.worker_code
    )
    theirs.post(write, {"text": "The first one.", "key": randomness.handle()})
    read = page(hers, "home")
    assert "The first one." in read
    assert "lena" not in read
    assert "lena" not in page(hers, "messages", nq.slug)
    assert hers.post(reverse("messages_read", args=[nq.slug]), {"upto": "2", "home": "1"})["Location"] == home
    assert "The first one." not in page(hers, "home")
    assert "read" in page(theirs, "person", nq.slug, worker.user.worker_code)


def test_a_lead_says_that_no_answer_is_needed(nq, worker, lena):
    browser(worker.user).post(reverse("messages", args=[nq.slug]), {"text": "Thanks!", "key": randomness.handle()})
    write = reverse("write_to_person", args=[nq.slug, worker.user.worker_code])
    browser(lena).post(write, {"upto": "1", "read": "1"})
    assert "Messages to read" not in page(browser(lena), "people", nq.slug)


def test_others_never_see_a_thread(nq, worker, bob, lena):
    browser(worker.user).post(reverse("messages", args=[nq.slug]), {"text": "zebra", "key": randomness.handle()})
    about = reverse("messages", args=[nq.slug])
    assert "zebra" not in html.unescape(browser(bob).get(about).content.decode())
    held = worker.claim()
    assert browser(bob).get(f"{about}?about={held.uuid}").context["prompt"] == ""
    assert browser(bob).get(reverse("person", args=[nq.slug, worker.user.worker_code])).status_code == 404


def test_ended_at_once_the_next_request_of_an_open_page_is_refused(nq, worker, lena):
    held, hers = worker.claim(), browser(worker.user)
    assert hers.get(reverse("work", args=[held.uuid]), follow=True).status_code == 200
    end = reverse("end_membership", args=[nq.slug, worker.user.worker_code])
    said = browser(lena).post(end, {"role": "annotator", "how": "now", "reason": WHY}, follow=True)
    assert "The membership has ended." in said.content.decode()
    assert hers.get(reverse("stage", args=[held.uuid, "question"])).status_code == 404
    assert hers.post(reverse("renew", args=[held.uuid])).status_code == 404
    assert f"You no longer work in {nq.title}" in page(hers, "home")
    back = reverse("give_membership_back", args=[nq.slug, worker.user.worker_code])
    browser(lena).post(back, {"role": "annotator", "reason": "a mistake"})
    assert "You no longer work in" not in page(hers, "home")


def test_finished_work_says_that_there_is_more_in_a_project_that_one_has_left(nq, worker, lena):
    worker.finish_bad()
    hers = browser(worker.user)
    assert "projects where you no longer work" not in page(hers, "finished")
    Membership.objects.filter(user=worker.user).update(ended_at=NOON)
    said = page(hers, "finished")
    assert "What you finished in projects where you no longer work is not shown here." in said
    assert "Nothing finished yet" not in said


def test_ended_once_finished_they_go_on_and_it_is_given_back(nq, worker, lena):
    held, hers, theirs = worker.claim(), browser(worker.user), browser(lena)
    args = [nq.slug, worker.user.worker_code]
    said = theirs.post(reverse("end_membership", args=args), {"role": "annotator", "reason": WHY}, follow=True)
    assert "no new work; ends once they hold nothing" in said.content.decode()
    assert hers.get(reverse("stage", args=[held.uuid, "question"])).status_code == 200
    theirs.post(reverse("give_membership_back", args=args), {"role": "annotator", "reason": "a mistake"})
    assert membership.working_roles_of(worker.user, nq) == {"annotator"}
    assert "a mistake" in page(theirs, "person", *args)


def test_a_role_is_changed_on_the_page(nq, worker, lena):
    change = reverse("change_role", args=[nq.slug, worker.user.worker_code])
    browser(lena).post(change, {"role": "annotator", "to": "expert", "reason": WHY})
    assert membership.roles_of(worker.user, nq) == {"expert"}
    assert browser(lena).post(change, {"role": "expert", "to": "king", "reason": WHY}).status_code == 404
    assert browser(lena).post(change, {"role": "expert", "to": "lead", "reason": ""}).status_code == 422
