"""Leads make qualifications, require them, and give, suspend, restore and revoke them; people read what they lack."""

from __future__ import annotations

import re
import uuid
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

import qualification as package
from annotation import projects
from annotation.models import Event, Project, Role, User
from frontend.leads import qualifications as pages
from qualification import granting
from qualification.models import Grant, GrantOrigin, GrantState, Qualification
from tests.builders import GOOD, Worker, open_papers, open_with, project, questions
from tests.factories.qualification import GrantFactory, QualificationFactory
from tests.people import NOON, join
from tests.protocols.toy.building import toy_project

WORDS = {"title": "Reading papers", "about": "Ask for the *course*.", "present": "admit", "reason": "They know it."}


@pytest.fixture(scope="module")
def opened_once(shared_rows, tmp_path_factory):
    """Four questions, three people who may work on them, and their lead."""
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(4))
    for name in ("alice", "bob", "carol"):
        join(made, name)
    join(made, "lena", Role.LEAD)


@pytest.fixture
def lights(opened_once, db):
    return Project.objects.get(slug="lights")


@pytest.fixture
def alice(lights):
    return User.objects.get(username="alice")


@pytest.fixture
def bob(lights):
    return User.objects.get(username="bob")


@pytest.fixture
def carol(lights):
    return User.objects.get(username="carol")


@pytest.fixture
def lead(lights, client):
    client.force_login(User.objects.get(username="lena"))
    return client


@pytest.fixture
def working(lights, alice, bob):
    """Alice and Bob hold work."""
    return [Worker(person, lights).claim() for person in (alice, bob)]


@pytest.fixture
def reading(lights):
    return QualificationFactory(project=lights, needed_for=["annotate"])


def post(lead, route, *args, key=None, follow=True, **fields):
    sent = {"key": str(key or uuid.uuid4())} | fields
    return lead.post(reverse(route, args=["lights", *args]), sent, follow=follow)


def browser(person):
    found = Client(SERVER_NAME="127.0.0.1")
    found.force_login(person)
    return found


def holders():
    return sorted(Grant.objects.filter(state=GrantState.ACTIVE).values_list("user__username", flat=True))


def test_without_any_the_page_explains_what_they_are(lead):
    shown = lead.get(reverse("qualifications", args=["lights"])).content.decode()
    assert "Nothing needs a qualification here" in shown


def test_a_new_one_admits_who_works_there_with_the_reason(lead, working):
    assert "2 people work there now" in lead.get(reverse("qualifications", args=["lights"])).content.decode()
    shown = post(lead, "make_qualification", activities=["annotate"], **WORDS).content.decode()
    assert holders() == ["alice", "bob"]
    assert set(Grant.objects.values_list("origin", "reason")) == {(GrantOrigin.WORKED_HERE, "They know it.")}
    assert "people who work there do not have it" not in shown
    assert "Worked here before it was required" in shown


def test_a_form_sent_twice_makes_one(lead, working):
    key = uuid.uuid4()
    for _ in range(2):
        post(lead, "make_qualification", key=key, activities=["annotate"], **WORDS, follow=False)
    assert Qualification.objects.count() == 1
    assert Grant.objects.count() == 2


def test_admitting_needs_a_reason_and_without_it_nothing_is_made(lead, working):
    refused = post(lead, "make_qualification", activities=["annotate"], **WORDS | {"reason": ""})
    assert refused.status_code == 422
    assert "Say why those who work there now are admitted." in refused.content.decode()
    assert not Qualification.objects.exists()


def test_otherwise_they_finish_what_they_hold_and_can_be_admitted_later(lead, working, lights, alice):
    shown = post(lead, "make_qualification", activities=["annotate"], **WORDS | {"present": "finish", "reason": ""})
    assert "2 people who work there do not have it" in shown.content.decode()
    listed = lead.get(reverse("qualifications", args=["lights"])).content.decode().replace("\n", " ")
    assert "2 people who work there do not have it" in listed
    lights.refresh_from_db()
    assert Worker(alice, lights).claim() == working[0]
    post(lead, "admit_workers", "reading-papers", reason="They know it.", follow=False)
    assert holders() == ["alice", "bob"]


def test_whom_a_lead_has_decided_about_is_not_admitted_with_the_others(lead, working, reading, alice):
    granting.revoke(GrantFactory(qualification=reading, user=alice), reason="No", after=0, by=None, now=NOON)
    post(lead, "admit_workers", "reading", reason="They know it.", follow=False)
    assert holders() == ["bob"]


def test_two_with_one_title_have_keys_of_their_own_and_none_is_new(lead):
    for title in ("Reading", "Reading", "New", "Чтение"):
        post(lead, "make_qualification", **WORDS | {"title": title}, follow=False)
    assert sorted(Qualification.objects.values_list("key", flat=True)) == [
        "new-2",
        "qualification",
        "reading",
        "reading-2",
    ]


def test_it_is_given_by_names_and_codes_and_undone(lead, reading, alice, bob, carol):
    names = f"alice\n{bob.worker_code}, alice"
    shown = post(lead, "give_qualification", "reading", people=names, reason="Passed the course").content.decode()
    assert holders() == ["alice", "bob"]
    assert "2 people have it now." in shown
    [undo] = re.findall(r'action="([^"]*/given/[^"]*/undo/)"', shown)
    lead.post(undo)
    assert holders() == []


def test_it_is_given_to_all_who_have_worked_in_an_activity_that_does_not_need_it(lead, lights, working, carol):
    QualificationFactory(project=lights)
    post(lead, "give_qualification", "reading", worked_in="annotate", reason="They know it", follow=False)
    assert holders() == ["alice", "bob"]
    assert set(Grant.objects.values_list("origin", flat=True)) == {GrantOrigin.WORKED_HERE}


def test_somebody_has_to_be_named(lead, reading):
    refused = post(lead, "give_qualification", "reading", people=" ", reason="They know it")
    assert refused.status_code == 422
    assert "Name at least one person, or choose an activity." in refused.content.decode()


def test_an_unknown_name_is_named_and_nobody_is_given_it(lead, reading, alice, mallory):
    refused = post(lead, "give_qualification", "reading", people="alice\nmallory\nnobody", reason="x y")
    assert refused.status_code == 422
    assert "mallory, nobody" in refused.content.decode()
    assert holders() == []


@pytest.mark.parametrize(
    ("how", "state"), [("suspend", GrantState.SUSPENDED), ("revoke", GrantState.REVOKED)], ids=["suspend", "revoke"]
)
def test_a_grant_is_taken_with_a_reason_and_given_back_by_undo(lead, reading, alice, how, state):
    grant = GrantFactory(qualification=reading, user=alice)
    shown = post(lead, "decide_grant", "reading", grant.pk, how=how, after=0, reason="Careless").content.decode()
    grant.refresh_from_db()
    assert (grant.state, grant.decided_by.username, grant.decided_why) == (state, "lena", "Careless")
    assert "Careless" in shown
    undo = reverse("undo_grant_decision", args=["lights", "reading", grant.pk, 1])
    assert undo in shown
    assert lead.post(undo).status_code == 302
    assert holders() == ["alice"]
    assert lead.post(undo).status_code == (409 if how == "suspend" else 302)
    assert holders() == ["alice"]


def test_where_nothing_was_decided_nothing_is_undone(lead, reading, alice):
    grant = GrantFactory(qualification=reading, user=alice)
    for after, status in ((0, 404), (1, 409)):
        undone = lead.post(reverse("undo_grant_decision", args=["lights", "reading", grant.pk, after]))
        assert undone.status_code == status
    assert holders() == ["alice"]


def test_a_restoration_is_undone_by_suspending_again(lead, reading, alice):
    grant = GrantFactory(qualification=reading, user=alice)
    for after, how in enumerate(("suspend", "restore")):
        post(lead, "decide_grant", "reading", grant.pk, how=how, after=after, reason="Because", follow=False)
    lead.post(reverse("undo_grant_decision", args=["lights", "reading", grant.pk, 2]))
    assert Grant.objects.get().state == GrantState.SUSPENDED


def test_what_no_page_sends_is_not_found(lead, reading, alice):
    grant = GrantFactory(qualification=reading, user=alice)
    for sent in ({"how": "erase"}, {"how": "suspend", "after": "x"}, {"how": "suspend", "after": "²"}):
        refused = post(lead, "decide_grant", "reading", grant.pk, **{"after": 0, "reason": "x y"} | sent)
        assert refused.status_code == 404, sent


def test_no_reason_changes_nothing(lead, reading, alice):
    grant = GrantFactory(qualification=reading, user=alice)
    assert post(lead, "decide_grant", "reading", grant.pk, how="suspend", after=0, reason=" ").status_code == 422
    assert holders() == ["alice"]


def test_what_needs_it_is_changed_and_undone_from_the_message(lead, lights, reading):
    shown = post(lead, "change_qualification", "reading", title="Reading", about="", activities=[]).content.decode()
    lights.refresh_from_db()
    assert projects.requirements_of(lights, "annotate") == ()
    [undo] = re.findall(r'action="([^"]*/settings/\d+/undo/)"', shown)
    lead.post(undo)
    lights.refresh_from_db()
    assert projects.requirements_of(lights, "annotate") == ("reading",)
    assert "Qualifications that it needs" in lead.get(reverse("settings", args=["lights"])).content.decode()


def test_saving_the_settings_keeps_what_is_required(lead, lights, reading):
    form = lead.get(reverse("settings", args=["lights"])).context["form"]
    lead.post(
        reverse("settings", args=["lights"]), {"title": "Lights"} | {name: form[name].value() for name in form.fields}
    )
    lights.refresh_from_db()
    assert projects.requirements_of(lights, "annotate") == ("reading",)


def test_the_history_tells_in_words_what_was_decided_about_whom(lead, reading, alice):
    grant = GrantFactory(qualification=reading, user=alice)
    shown = post(lead, "decide_grant", "reading", grant.pk, how="revoke", after=0, reason="Careless")
    lines = [(line["what"], line["whom"], line["by"], line["why"]) for line in shown.context["history"]]
    assert lines[0] == ("Revoked", "alice", "lena", "Careless")
    assert [line[0] for line in lines] == ["Revoked", "Given", "Made the qualification"]


def test_every_event_about_qualifications_and_grants_has_words():
    source = "".join(path.read_text() for path in Path(package.__file__).parent.rglob("*.py"))
    recorded = set(re.findall(r'events\.record\(\s*"((?:qualification|grant)\.\w+)"', source))
    assert len(recorded) == 4
    assert recorded | {f"grant.{state}" for state in GrantState.values} == set(pages.WORDS)


def test_leads_read_a_persons_grants_on_their_page_and_the_person_in_their_account(lead, reading, alice):
    grant = GrantFactory(qualification=reading, user=alice)
    post(lead, "decide_grant", "reading", grant.pk, how="suspend", after=0, reason="Careless", follow=False)
    of_lead = lead.get(reverse("person", args=["lights", alice.worker_code])).content.decode()
    own = browser(alice).get(reverse("account")).content.decode()
    for shown in (of_lead, own):
        assert "Reading papers" in shown
        assert "Suspended" in shown
        assert "Careless" in shown
    assert "lena" not in own


def test_home_names_what_is_lacking_and_shows_what_it_is(reading, alice):
    shown = browser(alice).get(reverse("home"))
    assert not shown.context["open"]
    assert "This work needs a qualification that you don’t have: “Reading papers”." in shown.content.decode()
    assert "Ask a lead for the <em>short course</em>." in shown.content.decode()


def test_a_claim_is_refused_with_the_same_words(reading, alice):
    refused = browser(alice).post(reverse("claim", args=["lights", "annotate"]))
    assert refused.status_code == 403
    assert "This work needs a qualification" in refused.content.decode()
    assert "<em>short course</em>" in refused.content.decode()


def test_who_has_lost_it_goes_on_with_what_they_hold_from_home(lights, working, reading, alice):
    shown = browser(alice).get(reverse("home"))
    assert [offer["resume"] for offer in shown.context["open"]] == [True]
    went = browser(alice).post(reverse("claim", args=["lights", "annotate"]))
    assert str(working[0].uuid) in went["Location"]
    Worker(alice, lights).commit(working[0], "question", GOOD)


def test_search_refuses_with_the_same_words_and_the_other_activity_is_offered(db):
    papers = open_papers()
    QualificationFactory(project=papers, needed_for=["ask"])
    refused = browser(join(papers, "wendy")).get(reverse("search", args=["papers", "ask"]))
    assert refused.status_code == 403
    assert "“Reading papers”" in refused.content.decode()
    home = browser(join(papers, "wendy")).get(reverse("home"))
    lacking = {offer["activity"]: bool(offer["missing"]) for offer in home.context["closed"]}
    assert lacking == {"ask": True, "answer": False}


def test_a_lobby_refuses_with_the_same_words(db):
    toys = toy_project()
    QualificationFactory(project=toys, needed_for=["talk"])
    ann = browser(join(toys, "ann"))
    for refused in (
        ann.get(reverse("lobby", args=[toys.slug, "talk"])),
        ann.post(reverse("enter_lobby", args=[toys.slug, "talk"])),
    ):
        assert refused.status_code == 403
        assert "“Reading papers”" in refused.content.decode()


def test_words_of_people_are_shown_as_text(lead, lights, alice):
    bad = "<script>alert(1)</script>"
    made = QualificationFactory(project=lights, title=bad, about=bad, needed_for=["annotate"])
    pages_shown = [
        lead.get(reverse("qualifications", args=["lights"])),
        lead.get(reverse("qualification", args=["lights", made.key])),
        browser(alice).get(reverse("home")),
    ]
    assert not any(bad in shown.content.decode() for shown in pages_shown)
    assert Event.objects.filter(kind="qualification.made").count() == 1
