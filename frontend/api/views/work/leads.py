"""What leads tell you: the guidelines, and messages with them."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock, projects
from annotation.errors import NotFound
from annotation.models import Project
from frontend import access
from frontend.api.sent import checked_query
from frontend.api.serializers import chats as shapes
from frontend.api.serializers.own_record import GuidelinesQuerySerializer, OwnGuidelinesSerializer
from frontend.api.views.work.base import HeldView
from frontend.api.work.holding import scripted_project
from frontend.work import own_messages
from tasks.people import messages


class GuidelinesView(HeldView):
    """The guidelines of a project."""

    @extend_schema(
        operation_id="read_guidelines", parameters=[GuidelinesQuerySerializer], responses=OwnGuidelinesSerializer
    )
    def get(self, request: Request, slug: str) -> Answer:
        """Read the version of the guidelines that applies now, or to your work."""
        project, of = scripted_project(self.person(), slug), checked_query(request, GuidelinesQuerySerializer)["of"]
        version = access.guidelines_of_work(self.person(), project, str(of or ""))
        version = version or projects.guidelines_of(project)
        if version is None:
            raise NotFound
        return Answer(OwnGuidelinesSerializer(version).data)


class LettersView(HeldView):
    """Messages with the leads of a project: this is how you say that something that you have sent is wrong."""

    @extend_schema(operation_id="read_letters", responses=shapes.LettersSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """Read your messages with the leads; nobody else who annotates sees them."""
        return self.thread(scripted_project(self.person(), slug))

    @extend_schema(
        operation_id="write_letter", request=shapes.WriteLetterSerializer, responses=shapes.LettersSerializer
    )
    def post(self, request: Request, slug: str) -> Answer:
        """Write to the leads."""
        project, said = scripted_project(self.person(), slug), self.body(shapes.WriteLetterSerializer)
        key, by, about = self.submission_key(said), self.person(), said["about"]
        held = access.own_work(by, project, str(about)) if about else None
        if about and held is None:
            raise NotFound
        item, text = (held.task.item if held else None), own_messages.as_written(said["text"])
        messages.write(project, by, side=messages.PERSON, text=text, key=key, by=by, now=clock.now(), item=item)
        return self.thread(project)

    def thread(self, project: Project) -> Answer:
        """The messages as they are now."""
        found = own_messages.thread(project, self.person())
        return Answer(shapes.LettersSerializer({"unread": found["unread"], "results": found["lines"]}).data)


class LettersReadView(LettersView):
    """What you have read of them; until then your home page shows it."""

    http_method_names = ("post", "options")

    @extend_schema(
        operation_id="mark_letters_read", request=shapes.ReadLettersSerializer, responses=shapes.LettersSerializer
    )
    def post(self, request: Request, slug: str) -> Answer:
        """Say up to which number you have read the messages."""
        project, upto = scripted_project(self.person(), slug), self.body(shapes.ReadLettersSerializer)["upto"]
        by = self.person()
        messages.mark_read(project, by, side=messages.PERSON, upto=upto, by=by, now=clock.now())
        return self.thread(project)
