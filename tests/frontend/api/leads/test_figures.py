"""A lead's script reads the figures of the pages: agreement, the human bound, the protocol's, and the board."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.models import Project, Role, User
from frontend.leads import human_bound as bound_pages
from frontend.leads.agreement.asked import AgreementQuery
from frontend.leads.agreement.shown import agreement_page
from tasks.measuring import agreement, figures
from tests import boards, builders
from tests.builders import Worker, open_with, questions
from tests.frontend.api.callers import Caller, reader
from tests.frontend.leads.conftest import scored
from tests.people import NOON, join

__all__ = ["scored"]


@pytest.fixture(scope="module")
def worked_once(shared_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    """Four items by three people; carol says something else of every second one."""
    made = builders.project("lights", activities={"annotate": {"overlap": {"train": 3}, "draw": "in_order"}})
    open_with(made, tmp_path_factory.mktemp("lights"), questions(4))
    people = {name: Worker(join(made, name), made) for name in ("alice", "bob", "carol")}
    for number in range(4):
        for name, worker in people.items():
            (worker.finish_without_answer if name == "carol" and number % 2 else worker.finish_bad)()
    return made.pk


@pytest.fixture
def lights(worked_once: int, db: None) -> Project:
    return Project.objects.get(pk=worked_once)


@pytest.fixture
def script(lights: Project) -> Caller:
    return reader(join(lights, "lena", Role.LEAD))


def test_agreement_is_nothing_until_it_is_measured_and_then_what_the_page_says(lights: Project, script: Caller):
    assert script.get("projects/lights/agreement/").json() == {"agreement": None}
    agreement.keep(lights, now=NOON)
    told = script.get("projects/lights/agreement/", {"measure": "question"}).json()["agreement"]
    page = agreement_page(lights, AgreementQuery(measure="question"))
    assert page is not None
    assert (told["activity"], told["measure"]) == ("annotate", "question")
    observed = next(number for number in told["measures"][0]["numbers"] if number["key"] == "observed")["estimate"]
    mine = next(number for number in page.groups[0].numbers if number.key == "observed").estimate
    assert (observed["value"], observed["n"], observed["low"]) == (mine.value, 4, None)
    assert observed["no_interval"].startswith("too few for an interval")
    assert [row["item"] for row in told["worst"]] == [row.item for row in page.worst]
    assert told["by_split"]["train"]["n"] == 4


def test_agreement_of_a_part_is_measured_when_it_is_asked_for(lights: Project, script: Caller):
    agreement.keep(lights, now=NOON)
    told = script.get("projects/lights/agreement/", {"since": "2030-01-01"}).json()["agreement"]
    assert told["sizes"]["items"] == 0


@pytest.mark.parametrize("query", [{"since": "yesterday"}, {"person": "a b"}, {"limit": "1"}, {"author": "x"}])
def test_what_no_part_is_named_by_is_refused(script: Caller, query: dict[str, str]):
    for address in ("agreement/", "board/"):
        answer = script.get(f"projects/lights/{address}", query)
        assert (answer.status_code, [one["field"] for one in answer.json()["errors"]]) == (400, list(query))


def test_figures_of_the_protocol_stand_beside_the_published_ones(lights: Project, script: Caller):
    assert script.get("projects/lights/figures/").json() == {"measured_at": None, "groups": []}
    figures.keep(lights, now=NOON)
    rows = [row for group in script.get("projects/lights/figures/").json()["groups"] for row in group["rows"]]
    bad = next(row for row in rows if row["label"] == "Bad question")
    assert (bad["share"], bad["published"], bad["of"]) == (pytest.approx(10 / 12), "14.0 %", 12)


def test_the_human_bound_is_told_at_full_precision(scored: Callable[[str], tuple[Project, User]], db: None):
    found, lena = scored("nq")
    rows = reader(lena).get(f"projects/{found.slug}/human-bound/").json()["results"]
    head, first, *_rest = bound_pages.table(found)
    assert len(rows) == len(bound_pages.table(found)) - 1
    assert [rows[0][name] for name in ("split", "figure", "value", "low", "high")] == first[:5]
    assert list(rows[0]["counts"]) == head[5:7]


def test_the_board_tells_progress_and_what_its_pictures_show(lights: Project, script: Caller):
    boards.bring_up_to_date(lights)
    told = script.get("projects/lights/board/").json()
    assert (told["progress"]["total"], told["progress"]["done"], told["state"]["words"]) == (4, 4, "Done")
    assert sum(row["finished"] for row in told["people"]) == 12
    card = next(card for card in told["cards"] if card["key"] == "progress")
    assert card["rows"][-1][-1] == 4
    assert script.get("projects/lights/board/", {"split": "dev"}).json()["progress"]["total"] == 0
