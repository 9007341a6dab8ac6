"""Titles are sorted as people look them up, and dates are written as a language writes them."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.utils import translation

from annotation.documents.words import alphabetical
from annotation.models import Role
from frontend import wording
from frontend.leads.led import led_projects
from frontend.my_time import worked_in
from tests.factories.corpus import ProjectFactory
from tests.people import join
from tests.prepared import CHECKOUT

TITLES = ["apple", "Apple 2", "Élan", "elk", "İzmir", "Zebra", "Ωmega", "海湾灯塔"]
FORMAT = re.compile(r"""\|(?:moment|day):"([^"]*)\"""")


def test_titles_are_sorted_without_case_and_accents(db):
    for number, title in enumerate(reversed(TITLES)):
        made = ProjectFactory(slug=f"p-{number}", title=title)
        lena, ada = join(made, "lena", Role.LEAD), join(made, "ada")
    assert [project.title for project in led_projects(lena)] == TITLES
    assert [project.title for project in worked_in(ada)] == TITLES


def test_case_and_accents_come_in_where_all_else_is_the_same():
    assert sorted(["eclair", "Éclair", "éclair", "Eclair"], key=alphabetical) == [
        "Eclair",
        "eclair",
        "Éclair",
        "éclair",
    ]


@pytest.mark.parametrize(("language", "written"), [("en", "3 March 2026"), ("de", "3 März 2026"), ("ja", "3 3月 2026")])
def test_names_of_months_follow_the_language(language, written):
    with translation.override(language):
        assert wording.formatted(date(2026, 3, 3), "j F Y") == written


def test_every_date_of_a_page_is_in_a_format_that_can_be_translated():
    pages = [page for name in ("frontend", "annotation", "tasks") for page in (CHECKOUT / name).rglob("*.html")]
    used = {format for page in pages for format in FORMAT.findall(page.read_text(encoding="utf-8"))}
    assert used
    assert used <= set(wording.FORMATS)
    others = [
        page for page in pages if re.search(r"""\|date:["'](?!c["']|Y-m-d["'])""", page.read_text(encoding="utf-8"))
    ]
    assert others == []
