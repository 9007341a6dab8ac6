"""The human upper bound of a project: measured from the record, kept for its page, with all that is not in it."""

from __future__ import annotations

import gzip
import io
import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command

from annotation.engine import exclusion
from annotation.models import Item, Purpose
from annotation.parsing.scored_files import read_rows
from annotation.processes import children
from annotation.protocols.nq import human, scoring
from tasks import jobs
from tasks.engine import assignments, queues
from tasks.measuring import figures, human_bound
from tasks.models import HumanFigures
from tests.builders import GOOD, Worker, load, open_with, project, questions, reload
from tests.factories.record import AnnotationFactory
from tests.people import NOON, join

SCORED = "scored/nq/gold.jsonl.gz"
LATER = NOON + timedelta(minutes=1)


def answer(worker, box, *, now=NOON):
    """Claim a question and choose a box of its page, without a short answer; None says that there is no answer."""
    if box is None:
        return worker.finish_without_answer(now=now)
    held = worker.claim(now=now)
    worker.commit(held, "question", GOOD, now=now)
    worker.commit(held, "long_answer", {"kind": "box", "candidate": box, "quote": quote_of(held, box)}, now=now)
    worker.commit(held, "short_answer", {"kind": "none"}, now=now)
    return reload(held)


def quote_of(held, box):
    [found] = [one for one in assignments.work_of(reload(held)).sheet("long_answer").boxes if one.index == box]
    return found.excerpt[:200]


@pytest.fixture
def lights(nq, tmp_path):
    """One development question, to be answered by five."""
    open_with(nq, tmp_path, questions(1, split="dev"))
    return nq


def everybody(into, *boxes):
    return [answer(Worker(join(into, f"person-{n}"), into), box) for n, box in enumerate(boxes)]


def of(measured, key, split="dev"):
    return measured["splits"][split]["figures"][key]


def test_our_own_annotations_are_measured_like_published_ones(lights):
    """Boxes 0, 0, 0, 1 and null: P = 3/4 and R = 3/5, as by hand."""
    everybody(lights, 0, 0, 0, 1, None)
    measured = human_bound.measure(lights)
    assert list(measured["splits"]) == ["dev"]
    assert of(measured, "single.long_precision")["value"] == pytest.approx(3 / 4)
    assert of(measured, "single.long_recall")["value"] == pytest.approx(3 / 5)
    assert of(measured, "single.long_f1")["n"] == [1, 5]
    assert measured["splits"]["dev"]["why_not"]["super"] == {"code": "super_needs_six", "numbers": {"n": 5}}


def test_the_scored_questions_give_the_same_figures_through_the_record(nq, shared):
    load(nq, shared / SCORED, published=True, split="dev")
    gold = scoring.gold_labels(read_rows(shared / SCORED))
    wanted = human.measure([human.Question(str(name), tuple(labels)) for name, labels in gold.items()], "")
    measured = human_bound.measure(nq)
    assert len(measured["splits"]["dev"]["figures"]) == 8
    for key, figure in wanted.figures.items():
        assert of(measured, key)["value"] == pytest.approx(figure.estimate.value, abs=1e-12)
        assert of(measured, key)["n"] == list(figure.counts)


def test_the_real_question_by_hand(nq, shared):
    """Three nulls and two annotators with the same box: with one of the two held out nothing is answerable."""
    load(nq, shared / "nq" / "nq-dev-00.jsonl.gz", published=True)
    measured = human_bound.measure(nq)
    assert of(measured, "single.long_recall")["value"] == 0
    assert of(measured, "single.long_precision")["value"] == 0
    assert of(measured, "single.short_accuracy")["value"] == 4 / 5


def test_dialogues_give_the_figures_of_the_script_through_the_record(db, shared):
    talks = project("talks", "coqa")
    load(talks, shared / "scored" / "coqa" / "gold.json", published=True, split="dev")
    printed = json.loads((shared / "scored" / "coqa" / "expected.json").read_bytes())["human"]
    measured = human_bound.measure(talks)
    for domain, row in printed.items():
        assert round(100 * of(measured, f"f1.{domain}")["value"], 1) == row["f1"]
        assert round(100 * of(measured, f"em.{domain}")["value"], 1) == row["em"]


def test_papers_give_the_figures_of_the_evaluator_through_the_record(db, shared):
    papers = project("papers", "qasper")
    load(papers, shared / "scored" / "qasper" / "gold.json", published=True, split="test")
    row = json.loads((shared / "scored" / "qasper" / "expected.json").read_bytes())["leave_one_out"]
    measured = human_bound.measure(papers)
    for key, value in row["at_least_3_references"]["per_question"].items():
        assert of(measured, f"all.{key}", "test")["value"] == pytest.approx(value, abs=1e-12)


def test_questions_that_lack_annotations_are_counted_and_not_measured(lights):
    everybody(lights, 0, 0, 0, 1)
    measured = human_bound.measure(lights)
    assert measured["not_measured"]["incomplete"] == 1
    assert measured["splits"][human_bound.ALL]["why_not"]["single"]["code"] == "nothing"


def test_excluded_late_unfinished_and_checking_work_is_counted_and_not_measured(lights, lena):
    works = everybody(lights, 0, 0, 0, 1, None)
    item = Item.objects.get(project=lights)
    exclusion.exclude(lights, uuids=[works[3].annotation.uuid], by=lena, reason="not read", now=NOON)
    for number, (purpose, columns) in enumerate(
        [
            (Purpose.CHECK, {"completed_at": NOON}),
            (Purpose.QUIZ, {"completed_at": NOON}),
            (Purpose.STUDY, {"completed_at": NOON}),
            (Purpose.WORK, {"completed_at": NOON, "excluded_at": NOON, "exclusion_reason": "late"}),
            (Purpose.WORK, {}),
        ]
    ):
        author = join(lights, f"other-{number}")
        AnnotationFactory(item=item, author=author, purpose=purpose, **columns)
    measured = human_bound.measure(lights)
    assert measured["not_measured"] == {
        "incomplete": 1,  # it lacks the excluded one
        "unfinished": 1,
        "excluded": 1,
        "late": 1,
        "checks": 1,
        "exams": 1,
        "studies": 1,
    }
    exclusion.restore(lights, uuids=[works[3].annotation.uuid], by=lena, reason="read", now=LATER)
    assert of(human_bound.measure(lights), "single.long_f1")["n"] == [1, 5]


def test_splits_are_measured_apart_and_together(nq, shared, tmp_path):
    lines = gzip.decompress((shared / SCORED).read_bytes()).splitlines(keepends=True)
    for place, split in enumerate(("dev", "test", "train")):
        path = tmp_path / f"nq-{split}-00.jsonl.gz"
        path.write_bytes(gzip.compress(b"".join(lines[3 * place : 3 * place + 3])))
        load(nq, path, published=True)
    measured = human_bound.measure(nq)
    assert list(measured["splits"]) == [human_bound.ALL, "dev", "test", "train"]
    assert of(measured, "single.long_f1", human_bound.ALL)["n"] == [9, 45]
    assert of(measured, "single.long_f1", "train")["n"] == [3, 15]


def test_work_of_ours_and_published_annotations_are_compared_by_what_they_mark(nq, shared, tmp_path):
    """Four published annotations with the first box, and one of ours: all five are the same box."""
    record = json.loads(gzip.decompress((shared / "nq" / "nq-dev-00.jsonl.gz").read_bytes()))
    box = record["long_answer_candidates"][0] | {"candidate_index": 0}
    del box["top_level"]
    chosen = {"long_answer": box, "short_answers": [], "yes_no_answer": "NONE"}
    record["annotations"] = [chosen | {"annotation_id": number} for number in range(1, 5)]
    path = tmp_path / "nq-dev-00.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(record).encode()))
    load(nq, path, published=True)
    queues.open_queue(nq, "annotate", by=None, now=NOON)
    answer(Worker(join(nq, "somebody"), nq), 0)
    measured = human_bound.measure(nq)
    assert of(measured, "single.long_f1")["value"] == 1
    assert of(measured, "single.long_f1")["n"] == [1, 5]


def test_the_job_keeps_the_figures_and_measures_again_when_something_has_happened(lights):
    assert jobs.measure_human_bounds() == 1
    assert human_bound.of_page(lights).values["splits"][""]["figures"] == {}
    everybody(lights, 0, 0, 0, 1, None)
    HumanFigures.objects.update(measured_at=NOON, seconds=0)
    assert human_bound.measure_due(now=LATER) == 1
    kept = human_bound.of_page(lights)
    assert kept.measured_at == LATER
    assert of(kept.values, "single.long_recall")["value"] == pytest.approx(3 / 5)
    assert human_bound.measure_due(now=LATER) == 0


def test_a_measurement_that_took_long_is_not_repeated_soon(lights, monkeypatch):
    monkeypatch.setattr(figures, "QUICK", 60)
    human_bound.measure_due(now=NOON)
    HumanFigures.objects.update(seconds=30)
    everybody(lights, 0)
    assert human_bound.measure_due(now=NOON + timedelta(minutes=9)) == 0
    assert human_bound.measure_due(now=NOON + timedelta(minutes=10)) == 1


def test_what_is_not_small_is_measured_in_a_process_of_its_own(lights, monkeypatch):
    started = []

    def run(command, **how):
        started.append(command[2:])
        call_command(*command[2:], stdout=io.StringIO())

    monkeypatch.setattr(children, "run", run)
    monkeypatch.setattr(figures, "SMALL", 1)
    everybody(lights, 0, 0)
    assert jobs.measure_human_bounds() == 1
    assert started == [["human_bound", "--keep", lights.slug]]
    assert human_bound.of_page(lights) is not None


def test_figures_of_an_older_version_are_measured_again(lights):
    everybody(lights, 0, 0, 0, 1, None)
    human_bound.keep(lights, now=LATER)
    assert human_bound.measure_due(now=LATER) == 0
    kept = HumanFigures.objects.get()
    del kept.values["method"]
    kept.save()
    assert human_bound.measure_due(now=LATER) == 1
    assert human_bound.measure_due(now=LATER) == 0


def printed(*arguments):
    out = io.StringIO()
    call_command("human_bound", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_prints_each_figure_beside_the_paper_s_and_what_is_missing(lights):
    everybody(lights, 0, 0, 0, 1, None)
    lines = {line.split()[0]: line for line in printed(lights.slug).splitlines()}
    figure = "0.750 - 0.804 1 questions, 5 annotations; too few for an interval"
    assert lines["single.long_precision"].split()[1:] == figure.split()
    assert "at least six" in lines["super"]
    assert "has more than 5" in lines["super"]
    assert json.loads(printed(lights.slug, "--json"))["splits"]["dev"]["figures"]["single.long_recall"]["value"] == 0.6
    assert human_bound.of_page(lights) is None
    printed(lights.slug, "--keep")
    assert human_bound.of_page(lights) is not None


def test_the_command_says_how_much_was_not_measured(lights):
    everybody(lights, 0, 0)
    assert "not measured: 1 incomplete" in printed(lights.slug)


def test_a_protocol_without_a_bound_has_none_and_the_job_passes_over_it(db):
    plain = project("paragraphs", "squad")
    with pytest.raises(CommandError, match="SQuAD has no human upper bound"):
        printed(plain.slug)
    assert human_bound.measure_due(now=NOON) == 0
