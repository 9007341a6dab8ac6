"""A lead makes a project in four steps, back and forth without losing anything."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse

from annotation import membership, projects, registry
from annotation.models import Consent, Event, Membership, NewProject, Project
from annotation.setup.schema import Setup
from frontend.leads.setup.config_form import ConfigForm
from tasks.setup import outline
from tests.builders import project
from tests.disagreeing import browser
from tests.frontend.leads.setup.wizard import WORDS, entered, numbers, send, text
from tests.people import NOON, join


@pytest.fixture
def lead(nq, lena):
    return browser(lena)


def test_four_steps_make_a_project_that_its_maker_leads(lead, lena):
    assert "Harbour" not in text(send(lead, "protocol", {"protocol": "nq"}, "words"))
    send(lead, "words", WORDS, "numbers", follow=False)
    page = text(send(lead, "numbers", numbers(**{"annotate-dev-base": "7", "pay": "12 EUR an hour"}), "check"))
    assert "Ready to make" in page
    page = text(send(lead, "check", {}, "make"))
    made = Project.objects.get(slug="harbour-lights")
    assert "Made. You lead it." in page
    assert membership.roles_of(lena, made) == {"lead"}
    assert projects.guidelines_of(made).text == "# Judge\nRead it.\n"
    assert projects.activity_config(made, "annotate").overlap == {"train": 1, "dev": 7, "test": 5}
    assert projects.project_config(made).pay == "12 EUR an hour"
    assert set(Event.objects.filter(kind="project.made").values_list("by", "project_id")) == {(lena.pk, made.pk)}
    assert not NewProject.objects.exists()


OTHER_PROTOCOLS = pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/setup/test_new_project.py"
    "::test_with_nothing_changed_the_new_project_has_the_numbers_of_the_protocol"
)
PROTOCOLS = [
    ("nq", "coqa"),
    pytest.param(
        [each.key for each in registry.all_protocols() if each.key not in ("nq", "coqa")], marks=OTHER_PROTOCOLS
    ),
]
"""With one activity and with several, and the others."""


@pytest.mark.parametrize("keys", PROTOCOLS)
def test_with_nothing_changed_the_new_project_has_the_numbers_of_the_protocol(lead, keys):
    for protocol in map(registry.get, keys):
        send(lead, "protocol", {"protocol": protocol.key}, "words", follow=False)
        send(lead, "words", {"title": protocol.key, "slug": protocol.key, "guidelines": "", "consent": ""}, "numbers")
        send(lead, "numbers", numbers(protocol.key), "check", follow=False)
        send(lead, "check", {}, "make", follow=False)
        made = Project.objects.get(slug=protocol.key)
        untouched = project(f"as-published-{protocol.key}", protocol.key)
        for activity in protocol.activities:
            ours, theirs = (projects.WantedOverlap(each, activity.key) for each in (made, untouched))
            for split in ("train", "dev", "test")[: 1 if activity.train_only else 3]:
                assert ours._by_split.get(split, 1) == theirs._by_split.get(split, 1)
        assert outline.setup_of(made).guidelines == ""
        assert not made.consent_sha256


def test_the_title_of_a_new_project_has_the_focus(lead):
    page = send(lead, "protocol", {"protocol": "nq"}, "words").content.decode()
    assert re.findall(r'<input[^>]*name="(\w+)"[^>]*autofocus', page) == ["title"]


def test_whatever_was_entered_is_still_there_when_one_comes_back(lead):
    send(lead, "protocol", {"protocol": "nq"}, "words", follow=False)
    send(lead, "words", {**WORDS, "slug": "not a slug!"}, "protocol", follow=False)
    assert 'value="not a slug!"' in entered(lead, "words")
    send(lead, "numbers", numbers(**{"annotate-train-base": "many"}), "words", follow=False)
    send(lead, "protocol", {"protocol": "squad"}, "numbers", follow=False)
    assert "Ask about paragraphs" in entered(lead, "numbers")
    send(lead, "protocol", {"protocol": "nq"}, "numbers", follow=False)
    assert 'value="many"' in entered(lead, "numbers")
    assert 'value="Harbour lights"' in entered(lead, "words")


def test_going_on_from_an_impossible_step_shows_what_is_wrong_and_going_back_does_not(lead):
    send(lead, "protocol", {"protocol": "nq"}, "words", follow=False)
    refused = send(lead, "words", {**WORDS, "title": ""}, "numbers")
    assert refused.status_code == 422
    assert "Give the project a title." in text(refused)
    assert send(lead, "words", {**WORDS, "title": ""}, "protocol").status_code == 200
    assert send(lead, "check", {}, "make").status_code == 422
    assert Project.objects.count() == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"annotate-dev-base": "-1"},
        {"annotate-dev-base": ""},
        {"annotate-dev-share": "30"},
        {"annotate-dev-more": "3"},
        {"annotate-dev-share": "101", "annotate-dev-more": "3"},
        {"annotate-lease_minutes": "0"},
        {"annotate-least_agreement": "2"},
        {"annotate-draw": "backwards"},
        {"fast_percent": "51"},
        {"pay": "x" * 81},
    ],
)
def test_impossible_numbers_are_refused(fields):
    assert not ConfigForm(registry.get("nq"), numbers(**fields)).is_valid()


def test_a_share_of_the_items_can_get_more(nq):
    form = ConfigForm(registry.get("nq"), numbers(**{"annotate-dev-share": "40", "annotate-dev-more": "9"}))
    assert form.is_valid()
    assert form.config()["activities"]["annotate"]["overlap"]["dev"] == {"base": 5, "more": 9, "share": 0.4}


def test_a_title_without_latin_letters_gets_an_address_from_the_protocol_and_a_number(lead):
    for number in (1, 2):
        send(lead, "protocol", {"protocol": "nq"}, "words", follow=False)
        assert send(lead, "words", {**WORDS, "title": "灯塔"}, "numbers").status_code == 200
        assert f"/projects/nq-{number}/" in text(send(lead, "numbers", numbers(), "check"))
        send(lead, "check", {}, "make", follow=False)
        assert Project.objects.get(slug=f"nq-{number}").title == "灯塔"


def test_the_taken_and_the_reserved_address_are_refused(lead, nq):
    for slug in (nq.slug, "new"):
        assert send(lead, "words", {**WORDS, "slug": slug}, "numbers").status_code == 422


def test_a_project_with_a_consent_text_of_its_own_asks_for_that_one(lead, lena):
    send(lead, "protocol", {"protocol": "nq"}, "words", follow=False)
    send(lead, "words", {**WORDS, "consent": "We keep *everything*."}, "numbers", follow=False)
    send(lead, "numbers", numbers(), "check", follow=False)
    send(lead, "check", {}, "make", follow=False)
    made = Project.objects.get(slug="harbour-lights")
    nina = browser(membership.add(project=made, username="nina", role="annotator", by=lena, now=NOON)[0])
    consent = reverse("consent", args=[made.slug])
    assert "<em>everything</em>" in nina.get(consent).content.decode()
    nina.post(consent)
    assert Consent.objects.get(user__username="nina").text_sha256 == made.consent_sha256
    assert membership.has_consented(Membership.objects.get(user__username="nina").user, made)


def test_the_estimate_multiplies_what_is_expected_by_the_overlap_and_the_time_of_one(lead):
    send(lead, "protocol", {"protocol": "nq"}, "words", follow=False)
    send(lead, "words", WORDS, "numbers", follow=False)
    more = {"annotate-train-expected": "3000", "annotate-dev-expected": "500", "pay": "17.50 EUR an hour"}
    page = text(send(lead, "numbers", numbers(**more), "check"))
    assert "Answer questions from a page 5,500 annotations of 80 s" in page  # 3000 + 5 x 500
    assert "Hours of work 122 81 to 183" in page  # 5,500 x 80 s; from two thirds to one and a half times
    assert "Cost at 17.50 EUR an hour 2,139 EUR" in page


def test_only_leads_and_admins_see_the_way_to_a_new_project(lead, mallory):
    way = reverse("new_project")
    assert way in lead.get(reverse("home")).content.decode()
    assert way not in browser(mallory).get(reverse("home")).content.decode()
    mallory.is_superuser = True
    mallory.save()
    assert way in browser(mallory).get(reverse("home")).content.decode()
    assert browser(mallory).get(way).status_code == 302


def test_what_is_entered_is_ones_own(lead, nq):
    send(lead, "words", WORDS, "protocol", follow=False)
    other = browser(join(nq, "lotte", "lead"))
    assert "Harbour lights" not in entered(other, "words")


def test_a_set_up_can_be_started_afresh(lead):
    send(lead, "words", WORDS, "protocol", follow=False)
    lead.post(reverse("discard_new_project"))
    assert "Harbour lights" not in entered(lead, "words")


def test_the_sites_own_consent_text_stays_the_sites(lead):
    site = membership.consent_text()[0]
    assert Setup(protocol="nq", title="x", consent="").consent == ""
    send(lead, "protocol", {"protocol": "nq"}, "words", follow=False)
    send(lead, "words", {**WORDS, "consent": site.replace("\n", "\r\n")}, "numbers", follow=False)
    send(lead, "numbers", numbers(), "check", follow=False)
    send(lead, "check", {}, "make", follow=False)
    assert Project.objects.get(slug="harbour-lights").consent_sha256 == ""


@pytest.mark.parametrize("protocol", ["coqa", "nq", "qasper", "squad"])
def test_every_protocol_shows_a_picture_of_its_work_screen_of_modest_size(lead, protocol):
    picture = f"{protocol}/work-screen.webp"
    assert picture in entered(lead, "protocol")
    assert Path(finders.find(picture)).stat().st_size < 60_000
    page = text(lead.get(reverse("protocol", args=[protocol])))
    assert all(str(stage.title) in page for each in registry.get(protocol).activities for stage in each.stages)


def reckoned(lead, **changes):
    """What stands beside the numbers once these are typed."""
    return text(lead.post(reverse("new_project_estimate"), numbers(**changes)))


def test_what_the_numbers_will_take_stands_beside_them_while_they_are_typed(lead):
    send(lead, "protocol", {"protocol": "nq"}, "numbers", follow=False)
    assert "Say how many items you expect" in reckoned(lead)
    expected = {"annotate-train-expected": "1000", "annotate-dev-expected": "100", "pay": "10 EUR an hour"}
    page = reckoned(lead, **expected)
    # 1,000 annotations of train and five each of 100 of dev, of 80 s.
    for words in ("1,500 annotations of 80 s", "33 [22–50]", "333 EUR [222–500]", "1.7 [1.1–2.5]"):
        assert words in page
    assert "3.3 [2.2–5.0]" in reckoned(lead, **expected, **{"pace-people": "5", "pace-hours": "2"})
    assert "Give one person at least." in reckoned(lead, **expected, **{"pace-people": "0"})
    assert "not possible yet" in reckoned(lead, **expected, **{"annotate-dev-base": "many"})


def test_reckoning_keeps_nothing_and_needs_no_protocol(lead):
    assert "not possible yet" in text(lead.post(reverse("new_project_estimate"), {"annotate-dev-base": "7"}))
    send(lead, "protocol", {"protocol": "nq"}, "numbers", follow=False)
    reckoned(lead, **{"annotate-dev-base": "7"})
    assert 'name="annotate-dev-base" value="5"' in " ".join(entered(lead, "numbers").split())


def test_without_a_script_a_button_reckons_and_keeps_the_people(lead):
    send(lead, "protocol", {"protocol": "nq"}, "numbers", follow=False)
    changes = {"annotate-train-expected": "1000", "pace-people": "9"}
    page = send(lead, "numbers", numbers(**changes), "numbers").content.decode()
    assert "1,000" in page
    assert 'name="pace-people" value="9"' in " ".join(page.split())


@pytest.mark.parametrize("protocol", registry.all_protocols(), ids=lambda each: each.key)
def test_each_number_has_a_sentence_and_says_which_agreement_is_meant(protocol):
    form = ConfigForm(protocol, {})
    for group in form.groups:
        assert all(field.help_text for field in (group.draw, *group.numbers))
        assert group.activity.similarity in form[f"{group.activity.key}-least_agreement"].help_text


def test_the_texts_are_shown_as_annotators_read_them(lead):
    send(lead, "protocol", {"protocol": "nq"}, "words", follow=False)
    shown = send(lead, "words", {**WORDS, "guidelines": "# Judge\n\nRead *all* of it."}, "preview")
    page = shown.content.decode()
    assert shown.status_code == 200
    assert "<h1>Judge</h1>" in page
    assert "<em>all</em>" in page
    assert 'id="consent-preview"' in page  # of the site, since there is none
    assert "Read *all* of it." in entered(lead, "words")
