"""What a judging round draws, and that nothing of it changes once it is sealed."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction

from annotation.engine import recording
from annotation.errors import WrongMove
from annotation.judging import rounds
from annotation.models import Annotation, Exhibit, JudgingRound, Response
from tasks.judging import working
from tests.people import NOON
from tests.tasks.judging.judged_rounds import draft


def test_only_answers_that_are_no_null_are_drawn(sealed):
    assert sealed.population == 3
    assert [exhibit.place for exhibit in sealed.exhibits.order_by("place")] == [0, 1, 2]


def test_a_sample_is_the_beginning_of_the_whole_order(lights, lead):
    whole, part = draft(lights, lead), draft(lights, lead, sample=2)
    every, two = rounds.seal(whole, by=lead, now=NOON), rounds.seal(part, by=lead, now=NOON)
    assert [one.annotation for one in two] == [one.annotation for one in every[:2]]


def test_a_sample_larger_than_the_population_is_refused_and_one_as_large_is_not(lights, lead):
    with pytest.raises(WrongMove, match="only 3"):
        rounds.seal(draft(lights, lead, sample=4), by=lead, now=NOON)
    assert len(rounds.seal(draft(lights, lead, sample=3), by=lead, now=NOON)) == 3


def test_a_round_over_nothing_is_refused(lights, lead):
    with pytest.raises(WrongMove, match="nothing to judge"):
        rounds.seal(draft(lights, lead, kind="short"), by=lead, now=NOON)


def test_what_is_excluded_before_the_seal_is_not_drawn_and_later_it_is_shown_as_it_was(lights, lead):
    gone = Annotation.objects.filter(responses__stage="short_answer").first()
    recording.exclude(gone, by=lead, reason="test", now=NOON)
    row = draft(lights, lead)
    exhibits = rounds.seal(row, by=lead, now=NOON)
    assert gone not in [one.annotation for one in exhibits]
    recording.exclude(exhibits[0].annotation, by=lead, reason="test", now=NOON)
    assert row.exhibits.count() == 2


def test_exhibits_say_nothing_of_who_made_them(sealed):
    shown = str([exhibit.shown for exhibit in sealed.exhibits.all()])
    assert "ada" not in shown
    assert "Harbour lights" not in shown  # the title of the page: only question and passage are shown


def test_the_hash_follows_from_what_is_sealed(sealed):
    names = [
        (f"{one.annotation.uuid}/{one.turn}", rounds.hash_of(one.shown))
        for one in sealed.exhibits.select_related("annotation").order_by("place")
    ]
    assert sealed.sha256 == rounds.sealed_hash(sealed, 3, names)
    assert sealed.sha256 != rounds.sealed_hash(sealed, 4, names)
    assert sealed.sha256 != rounds.sealed_hash(sealed, 3, names[::-1])


def test_a_round_is_sealed_once(sealed, lead):
    with pytest.raises(WrongMove):
        rounds.seal(sealed, by=lead, now=NOON)
    assert sealed.exhibits.count() == 3


@pytest.mark.parametrize("column", ["rubric", "rules", "seed", "title"])
def test_the_database_refuses_changes_of_a_sealed_round(sealed, column):
    with pytest.raises(DatabaseError), transaction.atomic():
        JudgingRound.objects.filter(pk=sealed.pk).update(**{column: "other"})


def test_a_draft_can_be_changed(lights, lead):
    made = draft(lights, lead)
    assert JudgingRound.objects.filter(pk=made.pk).update(title="Other") == 1


def test_judgements_are_no_answers_to_the_item(sealed, experts):
    before = list(Annotation.objects.values_list("pk", flat=True))
    working.begin(sealed, by=experts[0], now=NOON)
    assert list(Annotation.objects.values_list("pk", flat=True)) == before
    assert Annotation.with_trials.filter(exhibit__round=sealed).count() == 3
    assert not Response.objects.filter(annotation__exhibit__isnull=False).exists()
    assert Exhibit.objects.filter(judgements__author=experts[0]).count() == 3


ONE_MORE = (
    "INSERT INTO annotation_exhibit (round_id, place, item_id, turn, responses, use, shown, sha256)"
    " SELECT %s, 99, item_id, 99, 0, 'drawn', shown, sha256 FROM annotation_exhibit WHERE round_id = %s AND place = 0"
)


def run(statement: str, *values: object) -> int:
    """How many rows it was about."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)


def test_the_database_takes_no_exhibit_into_a_sealed_round_and_gives_none_away(sealed, lights, lead):
    with pytest.raises(DatabaseError, match="sealed_exhibits"):
        run(ONE_MORE, sealed.pk, sealed.pk)
    with pytest.raises(DatabaseError, match="exhibit_delete"):
        run("DELETE FROM annotation_exhibit WHERE round_id = %s AND place = 2", sealed.pk)
    with pytest.raises(DatabaseError, match="exhibit_update"):
        run("UPDATE annotation_exhibit SET use = 'spare' WHERE round_id = %s AND place = 2", sealed.pk)
    assert sealed.exhibits.count() == 3
    assert run(ONE_MORE, draft(lights, lead).pk, sealed.pk) == 1


def test_a_round_that_could_not_be_sealed_has_no_exhibits(lights, lead, monkeypatch):
    row = draft(lights, lead)

    def refused(*args, **kwargs):
        raise WrongMove("No.")

    monkeypatch.setattr(rounds.state_machine, "move", refused)
    with pytest.raises(WrongMove):
        rounds.seal(row, by=lead, now=NOON)
    assert not row.exhibits.exists()
