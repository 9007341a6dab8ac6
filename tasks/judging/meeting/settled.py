"""What the meeting of a round has settled."""

from __future__ import annotations

from annotation.judging import draw, given_marks, rounds
from annotation.judging.agreed import AgreedResults, agreed_results
from annotation.models import AgendaStep, Consensus, JudgingRound


def of_round(row: JudgingRound) -> AgreedResults:
    """The marks of a round after its meeting, or as far as that is; those of an exhibit are those of its copies."""
    consensus = dict(Consensus.objects.filter(exhibit__round=row).values_list("exhibit", "proposal__mark"))
    pulled = AgendaStep.objects.filter(exhibit__round=row, kind=AgendaStep.Kind.PULLED_IN)
    doubted = set(pulled.values_list("exhibit", flat=True))
    for copy, earlier in draw.judged(row).filter(same_as__isnull=False).values_list("pk", "same_as"):
        if earlier in consensus:
            consensus[copy] = consensus[earlier]
        if earlier in doubted:
            doubted.add(copy)
    return agreed_results(rounds.rubric_of(row), given_marks.of_round(row), consensus, doubted)
