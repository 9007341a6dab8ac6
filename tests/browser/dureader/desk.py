"""A writer at the screens of DuReader in Chromium; all questions of a type are the same, so any of them will do."""

from __future__ import annotations

import json

from playwright.sync_api import Locator, Page, expect

from tests import signed_in
from tests.browser import record
from tests.site import Site
from tests.waiting.settled import keys, ready

QUESTION = "which towns on the coast have a lighthouse"
DOCUMENTS = [
    {"title": "Lights of the coast", "paragraphs": ["Skerrow has one, built in 1871.", "So has Borgen."]},
    {"title": "灯塔 - Questions and answers", "paragraphs": ["Skerrow and Vik. 斯凯罗有一座灯塔。"]},
    {"title": "What a keeper does", "paragraphs": ["A keeper lights the lamp every evening."]},
]
ENOUGH = 30
"""Number of questions: more than all tests together lease at once."""


def furnish(site: Site, question_type: str) -> str:
    """Create the project for a type of question ("" if its writers say it) when first needed; return its name."""
    slug = f"documents-{question_type.lower().replace('_', '-') or 'untyped'}"
    path = site.folder / f"{slug}.json"
    if not path.exists():
        line = {"question": QUESTION, "documents": DOCUMENTS}
        if question_type:
            line |= {"question_type": question_type, "fact_or_opinion": "FACT"}
        lines = [json.dumps(line | {"question_id": number}) for number in range(ENOUGH)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        site.manage("create_project", slug, "--protocol", "dureader", "--title", "Answers from documents")
        site.manage("import_items", slug, str(path), "--split", "dev")
        site.manage("open_queue", slug, "--activity", "compose")
    return slug


def answer(text: str, *, opinion: str | None = None, entities: tuple[str, ...] = ()) -> dict:
    """An answer as the record holds it."""
    return {"text": text, "opinion": opinion, "entities": list(entities)}


class DocumentsDesk:
    """One person in one browser page, at questions of one type. Nobody else works under the name."""

    def __init__(self, site: Site, page: Page, name: str, question_type: str) -> None:
        self.site, self.page, self.name = site, page, name
        self.stage = "answers" if question_type else "kind"
        self.slug = furnish(site, question_type)

    def begin(self) -> DocumentsDesk:
        """Come signed in, having agreed to the consent text, and take up a question."""
        signed_in.take_up(self.site, self.page, self.slug, "compose", self.name)
        return self.at(self.stage)

    def at(self, stage: str) -> DocumentsDesk:
        """Wait until the screen of a stage handles keys."""
        self.page.locator(f"#screen[data-stage='{stage}'][data-started]").wait_for()
        ready(self.page)
        return self

    def press(self, *names: str) -> DocumentsDesk:
        """Press keys, one after the other."""
        keys(self.page).press(*names)
        return self

    def type(self, text: str) -> DocumentsDesk:
        """Type where the focus is."""
        keys(self.page).type(text)
        return self

    def box(self, number: int) -> Locator:
        """The text of an answer."""
        return self.page.get_by_label(f"Answer {number}", exact=True)

    def row(self, number: int) -> Locator:
        """An answer with its opinion or its entities."""
        return self.page.locator(f"[data-row='{number}']")

    def entities(self, number: int) -> Locator:
        """The entities of an answer, as they are shown."""
        return self.row(number).locator("[data-entities] q")

    def select(self, number: int, words: str, *, cut: int = 0) -> DocumentsDesk:
        """Select words of an answer, without so many UTF-16 units at their end."""
        self.box(number).evaluate(
            """(box, [words, cut]) => {
              const at = box.value.indexOf(words);
              box.setSelectionRange(at, at + words.length - cut);
            }""",
            [words, cut],
        )
        return self

    def saved(self) -> DocumentsDesk:
        """Wait until the server has the draft."""
        self.page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
        return self

    def send(self) -> dict:
        """Send, wait for what comes next, and return the payload that was recorded last."""
        first = self.page.locator("#screen").get_attribute("data-work")
        self.press("Control+Enter")
        self.page.locator(f"#screen[data-started]:not([data-work='{first}'])").wait_for()
        return self.answers()[-1]

    def problem(self, sentence: str) -> None:
        """Expect this to be said to be wrong."""
        expect(self.page.locator("[data-problems]")).to_have_text(sentence)

    def answers(self) -> list[dict]:
        """The payloads that the record holds of this person, in order."""
        code = (
            "import json; from annotation.models import Response; "
            f"rows = Response.objects.filter(annotation__author__username={self.name!r}).order_by('pk'); "
            "print('ANSWERS', json.dumps([row.payload for row in rows]))"
        )
        return json.loads(self.site.manage("shell", "-c", code).split("ANSWERS", 1)[1])

    def lines(self) -> list[tuple[str, dict]]:
        """What the record holds of what this person's screens noticed: (kind, data), in order."""
        return record.lines(self.site, self.name)
