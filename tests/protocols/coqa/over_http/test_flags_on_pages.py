"""Flags on the site: the dialog of the two people who talk, the page after a serious one, and the lead's pages."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation import clock, randomness
from annotation.models import Case, Role
from tasks.pairs import side_chat
from tests.people import join
from tests.protocols.coqa.deciding import flag, run_out
from tests.protocols.coqa.pairs import (
    HIDDEN_FIELD,
    STORY,
    answered,
    asked,
    seated,
    seated_still,
    talk,
    talk_project,
)

HTMX = {"HX-Request": "true"}
PART = {"X-Part": "1"}
HANDLE = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@pytest.fixture(scope="module")
def talks(shared_rows, tmp_path_factory):
    """A project, and two people at the beginning of a conversation."""
    made = talk_project(tmp_path_factory.mktemp("passages"), split="dev")
    pair = seated(made)
    return made, pair


@pytest.fixture
def project(talks, db):
    return talks[0]


@pytest.fixture
def pair(talks, db):
    return seated_still(talks[1])


@pytest.fixture
def lead(project):
    client = Client()
    client.force_login(join(project, "lena", Role.LEAD))
    return client


def send(person, step, reason="copying", how="silent", headers=None, **fields):
    sent = {"step": step, "reason": reason, "how": how} | fields
    return person.client.post(person.address("flag"), sent, headers=headers or {})


def words(answer):
    return " ".join(answer.content.decode().split())


def still(page):
    """A page without what is new each time it is loaded."""
    return HANDLE.sub("", HIDDEN_FIELD.sub("", page))


def item_page(project, lead, case):
    return words(lead.get(reverse("item", args=[project.slug, case.annotation.item_id])))


def decide(project, lead, case, to, reason="so I read it"):
    url = reverse("decide_case", args=[project.slug, case.annotation.item_id, case.pk, to])
    return lead.post(url, {"reason": reason})


def test_each_side_is_offered_what_the_other_has_said(pair):
    questioner, answerer = pair
    talk(questioner, answerer, 1)
    asks, waits = questioner.get(), answerer.get()
    assert ('data-flag="answer-1"' in asks, 'data-flag="question-1"' in asks) == (True, False)
    assert ('data-flag="answer-1"' in waits, 'data-flag="question-1"' in waits) == (False, True)
    questioner.say(asked("And then?"))
    assert 'data-flag="question-2" data-newest' in " ".join(answerer.get().split())
    for person in pair:
        assert 'id="flag"' in person.get()


def test_a_silent_flag_leaves_the_page_as_it_is(pair):
    questioner, answerer = pair
    talk(questioner, answerer, 1)
    before = still(answerer.get())
    sent = send(questioner, "answer-1", "wrong", headers=HTMX, text=" It was\nEmil. ")
    assert (sent.status_code, sent.content, "HX-Redirect" in sent) == (204, b"", False)
    assert Case.objects.get().text == "It was Emil."
    assert still(answerer.get()) == before
    without_script = send(questioner, "answer-1", "wrong")
    assert without_script.url == questioner.address()
    assert "your partner is not told" in words(questioner.client.get(without_script.url))


def test_to_discuss_it_first_flags_nothing(pair):
    talk(*pair, 1)
    assert 'value="discuss"' in pair[0].get()
    assert send(pair[0], "answer-1", how="discuss").status_code == 204
    assert not Case.objects.exists()


@pytest.mark.parametrize(
    ("step", "reason", "status"),
    [("answer-1", "vague", 422), ("question-1", "vague", 404), ("closing-7", "abuse", 404)],
)
def test_what_can_not_be_flagged_is_refused(pair, step, reason, status):
    talk(*pair, 1)
    assert send(pair[0], step, reason).status_code == status
    assert not Case.objects.exists()


def test_somebody_elses_work_can_not_be_flagged(project, pair):
    talk(*pair, 1)
    stranger = Client()
    stranger.force_login(join(project, "uma"))
    assert stranger.post(pair[0].address("flag"), {"step": "answer-1", "reason": "abuse"}).status_code == 404


def test_after_a_serious_flag_both_get_the_same_page_without_a_word_of_who(pair):
    questioner, answerer = pair
    talk(questioner, answerer, 2)
    sent = send(questioner, "answer-2", "abuse", how="end", headers=HTMX, text="Zq9insult")
    assert (sent.status_code, sent["HX-Redirect"]) == (204, questioner.address("partner"))
    pages = []
    for person in pair:
        assert person.client.get(person.address()).url == person.address("partner")
        assert person.client.get(person.address("now")).status_code == 404
        assert "data-gone" in words(person.client.get(person.address("partner"), headers=PART))
        page = words(person.client.get(person.address("partner")))
        assert "This has ended" in page
        assert "Find somebody else" not in page
        assert STORY not in page
        assert "Zq9insult" not in page
        pages.append(page.replace(person.user.username, "N").replace(str(person.held.uuid), "U"))
        assert person.client.post(person.address("another")).url == reverse("lobby", args=["talks", "converse"])
    assert pages[0].partition("<main")[2] == pages[1].partition("<main")[2] != ""
    assert send(answerer, "question-1", "vague").status_code == 409


def test_the_lead_reads_the_turn_with_its_rationale_and_the_passage_and_decides(project, pair, lead):
    questioner, answerer = pair
    questioner.say(asked("Who looked after it?"))
    answerer.say(answered("Her brother", "kept its light for thirty years"))
    case = flag(questioner, "answer-1", "wrong", text="It was not.")
    board = words(lead.get(reverse("project", args=[project.slug])))
    for told in ("Waiting for your decision", "The answer is wrong", "Who looked after it?", "Her brother"):
        assert told in board
    assert "kept its light for thirty years" in board
    assert "1 to decide" in words(lead.get("/"))
    page = item_page(project, lead, case)
    assert STORY in page
    assert f"{questioner.user.worker_code}</span> about <span" in page
    assert decide(project, lead, case, "upheld", reason=" ").status_code == 422
    assert decide(project, lead, case, "upheld", reason="copied from the passage").status_code == 302
    page = item_page(project, lead, case)
    for told in ("Upheld", "copied from the passage", "lena", "Take back…"):
        assert told in page
    assert "Waiting for your decision" not in words(lead.get(reverse("project", args=[project.slug])))
    assert decide(project, lead, case, "dismissed").status_code == 409
    assert decide(project, lead, case, "open", reason="I misread").status_code == 302
    assert "Waiting for your decision" in words(lead.get(reverse("project", args=[project.slug])))
    assert decide(project, lead, case, "whatever").status_code == 404


def test_the_lead_sees_that_a_flag_answers_another(project, pair, lead):
    questioner, answerer = pair
    talk(questioner, answerer, 1)
    flag(questioner, "answer-1", "wrong")
    case = flag(answerer, "question-1", "vague")
    assert item_page(project, lead, case).count("was flagged by the other one first") == 1


def test_the_lead_accepts_what_ran_out_with_the_reason_before_their_eyes(project, pair, lead):
    case = run_out(*pair)
    board = words(lead.get(reverse("project", args=[project.slug])))
    assert "It ended early: does it count?" in board
    assert "it is a short text" in board
    assert decide(project, lead, case, "upheld").status_code == 302
    assert "Accepted" in item_page(project, lead, case)


def test_only_a_lead_of_that_project_decides_and_others_do_not_learn_that_there_is_a_case(
    project, pair, lead, tmp_path
):
    talk(*pair, 1)
    case = flag(pair[0], "answer-1")
    for person in pair:
        assert decide(project, person.client, case, "upheld").status_code == 404
    url = reverse("decide_case", args=[project.slug, case.annotation.item_id + 1, case.pk, "upheld"])
    assert lead.post(url, {"reason": "x"}).status_code == 404
    case.refresh_from_db()
    assert case.state == "open"


def test_the_projects_page_has_the_figures_of_working_together(project, pair, lead):
    talk(*pair, 1)
    flag(pair[0], "answer-1", ends=True)
    board = words(lead.get(reverse("project", args=[project.slug])))
    part = board.partition("Working together")[2].partition("</section>")[0]
    for told in ("not offered from 15 % on", "published: 12 %", "open, and 0 upheld", "nobody was seated from it yet"):
        assert told in part


def test_more_flagged_conversations_with_a_chat_take_no_more_queries_of_a_lead_s_pages(tmp_path, db):
    made = talk_project(
        tmp_path, slug="many", split="train", passages=1, activities={"converse": {"overlap": {"train": 9}}}
    )
    lead = Client()
    lead.force_login(join(made, "lena", Role.LEAD))

    def queries(names) -> dict[str, int]:
        for name in names:
            questioner, answerer = seated(made, f"q{name}", f"a{name}")
            talk(questioner, answerer, 1)
            flag(questioner, "answer-1", "wrong")
            held, key = answerer.row(), randomness.handle()
            side_chat.write(held, by=answerer.user, text="May I?", to_lead=True, key=key, now=clock.now())
        found = {}
        for page, args in (("project", ()), ("board_live", ()), ("item", (made.items.get(kind="passage").pk,))):
            with CaptureQueriesContext(connection) as asked:
                assert lead.get(reverse(page, args=[made.slug, *args])).status_code == 200
            found[page] = len(asked)
        return found

    queries("1")
    assert queries("2") == queries("34")
