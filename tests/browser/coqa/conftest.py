"""Two people in two browsers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest

from tests import signed_in
from tests.browser.coqa.desk import TalkDesk, furnish, seat, talked

NUMBERS = itertools.count()


@pytest.fixture
def project(site, request) -> str:
    """The slug of the module's own project: nobody is given a conversation of another module to guess."""
    slug = request.module.__name__.rpartition(".")[2].replace("_", "-")
    furnish(site, slug)
    return slug


@pytest.fixture
def newcomer(site, browser, project) -> Iterator[Callable[..., TalkDesk]]:
    """A function that gives a new member a browser of their own."""
    contexts = []

    def come(name: str, **options) -> TalkDesk:
        context = browser.new_context(base_url=site.url, **options)
        contexts.append(context)
        desk = TalkDesk(site, context.new_page(), f"{name}-{next(NUMBERS)}-{id(contexts)}")
        signed_in.sign_in(site, desk.page, desk.name, slug=project)
        return desk

    yield come
    for context in contexts:
        context.close()


@pytest.fixture
def pair(site, newcomer, project) -> Callable[..., tuple[TalkDesk, TalkDesk]]:
    """A function that seats a questioner and an answerer, each with the page of their work open at a turn.

    The turns before it are those of the talk; `asked`: so is its question, and the answerer is next.
    """

    def sit(*, turn: int = 1, asked: bool = False, **options) -> tuple[TalkDesk, TalkDesk]:
        people = newcomer("quinn", **options), newcomer("anna", **options)
        names = [desk.name for desk in people]
        paths = seat(site, project, *names)
        if turn > 1 or asked:
            talked(site, *names, until=turn, last="asked" if asked else "")
        for desk, path in zip(people, paths, strict=True):
            desk.page.goto(path)
        if asked:
            return people[0].waiting(), people[1].at(f"answer-{turn}")
        return people[0].at(f"question-{turn}"), people[1].waiting()

    return sit
