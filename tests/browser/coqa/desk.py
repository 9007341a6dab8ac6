"""Two people who talk about a passage in two browsers, seated by the service, and somebody who plays the game."""

from __future__ import annotations

import json
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.builders import write_lines
from tests.screens.answering import drag
from tests.site import Site
from tests.waiting.settled import keys, ready

STORY = """\
The ferry at Marrow Point had one captain and, for eleven years, one passenger who never paid. Her name was Pip, and \
she was a grey cat with a torn left ear. She had walked aboard on a wet October morning, looked over the benches, \
and chosen the coil of rope behind the wheelhouse.

Captain Odile Brandt pretended not to notice. She had turned away dogs, two goats and once a man with a crate of \
bees 🐝, because the rules on the wall said NO ANIMALS in red paint. But the rules had been painted by her uncle, and \
her uncle, who was afraid of mice, had never said anything about cats.

Each day the ferry crossed the strait four times. Pip slept through the first two crossings. On the third, when the \
schoolchildren came home to the island, she moved to the front bench and let herself be stroked by anyone who sat \
still. The smallest boy, Tomas, saved her the skin of his smoked herring, which his mother packed every day and he \
could not bear to eat.

One evening in March the fog came down so fast that the captain could no longer see the bow. Then Pip stood up on \
the rope, turned her good ear to the left, and began to walk along the rail, crying. After two long minutes the bell \
rang out, straight ahead."""
TALK = (
    ("What kind of animal is Pip?", "a grey cat", "A grey cat"),
    ("Did she buy tickets?", "one passenger who never paid", "No, never"),
    ("Who ran the boat?", "Captain Odile Brandt", "Captain Odile Brandt"),
    ("Which creatures were sent away?", "dogs, two goats", "Dogs and two goats"),
    ("Anyone else?", "a man with a crate of bees", "A man with bees"),
    ("Was he angry?", None, "unknown"),
    ("Which trip did the pupils take?", "On the third", "The third"),
    ("Where did she sit then?", "she moved to the front bench", "On the front bench"),
    ("What treat did a child bring?", "the skin of his smoked herring", "Fish skin"),
    ("Who was that?", "The smallest boy, Tomas", "Tomas, the smallest boy"),
    ("When did it get foggy?", "One evening in March", "One evening in March"),
)
"""Question, rationale (None: unknown), answer."""
ENOUGH = 24
"""Passages: more than all tests of a module use."""


def furnish(site: Site, slug: str) -> None:
    """A project with conversations to be had, created when a test first needs it."""
    path = site.folder / f"{slug}.jsonl"
    if not path.exists():
        lines = [
            {"id": f"ferry-{number}", "domain": "mctest", "filename": f"ferry-{number}.txt", "story": STORY}
            for number in range(ENOUGH)
        ]
        write_lines(path, lines)
        site.manage("create_project", slug, "--protocol", "coqa", "--title", "Passages in conversation")
        site.manage("import_items", slug, str(path), "--split", "dev")
        for activity in ("converse", "guess"):
            site.manage("open_queue", slug, "--activity", activity)


def seat(site: Site, slug: str, *names: str) -> list[str]:
    """The addresses of the work of these members of the project, who are seated together."""
    code = (
        "from annotation import clock; from annotation.models import Project, User; "
        "from tasks.pairs import matching; "
        f"people = [User.objects.get(username=name) for name in {names!r}]; "
        f"held = matching.seat(Project.objects.get(slug={slug!r}), 'converse', people, now=clock.now()); "
        "print('SEATED', *(row.uuid for row in held))"
    )
    return [f"/work/{uuid}/" for uuid in site.manage("shell", "-c", code).split("SEATED", 1)[1].split()]


def answers(site: Site, name: str) -> list[dict]:
    """The payloads of this person in the record, in order."""
    code = (
        "import json; from annotation.models import Response; "
        f"rows = Response.objects.filter(author__username={name!r}).order_by('pk'); "
        "print('ANSWERS', json.dumps([row.payload for row in rows]))"
    )
    return json.loads(site.manage("shell", "-c", code).split("ANSWERS", 1)[1])


def talked(
    site: Site, questioner: str, answerer: str, *, last: str = "", first: int = 1, until: int = len(TALK)
) -> None:
    """Let these two, who are seated, hold the talk from turn `first` until turn `until` is next, by the services.

    `last`: then its question was `asked`, or the end proposed (`ended`) or agreed to (`closed`), or nothing.
    """
    _by_services(site, f"hold({questioner!r}, {answerer!r}, {last!r}, {first}, {until})")


def guessed(site: Site, player: str, *, first: int) -> None:
    """Let this person, who plays a game of the talk, guess from turn `first` on but for its last, by the services."""
    _by_services(site, f"guess({player!r}, {first})")


def _by_services(site: Site, call: str) -> None:
    site.manage("shell", "-c", f"from tests.browser.coqa import talk; talk.{call}")


@dataclass
class TalkDesk:
    """One person in one browser page."""

    site: Site
    page: Page
    name: str

    def at(self, step: str) -> TalkDesk:
        """Wait for the screen of a step, ready for keys."""
        self.page.locator(f"#screen[data-stage='{step}'][data-started]:not([data-waits])").wait_for()
        ready(self.page)
        return self

    def waiting(self) -> TalkDesk:
        """Wait until this person waits."""
        self.page.locator("#screen[data-waits][data-started]").wait_for()
        ready(self.page)
        return self

    def press(self, *names: str) -> TalkDesk:
        """Press keys, one after another."""
        keys(self.page).press(*names)
        return self

    def ask(self, question: str) -> TalkDesk:
        """Type a question where the caret is, and send it."""
        box = self.page.locator("#text")
        expect(box).to_be_focused()
        keys(self.page).type(question)
        return self.press("Control+Enter")

    def drag(self, words: str) -> TalkDesk:
        """Drag over words of the passage."""
        drag(self.page, words)
        return self

    def mark(self, words: str) -> TalkDesk:
        """Drag over words and use them as the rationale; the caret is in the box afterwards."""
        self.drag(words)
        self.page.get_by_role("button", name="Use as rationale").click()
        expect(self.page.locator("#text")).to_be_focused()
        return self

    def say(self, rationale: str | None, text: str) -> TalkDesk:
        """Fill in an answer, without sending it."""
        if rationale is None:
            return self.press("Alt+u")
        self.mark(rationale)
        box = self.page.locator("#text")
        expect(box).to_have_value(rationale)
        box.fill(text)
        return self

    def turns(self) -> list[str]:
        """The texts of the talk so far, as shown."""
        return self.page.locator("[data-said]").all_inner_texts()
