"""Any run of characters, in any script, is the same span whether it is dragged over, tapped, gone through or quoted."""

from __future__ import annotations

from random import Random

import pytest

from annotation.documents.quotes import find_in_texts
from annotation.documents.words import boundaries
from tests.browser.squad.desk import ParagraphDesk
from tests.texts.scripts import SCRIPTS
from tests.waiting.settled import settled

TEXT = "\n".join(SCRIPTS.values())
EACH = 4
"""Spans of each script."""
SEED = 20130
WAYS = """async ([start, end]) => {
  const { Passage } = await import("/static/goldfinch/spans/passages.js");
  const text = new Passage(document.querySelector("[data-passage]"), 0);
  const middle = ([from, to]) => {
    const range = text.range(from, to);
    document.querySelector("#material").scrollTop += range.getBoundingClientRect().top - 250;
    const box = range.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2, box.width];
  };
  const every = text.charactersIn(start, end);
  const [first, last] = [every[0], every.at(-1)];
  const taps = [first, last].map((each) => {
    const [x, y, width] = middle(each);
    return width >= 1 ? text.wordAt(x, y, { fine: true }) : each;
  });
  return {
    dragged: text.snap(start, end, { fine: true }),
    gone: [first[0], last[1]],
    tapped: taps.every(Boolean) ? [Math.min(...taps.flat()), Math.max(...taps.flat())] : taps,
  };
}"""
"""What each way makes of a range, as the picker asks."""


def characters(text):
    """The characters of a text that can be seen, as half-open ranges."""
    clusters = {cluster.start: cluster.end for cluster in boundaries(text).clusters}
    found, at = [], 0
    while at < len(text):
        end = clusters.get(at, at + 1)
        if text[at:end].strip():
            found.append((at, end))
        at = end
    return found


def spans():
    """Some spans of each script: (name, start, end) in the whole text."""
    rng, begins = Random(SEED), 0
    for name, line in SCRIPTS.items():
        every = characters(line)
        for _ in range(EACH):
            first = rng.randrange(len(every))
            last = min(len(every) - 1, first + rng.randrange(6))
            yield name, begins + every[first][0], begins + every[last][1]
        begins += len(line) + 1


@pytest.fixture
def desk(site, page):
    return ParagraphDesk(site, page, "sue", "answer", TEXT, kind="scripts").begin()


def test_every_way_gives_the_same_span_in_every_script(desk):
    page = settled(desk.page)
    units = [0]
    for char in TEXT:
        units.append(units[-1] + (2 if char > "\uffff" else 1))
    wrong = []
    for name, start, end in spans():
        wanted = [units[start], units[end]]
        found = page.evaluate(WAYS, wanted)
        wrong += [(name, way, TEXT[start:end], range_) for way, range_ in found.items() if range_ != wanted]
        # Who quotes what occurs as a word of its own elsewhere has to quote more.
        if TEXT.count(TEXT[start:end]) == 1 and find_in_texts([TEXT], TEXT[start:end]) != [(0, start, end)]:
            wrong.append((name, "quoted", TEXT[start:end], None))
    assert wrong == []
