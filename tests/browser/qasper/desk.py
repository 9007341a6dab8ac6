"""A person at the screens of QASPER in Chromium; all papers have the same text, so any one will do."""

from __future__ import annotations

import json
import struct
import zlib

from playwright.sync_api import Locator, Page

from tests import signed_in
from tests.browser import record
from tests.site import Site
from tests.waiting.settled import keys, ready

TITLE = "Bells at Sea"
ABSTRACT = "We count the bells of $k = 5$ lighthouses BIBREF2. Sailors heard most of them. The records are released."
SECTIONS = [
    {
        "section_name": "Introduction",
        "paragraphs": [
            "Bells are old 🔔 BIBREF0. Anna Berg counted forty bells in 1901. Nobody has counted them since.",
            "A bell is heard if $p_i > \\tau $. It costs $5 or $9 and lasts $d(s, p)$. "
            "“It’s fog – or bells,” one log says.",
        ],
    },
    {
        "section_name": "Method ::: Counting",
        "paragraphs": ["Two keepers counted each bell. They agreed on 38 of them."],
    },
    {"section_name": "Method ::: Listening", "paragraphs": ["Sailors were asked in three harbours (Table 1)."]},
    {
        "section_name": "Limits",
        "paragraphs": ["Fog was not asked about.\rIt came \u2028 late,\r\nas fog does.\x85 So it is."],
    },
]
HEAD = "<thead><tr><th colspan=2>Harbour<sup>a</sup></th></tr></thead>"
HOSTILE = "<script>document.title = 'broken'</script><img src=x onerror=\"document.title = 'broken'\">"
COLUMNS = "".join(
    f"<td onclick='x()' style='position:fixed'>bells of the year {year}</td>" for year in range(1900, 1920)
)
FLOATS = [
    {"file": "1-Figure1-1.png", "caption": "Figure 1: Bells by coast."},
    {
        "file": "2-Table1-1.png",
        "caption": "Table 1: Ports of call.",
        "content": f"{HOSTILE}<table>{HEAD}<tr>{COLUMNS}</tr></table>",
    },
]
QUESTIONS = ("Who counted the bells?", "Do the keepers agree?")


def png(width: int, height: int) -> bytes:
    """A grey picture of this size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + b"\x99" * width) * height)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


ENOUGH = 60
"""Papers: more than all tests hold at once, however they are distributed over processes."""


def _papers(number: int, *, questions: bool) -> dict:
    """Papers in the layout of a release, each with both questions and no answers, or without questions."""
    said = {"nlp_background": "two", "topic_background": "familiar", "paper_read": "no", "search_query": ""}
    return {
        f"paper-{paper:02}": {
            "title": TITLE,
            "abstract": ABSTRACT,
            "full_text": SECTIONS,
            "figures_and_tables": FLOATS,
            "qas": [
                {
                    "question": question,
                    "question_id": f"{paper * 10 + place:040x}",
                    "question_writer": "f" * 40,
                    "answers": [],
                }
                | said
                for place, question in enumerate(QUESTIONS if questions else ())
            ],
        }
        for paper in range(number)
    }


def furnish(site: Site, activity: str) -> str:
    """The project for an activity, created when a test first needs it; its name."""
    slug = f"papers-{activity}"
    path = site.folder / f"{slug}.json"
    if not path.exists():
        papers = _papers(ENOUGH, questions=activity == "answer")
        path.write_text(json.dumps(papers))
        for paper in papers:
            picture = site.folder / "figures" / paper / FLOATS[0]["file"]
            picture.parent.mkdir(parents=True, exist_ok=True)
            picture.write_bytes(png(900, 600))
        site.manage("create_project", slug, "--protocol", "qasper", "--title", "Questions about papers")
        site.manage("import_items", slug, str(path), "--split", "train")
        site.manage("open_queue", slug, "--activity", activity)
    return slug


def say_background(page: Page) -> None:
    """Answer the questions about the writer and the paper."""
    page.get_by_label("Familiar", exact=True).check(force=True)
    page.get_by_role("group", name="Have you read it before?").get_by_label("No", exact=True).check(force=True)
    page.get_by_label("Your experience").select_option("two")


class PaperDesk:
    """One person in one browser page, in an activity of its own project; nobody else uses the name."""

    def __init__(self, site: Site, page: Page, name: str, activity: str) -> None:
        self.site, self.page, self.name, self.activity = site, page, f"{name}-{activity}", activity
        self.slug = furnish(site, activity)

    def begin(self) -> PaperDesk:
        """Sign in, with the consent text accepted, and take up the first paper."""
        page = self.page
        if self.activity == "answer":
            signed_in.take_up(self.site, page, self.slug, self.activity, self.name)
            return self.ready()
        signed_in.sign_in(self.site, page, self.name, slug=self.slug)
        page.goto(f"{self.site.url}/projects/{self.slug}/ask/search/")
        page.locator(".results form button").first.click()
        return self.ready()

    def ready(self) -> PaperDesk:
        """Wait until the screen is ready for keys."""
        self.page.locator("#screen[data-stage][data-started]").wait_for()
        ready(self.page)
        return self

    def at(self, question: str) -> PaperDesk:
        """Wait for the screen of a question."""
        self.page.locator("#screen[data-started] h1", has_text=question).wait_for()
        ready(self.page)
        return self

    def press(self, *names: str) -> PaperDesk:
        """Press keys, one after another."""
        keys(self.page).press(*names)
        return self

    def sentence(self, words: str) -> Locator:
        """The sentence of the paper with these words."""
        return self.page.locator("[data-sentence]", has_text=words)

    def drag(self, sentence: Locator, words: str) -> PaperDesk:
        """Drag over words with the mouse, from inside the first to inside the last of them."""
        ready(self.page)
        places = sentence.evaluate(
            """(element, words) => {
              const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
              while (walker.nextNode()) {
                const at = walker.currentNode.data.indexOf(words);
                if (at < 0) continue;
                const range = new Range();
                range.setStart(walker.currentNode, at);
                range.setEnd(walker.currentNode, at + words.length);
                const box = range.getBoundingClientRect();
                return [box.left + 3, box.right - 3, box.top + box.height / 2];
              }
              return null;
            }""",
            words,
        )
        left, right, y = places
        mouse = self.page.mouse
        mouse.move(left, y)
        mouse.down()
        mouse.move((left + right) / 2, y, steps=3)
        mouse.move(right, y, steps=3)
        mouse.up()
        return self

    def background(self) -> PaperDesk:
        """Say what writers are asked about themselves and the paper."""
        say_background(self.page)
        return self

    def answers(self) -> list[dict]:
        """The payloads of this person in the record, in order."""
        code = (
            "import json; from annotation.models import Response; "
            f"rows = Response.objects.filter(annotation__author__username={self.name!r}).order_by('pk'); "
            "print('ANSWERS', json.dumps([row.payload for row in rows]))"
        )
        return json.loads(self.site.manage("shell", "-c", code).split("ANSWERS", 1)[1])

    def lines(self) -> list[tuple[str, dict]]:
        """This person's traces in the record: (kind, data), in order."""
        return record.lines(self.site, self.name)
