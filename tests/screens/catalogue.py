"""Which picture shows which template in which state: tests/rules/test_screens.py fails if one is missing.

Each protocol contributes those of its own stages: tests/protocols/<key>/screens/pictures.py has PICTURES, and NARROW
for those that only a narrow screen has. The others are here; some are taken at the stages of a protocol.

An entry is a template's name, or a name and a state. The states of a stage: `refused` (sent with errors), `restored` (a
draft came back), `revised` (answered before and open again) or, for a sealed stage, `sealed`. Those of
work/none_left.html are the reasons why there is no work, those of work/refused.html the names of the refusals.
"""

from __future__ import annotations

from tests.protocols.parts import parts

SHARED: dict[str, tuple[str, ...]] = {
    "login": ("registration/login.html",),
    "login-refused": ("registration/login.html refused",),
    "login-wait": ("registration/login.html wait",),
    "first-run": ("accounts/first_run.html",),
    "login-code": ("accounts/code.html",),
    "password-forgotten": ("accounts/forgotten.html",),
    "password-sent": ("accounts/forgotten_sent.html",),
    "password-new": ("accounts/password_new.html",),
    "password-link-closed": ("accounts/password_new.html",),
    "join": ("accounts/join.html",),
    "join-refused": ("accounts/join.html",),
    "join-signed-in": ("accounts/join.html",),
    "link-closed": ("accounts/link_closed.html",),
    "account": ("accounts/account.html",),
    "account-second-step": ("accounts/account.html",),
    "account-again": ("accounts/again.html",),
    "account-password": ("accounts/password.html",),
    "second-step": ("accounts/second_step.html",),
    "second-step-remove": ("accounts/second_step_remove.html",),
    "recovery-codes": ("accounts/recovery_codes.html",),
    "recovery-codes-new": ("accounts/recovery_codes_new.html",),
    "too-many": ("429.html",),
    "not-found": ("404.html",),
    "forbidden": ("403.html",),
    "other-sign-in": ("403_csrf.html",),
    "broken": ("500.html",),
    "busy": ("503.html",),
    "home": ("home.html",),
    "home-agreed": ("home.html",),
    "home-kept": ("home.html",),
    "home-empty": ("home.html",),
    "home-reopened": ("home.html",),
    "home-taken": ("home.html",),
    "home-lead": ("home.html",),
    "consent": ("consent.html",),
    "consent-given": ("consent.html",),
    "guidelines": ("guidelines.html",),
    "guidelines-first": ("guidelines.html",),
    "guidelines-panel": ("nq/question.html",),
    "finished": ("work/finished.html",),
    "finished-empty": ("work/finished.html",),
    "time": ("time/index.html",),
    "time-empty": ("time/index.html",),
    "time-day": ("time/day.html",),
    "time-day-amended": ("time/day.html",),
    "time-day-refused": ("time/day.html",),
    "agreement": ("project/agreement.html",),
    "agreement-empty": ("project/agreement.html",),
    "people": ("people/index.html",),
    "people-invited": ("people/index.html",),
    "people-refused": ("people/index.html",),
    "invitation-links": ("people/links.html",),
    "password-link": ("people/password_link.html",),
    "project-time": ("project/time.html",),
    "project-time-empty": ("project/time.html",),
    "project-time-of": ("project/time_of.html",),
    "queues": ("setup/queues.html",),
    "queues-close": ("setup/queues.html",),
    "settings": ("setup/settings.html",),
    "settings-refused": ("setup/settings.html refused",),
    "existing-items": ("setup/existing_items.html",),
    "existing-items-none": ("setup/existing_items.html",),
    "edit-guidelines": ("setup/guidelines.html",),
    "splits": ("setup/splits.html",),
    "splits-plan": ("setup/splits.html",),
    "splits-refused": ("setup/splits.html refused",),
    "consent-text": ("setup/consent_text.html",),
    "new-protocol": ("setup/new_protocol.html",),
    "protocol": ("setup/protocol.html",),
    "new-words": ("setup/new_words.html",),
    "new-numbers": ("setup/new_numbers.html",),
    "new-numbers-refused": ("setup/new_numbers.html refused",),
    "new-check": ("setup/new_check.html",),
    "human-bound": ("project/human_bound.html",),
    "human-bound-empty": ("project/human_bound.html",),
    "releases": ("project/releases/index.html",),
    "releases-empty": ("project/releases/index.html",),
    "release-new": ("project/releases/new.html",),
    "release-new-empty": ("project/releases/new.html",),
    "release-changes": ("project/releases/changes.html",),
    "release-not-frozen": ("project/releases/job.html",),
    "imports": ("imports/index.html",),
    "imports-empty": ("imports/index.html",),
    "import-cut": ("imports/index.html",),
    "import-waiting": ("imports/show.html",),
    "import-refused": ("imports/show.html",),
    "refused-upload": ("work/refused.html UploadRefused",),
    "project": ("project/index.html",),
    "project-empty": ("project/index.html",),
    "item": (
        "project/item.html",
        "nq/question_read.html",
        "nq/long_answer_read.html",
        "nq/short_answer_read.html",
    ),
    "item-empty": ("project/item.html",),
    "items": ("project/items/index.html",),
    "items-empty": ("project/items/index.html",),
    "items-no-match": ("project/items/index.html",),
    "items-decide": ("project/items/index.html",),
    "person": ("people/person.html",),
    "person-end": ("people/person.html",),
    "messages-empty": ("people/messages.html",),
    "item-history": ("project/items/history.html",),
    "item-exclude": ("project/item.html",),
    "item-excluded": ("project/item.html",),
    "item-reopen": ("project/item.html",),
    "item-take-out": ("project/item.html",),
    "item-taken-out": ("project/item.html",),
    "project-reported": ("project/index.html",),
    "item-reported": ("project/item.html",),
    "item-disputed": ("project/item.html",),
    "disputes-begin": ("experts/begin.html",),
    "disputes": ("experts/disputes.html",),
    "compared": ("experts/compared.html",),
    "compare": ("experts/compare.html",),
    "dispute": ("experts/dispute.html",),
    "skipped": ("nq/question.html",),
    "skipped-many": ("nq/question.html",),
    "reported": ("nq/question.html",),
    "reopened": ("nq/long_answer.html",),
    "expired": ("work/expired.html",),
    "time-ending": ("nq/long_answer.html",),
    "time-ended": ("nq/long_answer.html",),
    "not-connected": ("nq/long_answer.html",),
    "signed-out": ("nq/long_answer.html",),
    "given-back-elsewhere": ("nq/question.html",),
    "kept-here": ("home.html",),
    "two-tabs": ("nq/question.html",),
    "two-devices": ("nq/question.html",),
    "refused-overtaken": ("work/refused.html TakenOver",),
    "refused-reason": ("work/refused.html ReasonMissing",),
    "refused-sealed": ("work/refused.html StageLocked",),
    "refused-stale": ("work/refused.html StalePage",),
    "refused-key": ("work/refused.html KeyReused",),
    "answered-twice": ("work/refused.html AlreadyClosed",),
    "refused-closed": ("work/refused.html AlreadyClosed",),
    "place-taken": ("work/refused.html PlaceTaken",),
    "taken-out": ("work/refused.html TakenOut",),
    "page-not-shown": ("work/refused.html PageRefused",),
    "lobby": ("work/lobby.html",),
    "lobby-waiting": ("work/lobby.html waiting",),
    "partner-left": ("work/partner_left.html",),
    "none-left-lead": ("work/none_left.html not_eligible",),
    "none-left-done": ("work/none_left.html all_done",),
    "none-left-yours": ("work/none_left.html done_all_you_may",),
    "none-left-others": ("work/none_left.html others_hold",),
    "none-left-alike": ("work/none_left.html alike_lately",),
    "none-left-closed": ("work/none_left.html not_open",),
}
PICTURES: dict[str, tuple[str, ...]] = dict(SHARED)
NARROW: dict[str, tuple[str, ...]] = {}
"""Pictures that only a narrow screen has."""
for _of_protocol in parts("pictures").values():
    PICTURES |= _of_protocol.PICTURES
    NARROW |= _of_protocol.NARROW


def shown() -> set[str]:
    """Every template, and every template with a state, shown by a picture in all sizes."""
    entries = {entry for entries in PICTURES.values() for entry in entries}
    return entries | {entry.split()[0] for entry in entries}


def missing(taken: list[str], *, size: str) -> list[str]:
    """Problems with the pictures of one size: some are not in the catalogue, some were not taken."""
    wanted = set(PICTURES) | (set(NARROW) if size == "narrow" else set())
    return [f"{name}: not in the catalogue" for name in sorted(set(taken) - wanted)] + [
        f"{name}: not taken ({size})" for name in sorted(wanted - set(taken))
    ]
