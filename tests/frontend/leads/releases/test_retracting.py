"""A retracted release says why, offers no file any more, and keeps its number."""

from __future__ import annotations

from annotation import releases
from annotation.models import Event, Release


def test_a_release_is_retracted_once_and_with_a_reason_which_it_says_and_offers_nothing(lead, lights):
    lead.build()
    assert lead.post("retract_release", 1, reason=" ").status_code == 422
    assert lead.post("retract_release", 1, reason="  one page was not ours ").status_code == 302
    assert lead.post("retract_release", 1, reason="again").status_code == 409
    page = lead.get("release", 1)
    assert page.context["shown"]["retracted"]["reason"] == "one page was not ours"
    assert page.context["shown"]["retracted"]["by"] == "lena"
    for file in page.context["shown"]["files"]:
        assert lead.client.get(file["url"]).status_code == 404
    assert "Nobody can download it here any more" in page.content.decode()
    [event] = Event.objects.filter(kind="release.retracted")
    assert (event.by, event.data) == (lead.user.pk, {"reason": "one page was not ours"})


def test_its_files_stay_and_its_number_is_not_used_again(lead, lights):
    lead.build()
    lead.post("retract_release", 1, reason="a mistake")
    assert (releases.folder_of(Release.objects.get()) / "manifest.json").exists()
    lead.build()
    assert [one.row.version for one in lead.get().context["releases"]] == [2, 1]
    assert lead.get().context["shown"]["release"].version == 2
