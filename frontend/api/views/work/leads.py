"""What leads tell you: the guidelines, and messages with them."""

from __future__ import annotations

from typing import Any

from annotation import clock, projects
from annotation.models import GuidelineVersion, Project
from frontend import access
from frontend.access.projects import or_not_found
from frontend.api.calls import change_call, read_call
from frontend.api.serializers import chats as shapes
from frontend.api.serializers.own_record import GuidelinesQuerySerializer, OwnGuidelinesSerializer
from frontend.api.views.work.base import HeldView
from frontend.api.work.holding import scripted_project
from frontend.work import own_messages
from tasks.people import messages


class GuidelinesView(HeldView):
    """The guidelines of a project."""

    @read_call("read_guidelines", OwnGuidelinesSerializer, finder=scripted_project, query=GuidelinesQuerySerializer)
    def get(self, project: Project, asked: dict[str, Any]) -> GuidelineVersion:
        """Read the version of the guidelines that applies now, or to your work."""
        version = access.guidelines_of_work(self.person(), project, str(asked["of"] or ""))
        return or_not_found(version or projects.guidelines_of(project))


class LettersView(HeldView):
    """Messages with the leads of a project: this is how you say that something that you have sent is wrong."""

    @read_call("read_letters", shapes.LettersSerializer, finder=scripted_project)
    def get(self, project: Project) -> Any:
        """Read your messages with the leads; nobody else who annotates sees them."""
        return self.thread(project)

    @change_call("write_letter", shapes.LettersSerializer, finder=scripted_project, body=shapes.WriteLetterSerializer)
    def post(self, project: Project, sent: dict[str, Any]) -> Any:
        """Write to the leads."""
        key, by, about = self.submission_key(sent), self.person(), sent["about"]
        held = or_not_found(access.own_work(by, project, str(about))) if about else None
        item, text = (held.task.item if held else None), own_messages.as_written(sent["text"])
        messages.write(project, by, side=messages.PERSON, text=text, key=key, by=by, now=clock.now(), item=item)
        return self.thread(project)

    def thread(self, project: Project) -> dict[str, Any]:
        """The messages as they are now."""
        found = own_messages.thread(project, self.person())
        return {"unread": found["unread"], "results": found["lines"]}


class LettersReadView(LettersView):
    """What you have read of them; until then your home page shows it."""

    http_method_names = ("post", "options")

    @change_call(
        "mark_letters_read", shapes.LettersSerializer, finder=scripted_project, body=shapes.ReadLettersSerializer
    )
    def post(self, project: Project, sent: dict[str, Any]) -> Any:
        """Say up to which number you have read the messages."""
        by = self.person()
        messages.mark_read(project, by, side=messages.PERSON, upto=sent["upto"], by=by, now=clock.now())
        return self.thread(project)
