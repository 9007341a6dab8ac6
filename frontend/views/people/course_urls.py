"""URLs of the course of a qualification, for its leads."""

from __future__ import annotations

from django.urls import path

from frontend.views.people import course_attempts as attempts
from frontend.views.people import course_building as building
from frontend.views.people import course_pieces as pieces
from frontend.views.people.qualification_urls import ONE

COURSE = f"{ONE}course/"
PART = f"{COURSE}parts/<slug:part>/"

urlpatterns = [
    path(COURSE, building.index, name="course_draft"),
    path(f"{COURSE}edit/", building.begin, name="edit_course"),
    path(f"{COURSE}rules/", building.rules, name="course_rules"),
    path(f"{COURSE}publish/", building.publish, name="publish_course"),
    path(f"{COURSE}discard/", building.discard, name="discard_course"),
    path(f"{COURSE}close/", building.close, name="close_course"),
    path(f"{COURSE}back/<int:event>/", building.bring_back, name="bring_back_piece"),
    path(f"{COURSE}versions/<int:version>/", building.show_version, name="course_version"),
    path(f"{COURSE}versions/<int:version>/sit/", building.sit, name="sit_course"),
    path(f"{COURSE}versions/<int:version>/items/<slug:piece>/correct/", building.correct, name="correct_item"),
    path(f"{COURSE}versions/<int:version>/back/<int:event>/", building.correct_back, name="correct_item_back"),
    path(f"{COURSE}blocks/new/", pieces.new_block, name="new_block"),
    path(f"{COURSE}blocks/<slug:block>/", pieces.change_block, name="course_block"),
    path(f"{COURSE}pictures/", building.add_pictures, name="add_course_pictures"),
    path(f"{COURSE}pictures/<slug:sha256>/", pieces.picture, name="course_picture"),
    path(f"{COURSE}attempts/", attempts.index, name="exam_attempts"),
    path(f"{COURSE}attempts.csv", attempts.as_csv, name="exam_attempts_csv"),
    path(f"{COURSE}attempts/<uuid:attempt>/void/", attempts.void, name="void_attempt"),
    path(f"{COURSE}attempts/<uuid:attempt>/count/", attempts.count_again, name="count_attempt_again"),
    path(f"{COURSE}time/", attempts.give_time, name="give_exam_time"),
    path(f"{COURSE}time/<int:extra>/back/", attempts.take_time_back, name="take_exam_time_back"),
    path(f"{COURSE}figures/", attempts.figures_page, name="exam_figures"),
    path(f"{COURSE}figures/<slug:table>.csv", attempts.figures_csv, name="exam_figures_csv"),
    path(PART, pieces.part_items, name="course_part"),
    path(f"{PART}arrange/", pieces.arrange, name="arrange_pieces"),
    path(f"{PART}many/", pieces.many, name="many_items"),
    path(f"{PART}new/", pieces.new_item, name="new_course_item"),
    path(f"{PART}items/<slug:piece>/", pieces.item, name="course_item"),
    path(f"{PART}work/<slug:activity>/<int:item_id>/", pieces.references, name="course_references"),
]
