"""Through the database and back: published files come out as they went in, and our conversations are released."""

import json
from dataclasses import replace
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from annotation import randomness, registry, releases
from annotation.errors import ReleaseRefused
from annotation.models import Annotation, Item
from annotation.protocols.coqa import writing
from annotation.releases import job, rebuild
from frontend.leads.releases import listed
from tasks.engine import assignments, claiming, queues, submitting
from tasks.engine.no_work import NoWork
from tasks.pairs import matching
from tests.builders import load, project, reload, write_lines
from tests.people import NOON, join
from tests.protocols.coqa.builders import STORY, answer, dialogue, file_of, question


@pytest.fixture
def talks(db):
    return project("talks", "coqa")


def take_in(into, tmp_path, data, name="coqa-dev-v1.0.json", **options):
    path = tmp_path / name
    path.write_text(json.dumps(data))
    return load(into, path, **options)


def released(from_, **options):
    """The files of a release by name, as JSON, and its manifest."""
    release = releases.build(from_, format="coqa", by=None, now=NOON, **options)
    manifest = releases.manifest_of(release)
    folder = releases.folder_of(release)
    return {entry["name"]: json.loads((folder / entry["name"]).read_bytes()) for entry in manifest["files"]}, manifest


def test_the_real_dialogue_comes_out_as_it_went_in_with_its_keys_in_order(talks, shared, tmp_path):
    path = shared / "coqa/coqa-train-1dialogue.json"
    call_command("import_release", talks.slug, str(path), "--split", "train", stdout=StringIO())
    said = StringIO()
    call_command("export_release", talks.slug, "--format", "coqa", "--out", str(tmp_path / "out"), stdout=said)
    [written] = (tmp_path / "out").rglob("coqa-train-v1.0.json")
    assert json.dumps(json.loads(written.read_bytes())) == json.dumps(json.loads(path.read_bytes()))


def test_a_file_with_additional_answers_comes_out_as_it_went_in(talks, shared, tmp_path):
    data = json.loads((shared / "scored/coqa/gold.json").read_bytes())
    report = take_in(talks, tmp_path, data, published=True)
    assert report.items == 28
    assert Annotation.objects.filter(activity="guess").count() == 3 * 14 + 1
    files, manifest = released(talks)
    assert json.dumps(files) == json.dumps({"coqa-dev-v1.0.json": data})
    assert manifest["files"][0]["records"] == 14


def test_odd_dialogues_come_out_as_they_went_in(talks, tmp_path):
    odd = dialogue(
        3,
        id="odd",
        name="Other.txt",
        story=f"\n{STORY}\r\n",
        questions=[question(1, " Who?\t", bad_turn="true"), question(2, "é🦊\u00a0"), question(3)],
        answers=[answer(1, "unknown"), answer(2, "unknown", "", bad_turn="true"), answer(3, span_start=99)],
        additional_answers={str(n): [answer(1), answer(2, "yes"), answer(3, "\u3000")] for n in range(4)},
        zone={"b": [1, None], "a": 0.5},
    )
    data = file_of(dialogue(12, games=3), odd, dialogue(2, id="none", games=0))
    report = take_in(talks, tmp_path, data, published=True)
    assert any("in turn 3 the answer has the rationale" in note for _line, note, _count in report.notes)
    assert released(talks)[0] == {"coqa-dev-v1.0.json": data}


def test_the_same_file_can_be_imported_twice(talks, tmp_path):
    data = file_of(dialogue(2, games=3))
    take_in(talks, tmp_path, data, published=True)
    take_in(talks, tmp_path, data, published=True)
    assert (Item.objects.count(), Annotation.objects.count()) == (2, 4)


def test_a_refused_dialogue_refuses_the_file_and_names_its_field(talks, tmp_path):
    path = tmp_path / "coqa-dev-v1.0.json"
    path.write_text(json.dumps(file_of(dialogue(2), dialogue(2, id="b", answers=[answer(2), answer(1)]))))
    said = StringIO()
    with pytest.raises(Exception, match="refused"):
        call_command("import_release", talks.slug, str(path), stdout=said, stderr=said)
    assert "answers[0].turn_id" in said.getvalue()
    assert Item.objects.count() == 0


def span(words):
    start = STORY.index(words)
    return {"passage": 0, "start": start, "end": start + len(words), "quote": words}


def said_by(seat, turn, last):
    """What that seat says in a turn; after the last one the questioner ends."""
    if seat == "questioner":
        if turn > last:
            return f"question-{turn}", {"kind": "ended", "why": "done"}
        return f"question-{turn}", {"kind": "asked", "text": f"Who built it, {turn}?"}
    if turn > last:
        return f"closing-{turn}", {"agreed": True}
    return f"answer-{turn}", {"kind": "answered", "text": f"Anna, {turn}", "rationale": span("Anna Holt")}


def commit(held, step, payload, now=NOON):
    row = reload(held)
    seen = assignments.work_of(row).seen_at(step)
    submitting.commit(row, step, payload, by=row.annotator, now=now, key=randomness.handle(), seen=seen)


def converse(into, turns=10):
    """A conversation between ann and tom with so many answered turns, ended by agreement."""
    queues.open_queue(into, "converse", by=None, now=NOON)
    held = {row.seat: row for row in matching.seat(into, "converse", [join(into, "ann"), join(into, "tom")], now=NOON)}
    for turn in range(1, turns + 2):
        for seat in ("questioner", "answerer"):
            commit(held[seat], *said_by(seat, turn, turns))
    return Annotation.objects.get(activity="converse")


def play(into, name, now, turns=10):
    """A game that ends after so many turns."""
    held = claiming.claim(into, "guess", by=join(into, name), now=now)
    for turn in range(1, turns + 1):
        commit(held, f"guess-{turn}", {"kind": "answered", "text": name, "rationale": span("Anna Holt")}, now)
        commit(held, f"verdict-{turn}", {"verdict": "no_match"}, now)


def passages(into, tmp_path, split):
    line = {"id": "p1", "domain": "wikipedia", "filename": "Skerrow.txt", "story": STORY, "split": split}
    load(into, write_lines(tmp_path / "passages.jsonl", [line]))


def test_a_training_conversation_is_released_without_additional_answers(talks, tmp_path):
    passages(talks, tmp_path, "train")
    converse(talks)
    files, manifest = released(talks)
    [found] = files["coqa-train-v1.0.json"]["data"]
    assert list(found) == ["source", "id", "filename", "story", "questions", "answers", "name"]
    assert [one["turn_id"] for one in found["questions"]] == list(range(1, 11))
    assert found["answers"][9]["input_text"] == "Anna, 10"
    assert manifest["counts"]["train"]["root_annotations"] == 1


def test_three_games_make_a_development_conversation_that_the_scorer_reads(talks, tmp_path):
    passages(talks, tmp_path, "dev")
    converse(talks)
    queues.open_queue(talks, "guess", by=None, now=NOON)
    for minute, name in enumerate(("bob", "cleo", "dora")):
        play(talks, name, NOON + timedelta(minutes=minute))
    assert isinstance(claiming.claim(talks, "guess", by=join(talks, "ann"), now=NOON), NoWork)
    release = releases.build(talks, format="coqa", by=None, now=NOON)
    path = releases.folder_of(release) / "coqa-dev-v1.0.json"
    [found] = json.loads(path.read_bytes())["data"]
    assert [answers[4]["input_text"] for answers in found["additional_answers"].values()] == ["bob", "cleo", "dora"]
    printed = StringIO()
    call_command("score", "coqa", "--gold", str(path), "--human", stdout=printed)
    assert json.loads(printed.getvalue())["overall"] == {"em": 0.0, "f1": 0.0, "turns": 10}
    (tmp_path / "again").mkdir()
    rebuild.rebuild(release, tmp_path / "again")
    assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_a_report_has_conversations_that_nobody_has_played_beside_the_published_figures(talks, tmp_path):
    passages(talks, tmp_path, "dev")
    converse(talks, turns=11)
    printed = StringIO()
    call_command("report", talks.slug, "--json", stdout=printed)
    found = json.loads(printed.getvalue())
    assert (found["figures"]["turns_per_conversation"], found["published"]["turns_per_conversation"]) == (11, 15.2)
    assert (found["figures"]["solo"], found["figures"]["partial"]) == (0, 0)
    assert job.counted_preview(talks, format="coqa", partial=True)["members"] == 0
    with pytest.raises(ReleaseRefused, match=r"Nothing to release.* is left out: it has no additional answers\."):
        released(talks, partial=True)


def test_a_split_whose_conversations_are_all_left_out_has_no_file_and_the_card_says_so(talks, tmp_path):
    passages(talks, tmp_path, "dev")
    converse(talks)
    take_in(talks, tmp_path, file_of(dialogue()), name="coqa-train-v1.0.json", published=True)
    files, manifest = released(talks, partial=True)
    assert list(files) == ["coqa-train-v1.0.json"]
    assert "is left out: it has no additional answers" in json.dumps(manifest["notes"])
    card = (releases.folder_of(talks.releases.get()) / "README.md").read_text()
    assert "There is no file of the split dev, since it would have no rows." in card
    assert "| train | 1 passage, 1 conversation | 1 | 1: 1 |" in card
    assert "| dev | 1 annotation | the format has no place for them, as the notes in the manifest say |" in card
    assert {split: one["items"] for split, one in manifest["counts"].items()} == {"dev": 0, "train": 1}
    assert job.counted_preview(talks, format="coqa", partial=True)["counts"] == manifest["counts"]
    [row] = listed.releases_of(talks)
    assert (row.items, row.annotations) == (1, 1)


def test_passages_are_chosen_from_the_command_line(talks, tmp_path):
    raw = write_lines(tmp_path / "raw.jsonl", [{"id": "p1", "domain": "wikipedia", "story": STORY}])
    printed = StringIO()
    call_command("choose_items", "coqa", str(raw), str(tmp_path / "kept.jsonl"), "--finder", "rules", stdout=printed)
    assert "Kept 0 of 1" in printed.getvalue()
    assert "words: 19 of 60; entities: 2 of 3" in printed.getvalue()


def test_its_format_is_named_after_it_is_the_default_and_has_its_former_key_too(talks, shared, tmp_path):
    load(talks, shared / "coqa/coqa-train-1dialogue.json", published=True, split="train")
    for named in (["--format", "coqa"], ["--format", "v1.0"], []):
        call_command("export_release", talks.slug, *named, stdout=StringIO())
    rows = talks.releases.order_by("version")
    assert [row.recipe["format"] for row in rows] == ["coqa"] * 3
    first, *others = [releases.manifest_of(row)["files"] for row in rows]
    assert others == [first, first]


def test_a_release_under_the_former_key_is_rebuilt(talks, shared, tmp_path, monkeypatch):
    load(talks, shared / "coqa/coqa-train-1dialogue.json", published=True, split="train")
    older = replace(writing.FORMATS[0], key="v1.0", former=())
    with monkeypatch.context() as then:
        then.setattr(type(registry.get("coqa")), "formats", (older,))
        then.setattr(writing, "FORMATS", (older,))
        release = releases.build(talks, format="v1.0", by=None, now=NOON)
    assert release.recipe["format"] == "v1.0"
    again = tmp_path / "again"
    again.mkdir()
    rebuild.rebuild(release, again)


@pytest.mark.parametrize(
    ("version", "said"), [({}, ["The file has no version; a release says 1.0."]), ({"version": "1.0"}, [])]
)
def test_a_published_file_without_a_version_is_told(talks, shared, tmp_path, version, said):
    data = json.loads((shared / "coqa/coqa-train-1dialogue.json").read_bytes())
    report = take_in(talks, tmp_path, {**version, "data": data["data"]}, published=True, split="train")
    assert [text for _line, text, _count in report.notes if "version" in text] == said
