"""A person at the screens of SQuAD in Chromium; all paragraphs have the same text, so any of them will do."""

from __future__ import annotations

import json

from playwright.sync_api import Page

from tests import signed_in
from tests.browser import record
from tests.site import Site
from tests.waiting.settled import keys, ready

TEXT = (
    "The 🦊 lighthouse of Skerrow was built in 1871 by Anna Holt, who had studied in Edinburgh. "
    "Its light can be seen from 19 nautical miles away. In 1964 it became automatic."
)
QUESTION = "Who was the architect?"
ENOUGH = 40
"""Number of paragraphs: more than all tests together lease at once."""


def furnish(site: Site, activity: str, text: str = TEXT, *, kind: str = "paragraphs") -> str:
    """Create the project of a kind for an activity when a test first needs it; return its name."""
    slug = f"{kind}-{activity}"
    path = site.folder / f"{slug}.json"
    if not path.exists():
        paragraphs = [
            {
                "context": text,
                "qas": [{"question": QUESTION, "id": f"{number:024x}"}] if activity == "answer" else [],
            }
            for number in range(ENOUGH)
        ]
        data = [{"title": "Skerrow_lighthouse", "paragraphs": paragraphs}]
        path.write_text(json.dumps({"version": "v2.0", "data": data}))
        site.manage("create_project", slug, "--protocol", "squad", "--title", "Questions about paragraphs")
        site.manage("import_items", slug, str(path), "--split", "dev")
        site.manage("open_queue", slug, "--activity", activity)
    return slug


class ParagraphDesk:
    """One person in one browser page, at an activity of a project of its own. Nobody else works under the name."""

    def __init__(
        self, site: Site, page: Page, name: str, activity: str, text: str = TEXT, *, kind: str = "paragraphs"
    ) -> None:
        self.site, self.page, self.name = site, page, f"{name}-{activity}"
        self.stage = {"ask": "questions", "answer": "answer"}[activity]
        self.slug, self.activity = furnish(site, activity, text, kind=kind), activity

    def begin(self) -> ParagraphDesk:
        """Come signed in, having agreed to the consent text, and take up the first paragraph or question."""
        signed_in.take_up(self.site, self.page, self.slug, self.activity, self.name)
        return self.ready()

    def ready(self) -> ParagraphDesk:
        """Wait until the screen handles keys."""
        self.page.locator(f"#screen[data-stage='{self.stage}'][data-started]").wait_for()
        ready(self.page)
        return self

    def press(self, *names: str) -> ParagraphDesk:
        """Press keys, one after the other."""
        keys(self.page).press(*names)
        return self

    def box(self, words: str) -> tuple[float, float, float]:
        """Where words of the paragraph are on the page: left, right, and the middle of their height."""
        found: tuple[float, float, float] = self.page.locator("[data-passage]").evaluate(
            """(element, words) => {
              const [text] = element.childNodes;
              const at = text.data.indexOf(words);
              const range = new Range();
              range.setStart(text, at);
              range.setEnd(text, at + words.length);
              const box = range.getBoundingClientRect();
              return [box.left, box.right, box.top + box.height / 2];
            }""",
            words,
        )
        return found

    def mark(self, words: str) -> ParagraphDesk:
        """Drag over words with the mouse, and add them."""
        ready(self.page)
        left, right, y = self.box(words)
        left, right = left + 3, right - 3
        mouse = self.page.mouse
        mouse.move(left, y)
        mouse.down()
        mouse.move((left + right) / 2, y, steps=3)
        mouse.move(right, y, steps=3)
        mouse.up()
        self.page.get_by_role("button", name="Add these words").click()
        return self

    def saved(self) -> ParagraphDesk:
        """Wait until the server has the draft."""
        self.page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
        return self

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
