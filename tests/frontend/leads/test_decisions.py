"""A lead excludes work, includes it again and sends it back on the page of an item, each time with a reason."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation import releases
from annotation.engine import exclusion
from annotation.models import Annotation, Event, Membership, Project, Role, User
from tasks.models import Assignment
from tasks.models.states import AssignmentState
from tests.builders import Worker, load, open_with, project, questions, reload, write_lines
from tests.people import NOON, join

WHY = {"reason": "copied from a friend"}
OUT, ASIDE, USE = "Withdraw…", "Set aside for an exam…", "Use in an exam…"


@pytest.fixture(scope="module")
def worked_once(shared_rows, tmp_path_factory):
    """One question, answered by alice and bob, and wanted of more people; lena leads."""
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(1, split="dev"))
    join(made, "lena", Role.LEAD)
    return [Worker(join(made, name), made).finish_bad().annotation.pk for name in ("alice", "bob")]


@pytest.fixture
def nq(worked_once, db):
    return Project.objects.get()


@pytest.fixture
def work(worked_once, db):
    return list(Annotation.objects.select_related("item__project").filter(pk__in=worked_once).order_by("pk"))


@pytest.fixture
def alice(nq):
    return User.objects.get(username="alice")


@pytest.fixture
def lena(nq):
    return User.objects.get(username="lena")


@pytest.fixture
def lead(nq, lena):
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(lena)
    return client


def page(lead, row) -> str:
    return html.unescape(lead.get(reverse("item", args=[row.item.project.slug, row.item_id])).content.decode())


def decide(lead, row, what, *, follow=True, **fields):
    named = [row.item.project.slug, row.item_id, *([] if what.endswith("_all") else [row.uuid])]
    return lead.post(reverse(what.replace("cancel_all", "cancel"), args=named), fields or WHY, follow=follow)


def labels(text: str) -> list[str]:
    return re.findall(r'popovertarget="[^"]*">([^<]*…)', text)


def test_excluded_work_shows_why_and_by_whom_and_can_be_included_again(lead, work):
    said = html.unescape(decide(lead, work[0], "exclude").content.decode())
    assert "Excluded. Frozen releases keep it" in said
    assert "copied from a friend" in said
    assert "· lena" in said
    assert Annotation.objects.get(excluded_at__isnull=False) == work[0]
    decide(lead, work[0], "restore", reason="her own words after all", follow=False)
    assert not Annotation.objects.filter(excluded_at__isnull=False).exists()
    said = page(lead, work[0])
    assert said.index("copied from a friend") < said.index("her own words after all")


def test_the_history_has_the_lead_and_the_reason(lead, work, lena):
    for what in ("exclude", "restore", "reopen"):
        decide(lead, work[0], what, reason=f"for {what}", follow=False)
    rows = Event.objects.filter(subject=f"annotation:{work[0].uuid}", by=lena.pk, kind__startswith="annotation.")
    assert [(row.kind, row.data["reason"]) for row in rows.order_by("pk")] == [
        ("annotation.excluded", "for exclude"),
        ("annotation.restored", "for restore"),
        ("annotation.reopened", "for reopen"),
    ]


def test_an_annotation_that_was_sent_back_is_in_until_its_author_has_finished_it_anew(lead, work):
    said = " ".join(html.unescape(decide(lead, work[0], "reopen").content.decode()).split())
    assert re.search(r"2 of \d annotations are in. 1 was sent back to its author; the first answer counts until", said)


def test_each_dialog_says_whether_releases_state_the_reason(lead, work):
    dialogs = re.split(r'<div class="dialog decision" id="', page(lead, work[0]))[1:]
    published = {
        re.split(r"[-\"]", dialog)[0]: "and published beside the data without it" in dialog for dialog in dialogs
    }
    assert published == {
        "exclude": True,
        "replace": True,
        "reopen": False,
        "withdraw": False,
        "set": False,
        "use": False,
    }


def test_the_dialog_says_what_releases_will_contain(lead, work, nq):
    said = page(lead, work[0])
    assert "only a partial release can contain it" in said
    assert "frozen release" not in said
    releases.build(nq, format="nq", by=None, now=NOON, partial=True)
    assert "1 frozen release stays as it is." in page(lead, work[0])
    decide(lead, work[0], "exclude", follow=False)
    counts = releases.manifest_of(releases.build(nq, format="nq", by=None, now=NOON, partial=True))["counts"]["dev"]
    assert (counts["annotations"], counts["left_out_excluded"]) == (1, 1)


def test_work_sent_back_is_leased_to_its_author_and_the_page_says_until_when(lead, work, alice):
    said = html.unescape(decide(lead, work[0], "reopen").content.decode())
    assert f"Sent back to {alice.worker_code}" in said
    assert "with its author until" in said
    assert Assignment.objects.get(annotation=work[0]).state == AssignmentState.LEASED


def undo_of(text: str) -> str:
    [url] = re.findall(r'action="(/projects/[^"]*/undo/\d+/\d+/)"', text)
    return url


def test_sending_back_is_undone_by_the_button_of_its_message_with_the_reason(lead, work, lena):
    url = undo_of(decide(lead, work[0], "reopen").content.decode())
    lead.post(url, {"to": "/"})
    assert Assignment.objects.get(annotation=work[0]).state == AssignmentState.SUBMITTED
    event = Event.objects.get(kind="annotation.not_reopened")
    assert (event.by, event.data["reason"]) == (lena.pk, f"Undone: {WHY['reason']}")
    said = page(lead, work[0])
    assert said.index("Sent back to its author") < said.index("Taken back from its author")
    assert lead.post(url).status_code == 409


def test_until_its_author_begins_to_change_it_work_is_taken_from_them_again_with_a_reason(lead, work, alice, nq):
    assert "You can take this back until they begin to change it." in page(lead, work[0])
    decide(lead, work[0], "reopen", follow=False)
    assert labels(page(lead, work[0])).count("Take back…") == 1
    assert decide(lead, work[0], "take_back_reopening", reason=" ").status_code == 422
    said = html.unescape(decide(lead, work[0], "take_back_reopening").content.decode())
    assert "It is finished as it was." in said
    assert "Take back…" not in labels(said)
    assert "with its author until" not in said


def test_only_what_is_possible_has_a_button(lead, work, alice, nq, tmp_path):
    every = ["Exclude all…", OUT, ASIDE, USE, *["Send back…", "Exclude…", "Replace…"] * 2]
    assert labels(page(lead, work[0])) == every
    decide(lead, work[0], "exclude", follow=False)
    assert labels(page(lead, work[0])) == [OUT, ASIDE, USE, "Include again…", "Send back…", "Exclude…", "Replace…"]
    decide(lead, work[0], "restore", follow=False)
    Membership.objects.filter(user=alice).update(ended_at=NOON)
    left = ["Exclude…", "Replace…", "Send back…", "Exclude…", "Replace…"]
    assert labels(page(lead, work[0])) == ["Exclude all…", OUT, ASIDE, USE, *left]


def test_work_that_is_not_finished_has_no_button(lead, nq, alice, tmp_path):
    load(nq, write_lines(tmp_path / "more.jsonl", questions(1, start=1)))
    begun = reload(Worker(alice, nq).claim()).annotation
    assert labels(page(lead, begun)) == [OUT, ASIDE, USE]


def test_all_of_an_item_are_excluded_and_included_again_except_what_came_late(lead, work, nq, carol):
    exclusion.exclude(nq, uuids=[Worker(carol, nq).finish_bad().annotation.uuid], by=None, reason="late", now=NOON)
    assert "2 annotations are excluded." in decide(lead, work[0], "exclude_all").content.decode()
    assert Annotation.objects.filter(excluded_at__isnull=False).count() == 3
    assert "2 annotations are included again." in decide(lead, work[0], "restore_all").content.decode()
    assert Annotation.objects.get(excluded_at__isnull=False).exclusion_reason == "late"


@pytest.mark.parametrize("what", ["exclude", "exclude_all"])
def test_nothing_is_decided_without_a_reason(lead, work, what):
    for reason in ("", "  ", "x" * 201):
        response = decide(lead, work[0], what, reason=reason)
        assert response.status_code == 422
        assert "Say why" in response.content.decode()
        assert not Annotation.objects.filter(excluded_at__isnull=False).exists()


def test_a_decision_made_meanwhile_is_not_made_again(lead, work):
    decide(lead, work[0], "exclude", follow=False)
    assert decide(lead, work[0], "exclude").status_code == 409
    assert decide(lead, work[0], "reopen").status_code == 409
    decide(lead, work[1], "exclude", follow=False)
    assert decide(lead, work[1], "exclude_all").status_code == 409
    assert Annotation.objects.get(pk=work[0].pk).exclusion_reason == WHY["reason"]


def test_a_refusal_leads_back_to_the_page_of_the_question(lead, work):
    for what in ("exclude", "exclude_all"):
        text = decide(lead, work[0], what, reason=" ").content.decode()
        assert f'href="{reverse("item", args=[work[0].item.project.slug, work[0].item_id])}"' in text


def test_a_lead_of_another_project_cannot_address_it_under_theirs(work):
    other = project("elsewhere")
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(join(other, "otto", "lead"))
    for what in ("exclude", "restore", "reopen"):
        assert client.post(reverse(what, args=[other.slug, work[0].item_id, work[0].uuid]), WHY).status_code == 404
    for what in ("exclude_all", "restore_all"):
        assert client.post(reverse(what, args=[other.slug, work[0].item_id]), WHY).status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_annotations(
    lead, work, nq, tmp_path, django_assert_max_num_queries
):
    address = reverse("item", args=[nq.slug, work[0].item_id])
    with django_assert_max_num_queries(100) as few:
        lead.get(address)
    for number in range(3):
        mine = Worker(join(nq, f"more-{number}"), nq).finish_bad()
        assert mine.task.item_id == work[0].item_id
    with django_assert_max_num_queries(len(few)):
        lead.get(address)


def test_a_question_is_withdrawn_with_a_reason_and_the_page_says_so(lead, work, nq, carol):
    mine = Worker(carol, nq).claim()
    text = page(lead, work[0])
    dialog = text[text.index('id="withdraw"') : text.index("Withdraw</button>")]
    assert "Withdraw this?" in dialog
    assert "No one will get it any more, until you bring it back." in dialog
    assert "1 person is working on it: they are told" in dialog
    assert decide(lead, work[0], "cancel_all", reason=" ").status_code == 422
    said = html.unescape(decide(lead, work[0], "cancel_all", reason="a stub").content.decode())
    assert "Withdrawn" in said
    assert "a stub" in said
    assert OUT not in said
    assert reload(mine).state == AssignmentState.REVOKED
