"""The stages and activities."""

from __future__ import annotations

from annotation.i18n import Noun, _, ngettext
from annotation.protocol import Activity, Stage
from annotation.skeletons.pair import schemas

FLAGS = (("nonsense", _("It makes no sense")), ("abuse", _("It is abusive")))
ASK = Stage("ask", _("Ask"), "skeleton_pair.ask/1", schemas.ASK, sealed=True, withdrawable=True, flags=FLAGS)
CLOSING = Stage("closing", _("End"), "skeleton_pair.closing/1", schemas.CLOSING, sealed=True)
TELL = Stage("tell", _("Tell"), "skeleton_pair.tell/1", schemas.TELL, sealed=True, flags=FLAGS)
ANSWER_AGAIN = Stage("again", _("Answer"), "skeleton_pair.again/1", schemas.TELL, sealed=True)

TALK = Activity(
    key="talk",
    title=_("Talk about a topic"),
    description=_("One person asks about a topic; the other has a text about it and tells what it says."),
    kind="topic",
    stages=(ASK, CLOSING, TELL),
    minutes=20,
    picks="pair",
    seats=("asker", "teller"),
    seat_titles={"asker": _("Asker"), "teller": _("Teller")},
    excludes=frozenset({"again"}),
    noun=Noun(_("topic"), _("topics"), _("a topic")),
    counted=ngettext("%(n)s topic", "%(n)s topics"),
    similarity=_("The words that were told are compared turn by turn (F1)."),
)
AGAIN = Activity(
    key="again",
    title=_("Answer what others asked"),
    description=_("Answer what was asked in a finished talk, turn by turn, from the text."),
    kind="talked",
    stages=(ANSWER_AGAIN,),
    minutes=20,
    overlap={"train": 2, "dev": 3, "test": 3},
    excludes=frozenset({"talk"}),
    noun=Noun(_("talk"), _("talks"), _("a talk")),
    whole=_("topic"),
    counted=ngettext("%(n)s talk", "%(n)s talks"),
    similarity=_("The words that were told are compared turn by turn (F1)."),
)
