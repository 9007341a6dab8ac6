"""What everybody gets at every URL, by the name of its route: the table that test_who_may.py walks."""

from __future__ import annotations

from annotation import randomness

ROLES = ("anonymous", "mallory", "alice", "bob", "erin", "lena", "otto")
"""Anonymous; not a member; holds the work; has work on the same item; expert; lead; lead of another project."""
TABLE = {
    # route and method: what each of ROLES gets
    ("home", "GET"): (302, 200, 200, 200, 200, 200, 200),
    ("login", "GET"): (200, 302, 302, 302, 302, 302, 302),
    ("account_login", "GET"): (200, 302, 302, 302, 302, 302, 302),
    # Nobody is between the two steps of signing in; tests/frontend/accounts/test_second_step.py is.
    ("mfa_authenticate", "GET"): (302, 302, 302, 302, 302, 302, 302),
    ("account_reset_password", "GET"): (200, 200, 200, 200, 200, 200, 200),
    ("account_reset_password_done", "GET"): (200, 200, 200, 200, 200, 200, 200),
    # A link that does not work; tests/frontend/accounts/test_passwords.py has one that does.
    ("account_reset_password_from_key", "GET"): (404, 404, 404, 404, 404, 404, 404),
    ("account", "GET"): (302, 200, 200, 200, 200, 200, 200),
    ("account_data", "GET"): (302, 200, 200, 200, 200, 200, 200),
    ("account_email_change", "POST"): (401, 422, 422, 422, 422, 422, 422),
    ("account_change_password", "GET"): (302, 200, 200, 200, 200, 200, 200),
    # Not without giving the password again; nobody has a second step.
    ("mfa_activate_totp", "GET"): (302, 302, 302, 302, 302, 302, 302),
    ("mfa_deactivate_totp", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("mfa_generate_recovery_codes", "GET"): (302, 302, 302, 302, 302, 302, 302),
    ("account_reauthenticate", "GET"): (302, 200, 200, 200, 200, 200, 200),
    ("mfa_reauthenticate", "GET"): (302, 302, 302, 302, 302, 302, 302),
    ("end_sign_ins", "POST"): (401, 302, 302, 302, 302, 302, 302),
    ("end_sign_in", "POST"): (401, 302, 302, 302, 302, 302, 302),
    ("logout", "POST"): (302, 302, 302, 302, 302, 302, 302),
    # No background job runs beside these tests.
    ("health", "GET"): (503, 503, 503, 503, 503, 503, 503),
    ("health_live", "GET"): (200, 200, 200, 200, 200, 200, 200),
    # Everybody's own pages, with an empty form.
    ("finished", "GET"): (302, 200, 200, 200, 200, 200, 200),
    ("time", "GET"): (302, 200, 200, 200, 200, 200, 200),
    ("time_day", "GET"): (302, 200, 200, 200, 200, 200, 200),
    ("time_day", "POST"): (401, 422, 422, 422, 422, 422, 422),
    ("human_bound", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # Nothing has been measured there; tests/frontend/leads/test_human_bound.py downloads some.
    ("human_bound_csv", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("agreement", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # Nothing is measured by a job in these tests; tests/frontend/leads/test_agreement.py has numbers.
    ("agreement_csv", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("agreement_svg", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("imports", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # A lead who names no file, and whose part says neither where it belongs nor its checksum.
    ("start_import", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("begin_upload", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("upload", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("upload", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("remove_upload", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("import", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("cancel_import", "POST"): (401, 404, 404, 404, 404, 302, 404),
    # It has brought in nothing; tests/frontend/leads/imports/test_undoing.py undoes some.
    ("undo_import", "POST"): (401, 404, 404, 404, 404, 404, 404),
    # It has not failed; tests/frontend/leads/board/test_needs.py dismisses one.
    ("dismiss_import", "POST"): (401, 404, 404, 404, 404, 409, 404),
    ("take_up_import", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("refused_csv", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # Nothing was refused; tests/frontend/leads/imports/test_import_pages.py downloads some.
    ("refused_lines", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("import_sample", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # An open link: whoever has it may join, with an account or a new one (here without a name).
    ("join", "GET"): (200, 200, 200, 200, 200, 200, 200),
    ("join", "POST"): (422, 302, 302, 302, 302, 302, 302),
    # The project is not open; tests/frontend/accounts/test_open_projects.py has one that is.
    ("join_open", "GET"): (404, 404, 404, 404, 404, 404, 404),
    ("join_open", "POST"): (404, 404, 404, 404, 404, 404, 404),
    ("recruiting", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("invite", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("give_password", "POST"): (401, 404, 404, 404, 404, 200, 404),
    ("renew_invite", "POST"): (401, 404, 404, 404, 404, 200, 404),
    ("revoke_invite", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("people", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # With empty forms; nothing was decided that could be undone.
    ("qualifications", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("make_qualification", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("qualification", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("change_qualification", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("admit_workers", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("copy_grants", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("give_qualification", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("undo_giving", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("decide_grant", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("undo_grant_decision", "POST"): (401, 404, 404, 404, 404, 409, 404),
    # Alice and Bob take it; Erin has not begun, and leads can't.
    ("course", "GET"): (302, 404, 200, 200, 200, 200, 404),
    ("begin_course", "POST"): (401, 404, 302, 302, 302, 403, 404),
    ("course_guidelines", "GET"): (302, 404, 200, 200, 404, 404, 404),
    ("course_guidelines", "POST"): (401, 404, 302, 302, 404, 404, 404),
    ("course_tutorial", "GET"): (302, 404, 200, 200, 404, 404, 404),
    ("course_tutorial", "POST"): (401, 404, 422, 422, 404, 404, 404),
    ("tutorial_picture", "GET"): (302, 404, 200, 200, 404, 404, 404),
    # Without the token of a page.
    ("course_time", "POST"): (401, 404, 204, 204, 204, 204, 404),
    ("begin_exam", "POST"): (401, 404, 302, 302, 302, 403, 404),
    ("exam", "GET"): (302, 404, 200, 404, 404, 404, 404),
    # Without the place that it answers.
    ("exam", "POST"): (401, 404, 404, 404, 404, 404, 404),
    # The picture of its second place while the first one is asked.
    ("exam_picture", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("exam_draft", "POST"): (401, 404, 204, 404, 404, 404, 404),
    # There is no time limit.
    ("extend_exam", "POST"): (401, 404, 409, 404, 404, 404, 404),
    ("hand_in_exam", "POST"): (401, 404, 302, 404, 404, 404, 404),
    # With empty forms.
    ("course_draft", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("edit_course", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("course_rules", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("course_rules", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("publish_course", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("add_course_pictures", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("course_picture", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("discard_course", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("close_course", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("bring_back_piece", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("course_version", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("sit_course", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("new_block", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("new_block", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("course_block", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("course_block", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("course_part", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("arrange_pieces", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("many_items", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("many_items", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("new_course_item", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("new_course_item", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("course_item", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("course_item", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("course_references", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("course_references", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("exam_attempts", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("exam_attempts_csv", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("void_attempt", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("count_attempt_again", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("give_exam_time", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("take_exam_time_back", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("exam_figures", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("exam_figures_csv", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("correct_item", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # It has not been corrected; a lead who chooses nothing is told so.
    ("correct_item", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("correct_item_back", "POST"): (401, 404, 404, 404, 404, 404, 404),
    # A lead who changes nothing: without a role, and without a text or key.
    ("person", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("write_to_person", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("end_membership", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("give_membership_back", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("change_role", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("messages", "GET"): (302, 404, 200, 200, 200, 200, 404),
    ("messages", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("messages_read", "POST"): (401, 404, 302, 302, 302, 302, 404),
    ("project_time", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("project_time_csv", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("project_time_of", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # A lead who marks nothing, and undoes a payment.
    ("pay", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("pay", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("pay_csv", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("undo_pay", "POST"): (401, 404, 404, 404, 404, 302, 404),
    # Admins of the site alone, of whom there is none here; tests/frontend/site/test_accounts.py has one.
    ("accounts", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("account_of", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("close_account", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("open_account", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("sign_out_account", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("jobs", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("cancel_job", "POST"): (401, 404, 404, 404, 404, 404, 404),
    # Admins, and leads of any project; with an empty form.
    ("new_project", "GET"): (302, 404, 404, 404, 404, 302, 302),
    ("new_project_step", "GET"): (302, 404, 404, 404, 404, 200, 200),
    ("new_project_step", "POST"): (401, 404, 404, 404, 404, 422, 422),
    ("new_project_estimate", "POST"): (401, 404, 404, 404, 404, 200, 200),
    ("new_project_from_file", "POST"): (401, 404, 404, 404, 404, 422, 422),
    ("new_project_from_project", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("discard_new_project", "POST"): (401, 404, 404, 404, 404, 302, 302),
    ("protocol", "GET"): (302, 404, 404, 404, 404, 200, 200),
    # With an empty form; nothing was changed that could be undone.
    # Somebody holds work and it has items; tests/frontend/leads/setup/test_ending.py has projects without.
    ("archive_project", "POST"): (401, 404, 404, 404, 404, 409, 404),
    ("bring_back_project", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("remove_project", "POST"): (401, 404, 404, 404, 404, 409, 404),
    ("settings", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("settings", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("undo_setting", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("existing_items", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("existing_items", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("edit_guidelines", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("edit_guidelines", "POST"): (401, 404, 404, 404, 404, 200, 404),
    ("consent_text", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("consent_text", "POST"): (401, 404, 404, 404, 404, 200, 404),
    ("splits", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("splits", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("setup_file", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("queues", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("rehearsals", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("rehearsals", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("rehearsal", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("cancel_rehearsal", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("open_queue", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("pause_queue", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("close_queue", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("change_queue", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("project", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("board_live", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("board_svg", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("board_csv", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("reports", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("items", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("items_csv", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # A decision about many that waits, so there is nothing to undo.
    ("decided_items", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("stop_deciding", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("undo_decided", "POST"): (401, 404, 404, 404, 404, 409, 404),
    # A lead who has chosen nothing, and who has decided nothing.
    ("decide_items", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("undo", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("item", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("item_history", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # At the last stage, whose page has no image of its own; tests/frontend/leads/items/test_as_seen.py looks at all.
    ("as_seen_first", "GET"): (302, 404, 404, 404, 404, 302, 404),
    ("as_seen", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("as_seen_page", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("as_seen_image", "GET"): (302, 404, 404, 404, 404, 404, 404),
    # Nobody works in pairs in this protocol; tests/frontend/leads/test_pauses.py pauses one in which they do.
    ("pause", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("resume", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("unfreeze", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("cancel", "POST"): (401, 404, 404, 404, 404, 422, 404),
    # A lead who gives no reason and no number, restores what is not excluded, and takes back what was not asked for.
    ("bring_back", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("set_aside", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("return_to_work", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("replace_by", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("more_of_item", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("no_more_of_item", "POST"): (401, 404, 404, 404, 404, 409, 404),
    ("exclude_all", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("restore_all", "POST"): (401, 404, 404, 404, 404, 409, 404),
    ("exclude", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("restore", "POST"): (401, 404, 404, 404, 404, 409, 404),
    ("reopen", "POST"): (401, 404, 404, 404, 404, 422, 404),
    # It was not sent back.
    ("take_back_reopening", "POST"): (401, 404, 404, 404, 404, 409, 404),
    # Nothing can be flagged in this protocol, so there is no case; a lead of one decides in the tests of CoQA.
    ("decide_case", "POST"): (401, 404, 404, 404, 404, 404, 404),
    # Nobody chats in an activity with one seat.
    ("answer_chat", "POST"): (401, 404, 404, 404, 404, 404, 404),
    # An expert is told first what follows from seeing answers; a lead has nothing to begin.
    ("disputes", "GET"): (302, 404, 404, 404, 200, 200, 404),
    # The item is in the work, and no activity is named.
    ("references", "GET"): (302, 404, 404, 404, 200, 200, 404),
    ("write_exam_reference", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("see_answers", "POST"): (401, 404, 404, 404, 302, 404, 404),
    ("tell_decisions", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("compared", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("compare", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # Nothing is disputed here; tests/frontend/experts/test_deciding.py has a dispute.
    ("dispute", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("decide_dispute", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("ask_for_more", "POST"): (401, 404, 404, 404, 404, 404, 404),
    # Nothing was asked for that could be taken back; erin would have to begin to see answers first.
    ("unask_for_more", "POST"): (401, 404, 404, 404, 404, 409, 404),
    ("write_reference", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("undo_decision", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("compared_page", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("consent", "GET"): (302, 404, 200, 200, 200, 200, 404),
    ("consent", "POST"): (401, 404, 302, 302, 302, 302, 404),
    ("guidelines", "GET"): (302, 404, 200, 200, 200, 200, 404),
    ("releases", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("release", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("new_release", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # A lead who chooses nothing gets nothing.
    ("new_release", "POST"): (401, 404, 404, 404, 404, 422, 404),
    # An empty form takes nothing away where nothing was written.
    ("data_card", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("data_card", "POST"): (401, 404, 404, 404, 404, 302, 404),
    ("count_release", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("release_job", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("cancel_release", "POST"): (401, 404, 404, 404, 404, 302, 404),
    # The format refused no item of that build.
    ("release_without", "POST"): (401, 404, 404, 404, 404, 404, 404),
    # It is the first; tests/frontend/leads/releases/test_changes.py has two.
    ("release_changes", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("release_changes_csv", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("score_release", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # Without a file.
    ("score_release", "POST"): (401, 404, 404, 404, 404, 422, 404),
    # Without a reason.
    ("retract_release", "POST"): (401, 404, 404, 404, 404, 422, 404),
    ("release_file", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("image", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("search", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("search_time", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("claim", "POST"): (401, 404, 302, 302, 302, 403, 404),
    # There is no judging round; tests/frontend/judging has some, with people who may and who may not.
    ("judge", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("begin_judging", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("lock_marks", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("judging_round", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("seal_judging_round", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("discard_judging_round", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("meeting", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("meeting_exhibit", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("meeting_page", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("act_in_meeting", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("leave_meeting", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("end_meeting", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("choose_chair", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("remove_voter", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("stop_judging", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("judging_rounds", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("new_judging_round", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # With an empty form.
    ("new_judging_round", "POST"): (401, 404, 404, 404, 404, 422, 404),
    # An activity with one seat has no lobby; tests/frontend/test_lobby.py has one.
    ("lobby", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("enter_lobby", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("here", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("prefer_part", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("alone", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("leave_lobby", "POST"): (401, 404, 404, 404, 404, 404, 404),
    # Without an activity, and of nobody's trial; tests/frontend/leads/items/test_trying.py has some.
    ("try_item", "POST"): (401, 404, 404, 404, 404, 404, 404),
    # Without a place in a course.
    ("use_in_exam", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("tried", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("put_away_trial", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("work", "GET"): (302, 404, 200, 404, 404, 404, 404),
    # Nobody waits for a partner in an activity with one seat.
    ("now", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("partner", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("flag", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("chat", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("chat", "POST"): (401, 404, 404, 404, 404, 404, 404),
    # Only with the signed address of a page of shared work; tests/frontend/pairs/test_signing_in.py has one.
    ("signing_in", "POST"): (404, 404, 404, 404, 404, 404, 404),
    ("more_time", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("end_lost", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("another_partner", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("renew", "POST"): (401, 404, 200, 404, 404, 404, 404),
    ("take", "POST"): (401, 404, 409, 404, 404, 404, 404),
    ("skip", "POST"): (401, 404, 302, 404, 404, 404, 404),
    ("unskip", "POST"): (401, 404, 409, 404, 404, 404, 404),
    ("give_back", "POST"): (401, 404, 302, 404, 404, 404, 404),
    ("report", "POST"): (401, 404, 422, 404, 404, 404, 404),
    # Nobody leaves a partner in an activity with one seat.
    ("explain", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("explain", "POST"): (401, 404, 302, 404, 404, 404, 404),
    ("stage", "GET"): (302, 404, 200, 404, 404, 404, 404),
    ("stage", "POST"): (401, 404, 409, 404, 404, 404, 404),
    ("replace", "POST"): (401, 404, 409, 404, 404, 404, 404),
    ("reconsider", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("withdraw", "POST"): (401, 404, 404, 404, 404, 404, 404),
    ("draft", "POST"): (401, 404, 422, 404, 404, 404, 404),
    ("kept", "POST"): (401, 404, 422, 404, 404, 404, 404),
    ("frame", "GET"): (302, 404, 200, 404, 404, 404, 404),
    ("find_quote", "GET"): (302, 404, 200, 404, 404, 404, 404),
    # Anybody with alice's signed URL: a frame document has no session to send along.
    ("picture", "GET"): (200, 200, 200, 200, 200, 200, 200),
}
PUBLIC = {"login", "account_login", "logout", "health", "health_live", "picture", "signing_in", "join"}
PUBLIC |= {"join_open", "account_reset_password", "account_reset_password_done", "account_reset_password_from_key"}
"""Anonymous people are not sent to the sign-in page."""
MISSING = {"slug": "no-such-project", "card": "no-such-card", "version": 99, "code": "nobody", "example": "none.jsonl"}
MISSING |= {"section": "seventh", "protocol": "cuneiform"}
MISSING |= dict.fromkeys(("qualification", "part", "block", "piece", "table"), "nothing")
MISSING |= dict.fromkeys(("item_id", "task_id", "task", "invite", "job", "build", "rehearsal", "decided"), 10**9)
MISSING |= {name: randomness.handle() for name in ("uuid", "annotation", "upload", "settlement", "attempt")}
MISSING |= {"item": "none"}
