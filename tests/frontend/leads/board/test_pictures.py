"""Words of a board's pictures have room, and its legends say only what is drawn."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation.statistics.estimates import Estimate
from frontend.leads.estimates import least_of
from frontend.leads.plots import rows, svg
from frontend.leads.plots.rows import PlotRow
from tasks.measuring import agreement
from tests.boards import bring_up_to_date
from tests.builders import Worker, open_with, questions
from tests.disagreeing import browser
from tests.judged import judged, with_slips
from tests.people import NOON, join

DASHED = "Dashed: at the present pace"


def texts(plot) -> list[tuple[float, str | None, str]]:
    """Where each text of a picture stands, its anchor, and what it says."""
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"(?: text-anchor="(\w+)")?[^>]*>(.*?)</text>', str(plot.body))
    return [(float(y), anchor, re.sub(r"<title>.*</title>|<[^>]+>", "", said)) for _x, y, anchor, said in found]


@pytest.mark.parametrize(
    "draw", [rows.bars, rows.dots, lambda found, label: rows.boxes(found, label=label, ticks=[0, 1], unit=" s")]
)
def test_a_long_name_and_its_number_stand_one_below_the_other(draw):
    short = PlotRow("Long answer", "0.33", 0.33, "[0.20–0.45]", low=0.2, high=0.45)
    long = PlotRow("Long answer F1, mean of pairs", "0.33", 0.33, "(too few for an interval)")
    (name, _a, _b), (number, anchor, _c) = texts(draw([short], label=""))[:2]
    assert (name, anchor) == (number, "end")
    for place in (0, 1):
        (name, _a, _b), (number, anchor, said) = texts(draw([short, long], label=""))[2 * place :][:2]
        assert name < number
        assert not anchor
        assert said.startswith("0.33")


def test_a_name_wider_than_the_picture_is_shortened_and_whole_under_the_pointer():
    name = "An answer that is so long that nobody would ever read all of it, but somebody has called a stage that"
    plot = rows.bars([PlotRow(name, "1.0 %", 0.01)], label="")
    said = texts(plot)[0][2]
    assert said.endswith("…")
    assert svg.width_of(said) <= svg.WIDTH
    assert f"<title>{name}</title>" in str(plot.body)


@pytest.fixture
def lights(nq, tmp_path):
    open_with(nq, tmp_path, questions(4))
    return nq


@pytest.fixture
def progress(lights, lena, monkeypatch):
    """The card of progress at a time."""

    def shown(now):
        bring_up_to_date(lights, now=now)
        monkeypatch.setattr("annotation.clock.now", lambda: now)
        board = browser(lena).get(reverse("project", args=[lights.slug])).context["board"]
        return next(card for card in board.cards if card.key == "progress")

    return shown


def test_the_legend_of_progress_names_the_dashed_line_only_where_it_is_drawn(progress, lights, alice):
    assert progress(NOON).legend == ""
    Worker(alice, lights).finish_bad()
    at_first = progress(NOON)
    assert "dash" not in str(at_first.plot.body)
    assert at_first.legend == ""
    later = progress(NOON + timedelta(days=3))
    assert "dash" in str(later.plot.body)
    assert later.legend == DASHED
    while hasattr(Worker(alice, lights).claim(), "task"):
        Worker(alice, lights).finish_bad()
    done = progress(NOON + timedelta(days=3))
    assert (done.notes[0].bold, done.legend) == ("All done.", "")


def test_negative_agreement_is_left_of_none_on_the_page_of_agreement(nq, lena):
    people = [join(nq, name) for name in ("ann", "ben")]
    page, address = browser(lena), reverse("agreement", args=[nq.slug])
    judged(nq, with_slips(dict.fromkeys(people, 0.0), items=6))
    agreement.keep(nq, now=NOON)
    scale = '<span class="scale{}"> <span>−{}</span><span class="zero">0</span><span>1</span> </span>'
    assert 'class="zero"' not in page.get(address).content.decode()
    judged(nq, with_slips({people[0]: 0.0, people[1]: 1.0}, items=30), split="dev")
    agreement.keep(nq, now=NOON, anew=True)
    shown = " ".join(page.get(address, {"split": "dev"}).content.decode().split())
    found = page.get(address, {"split": "dev"}).context["found"]
    assert found.least == -1
    assert scale.format("", "1") in shown
    dots = {number.key: number.estimate.value for number in found.groups[0].numbers}
    assert dots["alpha"] < -0.9
    places = [float(x) for x in re.findall(r'class="p-dot" x1="([\d.]+)"', shown)]
    assert min(places) < 5
    assert 50 in places


def test_a_little_less_than_no_agreement_is_left_of_none_on_the_board():
    found = [PlotRow(f"{value}", f"{value}", value) for value in (-0.05, 0, 1)]
    plot = rows.dots(found, label="", low=least_of(Estimate(row.value, None, None, 9) for row in found))
    below, none, all_of_it = (float(x) for x in re.findall(r'<circle cx="([\d.]+)"', str(plot.body)))
    assert below < none < all_of_it
    assert str(plot.body).count(f'<line x1="{none}" x2="{none}"') == 3
    assert [said for _y, _anchor, said in texts(plot)][-4:] == ["−0.5", "0", "0.5", "1"]
