"""Where the answers of an item are in its imported page: the boxes and the words that each side chose."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from annotation import registry
from annotation.html import Rendering, with_marks
from annotation.models import Annotation, Item, User
from annotation.protocol import Activity
from frontend.experts.sides import spoken


def marked(
    rendering: Rendering,
    item: Item,
    activity: Activity,
    *,
    by: User,
    side: str = "",
    references: Iterable[Annotation] = (),
) -> str:
    """The page with every side's box and words marked by its letter; `side`: the letter whose box stands out."""
    protocol = registry.get(item.project.protocol)
    boxes: dict[int, list[str]] = defaultdict(list)
    spans = []
    found = spoken(item, activity, by=by, references=references)
    for letter, rows in found.alike:
        for one in found.answers[rows[0].pk]:
            box = protocol.box_of(one.stage, one.payload)
            if box is not None:
                boxes[box].append(letter)
            spans += [(tokens, letter) for tokens in protocol.spans_of(one.stage, one.payload)]
    chosen = next((box for box, named in boxes.items() if side in named), None)
    letters = {box: " ".join(sorted(named)) for box, named in boxes.items()}
    return with_marks(rendering, letters, spans, chosen=chosen)
