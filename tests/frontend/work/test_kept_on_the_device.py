"""What a device kept and never sent, for every protocol: the server says whether it may continue, or shows it."""

from __future__ import annotations

import json
import re

import pytest
from django.urls import reverse

from annotation import randomness
from annotation.models import Draft
from tasks.models import Assignment
from tests.frontend.work.test_two_tabs import Tab, desk, desk_once

__all__ = ["desk", "desk_once"]


def kept(tab: Tab, data: dict, **more):
    """The server's response to what this page load kept."""
    fields = {"seq": tab.seq + 1, "data": json.dumps(data), "submission_key": ""}
    return tab.post(f"{tab.stage}/kept/", fields | more)


def shown(answer) -> str:
    assert answer.status_code == 409
    return answer.content.decode()


def test_it_may_continue_while_nothing_is_newer_than_what_its_page_knew(desk):
    opened, one, other = desk
    tab = opened()
    assert kept(tab, one).status_code == 200
    tab.save(one)
    assert kept(tab, other).status_code == 200


@pytest.mark.parametrize("seq", [0, 99], ids=["with the lower number", "with the higher number"])
def test_beside_a_newer_draft_of_another_page_both_are_shown_to_choose_from(desk, seq):
    opened, one, other = desk
    older, newer = opened(), opened()
    newer.save(one)
    both = shown(kept(older, other, seq=seq))
    assert [word in both for word in ("Elsewhere", "On this device", "data-choose")] == [True] * 3
    assert f'data-seq="{newer.seq}"' in both
    assert Draft.objects.get().data == one


def test_each_version_has_the_button_that_chooses_it(desk):
    opened, one, other = desk
    older, newer = opened(), opened()
    newer.save(one)
    here, elsewhere = re.findall(r"<article.*?</article>", shown(kept(older, other)), re.DOTALL)
    assert ["On this device" in here, "data-choose" in here, "data-put-off" in here] == [True, True, False]
    assert ["Elsewhere" in elsewhere, "data-choose" in elsewhere, "data-put-off" in elsewhere] == [True, False, True]


def test_two_versions_that_say_the_same_are_no_choice(desk):
    opened, one, _other = desk
    older, newer = opened(), opened()
    newer.save(one)
    spaced = {name: json.dumps(json.loads(text), indent=1) if _is_list(text) else text for name, text in one.items()}
    assert kept(older, spaced).status_code == 204


def _is_list(text) -> bool:
    return isinstance(text, str) and text.startswith("[")


def test_the_chosen_version_continues_from_the_draft_that_was_shown(desk):
    opened, one, other = desk
    older, newer = opened(), opened()
    newer.save(one)
    assert kept(older, other, base=newer.seq).status_code == 200


def test_the_control_what_the_server_has_already_is_discarded(desk):
    opened, one, other = desk
    older, newer = opened(), opened()
    older.post("take/")
    older.save(one)
    assert kept(older, other, seq=older.seq).status_code == 204
    assert kept(newer, one | {"_view": {"y": 3}}).status_code == 204
    assert kept(newer, {"_view": {"y": 3}}).status_code == 204


def test_an_answer_that_arrived_is_discarded_and_a_different_one_is_shown_beside_it(desk):
    opened, one, other = desk
    tab = opened()
    assert tab.commit(one).status_code < 300
    assert kept(tab, one, submission_key=tab.shows["submission_key"]).status_code == 204
    assert kept(tab, one).status_code == 204
    both = shown(kept(tab, other, submission_key=str(randomness.handle())))
    assert [word in both for word in ("Elsewhere", "data-copy", "not sent")] == [True] * 3
    assert "data-choose" not in both


def test_a_malformed_draft_is_refused(desk):
    opened, _one, _other = desk
    assert opened().post("no-such-stage/kept/", {"data": "{}"}).status_code == 404
    assert kept(opened(), ["no fields"]).status_code == 422


def test_the_place_on_the_page_is_kept_without_a_draft_and_the_newest_page_sets_it(desk):
    opened, _one, _other = desk
    older, newer = opened(), opened()
    line = {"n": 1, "lines": [[0, "in_sight", {"ms": 5000, "active": 0}, ""]]}
    told = {"trace": json.dumps([line]), "view": '{"y": 40}'}
    for tab in (newer, older):  # the older one is ignored
        assert (
            tab.post(f"{tab.stage}/draft/", told | {"view": f'{{"y": {40 if tab is newer else 1}}}'}).status_code == 200
        )
    assert not Draft.objects.exists()
    page = newer.bot.client.get(newer.page).content.decode()
    assert '<template id="place" data-json>' in page
    assert "{&quot;y&quot;: 40}" in page


def test_a_draft_that_was_saved_later_has_the_place_that_counts(desk):
    opened, one, _other = desk
    tab = opened()
    tab.post(f"{tab.stage}/draft/", {"trace": "", "view": '{"y": 40}'})
    tab.save(one | {"_view": {"y": 7}})
    assert "&quot;view&quot;: {&quot;y&quot;: 7}" in tab.bot.client.get(tab.page).content.decode()


@pytest.mark.parametrize("view", ["", "no json", "[1]", f'{{"at": "{"x" * 2000}"}}'])
def test_a_malformed_place_is_dropped(desk, view):
    opened, _one, _other = desk
    tab = opened()
    assert tab.post(f"{tab.stage}/draft/", {"trace": "", "view": view}).status_code == 200
    assert Assignment.objects.get().place is None


def test_a_save_says_how_long_the_work_is_held_now(desk):
    opened, one, _other = desk
    tab = opened()
    assert tab.save(one).json()["expires_in"] == tab.post("renew/").json()["expires_in"] > 0


def test_renewing_closed_work_gives_410_and_says_what_became_of_it(desk):
    opened, _one, _other = desk
    tab = opened()
    tab.post("return/")
    for path in ("renew/", "take/"):
        refused = tab.post(path)
        assert (refused.status_code, refused["X-Closed"]) == (410, "returned")


def test_a_script_whose_session_expired_is_told_where_to_sign_in_and_is_given_no_page(desk):
    opened, one, _other = desk
    tab = opened()
    tab.bot.client.logout()
    for answer in (tab.save(one), tab.post("renew/"), tab.post("take/"), kept(tab, one), tab.commit(one)):
        assert (answer.status_code, answer["X-Sign-In"], answer.content) == (401, reverse("login"), b"")
    form = tab.bot.client.post(f"{tab.page}{tab.stage}/", tab.shows | one)
    assert (form.status_code, "X-Sign-In" in form) == (401, False)
    assert "this was not sent" in form.content.decode()
