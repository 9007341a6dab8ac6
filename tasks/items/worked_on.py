"""Who has seen an item at work: they never get it in an exam, whose draw asks here."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from annotation.models import Annotation, Item, Project, Purpose, Response, User, under_roots
from tasks.models import Assignment

IN_EXAMS = (Purpose.QUIZ,)
"""What is made in an exam is no work; but what was shown in one never comes back into the work.

A lead's trial is not among them: it shows the item, and at its end the answers of others, so that who has tried an item
never gets it in an exam. It does not keep the item from the work either, as whoever leads or led is given none there.
"""


def people_who_worked_on(root: Item) -> QuerySet[User]:
    """Everybody who was ever given the root or anything under it, or has made something of it, finished or not.

    Skipped and returned work counts, and so do trials: they have seen it. Exams are no work. `root`: the root, or any
    item under it.
    """
    top = root.root_id or root.pk
    given = Assignment.objects.filter(task__item__in=under_roots([top]))
    made = Annotation.with_trials.filter(item__in=under_roots([top])).exclude(purpose__in=IN_EXAMS)
    said = Response.objects.filter(annotation__in=made)
    wrote = made.filter(author__isnull=False)
    return User.objects.filter(
        Q(pk__in=given.values("annotator"))
        | Q(pk__in=wrote.values("author"))
        | Q(pk__in=said.filter(author__isnull=False).values("author"))
    )


def has_worked(person: User, item: Item) -> bool:
    """Whether the person is one of them."""
    return people_who_worked_on(item).filter(pk=person.pk).exists()


def roots_worked_on(person: User, project: Project) -> set[int]:
    """The keys of all roots of the project on which the person has worked so: what a draw for them leaves out."""
    given = Assignment.objects.filter(annotator=person, task__queue__project=project)
    made = Annotation.with_trials.filter(item__project=project).exclude(purpose__in=IN_EXAMS)
    mine = made.filter(Q(author=person) | Q(pk__in=Response.objects.filter(author=person).values("annotation")))
    return {
        *given.annotate(top=Coalesce("task__item__root", "task__item")).values_list("top", flat=True),
        *mine.annotate(top=Coalesce("item__root", "item")).values_list("top", flat=True),
    }
