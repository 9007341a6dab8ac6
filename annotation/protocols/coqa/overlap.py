"""Content words of a question that stand in a text: the advice to questioners, and a figure of the report. Pure.

A word counts as the same if it is equal in lower case, without a possessive ’s. There is no stemming, so that the same
rule is easy to follow in browsers. Stop words are a closed list of function words, so that the result never depends on
a library's version.
"""

from __future__ import annotations

import re

_FUNCTION_WORDS = """
a about above across after afterwards again against all almost along already also although always am among amongst
an and another any anybody anyone anything anywhere are aren't around as at be because been before behind being
below beneath beside besides between beyond both but by can can't cannot could couldn't did didn't do does doesn't
doing don't done down during each either else enough even ever every everybody everyone everything everywhere
except few first for from further had hadn't has hasn't have haven't having he he'd he'll he's hence her here hers
herself him himself his how however i i'd i'll i'm i've if in indeed inside instead into is isn't it it'd it'll
it's its itself just least less let let's many may maybe me might mightn't mine more most much must mustn't my
myself near need needn't neither never next no nobody none nor not nothing now nowhere of off often on once one
only onto or other others otherwise ought our ours ourselves out outside over own per perhaps quite rather really
same shall shan't she she'd she'll she's should shouldn't since so some somebody somehow someone something
sometimes somewhere soon still such than that that's the their theirs them themselves then there there's therefore
these they they'd they'll they're they've this those though through throughout thus till to together too toward
towards under underneath unless until up upon us very was wasn't we we'd we'll we're we've were weren't what
what's whatever when whenever where where's wherever whereas whether which whichever while who who's whoever whole
whom whose why will with within without won't would wouldn't yes yet you you'd you'll you're you've your yours
yourself yourselves
"""
_LETTERED = r"(?:[^\W_]|[\u0300-\u036f])+"
_WORDS = re.compile(rf"{_LETTERED}(?:[-'’.,·]{_LETTERED})*")
"""`overlap.js` has the same rule, since it marks them while the question is being written."""
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())


def words_of_passage(question: str, story: str) -> tuple[str, ...]:
    """The question's content words that stand in the story, in lower case, each once, in the question's order."""
    there = set(_normalised(story))
    return tuple(word for word in content_words(question) if word in there)


def content_words(text: str) -> tuple[str, ...]:
    """The words of a text that are no stop words, in lower case, each once, in order."""
    return tuple(dict.fromkeys(word for word in _normalised(text) if word not in STOP_WORDS))


def _normalised(text: str) -> list[str]:
    found = [word.lower().replace("’", "'") for word in _WORDS.findall(text)]
    return [word if word in STOP_WORDS else word.removesuffix("'s") for word in found]
