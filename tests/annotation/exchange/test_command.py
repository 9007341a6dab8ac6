"""The commands of imports read exports of other tools, too: recognised, or as their options say."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from tests.annotation.exchange.exports import ASKED, HOLT, TEXT, collection, mark, questions_of, task
from tests.builders import project


@pytest.fixture
def squad(db):
    return project("switched", "squad")


def test_an_export_is_recognised_and_its_answers_come_along_with_import_release(squad, tmp_path, capsys):
    path = tmp_path / "project-3.json"
    path.write_text(json.dumps([task([mark(*HOLT, "Anna Holt")])]))
    call_command("import_release", squad.slug, str(path))
    said = capsys.readouterr()
    assert "Read as an export of Label Studio, with what is asked in the field question." in said.err
    assert "Imported 2 items with 1 annotation into switched." in said.out
    assert questions_of(squad) == {ASKED: ["38:Anna Holt"]}


def test_options_say_what_is_the_question_and_which_marks_are_answers(squad, tmp_path, capsys):
    path = collection(tmp_path, m_txt=TEXT, m_ann="T1\tAnswer 38 47\tAnna Holt\nT2\tHint 4 8\tmill\n")
    call_command("import_release", squad.slug, str(path), prompt="Who?", label="Answer", split="dev")
    assert questions_of(squad) == {"Who?": ["38:Anna Holt"]}
    assert "Marks with the label Hint were left out." in capsys.readouterr().out


def test_import_items_leaves_the_answers_out(squad, tmp_path):
    path = tmp_path / "all.jsonl"
    path.write_text(json.dumps({"text": TEXT, "frage": ASKED, "label": [[4, 8, "A"]]}))
    call_command("import_items", squad.slug, str(path), prompt_field="frage")
    assert questions_of(squad) == {ASKED: []}


def test_an_option_that_can_not_be_meant_is_refused_in_a_sentence(squad, tmp_path):
    path = tmp_path / "all.jsonl"
    path.write_text(json.dumps({"text": TEXT, "label": []}))
    with pytest.raises(CommandError, match="prompt has 10,001 characters; the limit is 10,000"):
        call_command("import_items", squad.slug, str(path), prompt="q" * 10_001)
