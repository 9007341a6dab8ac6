"""The human upper bound by domain: what evaluate-v1.0.py --human prints, with intervals over passages."""

import json

import pytest

from annotation.protocols.coqa.human import HUMAN
from tests.protocols.coqa.builders import answer, dialogue, file_of, game, read_release, record_of, records_of, talk


def measured(*records):
    return HUMAN.measure([HUMAN.part(record, "seed") for record in records], "seed")


def of_file(*dialogues):
    return measured(*records_of(read_release(file_of(*dialogues), split="dev")))


@pytest.fixture(scope="module")
def scored(shared):
    folder = shared / "scored" / "coqa"
    gold = json.loads((folder / "gold.json").read_bytes())
    printed = json.loads((folder / "expected.json").read_bytes())["human"]
    return measured(*records_of(read_release(gold, split="dev"))), printed


def test_the_figures_are_those_that_the_script_prints(scored):
    found, printed = scored
    for domain, row in printed.items():
        for metric in ("em", "f1"):
            assert round(100 * found.figures[f"{metric}.{domain}"].estimate.value, 1) == row[metric]
        assert found.figures[f"f1.{domain}"].counts[1] == row["turns"]


def test_each_has_its_interval_and_what_it_was_measured_on(scored):
    found, _printed = scored
    overall, counts = found.figures["f1.overall"]
    assert 0.6 < overall.low < overall.value < overall.high < 0.9
    assert counts == (14, 94, 4 * 94 + 4)  # one dialogue of four turns has a fifth answer
    reddit, counts = found.figures["f1.reddit"]
    assert reddit.n == counts[0] < 14
    assert reddit.is_too_few
    assert found.why_not == {}


def test_the_published_figures_are_those_of_the_paper():
    published = HUMAN.published
    assert (published["f1.in_domain"], published["f1.out_domain"], published["f1.overall"]) == (0.894, 0.874, 0.888)
    assert not any(key.startswith("em.") for key in published)


def test_by_hand_of_one_turn():
    """Anna / Anna Holt / Holt: the best F1 of each against the others is 2/3, and no two are equal."""
    turns = [answer(1, "Anna")]
    games = {"0": [answer(1, "Anna Holt")], "1": [answer(1, "Holt")]}
    found = of_file(dialogue(1) | {"answers": turns, "additional_answers": games})
    assert found.figures["f1.wikipedia"].estimate.value == pytest.approx(2 / 3)
    assert found.figures["em.overall"].estimate.value == 0
    assert found.figures["f1.overall"].counts == (1, 1, 3)
    assert found.figures["f1.overall"].estimate.low is None
    assert "f1.news" not in found.figures


def test_sources_that_the_script_does_not_know_count_overall_and_in_a_row_of_their_own():
    known = dialogue(2, games=1, id="a", filename="a")
    other = dialogue(3, games=1, id="b", filename="b", source="recipes")
    found = of_file(known, other)
    assert found.figures["f1.other"].counts == (1, 3, 6)
    assert found.figures["f1.overall"].counts == (2, 5, 10)
    assert found.figures["f1.in_domain"].counts == (1, 2, 4)


def test_a_conversation_without_a_game_is_left_out_and_counted():
    played, alone = dialogue(2, games=1, id="a", filename="a"), dialogue(4, games=0, id="b", filename="b")
    found = of_file(played, alone)
    assert found.figures["f1.overall"].counts == (1, 2, 4)
    assert [(one.code, one.numbers) for one in found.left_out] == [("left_unplayed", {"n": 1})]


def test_without_any_game_it_says_why_there_is_no_figure(shared):
    data = json.loads((shared / "coqa" / "coqa-train-1dialogue.json").read_bytes())
    found = measured(*records_of(read_release(data, split="train")))
    assert found.figures == {}
    assert {group: (one.code, one.numbers) for group, one in found.why_not.items()} == {
        "f1": ("unplayed", {"n": 1}),
        "em": ("unplayed", {"n": 1}),
    }
    assert {one.code for one in measured().why_not.values()} == {"nothing"}


def test_conversations_and_games_of_ours_count_and_those_that_are_too_short_do_not():
    one = record_of(talk(), split="dev", games={0: [game(text="Anna"), game(text="Anna", number=101)]})
    short = record_of(talk(turns=4), split="dev", games={0: [game(turns=4)]})
    found = measured(one, short)
    assert found.figures["em.overall"].estimate.value == 1
    assert found.figures["em.overall"].counts == (1, 10, 30)


def test_games_that_lack_a_turn_do_not_count():
    found = measured(record_of(talk(), split="dev", games={0: [game(turns=9)]}))
    assert {one.code for one in found.why_not.values()} == {"unplayed"}
