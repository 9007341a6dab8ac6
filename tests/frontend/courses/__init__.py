"""Tests of the pages of courses, for those who take them."""
