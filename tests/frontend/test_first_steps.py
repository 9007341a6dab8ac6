"""A newcomer's way: what is kept about them, then the guidelines, then the first piece of work."""

from __future__ import annotations

import re

import orjson
import pytest
from django.urls import reverse

from annotation import membership, registry
from annotation.errors import NotEligible
from annotation.models import Project
from annotation.protocols.qasper import demo
from tasks.engine import claiming, queues
from tests.builders import Worker, open_papers, open_with, project, questions
from tests.factories.people import MembershipFactory
from tests.people import NOON, join


@pytest.fixture(scope="module")
def lights_once(shared_rows, tmp_path_factory) -> int:
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(2))
    return made.pk


@pytest.fixture
def nq(lights_once, db):
    return Project.objects.get(pk=lights_once)


@pytest.fixture
def lights(nq):
    return nq


@pytest.fixture(scope="module")
def papers_once(shared_rows) -> int:
    return open_papers().pk


@pytest.fixture
def papers(papers_once, db):
    return Project.objects.get(pk=papers_once)


@pytest.fixture
def newcomer(mallory, client):
    client.force_login(mallory)
    return mallory


def invite(project, user, role="annotator"):
    MembershipFactory(project=project, user=user, role=role)


def text_of(client, url):
    return client.get(url).content.decode()


def test_i_agree_leads_to_the_guidelines_and_from_there_to_the_first_question(lights, newcomer, client):
    invite(lights, newcomer)
    (consent,) = re.findall(r'href="(/projects/lights/consent/\?[^"]*)"', text_of(client, reverse("home")))
    agreed = client.post(consent)
    guidelines = text_of(client, agreed["Location"])
    assert "Stage 1" in guidelines
    (begin,) = re.findall(r'<form method="post" action="(/projects/[^"]*)"', guidelines)
    assert "Begin" in guidelines
    assert client.post(begin)["Location"].startswith("/work/")


def test_whoever_leaves_the_guidelines_for_the_home_page_is_led_back_to_them_before_they_begin(
    lights, newcomer, client
):
    invite(lights, newcomer)
    agreed = client.post(reverse("consent", args=[lights.slug]))
    home = text_of(client, reverse("home"))
    assert "Read and begin" in home
    assert f'href="{reverse("guidelines", args=[lights.slug])}?to=annotate"' in home
    (begin,) = re.findall(r'<form method="post" action="(/projects/[^"]*)"', text_of(client, agreed["Location"]))
    client.post(f"{client.post(begin)['Location']}return/")
    assert "Read and begin" not in text_of(client, reverse("home"))


def test_the_guidelines_offer_only_the_work_that_the_newcomer_chose(papers, newcomer, client):
    invite(papers, newcomer)
    url = reverse("guidelines", args=[papers.slug])
    client.post(reverse("consent", args=[papers.slug]))
    assert len(client.get(url).context["begin"]) == 1  # there is nothing to answer yet
    assert [row["activity"] for row in client.get(url, {"to": "ask"}).context["begin"]] == ["ask"]
    assert [row["activity"] for row in client.get(url, {"to": "no-such"}).context["begin"]] == ["ask"]


def test_who_has_not_agreed_is_led_from_the_guidelines_to_the_consent_text(lights, newcomer, client):
    invite(lights, newcomer)
    guidelines = text_of(client, reverse("guidelines", args=[lights.slug]))
    assert f"{reverse('consent', args=[lights.slug])}?to=annotate" in guidelines


def test_a_newcomer_can_read_and_agree_while_nothing_is_left(lights, alice, newcomer, client):
    for _ in range(2):
        Worker(alice, lights).finish_bad()
    invite(lights, newcomer)
    home = client.get(reverse("home"))
    assert home.context["open"] == []
    assert f"{reverse('consent', args=[lights.slug])}?to=annotate" in home.content.decode()


def test_a_lead_reads_the_guidelines_without_a_way_to_begin(lights, newcomer, client):
    invite(lights, newcomer, role="lead")
    assert client.get(reverse("guidelines", args=[lights.slug])).context["begin"] == []


def test_home_links_the_guidelines_and_the_consent_text_of_every_project(lights, newcomer, client):
    invite(lights, newcomer)
    for _ in range(2):
        home = text_of(client, reverse("home"))
        assert f'href="{reverse("guidelines", args=[lights.slug])}"' in home
        assert f'href="{reverse("consent", args=[lights.slug])}"' in home
        client.post(reverse("consent", args=[lights.slug]))


@pytest.mark.parametrize(
    ("contact", "link"),
    [("people@labs.example", "mailto:people@labs.example"), ("https://labs.example/us", "https://labs.example/us")],
)
def test_the_consent_text_names_who_runs_the_site_and_a_contact(lights, newcomer, client, settings, contact, link):
    invite(lights, newcomer)
    settings.GOLDFINCH_ORGANISATION, settings.GOLDFINCH_CONTACT = "Labs of <Example>", contact
    text = text_of(client, reverse("consent", args=[lights.slug]))
    assert "<strong>Labs of &lt;Example&gt;</strong>" in text
    assert f'href="{link}"' in text


def test_a_site_that_names_nobody_says_so_in_the_consent_text(lights, newcomer, client):
    invite(lights, newcomer)
    assert "does not say who runs it" in text_of(client, reverse("consent", args=[lights.slug]))


def test_who_runs_the_site_is_part_of_what_is_agreed_to(lights, alice, client, settings):
    client.force_login(alice)
    asked = f"{reverse('consent', args=[lights.slug])}?to="
    assert asked not in text_of(client, reverse("home"))
    settings.GOLDFINCH_ORGANISATION = "Another house"
    assert asked in text_of(client, reverse("home"))
    client.post(reverse("consent", args=[lights.slug]))
    assert asked not in text_of(client, reverse("home"))


def test_whoever_agrees_to_the_new_text_works_on_where_somebody_worked_under_the_old_one(lights, alice, bob, settings):
    Worker(alice, lights).finish_bad()
    settings.GOLDFINCH_ORGANISATION = "Another house"
    for person in (alice, bob):
        with pytest.raises(NotEligible):
            Worker(person, lights).claim()
    membership.accept_consent(user=bob, project=lights, now=NOON)
    assert Worker(bob, lights).finish_bad().annotation is not None


def asks(person, papers, *, title, now=NOON):
    """The person sends the known questions about the paper of this title."""
    known = {paper["title"]: key for key, paper in orjson.loads(demo.PAPERS.read_bytes()).items()}
    item = papers.items.get(external_id=known[title])
    held = claiming.claim(papers, "ask", by=person, now=now, item=item)
    Worker(person, papers, "ask").commit(held, "questions", demo.ask_as_known(demo.known()[known[title]]), now=now)
    queues.fill(papers.queues.get(activity="answer"), now=now)


RECIPES = "Half a Recipe: Shortening Cooking Instructions with the Questions of Home Cooks"


def closing_lines(client):
    return re.findall(r"Once you (?:open|send) something here, “[^”]*” is closed", text_of(client, reverse("home")))


def test_both_rows_say_what_they_close_before_it_happens_and_not_after(papers, newcomer, client):
    asks(join(papers, "wendy"), papers, title=RECIPES)
    join(papers, newcomer.username)
    asking, answering = (str(papers_activity(key).title) for key in ("ask", "answer"))
    assert closing_lines(client) == [
        f"Once you send something here, “{answering}” is closed",
        f"Once you open something here, “{asking}” is closed",
    ]
    assert claiming.claim(papers, "answer", by=newcomer, now=NOON)
    assert closing_lines(client) == []
    assert "you either ask or answer, never both" in text_of(client, reverse("home"))


def papers_activity(key):
    return registry.get("qasper").activity(key)


def test_nothing_is_said_about_closing_where_people_may_do_both(newcomer, client):
    join(open_papers("pools", separate_pools=False), newcomer.username)
    assert closing_lines(client) == []


@pytest.mark.parametrize("page", ["consent", "guidelines"])
def test_a_long_text_has_one_main_heading_and_lists_its_sections(lights, newcomer, client, page):
    invite(lights, newcomer)
    text = text_of(client, reverse(page, args=[lights.slug]))
    assert text.count("<h1") == 1
    contents = re.findall(r'<a class="hit-area" href="#([^"]+)"', text)
    assert contents
    assert all(f'<h2 id="{anchor}"' in text for anchor in contents)


def test_after_a_refusal_the_password_has_the_focus_and_the_page_speaks_in_our_words(client, db):
    shown = text_of(client, reverse("login"))
    assert re.search(r'name="username"[^>]*autofocus', shown)
    refused = client.post(reverse("login"), {"username": "nobody", "password": "wrong"}).content.decode()
    assert "Wrong user name or password" in refused
    assert "Caps Lock" in refused
    assert "case-sensitive" not in refused
    assert re.search(r'name="password"[^>]*autofocus', refused)
    assert not re.search(r'name="username"[^>]*autofocus', refused)


def test_the_sign_in_page_says_whom_to_ask(client, db, settings):
    assert "Ask the person who invited you" in text_of(client, reverse("login"))
    settings.GOLDFINCH_ORGANISATION, settings.GOLDFINCH_CONTACT = "Example Labs", "people@labs.example"
    text = text_of(client, reverse("login"))
    assert "This site is run by Example Labs." in text
    assert "people@labs.example" in text
