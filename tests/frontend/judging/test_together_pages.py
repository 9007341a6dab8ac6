"""The answers to an item on one screen: sent and saved as one form, each with its own mark."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.judging import rounds
from annotation.judging.rules import Rules
from annotation.models import Draft, JudgingRound, Project, Rater, Response
from annotation.protocols.dureader.protocol import PROTOCOL as DUREADER
from annotation.values.exhibits import Quoted, ShownExhibit
from tasks.judging import looking, working
from tests.builders import project
from tests.frontend.judging.test_rating_pages import fields
from tests.people import NOON
from tests.tasks.judging.judged_once import judges, lamps, lamps_once, lena, people
from tests.tasks.judging.together_rounds import ANSWERS, ITEMS, mark, screens_of_rater, seal_together

__all__ = ["judges", "lamps", "lamps_once", "lena"]


def client_of(person) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture(scope="module")
def begun_once(lamps_once) -> tuple[int, str]:
    """A round, and the address of Erin's first screen."""
    [lead, *raters] = people("lena", "erin", "egon")
    made = seal_together(Project.objects.get(pk=lamps_once), lead, raters)
    return made.pk, client_of(raters[0]).post(reverse("begin_judging", args=[made.uuid])).url


@pytest.fixture
def row(begun_once, db):
    return JudgingRound.objects.get(pk=begun_once[0])


@pytest.fixture
def erin(judges):
    return client_of(judges[0])


@pytest.fixture
def first(begun_once, db):
    """The address of Erin's first screen."""
    return begun_once[1]


def text_of(client, address) -> str:
    return client.get(address).content.decode()


def names_in(page: str, name: str = "mark") -> list[str]:
    """The fields of this name, by exhibit, in the order of the page."""
    return list(dict.fromkeys(re.findall(rf'name="(e\d+-{name})"', page)))


def form_of(page: str, *marks: str, **more: str) -> dict[str, str]:
    """What a browser without scripts sends with these marks."""
    return fields(page) | dict(zip(names_in(page), marks, strict=False)) | more


def send(client, address, *marks: str, **more: str):
    page = text_of(client, address)
    stage = re.search(r'data-url-stage="([^"]+)"', page)[1]
    return client.post(stage, form_of(page, *marks, **more))


def marks_of(person) -> list[str]:
    return [each.payload["mark"] for each in Response.objects.filter(author=person).order_by("pk")]


def test_the_question_is_there_once_and_each_answer_with_its_letter_and_marks(erin, first):
    page = text_of(erin, first)
    assert len(re.findall(r"which oil did lamp \d burn", page)) == 1
    assert re.findall(r'data-candidate="(\w)"', page) == ["A", "B", "C"]
    assert len(set(re.findall(r"burned gas, says source \d", page))) == ANSWERS
    assert len(names_in(page)) == len(names_in(page, "comment")) == ANSWERS
    assert "Exhibits 1 to 3 of 12" in page
    assert re.search(r"<b>Item 1</b> of 4", page)


def test_what_all_share_is_there_once_and_what_is_of_one_answer_beside_it(lamps, lena, judges, monkeypatch):
    def exhibits_of(kind, item, record):
        common = Quoted(text="Lamps burned rape oil.")
        for turn in range(ANSWERS):
            own = Quoted(text=f"Evidence {turn}.")
            yield turn, ShownExhibit(prompt="Which oil?", texts=(common, own), answers=(f"Oil {turn}.",))

    monkeypatch.setattr(DUREADER, "exhibits_of", exhibits_of)
    row = seal_together(lamps, lena, judges[:1])
    client = client_of(judges[0])
    page = text_of(client, client.post(reverse("begin_judging", args=[row.uuid])).url)
    material, _, answers = page.partition('data-candidate="A"')
    assert material.count("Lamps burned rape oil.") == page.count("Lamps burned rape oil.") == 1
    assert sorted(re.findall(r"Evidence (\d)", answers)) == ["0", "1", "2"]
    assert "Evidence" not in material


def test_all_are_sent_at_once_and_the_next_item_follows(erin, first, judges):
    there = send(erin, first, "5", "4", "1")
    assert marks_of(judges[0]) == ["5", "4", "1"]
    assert "Exhibits 4 to 6 of 12" in text_of(erin, there.url)


def test_without_one_of_the_marks_nothing_is_sent_and_its_letter_is_said(erin, first, judges):
    refused = send(erin, first, "5", "", "1")
    page = refused.content.decode()
    assert refused.status_code == 422
    assert page.count("B: Choose a mark.") == 1
    assert "A: Choose a mark." not in page
    assert len(re.findall(r'value="[51]"\s+checked', page)) == 2
    assert marks_of(judges[0]) == []


def test_a_mark_that_the_rubric_does_not_have_is_refused_for_all(erin, first, judges):
    refused = send(erin, first, "5", "4", "9")
    assert refused.status_code == 422
    assert "C: Choose one of the marks." in refused.content.decode()
    assert marks_of(judges[0]) == []


def test_one_can_go_back_and_change_a_mark_and_a_comment(erin, first, judges):
    following = send(erin, first, "5", "4", "1").url
    back = re.search(r'<a[^>]*href="([^"]+)" data-key="\["', text_of(erin, following))[1]
    page = text_of(erin, back)
    assert re.findall(r'value="(\d)"\s+checked', page) == ["5", "4", "1"]
    send(erin, back, "5", "4", "2", **{names_in(page, "comment")[0]: "Says it all."})
    page = text_of(erin, back)
    assert re.findall(r'value="(\d)"\s+checked', page) == ["5", "4", "2"]
    assert "Says it all." in page


def test_every_address_of_the_item_is_the_same_screen(row, erin, judges, first):
    [screen, *_] = screens_of_rater(row, judges[0])
    pages = [text_of(erin, reverse("work", args=[each.uuid])) for each in screen]
    assert len({re.search(r'data-work="([^"]+)"', page)[1] for page in pages}) == 1
    assert len({tuple(names_in(page)) for page in pages}) == 1


def test_after_the_last_item_the_round_is_locked(row, erin, judges, first):
    at = first
    for number in range(ITEMS):
        assert ("Save and go on" in text_of(erin, at)) == (number < ITEMS - 1)
        at = send(erin, at, "5", "4", "1").url
    assert at == reverse("judge", args=[row.uuid])
    erin.post(reverse("lock_marks", args=[row.uuid]))
    assert Rater.objects.get(person=judges[0]).locked_at
    [screen, *_] = screens_of_rater(row, judges[0])
    assert erin.get(reverse("work", args=[screen[1].uuid])).url == reverse("judge", args=[row.uuid])


def save(client, page: str, **data: str):
    found = fields(page)
    url = re.search(r'data-url-draft="([^"]+)"', page)[1]
    sent = {name: found[name] for name in ("client", "after", "base", "seen")}
    return client.post(url, sent | {"seq": "1", "data": json.dumps(data), "trace": ""})


def test_what_is_entered_is_kept_for_each_and_there_again_on_another_device(erin, first, judges):
    page = text_of(erin, first)
    one, other = names_in(page)[0], names_in(page, "comment")[2]
    assert save(erin, page, **{one: "3", other: "Half of it."}).status_code == 200
    assert Draft.objects.count() == ANSWERS
    again = text_of(client_of(judges[0]), first)
    assert re.findall(r'value="(\d)"\s+checked', again) == ["3"]
    assert "Half of it." in again


def test_a_page_that_is_older_is_shown_both_versions(erin, first, judges):
    page = text_of(erin, first)
    send(erin, first, "5", "4", "1")
    stage = re.search(r'data-url-stage="([^"]+)"', page)[1]
    refused = erin.post(stage, form_of(page, "5", "2", "1"))
    said = re.sub(r"<[^>]+>|\s+", " ", refused.content.decode())
    assert refused.status_code == 409
    assert "B: Mark" in said
    assert "2 · Poor" in said
    assert "4 · Sufficient" in said
    assert marks_of(judges[0]) == ["5", "4", "1"]


def test_the_second_version_replaces_the_first_if_that_is_chosen(erin, first, judges):
    page = text_of(erin, first)
    send(erin, first, "5", "4", "1")
    stage = re.search(r'data-url-stage="([^"]+)"', page)[1]
    refused = erin.post(stage, form_of(page, "5", "2", "1", sent="1700000000000")).content.decode()
    assert "1700000000000" not in refused
    form = re.search(r'<form[^>]*action="([^"]+/replace/[^"]*|[^"]+replace[^"]*)".*?</form>', refused, re.S)
    sent = dict(re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', form[0]))
    assert erin.post(form[1], sent).status_code == 302
    assert marks_of(judges[0]) == ["5", "4", "1", "2"]


def test_the_same_from_an_older_page_is_no_conflict(erin, first, judges):
    page = text_of(erin, first)
    send(erin, first, "5", "4", "1")
    stage = re.search(r'data-url-stage="([^"]+)"', page)[1]
    assert erin.post(stage, form_of(page, "5", "4", "1")).status_code == 302
    assert marks_of(judges[0]) == ["5", "4", "1"]


def kept(client, page: str, *, key: str = "", **data: str):
    """What the server says about a copy that a device has kept."""
    found = fields(page)
    url = re.search(r'data-url-kept="([^"]+)"', page)[1]
    sent = {"client": found["client"], "base": found["base"], "seen": found["seen"], "seq": "1", "submission_key": key}
    return client.post(url, sent | {"data": json.dumps(data)})


def test_what_a_device_kept_is_restored_known_or_shown_beside_what_counts(erin, first):
    page = text_of(erin, first)
    data, other = (dict(zip(names_in(page), marks, strict=True)) for marks in ("541", "543"))
    empty = {name: "" for which in ("part", "comment") for name in names_in(page, which)}
    assert kept(erin, page, **data, **empty).status_code == 200
    assert kept(erin, page, key=fields(page)["submission_key"], **data, **empty).status_code == 200
    send(erin, first, "5", "4", "1")
    assert kept(erin, page, **data, **empty).status_code == 204
    assert kept(erin, page, **other, **empty).status_code == 409


def test_who_has_looked_at_the_item_gets_the_page_of_the_round(row, erin, judges, first):
    [screen, *_] = screens_of_rater(row, judges[0])
    looking.look(judges[0], "lamps", screen[0].task.item_id, now=NOON)
    assert erin.get(first).status_code in (302, 410)


def choices(raters, **more):
    return {
        "title": "Answers",
        "kind": "answers",
        "of_an_item": "all",
        "split": "",
        "sample": "",
        "raters": [person.pk for person in raters],
    } | more


def chosen() -> JudgingRound | None:
    """The round of these choices, if it was made."""
    return JudgingRound.objects.filter(title="Answers").first()


def test_a_lead_chooses_it_and_it_is_usual_for_answers(lamps, lena, judges):
    client, new = client_of(lena), reverse("new_judging_round", args=["lamps"])
    assert re.search(r'name="together" checked', text_of(client, new))
    client.post(new, choices(judges, together="on", sample="2", practice="1"))
    made = chosen()
    assert rounds.rules_of(made).together
    page = re.sub(r"\s+", " ", text_of(client, reverse("judging_round", args=["lamps", made.uuid])))
    assert "2 items with 6 exhibits" in page
    assert "all answers to an item" in page


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"of_an_item": "one"}, "alone on its screen"),
        ({"sample": str(ITEMS + 1)}, f"There are only {ITEMS} to judge."),
        ({"practice": str(ITEMS)}, f"There are only {ITEMS} to judge."),
    ],
)
def test_what_can_not_be_is_said_at_the_form(lamps, lena, judges, wrong, said):
    new = reverse("new_judging_round", args=["lamps"])
    answer = client_of(lena).post(new, choices(judges, together="on") | wrong)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert chosen() is None


def test_a_preview_shows_all_answers_to_an_item_which_leaves_the_draw(lamps, lena, judges):
    client = client_of(lena)
    client.post(reverse("new_judging_round", args=["lamps"]), choices(judges, together="on"))
    made = chosen()
    address = reverse("judging_preview", args=["lamps", made.uuid])
    for number in (1, 2):
        client.post(address)
        page = text_of(client, address)
        assert re.findall(r'<h3 id="exhibit-(\w)"', page) == ["A", "B", "C"]
        made.refresh_from_db()
        assert len(rounds.rules_of(made).without) == number * ANSWERS
    rounds.seal(made, by=lena, now=NOON)
    assert made.exhibits.count() == (ITEMS - 2) * ANSWERS


def test_a_kind_with_a_page_of_its_own_can_not_be_together(db):
    made = project("nq-lights")
    assert rounds.why_not_together(made, Rules(kind="long", of_an_item="all", together=True))
    assert not rounds.why_not_together(made, Rules(kind="long", of_an_item="all"))


def test_nobody_sees_who_answered_or_what_others_marked(row, erin, judges, first):
    [screen, *_] = screens_of_rater(row, judges[1])
    before = text_of(erin, first)
    mark(screen, "5", "4", "1")
    cut = re.compile(r'(nonce|csrfmiddlewaretoken|submission_key|client)[^>]*>|data-client="[^"]*"')
    assert cut.sub("", before) == cut.sub("", text_of(erin, first))
    assert judges[1].username not in before
    assert not working.lease_of(row, judges[0]).assignments.filter(state="submitted").exists()


def test_checks_are_of_each_answer_and_what_can_not_be_taken_says_its_letter(erin, first, judges):
    page = text_of(erin, first)
    opinion, entities = names_in(page, "check-opinion"), names_in(page, "check-entities")
    assert len(opinion) == len(entities) == ANSWERS
    said = {opinion[0]: "no", entities[1]: "2", f"{entities[1]}-of": "3"}
    refused = send(erin, first, "5", "4", "1", **said, **{entities[2]: "1"})
    assert refused.status_code == 422
    assert "C: Entities that are there: say how many of how many" in refused.content.decode()
    assert re.search(rf'name="{opinion[0]}" value="no"\s+checked', refused.content.decode())
    send(erin, first, "5", "4", "1", **said)
    rows = Response.objects.filter(author=judges[0]).order_by("pk")
    assert [each.payload.get("checks") for each in rows] == [{"opinion": False}, {"entities": [2, 3]}, None]
    assert re.search(rf'name="{entities[1]}-of" value="3"', text_of(erin, first))


def test_two_versions_that_differ_in_a_check_are_told_apart_in_words(erin, first):
    page = text_of(erin, first)
    stage = re.search(r'data-url-stage="([^"]+)"', page)[1]
    [opinion, *_], [entities, *_] = names_in(page, "check-opinion"), names_in(page, "check-entities")
    other = form_of(text_of(erin, first), "5", "4", "1")
    erin.post(stage, other | {opinion: "yes", entities: "1", f"{entities}-of": "3"})
    refused = erin.post(stage, form_of(page, "5", "4", "1") | {opinion: "no", entities: "2", f"{entities}-of": "3"})
    assert refused.status_code == 409
    both = refused.context["both"]
    assert both.differ == ("A: The opinion is right", "A: Entities that are there")
    fields_of = dict(both.mine.fields)
    assert fields_of["A: The opinion is right"] == ("No",)
    assert fields_of["A: Entities that are there"] == ("2", "of 3")
