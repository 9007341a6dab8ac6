"""Another release of data that is in a project is refused: its annotations have other ids and would come in twice."""

from __future__ import annotations

import json

import pytest

from annotation.errors import ImportRefused
from annotation.imports import run
from annotation.models import Annotation, Item
from tests.builders import load, project, write_lines
from tests.protocols.coqa.builders import dialogue, file_of
from tests.protocols.coqa.builders import question as turn
from tests.protocols.nq.builders import annotation, original
from tests.protocols.qasper.builders import answer, paper, question

SENTENCE = "This is another release of data that .* has imported: .* every annotation would come in a second time"


def coqa(n, **fields):
    return file_of(dialogue(games=2, id=f"{n:040x}", **fields))


def nq(n, **fields):
    said = [annotation(1000 * n + place) for place in range(2)]
    return [original(annotations=said, **fields)]


def qasper(n, **fields):
    said = [answer(1000 * n, f"{n:040x}"), answer(1000 * n + 1, f"{n + 1:040x}", extractive_spans=["kelp"])]
    return {"a": paper(qas=[question(1, question_writer=f"{n:040x}", answers=said, **fields)])}


FILES = {
    "coqa": ("coqa-dev-v1.0.json", coqa),
    "nq": ("nq-dev-00.jsonl", nq),
    "qasper": ("qasper-dev-v0.3.json", qasper),
}


def bring(into, folder, made):
    """Import what is to stand in a file of that project's protocol."""
    name = FILES[into.protocol][0]
    path = folder / name
    if name.endswith(".jsonl"):
        write_lines(path, made)
    else:
        path.write_text(json.dumps(made))
    return load(into, path, published=True)


@pytest.mark.parametrize("key", FILES)
def test_another_release_of_what_is_there_is_refused_with_the_reason(db, tmp_path, key):
    make, made = FILES[key][1], project("taken", key)
    bring(made, tmp_path, make(1))
    before = (Item.objects.count(), Annotation.objects.count())
    with pytest.raises(ImportRefused, match=SENTENCE) as refused:
        bring(made, tmp_path, make(2))
    assert not isinstance(refused.value, run.LinesRefused)
    assert (Item.objects.count(), Annotation.objects.count()) == before
    assert (
        bring(project("another", key), tmp_path, make(2)).annotations
        == bring(project("third", key), tmp_path, make(1)).annotations
    )


@pytest.mark.parametrize("key", FILES)
def test_the_same_release_is_taken_in_again_without_a_change(db, tmp_path, key):
    make, made = FILES[key][1], project("taken", key)
    first = bring(made, tmp_path, make(1))
    again = bring(made, tmp_path, make(1))
    assert (again.items, again.adopted) == (0, first.items)


def test_other_data_with_the_same_answers_or_texts_is_taken_in(db, tmp_path):
    questions = project("questions")
    bring(questions, tmp_path, nq(1))
    assert bring(questions, tmp_path, nq(2, example_id=77)).items == 1
    assert bring(questions, tmp_path, nq(3, example_id=78, question_text="who was its keeper")).items == 1
    talks = project("talks", "coqa")
    bring(talks, tmp_path, coqa(1))
    other = [*dialogue()["questions"][:-1], turn(10, "And what else?")]
    assert bring(talks, tmp_path, coqa(2, questions=other)).items == 2


def test_a_release_that_lacks_some_annotations_is_recognised_too(db, tmp_path):
    made = project("taken")
    bring(made, tmp_path, nq(1))
    fewer = nq(2)
    fewer[0]["annotations"] = fewer[0]["annotations"][:1]
    with pytest.raises(ImportRefused, match=SENTENCE):
        bring(made, tmp_path, fewer)
